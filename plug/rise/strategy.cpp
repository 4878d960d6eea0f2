// SPDX-License-Identifier: MIT
// Trees of strategies to terms of the plugin `elevate`. A name is a parameter, a strategy of the file, one of the library or of the language, a
// rule, or a size.
#include "strategy.h"

#include <algorithm>

#include "base/nearest.h"
#include "elevate/annexes.h"
#include "rise/annexes.h"
#include "rise/diagnostics.h"
#include "strategy_builder.h"

namespace mim::plug::rise {

namespace {

struct AliasRow {
    std::string_view name, rule;
};
constexpr AliasRow kAliases[] = {{"splitJoinMap", "splitJoin"}, {"splitStrategy", "blockedReduce"}};

/// Strategies that call others: beyond that, one calls itself with other arguments each time.
constexpr size_t kMaxCalls = 200;

/// A rule in C++.
const Def* native_rule(World& w, std::string_view name) {
    if (name == "idAfter") return w.annex(idAfter(0));
    if (name == "mapLastFission") return w.annex(mapLastFission(0));
    if (name == "mapFirstFission") return w.annex(mapFirstFission(0));
    if (name == "mapFullFission") return w.annex(mapFullFission(0));
    if (name == "reduceMapFission") return w.annex(reduceMapFission(0));
    if (name == "treeReduce") return w.annex(treeReduce(0));
    if (name == "iterateOrFirst") return w.annex(iterateOrFirst(0));
    if (name == "slideTile") return w.annex(slideTile(0));
    if (name == "after") return w.annex(after(0));
    if (name == "tail") return w.annex(tail(0));
    if (name == "beforeMap") return w.annex(beforeMap(0));
    if (name == "beforeMapReduce") return w.annex(beforeMapReduce(0));
    if (name == "vectorReduce") return w.annex(vectorReduce(0));
    if (name == "padEmptyBeforeMap") return w.annex(padEmptyBeforeMap(0));
    return nullptr;
}

/// Rules that rewrite any term `x`: their left sides are `id(x)`, since each has an axiom.
bool is_behind_any(std::string_view rule) {
    constexpr std::string_view all[] = {"splitJoin2",  "createTransposePair", "toMemAfter", "slideAfter",
                                        "zipFstAfter", "zipSndAfter",         "oclRunAfter"};
    return std::ranges::find(all, rule) != std::end(all);
}

/// `isMapSeq` asks for the primitive `mapSeq`.
const Primitive* asked_primitive(std::string_view name) {
    bool is_question = name.size() > 2 && name.starts_with("is");
    if (!is_question) return nullptr;
    std::string primitive(name.substr(2));
    primitive[0] = static_cast<char>(primitive[0] - 'A' + 'a');
    return find_primitive(primitive);
}

} // namespace

void StrategyBuilder::fail(const Tree& at, std::string name, std::string what) {
    if (library_call_) {
        what = "cannot be called so: in the library, `" + name + "` " + what;
        name = library_call_->text;
        diags_.report(diag::bad_strategy(std::move(name), std::move(what)), library_call_->span);
        throw Broken();
    }
    diags_.report(diag::bad_strategy(std::move(name), std::move(what)), at.span);
    throw Broken();
}

void StrategyBuilder::fail_with(const Tree& at, std::string name, std::string what) {
    if (is_sample_) throw Broken();
    fail(at, std::move(name), std::move(what));
}

const Def* StrategyBuilder::strategy(const Tree& tree) {
    switch (tree.kind) {
        case Tree::Sequence: return seq({strategy(*tree.parts[0]), strategy(*tree.parts[1])});
        case Tree::Choice: return choice({strategy(*tree.parts[0]), strategy(*tree.parts[1])});
        case Tree::Number: fail(tree, std::string(tree.text), "is a number, where a strategy is expected");
        case Tree::Text: fail(tree, "this", "is a text, where a strategy is expected");
        case Tree::List: fail(tree, "this", "is a list, where a strategy is expected");
        case Tree::Infix:
            if (auto holds = decided(tree)) return *holds ? w.annex(elevate::id(0)) : w.annex(elevate::fail(0));
            fail(tree, "this", "is a size, where a strategy is expected");
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
    if (auto value = name_of(*head)) {
        check_number(*head, name, 0, args);
        bool is_strategy = value->def && value->def->type() == w.annex(elevate::Strategy(0));
        if (!is_strategy) fail(*head, std::string(name), "is no strategy");
        return value->def;
    }
    if (auto own = find(name)) return declared(*head, *own, args);
    if (auto row = find_strategy(name)) return known(*head, *row, args);
    if (auto axiom = native_rule(w, name)) return native(*head, name, axiom, args);
    if (name == "subexpressionElimination") return common_part(*head, args);
    if (name == "isLet") return is(w.annex(rise::let(0)));
    if (name == "isMakeArray") return is(w.annex(rise::make_array(0)));
    if (auto asked = asked_primitive(name)) {
        check_number(*head, name, 0, args);
        auto axiom = asked->axiom(w);
        return is(axiom);
    }
    return rule(*head, name, args);
}

const StrategyBuilder::Value* StrategyBuilder::name_of(const Tree& tree) const {
    auto found = names_.find(tree.text);
    return found == names_.end() ? nullptr : &found->second;
}

/// The last one: those of the file are behind those of the library.
const Strategy* StrategyBuilder::find(std::string_view name) const {
    for (auto i = program_.strategies.size(); i-- != 0;)
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
    for_each_strategy([&](std::string_view known) { nearest.offer(known); });
    for (auto& row : kAliases) nearest.offer(row.name);
    nearest.offer("subexpressionElimination");
    for (auto& strategy : program_.strategies) nearest.offer(strategy.name);
    for (auto& rule : w.rules.all())
        if (rule->on_request) nearest.offer(rule->name.view());
    return nearest.best.empty() ? std::string() : ": did you mean `" + std::string(nearest.best) + "`?";
}

// ---- strategies of the file and of the library

/// A list that is the last parameter may be given without its brackets, if it has several sizes.
StrategyBuilder::Args StrategyBuilder::with_list(const Strategy& s, const Args& args) {
    auto n        = s.parameters.size();
    bool has_list = n != 0 && s.parameters.back().kind == "[Nat]" && args.size() > n;
    if (!has_list) return args;
    Args result(args.begin(), args.begin() + static_cast<ptrdiff_t>(n));
    Args all(args.begin() + static_cast<ptrdiff_t>(n - 1), args.end());
    auto place    = all.front()->span.join(all.back()->span);
    result.back() = &lists_.emplace_back(Tree{.kind = Tree::List, .span = place, .text = {}, .parts = std::move(all)});
    return result;
}

/// It sees its parameters, and all strategies.
const Def* StrategyBuilder::declared(const Tree& at, const Strategy& s, const Args& given) {
    auto args = with_list(s, given);
    check_number(at, s.name, s.parameters.size(), args);
    if (!s.body) throw Broken();
    Names inner;
    for (size_t i = 0; i != args.size(); ++i) {
        auto kind   = s.parameters[i].kind;
        auto& value = inner[s.parameters[i].name];
        if (kind == "[Nat]") value.list = list(*args[i]);
        else value.def = argument(*args[i], kind == "Nat" ? 'n' : kind == "AddrSp" ? 'a' : 's');
    }
    return inside(at, s, std::move(inner));
}

/// One that comes to itself with the same arguments is a fixed point. With others it is unfolded.
const Def* StrategyBuilder::inside(const Tree& at, const Strategy& s, Names inner) {
    for (auto& active : active_) {
        if (active.strategy != &s || active.given != inner) continue;
        auto type = w.annex(elevate::Strategy(0));
        if (!active.itself) active.itself = w.mut_lam(w.pi(type, type));
        return active.itself->var();
    }
    if (active_.size() == kMaxCalls) fail_with(at, std::string(s.name), "calls itself without end");
    active_.push_back({&s, inner, nullptr});
    bool is_entered = s.is_library && !library_call_;
    if (is_entered) library_call_ = &at;
    auto result = body_of(s, inner);
    if (is_entered) library_call_ = nullptr;
    auto itself = active_.back().itself;
    active_.pop_back();
    if (!itself) return result;
    if (result == itself->var()) fail_with(at, std::string(s.name), "only calls itself");
    w.set(itself, w.tt(), result);
    return w.app(w.annex(elevate::fix(0)), w.seal(itself));
}

const Def* StrategyBuilder::body_of(const Strategy& s, const Names& inner) {
    auto outer  = std::exchange(names_, inner);
    auto result = strategy(*s.body);
    names_      = std::move(outer);
    return result;
}

const Def* StrategyBuilder::sample(const Strategy& s) {
    is_sample_ = !s.parameters.empty();
    Names inner;
    for (auto& p : s.parameters) {
        auto& value = inner[p.name];
        if (p.kind == "[Nat]") value.list = {w.lit_nat(1)};
        else value.def = p.kind == "Nat" ? w.lit_nat(1) : p.kind == "AddrSp" ? w.annex(as::private_) : w.annex(elevate::id(0));
    }
    return inside(*s.body, s, std::move(inner));
}

// ---- strategies of the language

/// A condition that is known decides which of the others there is at all, so that recursion ends.
const Def* StrategyBuilder::known(const Tree& at, const StrategyRow& row, const Args& args) {
    check_number(at, row.name, row.takes.size(), args);
    auto known_to = [&](bool holds) { return holds ? w.annex(elevate::id(0)) : w.annex(elevate::fail(0)); };
    if (row.name == "empty") return known_to(list(*args[0]).empty());
    if (row.name == "target") return known_to(is_for(*args[0]));
    if (row.name == "if")
        if (auto holds = decided(*args[0])) return strategy(*args[*holds ? 1 : 2]);
    bool is_nest = row.name == "mapNest";
    if (is_nest && !mim::value(size(*args[0]))) fail(*args[0], "this", "is only known when the program runs");
    DefVec defs;
    for (size_t i = 0; i != args.size(); ++i) defs.push_back(argument(*args[i], row.takes[i]));
    return made(row.name, defs);
}

// ---- rules

const Def* StrategyBuilder::native(const Tree& at, std::string_view name, const Def* axiom, const Args& args) {
    auto pi = axiom->type()->isa<Pi>();
    check_number(at, name, pi ? 1 : 0, args);
    return pi ? w.app(axiom, size(*args[0])) : axiom;
}

const Def* StrategyBuilder::common_part(const Tree& at, const Args& args) {
    check_number(at, at.text, 1, args);
    auto asked = arg_of(is(primitive(*args[0])));
    return w.apply<subexpressionElimination>({asked->type()}, {asked});
}

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
    auto length = w.lit_nat(own.size());
    auto given  = params.size() == 1 ? params[0] : w.tuple(params);
    auto result = params.empty() ? w.apply<elevate::rule>({length}, {text(own)})
                                 : w.apply<elevate::with>({length, given->type()}, {text(own)}, {given});
    return is_behind_any(own) ? seq({w.annex(idAfter(0)), result}) : result;
}

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
        bool is_checked = strategy.body && !strategy.is_library;
        if (!is_checked) continue;
        try {
            StrategyBuilder(w, diags, program, none).sample(strategy);
        } catch (const StrategyBuilder::Broken&) {}
    }
}

} // namespace mim::plug::rise
