// SPDX-License-Identifier: MIT
// The types of definitions in MIL, as the paper infers them: blocks, closures and top-level definitions may have any
// types of their variables, temporaries have one.
#include <algorithm>

#include "base/components.h"
#include "mil/diagnostics.h"
#include "stages.h"
#include "type_reader.h"

namespace mim::plug::mil {

namespace {

class Checker {
public:
    Checker(Diagnostics& diags, Source& source)
        : diags_(diags)
        , source_(source)
        , p_(source.program)
        , types_(source.types)
        , variables_(p_.variables.size())
        , schemes_(p_.blocks.size() + p_.closures.size() + p_.tops.size()) {}

    void run();

private:
    struct Definition {
        Program::Kind kind;
        uint32_t index;
    };
    uint32_t node(Program::Kind kind, uint64_t index) const {
        auto blocks = p_.blocks.size(), closures = p_.closures.size();
        auto before = kind == Program::BlockKind ? 0 : kind == Program::ClosureKind ? blocks : blocks + closures;
        return static_cast<uint32_t>(before + index);
    }
    Definition definition(uint32_t node) const {
        if (node < p_.blocks.size()) return {Program::BlockKind, node};
        node -= static_cast<uint32_t>(p_.blocks.size());
        if (node < p_.closures.size()) return {Program::ClosureKind, node};
        return {Program::TopKind, node - static_cast<uint32_t>(p_.closures.size())};
    }

    void primitives();
    std::vector<std::vector<uint32_t>> edges() const;
    void component(const std::vector<uint32_t>&);
    void infer(uint32_t node);
    void code(Code&, Type* range);
    void tail_is(Tail&, Type* range);
    Type* tail(Tail&);
    Type* call(uint32_t node, const Atoms&, Span);
    Type* con(const Tail&);
    void jump(const Jump&, Type* range);
    Type* atom(const Atom&);
    Type* atoms(const Atoms&, size_t first = 0);
    Type* locals(const std::vector<uint32_t>&);
    void agree(Type* is, Type* want, Span);
    void count(uint32_t node);
    uint32_t size_of(Type* range);
    Type* arrow(std::string_view name, Type* a, Type* b) { return types_.apply(types_.con(name), {a, b}); }
    /// The two sides of an arrow.
    std::pair<Type*, Type*> sides(Type* t) {
        return {types_.resolve(types_.resolve(t)->first)->second, types_.resolve(t)->second};
    }

    Diagnostics& diags_;
    Source& source_;
    Program& p_;
    Types& types_;
    std::vector<Type*> variables_;
    std::vector<Scheme> schemes_; ///< of definitions: `domain >>= range`, `stored >>= closure`, or a type
    std::vector<Scheme> primitives_;
};

void Checker::agree(Type* is, Type* want, Span at) {
    if (types_.unify(is, want) == Agreement::Same) return;
    auto [a, b] = types_.texts(is, want);
    diags_.report(diag::mismatch(a, b), at);
}

void Checker::primitives() {
    primitives_.resize(p_.primitives.size());
    TypeReader reader(diags_, source_);
    for (auto& file : source_.files)
        for (auto& [name, index] : file->primitives) {
            auto& p = p_.primitives[index];
            reader.variables.clear();
            ++types_.level;
            auto range = p.any_range ? types_.fresh() : types_.tuple(reader.read(*file, p.range));
            auto type  = arrow(">>=", types_.tuple(reader.read(*file, p.domain)), range);
            --types_.level;
            primitives_[index] = types_.generalize(type);
        }
    for (auto& file : source_.files)
        for (auto& [name, index] : file->tops)
            if (p_.tops[index].signature)
                schemes_[node(Program::TopKind, index)] = reader.scheme(*file, p_.tops[index].signature);
}

std::vector<std::vector<uint32_t>> Checker::edges() const {
    std::vector<std::vector<uint32_t>> result(schemes_.size());
    for (uint32_t n = 0; n != result.size(); ++n) {
        auto& out  = result[n];
        auto atoms = [&](const Atoms& all) {
            for (auto& a : all)
                if (a.kind == Atom::Top) out.push_back(node(Program::TopKind, a.number));
        };
        auto tail = [&](const Tail& t) {
            atoms(t.args);
            if (t.op == Tail::Block) out.push_back(node(Program::BlockKind, t.target));
            if (t.op == Tail::Closure) out.push_back(node(Program::ClosureKind, t.target));
        };
        auto jump = [&](const Jump& j) {
            atoms(j.args);
            out.push_back(node(Program::BlockKind, j.block));
        };
        auto d = definition(n);
        if (d.kind == Program::ClosureKind) tail(p_.closures[d.index].tail);
        if (d.kind == Program::TopKind) tail(p_.tops[d.index].tail);
        if (d.kind != Program::BlockKind) continue;
        auto& c = p_.blocks[d.index].code;
        for (auto& s : c.statements) tail(s.tail);
        if (c.end == Code::Tailed) tail(c.tail);
        else atoms({c.subject});
        for (auto& arm : c.arms) jump(arm.jump);
        if (c.otherwise) jump(*c.otherwise);
    }
    return result;
}

Type* Checker::atom(const Atom& a) {
    switch (a.kind) {
        case Atom::Var: return variables_[a.number];
        case Atom::Word: return types_.con("Word");
        case Atom::Text: return types_.apply(types_.con("Ref"), types_.con("String"));
        default: return types_.instantiate(schemes_[node(Program::TopKind, a.number)]);
    }
}

Type* Checker::atoms(const Atoms& all, size_t first) {
    std::vector<Type*> parts;
    for (auto i = first; i != all.size(); ++i) parts.push_back(atom(all[i]));
    return types_.tuple(parts);
}

Type* Checker::locals(const std::vector<uint32_t>& all) {
    std::vector<Type*> parts;
    for (auto v : all) {
        parts.push_back(types_.fresh());
        if (v != kNone) variables_[v] = parts.back();
    }
    return types_.tuple(parts);
}

Type* Checker::call(uint32_t n, const Atoms& args, Span at) {
    auto [domain, range] = sides(types_.instantiate(schemes_[n]));
    agree(atoms(args), domain, at);
    return range;
}

/// Of `C(a, …)`, `C i a` and `assert a C`.
Type* Checker::con(const Tail& t) {
    auto type = types_.instantiate(p_.cons[t.target].scheme);
    std::vector<Type*> fields;
    for (size_t i = 0; i != p_.cons[t.target].types.size(); ++i) {
        auto [field, rest] = sides(type);
        fields.push_back(field);
        type = rest;
    }
    if (t.op == Tail::Build) {
        agree(atoms(t.args), types_.tuple(fields), t.at);
        return types_.tuple({type});
    }
    agree(atom(t.args[0]), type, t.at);
    return t.op == Tail::Assert ? types_.tuple({}) : types_.tuple({fields[t.index]});
}

Type* Checker::tail(Tail& t) {
    switch (t.op) {
        case Tail::Return: return atoms(t.args);
        case Tail::Block: return call(node(Program::BlockKind, t.target), t.args, t.at);
        case Tail::Closure: return types_.tuple({call(node(Program::ClosureKind, t.target), t.args, t.at)});
        case Tail::Primitive: {
            auto [domain, range] = sides(types_.instantiate(primitives_[t.target]));
            agree(atoms(t.args), domain, t.at);
            return range;
        }
        case Tail::Enter: {
            auto range = types_.fresh();
            agree(atom(t.args[0]), arrow("->>", atoms(t.args, 1), range), t.at);
            return range;
        }
        default: return con(t);
    }
}

void Checker::tail_is(Tail& t, Type* range) { agree(tail(t), range, t.at); }

void Checker::jump(const Jump& j, Type* range) { agree(call(node(Program::BlockKind, j.block), j.args, j.at), range, j.at); }

void Checker::code(Code& c, Type* range) {
    for (auto& s : c.statements) {
        auto is = tail(s.tail); // its names are bound behind it
        if (s.tail.op != Tail::Assert) agree(is, locals(s.binds), s.tail.at);
    }
    if (c.end == Code::Tailed) return tail_is(c.tail, range);
    if (c.end == Code::If) agree(atom(c.subject), types_.con("Flag"), c.at);
    for (auto& arm : c.arms) {
        if (c.end == Code::Case) {
            Tail made{Tail::Assert, arm.con, 0, {c.subject}, arm.jump.at};
            con(made);
        }
        jump(arm.jump, range);
    }
    if (c.otherwise) jump(*c.otherwise, range);
}

void Checker::infer(uint32_t n) {
    auto d = definition(n);
    if (d.kind == Program::TopKind) {
        auto& top = p_.tops[d.index];
        auto type = top.signature ? types_.skolemize(schemes_[n]) : schemes_[n].type;
        return tail_is(top.tail, types_.tuple({type}));
    }
    auto [first, second] = sides(schemes_[n].type);
    if (d.kind == Program::BlockKind) {
        auto& b = p_.blocks[d.index];
        agree(locals(b.params), first, b.at);
        return code(b.code, second);
    }
    auto& k    = p_.closures[d.index];
    auto range = types_.fresh();
    agree(locals(k.stored), first, k.at);
    agree(second, arrow("->>", locals(k.params), range), k.at);
    tail_is(k.tail, range);
}

void Checker::component(const std::vector<uint32_t>& nodes) {
    auto is_signed = [&](uint32_t n) { return definition(n).kind == Program::TopKind && p_.tops[definition(n).index].signature; };
    ++types_.level;
    for (auto n : nodes) {
        bool is_top = definition(n).kind == Program::TopKind;
        if (!is_signed(n)) schemes_[n] = {{}, is_top ? types_.fresh() : arrow(">>=", types_.fresh(), types_.fresh())};
    }
    for (auto n : nodes) infer(n);
    --types_.level;
    for (auto n : nodes)
        if (!is_signed(n)) schemes_[n] = types_.generalize(schemes_[n].type);
}

/// The number of values of a tuple; one if nobody says.
uint32_t Checker::size_of(Type* range) {
    uint32_t size = 0;
    for (range = types_.resolve(range); range->kind == Type::Apply; range = types_.resolve(range->first)) ++size;
    return range->kind == Type::Con ? size : 1;
}

/// Writes down how many values each computation returns.
void Checker::count(uint32_t n) {
    auto d       = definition(n);
    auto is_open = [&](Type* range) { return types_.resolve(range)->kind == Type::Var; };
    if (d.kind == Program::TopKind) {
        p_.tops[d.index].type = schemes_[n].type;
        return;
    }
    auto [first, second] = sides(schemes_[n].type);
    if (d.kind == Program::ClosureKind) {
        p_.closures[d.index].tail.results = size_of(sides(second).second);
        return;
    }
    auto& b   = p_.blocks[d.index];
    b.results = size_of(second);
    if (is_open(second)) diags_.report(diag::not_yet("blocks that never return"), b.at);
    b.code.tail.results = b.results;
}

void Checker::run() {
    primitives();
    auto out   = edges();
    auto place = ComponentSearch(out.size(), [&](uint32_t v) -> const std::vector<uint32_t>& { return out[v]; }).run();
    std::vector<std::vector<uint32_t>> components(place.empty() ? 0 : *std::ranges::max_element(place) + 1);
    for (uint32_t n = 0; n != place.size(); ++n) components[place[n]].push_back(n);
    for (auto& nodes : components) component(nodes);
    if (diags_.num_errors()) return;
    for (uint32_t n = 0; n != place.size(); ++n) count(n);
}

} // namespace

void check_types(FrontEndContext& c, Source& source) { Checker(c.diags, source).run(); }

} // namespace mim::plug::mil
