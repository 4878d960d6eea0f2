// SPDX-License-Identifier: MIT
// One definition for each type that a definition is used at. Data types stay as they are: how a value is represented
// follows from the types that are known everywhere then.
#include <map>

#include "areas.h"
#include "stages.h"

namespace mim::plug::mil {

namespace {

/// A type that is larger than that belongs to a polymorphic recursion, whose types have no end.
constexpr size_t kMostParts     = 2000;
constexpr size_t kMostInstances = 100'000;

using Meanings = std::unordered_map<Type*, Type*>;

class Specializer {
public:
    Specializer(const Program& p, Types& types, const ProgramTypes& found)
        : old_(p)
        , types_(types)
        , found_(found) {}

    std::optional<Program> run();

private:
    struct Instance {
        Program::Kind kind;
        uint32_t from, to;
        Type* type;
    };

    uint32_t instance(Program::Kind, uint32_t index, Type*);
    uint32_t copy(Program::Kind, uint32_t index, Type*);
    void fill(const Instance&);
    void match(Type* general, Type* special);
    Type* special(Type*);
    Type* use(const void* user) { return special(found_.uses.at(user)); }
    /// A value of a type with a number, a label or an area: there is one for each that it is used at.
    bool is_later(const Program::Entry& e) const { return e.kind == Program::TopKind && has_open_part(old_, types_, type_of(e)); }
    std::string key(Type*, size_t& parts);
    static bool is_code(const Program::Entry& e) { return e.kind != Program::DataKind && e.kind != Program::PrimitiveKind; }
    Type* type_of(const Program::Entry& e) const {
        return e.kind == Program::BlockKind     ? old_.blocks[e.index].typing.scheme.type
               : e.kind == Program::ClosureKind ? old_.closures[e.index].typing.scheme.type
                                                : old_.tops[e.index].typing.scheme.type;
    }

    uint32_t variable(uint32_t v);
    std::vector<uint32_t> variables(std::vector<uint32_t> all) {
        for (auto& v : all) v = variable(v);
        return all;
    }
    Atom atom(const Atom&);
    Atoms atoms(const Atoms&);
    Tail tail(const Tail&);
    Jump jump(const Jump&);
    Code code(const Code&);

    const Program& old_;
    Program p_;
    Types& types_;
    const ProgramTypes& found_;
    std::map<std::string, uint32_t> known_;
    std::vector<Instance> todo_;
    std::map<std::pair<Program::Kind, uint32_t>, std::vector<uint32_t>> made_;
    Meanings meanings_; ///< of the variables of the definition that is copied
    std::unordered_map<uint32_t, uint32_t> locals_;
    size_t count_ = 0;
    bool is_over_ = false; ///< there is no end
};

/// The type as a text that no other type has.
std::string Specializer::key(Type* t, size_t& parts) {
    t = types_.resolve(t);
    if (++parts > kMostParts) {
        is_over_ = true;
        return {};
    }
    if (t->kind != Type::Apply) return std::to_string(reinterpret_cast<uintptr_t>(t)) + " ";
    return "(" + key(t->first, parts) + key(t->second, parts) + ")";
}

void Specializer::match(Type* general, Type* special) {
    general = types_.resolve(general);
    special = types_.resolve(special);
    if (general->kind == Type::Var || general->kind == Type::Rigid) {
        meanings_.emplace(general, special);
        return;
    }
    if (general->kind != Type::Apply || special->kind != Type::Apply) return;
    match(general->first, special->first);
    match(general->second, special->second);
}

Type* Specializer::special(Type* t) { return types_.closed(types_.replaced(t, meanings_)); }

uint32_t Specializer::copy(Program::Kind kind, uint32_t index, Type* type) {
    Typing typing{{{}, type}, nullptr, true, false};
    switch (kind) {
        case Program::BlockKind: {
            auto def   = old_.blocks[index];
            def.typing = typing;
            return add(p_.blocks, std::move(def));
        }
        case Program::ClosureKind: {
            auto def   = old_.closures[index];
            def.typing = typing;
            return add(p_.closures, std::move(def));
        }
        default: {
            auto def   = old_.tops[index];
            def.typing = typing;
            def.block  = kNone;
            return add(p_.tops, std::move(def));
        }
    }
}

uint32_t Specializer::instance(Program::Kind kind, uint32_t index, Type* type) {
    size_t parts = 0;
    auto name    = std::to_string(kind) + " " + std::to_string(index) + " " + key(type, parts);
    if (auto known = known_.find(name); known != known_.end()) return known->second;
    is_over_ |= ++count_ > kMostInstances;
    if (is_over_) return 0;
    auto made = copy(kind, index, type);
    todo_.push_back({kind, index, made, type});
    made_[{kind, index}].push_back(made);
    return known_[name] = made;
}

// ---- copies of code
// ---------------------------------------------------------------------------------------------------------

uint32_t Specializer::variable(uint32_t v) {
    if (v == kNone) return v;
    auto [known, is_new] = locals_.emplace(v, 0);
    if (!is_new) return known->second;
    auto made = p_.variable(old_.variables[v]);
    auto said = old_.annotated.find(v);
    if (said != old_.annotated.end()) p_.annotated[made] = {{{}, special(found_.variables[v])}, said->second.at};
    return known->second = made;
}

Atom Specializer::atom(const Atom& a) {
    if (a.kind == Atom::Var) return {Atom::Var, variable(static_cast<uint32_t>(a.number))};
    if (a.kind == Atom::Top) return {Atom::Top, instance(Program::TopKind, static_cast<uint32_t>(a.number), use(&a))};
    return a;
}

Atoms Specializer::atoms(const Atoms& all) {
    Atoms result;
    for (auto& a : all) result.push_back(atom(a));
    return result;
}

Tail Specializer::tail(const Tail& t) {
    auto result = t;
    result.args = atoms(t.args);
    if (t.op == Tail::Block) result.target = instance(Program::BlockKind, t.target, use(&t));
    if (t.op == Tail::Closure) result.target = instance(Program::ClosureKind, t.target, use(&t));
    return result;
}

Jump Specializer::jump(const Jump& j) { return {instance(Program::BlockKind, j.block, use(&j)), atoms(j.args), j.at}; }

Code Specializer::code(const Code& c) {
    auto result = c;
    for (size_t i = 0; i != c.statements.size(); ++i) {
        auto value           = tail(c.statements[i].tail);
        result.statements[i] = {variables(c.statements[i].binds), std::move(value)};
    }
    if (c.end == Code::Tailed) result.tail = tail(c.tail);
    else result.subject = atom(c.subject);
    for (size_t i = 0; i != c.arms.size(); ++i) result.arms[i].jump = jump(c.arms[i].jump);
    if (c.otherwise) result.otherwise = jump(*c.otherwise);
    return result;
}

void Specializer::fill(const Instance& i) {
    meanings_.clear();
    locals_.clear();
    if (i.kind == Program::BlockKind) {
        match(found_.blocks[i.from], i.type);
        auto& from             = old_.blocks[i.from];
        auto params            = variables(from.params);
        auto body              = code(from.code);
        p_.blocks[i.to].params = std::move(params);
        p_.blocks[i.to].code   = std::move(body);
    } else if (i.kind == Program::ClosureKind) {
        match(found_.closures[i.from], i.type);
        auto& from               = old_.closures[i.from];
        auto stored              = variables(from.stored);
        auto params              = variables(from.params);
        auto body                = tail(from.tail);
        p_.closures[i.to].stored = std::move(stored);
        p_.closures[i.to].params = std::move(params);
        p_.closures[i.to].tail   = std::move(body);
    } else {
        match(found_.tops[i.from], i.type);
        auto body          = tail(old_.tops[i.from].tail);
        p_.tops[i.to].tail = std::move(body);
    }
}

std::optional<Program> Specializer::run() {
    p_ = old_;
    p_.blocks.clear();
    p_.closures.clear();
    p_.tops.clear();
    p_.variables.clear();
    p_.annotated.clear();
    p_.order.clear();
    for (auto& e : old_.order)
        if (is_code(e) && is_root(old_, e) && !is_later(e)) {
            auto made = instance(e.kind, e.index, types_.closed(type_of(e)));
            if (e.kind == Program::TopKind && e.index == old_.main) p_.main = made;
        }
    while (!todo_.empty() && !is_over_) {
        auto next = todo_.back();
        todo_.pop_back();
        fill(next);
    }
    if (is_over_) return {};
    for (auto& e : old_.order) {
        if (!is_code(e)) p_.order.push_back(e);
        else
            for (auto made : made_[{e.kind, e.index}]) p_.order.push_back({e.kind, made});
    }
    return std::move(p_);
}

} // namespace

std::optional<Program> specialize(const Program& p, Types& types, const ProgramTypes& found) {
    return Specializer(p, types, found).run();
}

} // namespace mim::plug::mil
