// SPDX-License-Identifier: MIT
// The types of definitions in MIL, as the paper infers them: blocks, closures and top-level definitions may have any
// types of their variables, temporaries have one. Those whose types are kept are checked, and may be used at other
// types in their own component (polymorphic recursion). Claims of LC are kept where inference without them fails.
#include <algorithm>
#include <stdexcept>

#include "areas.h"
#include "base/components.h"
#include "mil/diagnostics.h"
#include "stages.h"
#include "type_reader.h"

namespace mim::plug::mil {

namespace {

class Checker {
public:
    Checker(Diagnostics& diags, Source& source, Program& p, bool is_own)
        : diags_(diags)
        , source_(source)
        , p_(p)
        , types_(source.types)
        , is_own_(is_own)
        , schemes_(p_.blocks.size() + p_.closures.size() + p_.tops.size()) {
        found_.variables.resize(p_.variables.size());
        found_.blocks.resize(p_.blocks.size());
        found_.closures.resize(p_.closures.size());
        found_.tops.resize(p_.tops.size());
    }

    ProgramTypes run();
    /// Errors are not reported; false if there are some.
    bool is_quiet = false;
    bool is_typed = true;
    /// Signatures in LC hold.
    bool has_claims = false;

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

    void declare();
    void calls(uint32_t node, std::vector<uint32_t>& out) const;
    using Nodes = std::vector<uint32_t>;
    std::vector<Nodes> components(const Nodes&) const;
    void component(const Nodes&);
    bool attempt(const Nodes&);
    bool keep_claims(const Nodes&);
    bool is_whole_claim(uint32_t node);
    std::vector<Type*> parts(Type* tuple);
    void claimed(uint32_t node, Type*);
    void infer(uint32_t node);
    void code(Code&, Type* range);
    void tail_is(Tail&, Type* range);
    Type* tail(Tail&);
    /// `user` is the tail or the jump that calls it.
    Type* call(uint32_t node, const Atoms&, Span, const void* user);
    Type* con(const Tail&);
    Type* made_by(uint32_t con, std::vector<Type*>& fields);
    void jump(const Jump&, Type* range);
    Type* atom(const Atom&);
    Type* atoms(const Atoms&, size_t first = 0);
    Type* locals(const std::vector<uint32_t>&);
    void agree(Type* is, Type* want, Span);
    void finish(uint32_t node);
    Typing& typing(uint32_t node) const {
        auto d = definition(node);
        if (d.kind == Program::BlockKind) return p_.blocks[d.index].typing;
        return d.kind == Program::ClosureKind ? p_.closures[d.index].typing : p_.tops[d.index].typing;
    }
    bool is_kept(uint32_t node) const { return typing(node).is_kept; }
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
    bool is_own_; ///< the compiler has made the program: an error is its own
    bool is_attempt_ = false, has_failed_ = false;
    ProgramTypes found_;
    std::vector<Scheme> schemes_; ///< of definitions: `domain >>= range`, `stored >>= closure`, or a type
};

void Checker::agree(Type* is, Type* want, Span at) {
    if (types_.unify(is, want) == Agreement::Same) return;
    has_failed_ = true;
    if (is_attempt_) return;
    is_typed = false;
    if (is_quiet) return;
    auto [a, b] = types_.texts(is, want);
    diags_.report(diag::mismatch(a, b), at);
}

/// Types that the text states.
void Checker::declare() {
    TypeReader reader(diags_, source_);
    auto primitive = [&](const File& file, Primitive& p) {
        reader.variables.clear();
        ++types_.level;
        auto range = p.any_range ? types_.fresh() : types_.tuple(reader.read(file, p.range));
        auto type  = arrow(">>=", types_.tuple(reader.read(file, p.domain)), range);
        --types_.level;
        p.scheme = types_.generalize(type);
    };
    auto definition = [&](const File& file, Typing& t) {
        if (!t.text) return;
        t.scheme  = reader.scheme(file, t.text);
        t.text    = nullptr;
        t.is_kept = true;
    };
    for (auto& file : source_.files) {
        for (auto& [name, index] : file->primitives)
            if (!p_.primitives[index].scheme.type) primitive(*file, p_.primitives[index]);
        for (auto& [name, index] : file->blocks) definition(*file, p_.blocks[index].typing);
        for (auto& [name, index] : file->primitive_blocks) definition(*file, p_.blocks[index].typing);
        for (auto& [name, index] : file->closures) definition(*file, p_.closures[index].typing);
        for (auto& [name, index] : file->tops) definition(*file, p_.tops[index].typing);
        for (auto& a : file->annotations) p_.annotated[a.variable] = {reader.scheme(*file, a.type), a.type->at};
    }
}

/// The definitions whose types it needs to be found before.
void Checker::calls(uint32_t n, std::vector<uint32_t>& out) const {
    auto need = [&](Program::Kind kind, uint64_t index) {
        auto callee = node(kind, index);
        if (!is_kept(callee)) out.push_back(callee);
    };
    auto atoms = [&](const Atoms& all) {
        for (auto& a : all)
            if (a.kind == Atom::Top) need(Program::TopKind, a.number);
    };
    auto tail = [&](const Tail& t) {
        atoms(t.args);
        if (t.op == Tail::Block) need(Program::BlockKind, t.target);
        if (t.op == Tail::Closure) need(Program::ClosureKind, t.target);
    };
    auto jump = [&](const Jump& j) {
        atoms(j.args);
        need(Program::BlockKind, j.block);
    };
    auto d = definition(n);
    if (d.kind == Program::ClosureKind) return tail(p_.closures[d.index].tail);
    if (d.kind == Program::TopKind) return tail(p_.tops[d.index].tail);
    auto& c = p_.blocks[d.index].code;
    for (auto& s : c.statements) tail(s.tail);
    if (c.end == Code::Tailed) tail(c.tail);
    else atoms({c.subject});
    for (auto& arm : c.arms) jump(arm.jump);
    if (c.otherwise) jump(*c.otherwise);
}

std::vector<Checker::Nodes> Checker::components(const Nodes& nodes) const {
    std::vector<std::vector<uint32_t>> edges(schemes_.size());
    for (auto n : nodes) calls(n, edges[n]);
    auto place = ComponentSearch(edges.size(), [&](uint32_t v) -> const std::vector<uint32_t>& { return edges[v]; }).run();
    std::vector<Nodes> result(place.empty() ? 0 : *std::ranges::max_element(place) + 1);
    for (auto n : nodes) result[place[n]].push_back(n);
    std::erase_if(result, [](auto& c) { return c.empty(); });
    return result;
}

Type* Checker::atom(const Atom& a) {
    switch (a.kind) {
        case Atom::Var: {
            auto type = found_.variables[a.number];
            if (!type) throw std::logic_error("a pass on MIL uses a variable before it has a value");
            return type;
        }
        case Atom::Word: return types_.con("Word");
        case Atom::Flag: return types_.con("Flag");
        case Atom::Bits: return types_.bits(a.width);
        case Atom::Text: return types_.apply(types_.con("Ref"), types_.con("String"));
        case Atom::Proxy: return types_.apply(types_.con("ProxyNat"), types_.number(a.number));
        case Atom::Label: return types_.apply(types_.con("ProxyLab"), types_.con(label_type(p_.labels[a.number])));
        default: return found_.uses[&a] = types_.instantiate(schemes_[node(Program::TopKind, a.number)]);
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
        if (v == kNone) continue;
        found_.variables[v] = parts.back();
        auto said           = p_.annotated.find(v);
        if (said != p_.annotated.end()) agree(parts.back(), types_.instantiate(said->second.scheme), said->second.at);
    }
    return types_.tuple(parts);
}

Type* Checker::call(uint32_t n, const Atoms& args, Span at, const void* user) {
    auto type            = types_.instantiate(schemes_[n]);
    auto [domain, range] = sides(type);
    found_.uses[user]    = type;
    agree(atoms(args), domain, at);
    return range;
}

/// The type of what a constructor makes of these fields.
Type* Checker::made_by(uint32_t con, std::vector<Type*>& fields) {
    auto type = types_.instantiate(p_.cons[con].scheme);
    for (size_t i = 0; i != p_.cons[con].types.size(); ++i) {
        auto [field, rest] = sides(type);
        fields.push_back(field);
        type = rest;
    }
    return type;
}

/// Of `C(a, …)`, `C i a` and `assert a C`.
Type* Checker::con(const Tail& t) {
    std::vector<Type*> fields;
    auto type = made_by(t.target, fields);
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
        case Tail::Block: return call(node(Program::BlockKind, t.target), t.args, t.at, &t);
        case Tail::Closure: return types_.tuple({call(node(Program::ClosureKind, t.target), t.args, t.at, &t)});
        case Tail::Primitive: {
            auto [domain, range] = sides(types_.instantiate(p_.primitives[t.target].scheme));
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

void Checker::jump(const Jump& j, Type* range) { agree(call(node(Program::BlockKind, j.block), j.args, j.at, &j), range, j.at); }

void Checker::code(Code& c, Type* range) {
    for (auto& s : c.statements) {
        auto is = tail(s.tail); // its names are bound behind it
        if (s.tail.op != Tail::Assert) agree(is, locals(s.binds), s.tail.at);
    }
    if (c.end == Code::Tailed) return tail_is(c.tail, range);
    auto subject = atom(c.subject);
    if (c.end == Code::If) agree(subject, types_.con("Flag"), c.at);
    for (auto& arm : c.arms) {
        std::vector<Type*> fields;
        if (c.end == Code::Case) agree(subject, made_by(arm.con, fields), arm.jump.at);
        jump(arm.jump, range);
    }
    if (c.otherwise) jump(*c.otherwise, range);
}

std::vector<Type*> Checker::parts(Type* tuple) {
    std::vector<Type*> all;
    for (tuple = types_.resolve(tuple); tuple->kind == Type::Apply; tuple = types_.resolve(tuple->first))
        all.insert(all.begin(), tuple->second);
    return all;
}

/// A definition has the type that LC has found for it, which may be less general. Captured parameters have none there.
void Checker::claimed(uint32_t n, Type* type) {
    auto& t       = typing(n);
    bool is_claim = has_claims && t.is_claimed && !t.is_kept;
    if (!is_claim) return;
    auto claim = types_.instantiate(t.claim);
    auto d     = definition(n);
    if (d.kind == Program::TopKind) return agree(type, claim, p_.tops[d.index].at);
    auto [domain, range] = sides(claim);
    auto [first, second] = sides(type);
    auto said            = parts(domain);
    auto own             = parts(first);
    for (size_t i = 0; i != said.size(); ++i) agree(own[i], said[i], p_.blocks[d.index].at);
    agree(second, range, p_.blocks[d.index].at);
}

void Checker::infer(uint32_t n) {
    auto d    = definition(n);
    auto type = is_kept(n) ? types_.skolemize(schemes_[n]) : schemes_[n].type;
    if (d.kind == Program::TopKind) {
        found_.tops[d.index] = type;
        claimed(n, type);
        if (p_.tops[d.index].external != kNone) return;
        return tail_is(p_.tops[d.index].tail, types_.tuple({type}));
    }
    auto [first, second] = sides(type);
    if (d.kind == Program::BlockKind) {
        auto& b                = p_.blocks[d.index];
        found_.blocks[d.index] = type;
        agree(locals(b.params), first, b.at);
        claimed(n, type);
        return code(b.code, second);
    }
    auto& k                  = p_.closures[d.index];
    auto range               = types_.fresh();
    found_.closures[d.index] = type;
    agree(locals(k.stored), first, k.at);
    agree(second, arrow("->>", locals(k.params), range), k.at);
    tail_is(k.tail, range);
}

/// False if the definitions of the component disagree.
bool Checker::attempt(const Nodes& nodes) {
    has_failed_ = false;
    ++types_.level;
    for (auto n : nodes) {
        bool is_top = definition(n).kind == Program::TopKind;
        if (!is_kept(n)) schemes_[n] = {{}, is_top ? types_.fresh() : arrow(">>=", types_.fresh(), types_.fresh())};
    }
    for (auto n : nodes) infer(n);
    --types_.level;
    for (auto n : nodes)
        if (!is_kept(n)) schemes_[n] = types_.generalize(schemes_[n].type);
    return !has_failed_;
}

/// The whole type of a block.
bool Checker::is_whole_claim(uint32_t n) {
    auto& t       = typing(n);
    auto d        = definition(n);
    bool is_block = d.kind == Program::BlockKind && t.is_claimed && !t.is_kept;
    return is_block && parts(sides(t.claim.type).first).size() == p_.blocks[d.index].params.size();
}

/// False if there are none.
bool Checker::keep_claims(const Nodes& nodes) {
    bool any = false;
    for (auto n : nodes) {
        auto& t = typing(n);
        if (!is_whole_claim(n)) continue;
        t.is_kept   = true;
        schemes_[n] = t.claim;
        any         = true;
    }
    return any;
}

void Checker::component(const Nodes& nodes) {
    is_attempt_ = std::ranges::any_of(nodes, [&](uint32_t n) { return is_whole_claim(n); });
    if (attempt(nodes) || !is_attempt_) return;
    keep_claims(nodes);
    for (auto& smaller : components(nodes)) component(smaller);
}

/// The number of values of a tuple; one if nobody says.
uint32_t Checker::size_of(Type* range) {
    uint32_t size = 0;
    for (range = types_.resolve(range); range->kind == Type::Apply; range = types_.resolve(range->first)) ++size;
    return range->kind == Type::Con ? size : 1;
}

/// Writes down the type, and how many values the computation returns.
void Checker::finish(uint32_t n) {
    auto d           = definition(n);
    typing(n).scheme = schemes_[n];
    if (d.kind == Program::TopKind) return;
    auto [first, second] = sides(schemes_[n].type);
    if (d.kind == Program::ClosureKind) {
        p_.closures[d.index].tail.results = size_of(sides(second).second);
        return;
    }
    auto& b             = p_.blocks[d.index];
    b.results           = size_of(second);
    b.code.tail.results = b.results;
}

ProgramTypes Checker::run() {
    if (!is_own_) declare();
    Nodes nodes;
    for (auto& use : source_.uses) schemes_[node(Program::TopKind, use.top)] = p_.tops[use.top].typing.scheme;
    for (auto& e : p_.order)
        if (e.kind == Program::BlockKind || e.kind == Program::ClosureKind || e.kind == Program::TopKind) {
            nodes.push_back(node(e.kind, e.index));
            if (is_kept(nodes.back())) schemes_[nodes.back()] = typing(nodes.back()).scheme;
        }
    auto errors = diags_.num_errors();
    for (auto& c : components(nodes)) component(c);
    if (is_own_ && diags_.num_errors() != errors) throw std::logic_error("a pass on MIL made a program that has no types");
    if (diags_.num_errors() || !is_typed) return {};
    for (auto n : nodes) finish(n);
    return std::move(found_);
}

} // namespace

ProgramTypes check_types(FrontEndContext& c, Source& source) { return Checker(c.diags, source, source.program, false).run(); }

void check_aliases(Diagnostics& diags, Source& source) {
    auto& types = source.types;
    auto& tops  = source.program.tops;
    for (auto& alias : source.aliases) {
        auto is_top  = alias.value.kind == Atom::Top;
        auto is_word = alias.value.kind == Atom::Word;
        auto want    = types.skolemize(tops[alias.top].typing.scheme);
        auto is      = types.con("Word");
        if (is_top) is = types.instantiate(tops[alias.value.number].typing.scheme);
        else if (!is_word) is = types.bits(std::max(alias.value.width, 1u));
        check_same(diags, source, is, want, is_word ? std::optional(alias.value.number) : std::nullopt, alias.at);
    }
}

ProgramTypes check_again(FrontEndContext& c, Source& source, Program& p) { return Checker(c.diags, source, p, true).run(); }

ProgramTypes check_claims(FrontEndContext& c, Source& source, Program& p) {
    Checker checker(c.diags, source, p, true);
    checker.has_claims = true;
    return checker.run();
}

std::optional<ProgramTypes> try_types(FrontEndContext& c, Source& source, Program& p) {
    Checker checker(c.diags, source, p, true);
    checker.is_quiet = true;
    auto types       = checker.run();
    return checker.is_typed ? std::optional(std::move(types)) : std::nullopt;
}

} // namespace mim::plug::mil
