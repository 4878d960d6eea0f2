// SPDX-License-Identifier: MIT
// Trees of strategies to terms of the plugin `elevate`. A name is a parameter, a strategy of the file, one of the language, a rule, or a size.
#include "strategy.h"

#include <algorithm>
#include <map>

#include "base/nearest.h"
#include "elevate/annexes.h"
#include "front/scanner.h"
#include "kit/build.h"
#include "kit/match.h"
#include "primitives.h"
#include "rise/annexes.h"
#include "rise/diagnostics.h"

namespace mim::plug::rise {

namespace {

using Tree = StrategyTree;

/// A strategy that takes these: s a strategy, n a size, f a function of strategies, p a primitive.
struct StrategyRow {
    std::string_view name, takes;
};
constexpr StrategyRow kStrategies[] = {
    {"id", ""},           {"fail", ""},
    {"try", "s"},         {"repeat", "s"},
    {"repeatN", "ns"},    {"applyN", "nfs"},
    {"normalize", "s"},   {"not", "s"},
    {"if", "sss"},        {"all", "s"},
    {"one", "s"},         {"some", "s"},
    {"topDown", "s"},     {"bottomUp", "s"},
    {"allTopDown", "s"},  {"tryAll", "s"},
    {"allBottomUp", "s"}, {"downUp", "s"},
    {"downUp2", "ss"},    {"allTd", "s"},
    {"someTd", "s"},      {"someBu", "s"},
    {"position", "ns"},   {"skip", "ns"},
    {"outermost", "ss"},  {"innermost", "ss"},
    {"every", "ss"},      {"function", "s"},
    {"argument", "s"},    {"body", "s"},
    {"argumentOf", "ps"}, {"fmap", "s"},
    {"mapNest", "n"},     {"isLambda", ""},
    {"isApply", ""},      {"isReduceX", ""},
    {"isApplied", "s"},   {"isFullyApplied", "p"},
    {"BENF", ""},         {"DFNF", ""},
};
struct AliasRow {
    std::string_view name, rule;
};
constexpr AliasRow kAliases[] = {{"splitJoinMap", "splitJoin"}, {"splitStrategy", "blockedReduce"}};

const StrategyRow* find_strategy(std::string_view name) {
    auto row = std::ranges::find(kStrategies, name, &StrategyRow::name);
    return row == std::end(kStrategies) ? nullptr : row;
}

/// A rule in C++.
const Def* native_rule(World& w, std::string_view name) {
    if (name == "idAfter") return w.annex(idAfter(0));
    if (name == "mapLastFission") return w.annex(mapLastFission(0));
    return nullptr;
}

/// Rules that rewrite any term `x`: their left sides are `id(x)`, since each has an axiom.
bool is_behind_any(std::string_view rule) {
    return rule == "splitJoin2" || rule == "createTransposePair" || rule == "toMemAfter";
}

/// `isMapSeq` asks for the primitive `mapSeq`.
const Primitive* asked_primitive(std::string_view name) {
    bool is_question = name.size() > 2 && name.starts_with("is");
    if (!is_question) return nullptr;
    std::string primitive(name.substr(2));
    primitive[0] = static_cast<char>(primitive[0] - 'A' + 'a');
    return find_primitive(primitive);
}

class StrategyBuilder {
public:
    StrategyBuilder(World& world, Diagnostics& diags, const Program& program, const SizeNames& sizes)
        : w(world)
        , diags_(diags)
        , program_(program)
        , sizes_(sizes) {}

    struct Broken {};
    const Def* strategy(const Tree&);
    /// A strategy of the file with any arguments.
    const Def* sample(const Strategy&);

private:
    using Args  = std::vector<const Tree*>;
    using Names = std::map<std::string_view, const Def*>;

    const Def* inside(const Strategy&, Names);
    [[noreturn]] void fail(const Tree& at, std::string name, std::string what) {
        diags_.report(diag::bad_strategy(std::move(name), std::move(what)), at.span);
        throw Broken();
    }
    const Def* applied(const Tree&);
    const Def* known(const Tree& at, const StrategyRow&, const Args&);
    const Def* made(std::string_view name, const DefVec&);
    const Def* declared(const Tree& at, const Strategy&, const Args&);
    const Def* rule(const Tree& at, std::string_view name, const Args&);
    DefVec rule_arguments(const Tree& at, const std::string& name, const DefVec& types, const Args&);
    const Def* argument(const Tree&, char kind);
    const Def* size(const Tree&);
    const Def* space(const Tree&);
    const Def* primitive(const Tree&);
    const Def* function(const Tree&);
    const Def* name_of(const Tree&) const;
    const Strategy* find(std::string_view name) const;
    void check_number(const Tree& at, std::string_view name, size_t takes, const Args&);
    std::string nearest(std::string_view name) const;

    const Def* is(const Def* axiom);
    const Def* is_map() { return is(w.annex(map::high)); }
    const Def* seq(const DefVec& steps) { return w.apply<elevate::seq>({w.lit_nat(steps.size())}, {w.tuple(steps)}); }
    const Def* choice(const DefVec& all) { return w.apply<elevate::choice>({w.lit_nat(all.size())}, {w.tuple(all)}); }
    const Def* is_any_map();
    const Def* map_nest(uint64_t depth);

    World& w;
    Diagnostics& diags_;
    const Program& program_;
    const SizeNames& sizes_;
    Names names_;                     ///< parameters of the strategy whose body is read
    size_t num_visible_ = ~size_t(0); ///< strategies of the file that are declared before it
};

const Def* StrategyBuilder::strategy(const Tree& tree) {
    switch (tree.kind) {
        case Tree::Sequence: return seq({strategy(*tree.parts[0]), strategy(*tree.parts[1])});
        case Tree::Choice: return choice({strategy(*tree.parts[0]), strategy(*tree.parts[1])});
        case Tree::Number: fail(tree, std::string(tree.text), "is a number, where a strategy is expected");
        default: return applied(tree);
    }
}

/// `f(a)(b)` is `f(a, b)`.
const Def* StrategyBuilder::applied(const Tree& tree) {
    Args args;
    auto head = &tree;
    while (head->kind == Tree::Apply) {
        args.insert(args.begin(), head->parts.begin() + 1, head->parts.end());
        head = head->parts[0];
    }
    if (head->kind != Tree::Name) fail(*head, "this", "is no name of a strategy that takes others");
    auto name = head->text;
    if (auto def = name_of(*head)) {
        check_number(*head, name, 0, args);
        bool is_strategy = def->type() == w.annex(elevate::Strategy(0));
        if (!is_strategy) fail(*head, std::string(name), "is no strategy");
        return def;
    }
    if (auto own = find(name)) return declared(*head, *own, args);
    if (auto row = find_strategy(name)) return known(*head, *row, args);
    if (auto axiom = native_rule(w, name)) {
        check_number(*head, name, 0, args);
        return axiom;
    }
    if (auto asked = asked_primitive(name)) {
        check_number(*head, name, 0, args);
        auto axiom = asked->axiom(w);
        return is(axiom);
    }
    return rule(*head, name, args);
}

const Def* StrategyBuilder::name_of(const Tree& tree) const {
    auto found = names_.find(tree.text);
    return found == names_.end() ? nullptr : found->second;
}

const Strategy* StrategyBuilder::find(std::string_view name) const {
    auto n = std::min(num_visible_, program_.strategies.size());
    for (size_t i = n; i-- != 0;)
        if (program_.strategies[i].name == name) return &program_.strategies[i];
    return nullptr;
}

void StrategyBuilder::check_number(const Tree& at, std::string_view name, size_t takes, const Args& args) {
    if (takes == args.size()) return;
    auto number = takes == 0 ? "no arguments" : std::to_string(takes) + (takes == 1 ? " argument" : " arguments");
    fail(at, std::string(name), "takes " + number + ", not " + std::to_string(args.size()));
}

std::string StrategyBuilder::nearest(std::string_view name) const {
    Nearest nearest(name);
    for (auto& row : kStrategies) nearest.offer(row.name);
    for (auto& row : kAliases) nearest.offer(row.name);
    for (auto& strategy : program_.strategies) {
        if (strategy.name == name) return ": it is declared further down";
        nearest.offer(strategy.name);
    }
    for (auto& rule : w.rules.all())
        if (rule->on_request) nearest.offer(rule->name.view());
    return nearest.best.empty() ? std::string() : ": did you mean `" + std::string(nearest.best) + "`?";
}

// ---- strategies of the file

/// It sees the strategies before it, and its parameters.
const Def* StrategyBuilder::declared(const Tree& at, const Strategy& s, const Args& args) {
    check_number(at, s.name, s.parameters.size(), args);
    if (!s.body) throw Broken();
    Names inner;
    for (size_t i = 0; i != args.size(); ++i) {
        auto kind                   = s.parameters[i].kind;
        inner[s.parameters[i].name] = argument(*args[i], kind == "Nat" ? 'n' : kind == "AddrSp" ? 'a' : 's');
    }
    return inside(s, std::move(inner));
}

const Def* StrategyBuilder::inside(const Strategy& s, Names inner) {
    std::swap(names_, inner);
    auto visible = std::exchange(num_visible_, static_cast<size_t>(&s - program_.strategies.data()));
    auto result  = strategy(*s.body);
    num_visible_ = visible;
    std::swap(names_, inner);
    return result;
}

const Def* StrategyBuilder::sample(const Strategy& s) {
    Names inner;
    for (auto& p : s.parameters)
        inner[p.name] = p.kind == "Nat" ? w.lit_nat(1) : p.kind == "AddrSp" ? w.annex(as::private_) : w.annex(elevate::id(0));
    return inside(s, std::move(inner));
}

// ---- strategies of the language

const Def* StrategyBuilder::known(const Tree& at, const StrategyRow& row, const Args& args) {
    check_number(at, row.name, row.takes.size(), args);
    DefVec defs;
    for (size_t i = 0; i != args.size(); ++i) defs.push_back(argument(*args[i], row.takes[i]));
    return made(row.name, defs);
}

/// A predicate takes no function of types, so the axiom gets some, which mean nothing.
const Def* StrategyBuilder::is(const Def* axiom) {
    auto some = [&](const Def* type) -> const Def* {
        if (type == w.nat()) return w.lit_nat(0);
        return type == w.annex(AddrSp(0)) ? w.annex(as::private_) : w.nat();
    };
    auto head = axiom;
    while (head->type()->type() != w.nat()->type()) {
        auto dom   = head->type()->as<Pi>()->dom();
        auto count = lit_arity(w, dom);
        if (count <= 1) {
            head = w.app(head, some(dom));
            continue;
        }
        auto args = def_vec(static_cast<size_t>(count), [&](size_t i) {
            auto sigma = dom->isa<Sigma>();
            return some(sigma ? sigma->op(i) : dom->as<mim::Arr>()->body());
        });
        head      = w.app(head, w.tuple(args));
    }
    return w.apply<elevate::is>({head->type()}, {head});
}

const Def* StrategyBuilder::is_any_map() {
    DefVec all;
    for (auto head : {map::high, map::seq, map::unroll, map::par}) all.push_back(is(w.annex(head)));
    for (auto name : {"mapGlobal", "mapWorkGroup", "mapLocal"}) all.push_back(is(find_primitive(name)->axiom(w)));
    return choice(all);
}

const Def* StrategyBuilder::map_nest(uint64_t depth) {
    auto result = w.annex(elevate::id(0));
    for (; depth != 0; --depth) {
        auto inside = w.apply<elevate::function>({w.apply<elevate::body>({result})});
        result      = seq({is_map(), inside});
    }
    return result;
}

const Def* StrategyBuilder::made(std::string_view name, const DefVec& a) {
    auto call = [&](auto annex) {
        auto result = w.annex(annex);
        return a.empty() ? result : w.app(result, a.size() == 1 ? a[0] : w.tuple(a));
    };
    auto curried = [&](auto annex) {
        auto result = w.annex(annex);
        for (auto arg : a) result = w.app(result, arg);
        return result;
    };
    if (name == "id") return call(elevate::id(0));
    if (name == "fail") return call(elevate::fail(0));
    if (name == "try") return call(elevate::tryTo(0));
    if (name == "repeat") return call(elevate::repeat(0));
    if (name == "repeatN") return curried(elevate::repeatN(0));
    if (name == "applyN") return curried(elevate::applyN(0));
    if (name == "normalize") return call(elevate::normalize(0));
    if (name == "not") return call(elevate::fails(0));
    if (name == "if") return call(elevate::cond(0));
    if (name == "all") return call(elevate::all(0));
    if (name == "one") return call(elevate::one(0));
    if (name == "some") return call(elevate::some(0));
    if (name == "topDown") return call(elevate::topDown(0));
    if (name == "bottomUp") return call(elevate::bottomUp(0));
    if (name == "allTopDown") return call(elevate::allTopDown(0));
    if (name == "allBottomUp") return call(elevate::allBottomUp(0));
    if (name == "tryAll") return call(elevate::tryAll(0));
    if (name == "downUp") return call(elevate::downUp(0));
    if (name == "downUp2") return call(elevate::downUp2(0));
    if (name == "allTd") return call(elevate::allTd(0));
    if (name == "someTd") return call(elevate::someTd(0));
    if (name == "someBu") return call(elevate::someBu(0));
    if (name == "position") return curried(elevate::position(0));
    if (name == "skip") return curried(elevate::skip(0));
    if (name == "outermost") return call(elevate::outermost(0));
    if (name == "innermost") return call(elevate::innermost(0));
    if (name == "every") return call(elevate::every(0));
    if (name == "function") return call(elevate::function(0));
    if (name == "argument") return call(elevate::argument(0));
    if (name == "body") return call(elevate::body(0));
    if (name == "argumentOf") return seq({is(a[0]), w.apply<elevate::argument>({a[1]})});
    if (name == "fmap") return seq({is_any_map(), w.apply<elevate::function>({w.apply<elevate::body>({a[0]})})});
    if (name == "mapNest") return map_nest(value(a[0]).value_or(0));
    if (name == "isLambda") return call(elevate::isLambda(0));
    if (name == "isApply") return call(elevate::isApply(0));
    if (name == "isApplied") return seq({w.annex(elevate::isApply(0)), a[0]});
    if (name == "isFullyApplied") return is(a[0]);
    if (name == "isReduceX")
        return choice({is(w.annex(rise::reduce(0))), is(w.annex(reduce_seq::loop)), is(w.annex(reduce_seq::unroll))});
    if (name == "BENF") return call(elevate::benf(0));
    return w.call<elevate::tryTo>(w.annex(dfnf(0)));
}

// ---- rules

/// The arguments that may be left out: `Private`, and the dimension 0.
DefVec StrategyBuilder::rule_arguments(const Tree& at, const std::string& name, const DefVec& types, const Args& args) {
    DefVec result;
    auto is_space = [&](const Def* type) { return type == w.annex(AddrSp(0)); };
    for (size_t i = 0; i != types.size(); ++i) {
        bool is_dimension = name == "toMapGlobal" || name == "toMapWorkGroup" || name == "toMapLocal";
        if (i < args.size()) result.push_back(argument(*args[i], is_space(types[i]) ? 'a' : 'n'));
        else if (is_space(types[i])) result.push_back(w.annex(as::private_));
        else if (is_dimension) result.push_back(w.lit_nat(0));
    }
    bool is_complete = result.size() == types.size() && args.size() <= types.size();
    if (!is_complete) check_number(at, name, types.size(), args);
    return result;
}

const Def* StrategyBuilder::rule(const Tree& at, std::string_view name, const Args& args) {
    auto alias = std::ranges::find(kAliases, name, &AliasRow::name);
    auto own   = std::string(alias == std::end(kAliases) ? name : alias->rule);
    auto rules = w.rules.on_request(own);
    if (rules.empty()) fail(at, std::string(name), "is no strategy or rule" + nearest(name));
    DefVec types;
    for (size_t i = 0; i != rules[0]->num_params; ++i) types.push_back(w.rules.param_type(*rules[0], i));
    auto params = rule_arguments(at, own, types, args);
    auto text   = w.tuple(map_defs(own, [&](char c) { return w.lit_idx(256, static_cast<unsigned char>(c)); }));
    auto length = w.lit_nat(own.size());
    auto given  = params.size() == 1 ? params[0] : w.tuple(params);
    auto result = params.empty() ? w.apply<elevate::rule>({length}, {text})
                                 : w.apply<elevate::with>({length, given->type()}, {text}, {given});
    return is_behind_any(own) ? seq({w.annex(idAfter(0)), result}) : result;
}

// ---- arguments

const Def* StrategyBuilder::argument(const Tree& tree, char kind) {
    switch (kind) {
        case 'n': return size(tree);
        case 'a': return space(tree);
        case 'p': return primitive(tree);
        case 'f': return function(tree);
        default: return strategy(tree);
    }
}

const Def* StrategyBuilder::size(const Tree& tree) {
    if (tree.kind == Tree::Number)
        if (auto n = front::integer_value(tree.text)) return w.lit_nat(*n);
    bool is_name = tree.kind == Tree::Name;
    auto def     = is_name ? name_of(tree) : nullptr;
    if (!def && is_name) def = sizes_(tree.text);
    if (def && def->type() == w.nat()) return def;
    fail(tree, is_name ? std::string(tree.text) : "this", "is no size: a number is expected, or a size of the definition");
}

const Def* StrategyBuilder::space(const Tree& tree) {
    if (tree.kind == Tree::Name) {
        auto def = name_of(tree);
        if (def && def->type() == w.annex(AddrSp(0))) return def;
        for (auto space : {as::global, as::local, as::private_, as::constant})
            if (text(static_cast<Space>(space)) == tree.text) return w.annex(space);
    }
    fail(tree, tree.kind == Tree::Name ? std::string(tree.text) : "this",
         "is no address space: `Global`, `Local`, `Private` or `Constant` is expected");
}

const Def* StrategyBuilder::primitive(const Tree& tree) {
    auto found = tree.kind == Tree::Name ? find_primitive(tree.text) : nullptr;
    if (!found) fail(tree, tree.kind == Tree::Name ? std::string(tree.text) : "this", "is no primitive");
    return found->axiom(w);
}

/// `fmap`, or `skip(2)`: what takes one more strategy.
const Def* StrategyBuilder::function(const Tree& tree) {
    auto type  = w.annex(elevate::Strategy(0));
    auto lam   = w.mut_lam(w.pi(type, type));
    auto outer = names_;
    Tree variable{.kind = Tree::Name, .span = tree.span, .text = " s"};
    Tree call{.kind = Tree::Apply, .span = tree.span, .parts = {&tree, &variable}};
    names_[variable.text] = lam->var();
    w.set(lam, w.tt(), strategy(call));
    names_ = outer;
    return w.seal(lam);
}

} // namespace

const Def* build_strategy(World& w, Diagnostics& diags, const Program& program, const StrategyTree& tree,
                          const SizeNames& sizes) {
    try {
        return StrategyBuilder(w, diags, program, sizes).strategy(tree);
    } catch (const StrategyBuilder::Broken&) {
        return nullptr;
    }
}

void check_strategies(World& w, Diagnostics& diags, const Program& program) {
    SizeNames none = [](std::string_view) { return nullptr; };
    for (auto& strategy : program.strategies) {
        try {
            if (strategy.body) StrategyBuilder(w, diags, program, none).sample(strategy);
        } catch (const StrategyBuilder::Broken&) {}
    }
}

} // namespace mim::plug::rise
