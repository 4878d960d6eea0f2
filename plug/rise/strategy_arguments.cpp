// SPDX-License-Identifier: MIT
// The arguments of strategies: sizes and lists of them, address spaces, primitives, functions of strategies.
#include <algorithm>

#include "core/annexes.h"
#include "front/scanner.h"
#include "strategy_builder.h"

namespace mim::plug::rise {

namespace {

std::string name_of_tree(const StrategyTree& tree) { return tree.kind == StrategyTree::Name ? std::string(tree.text) : "this"; }

bool is_comparison(std::string_view op) { return op == "<" || op == "<=" || op == ">" || op == ">=" || op == "==" || op == "!="; }

} // namespace

const Def* StrategyBuilder::argument(const Tree& tree, char kind) {
    switch (kind) {
        case 'n': return size(tree);
        case 'a': return space(tree);
        case 'p': return primitive(tree);
        case 'f': return function(tree);
        case 'e': return expression(tree);
        case 't':
            if (tree.kind == Tree::Text) return text(tree.text);
            fail(tree, name_of_tree(tree), "is no text in quotes");
        default: return strategy(tree);
    }
}

// ---- sizes

const Def* StrategyBuilder::size(const Tree& tree) {
    if (tree.kind == Tree::Number)
        if (auto n = front::integer_value(tree.text)) return w.lit_nat(*n);
    if (tree.kind == Tree::Infix && !is_comparison(tree.text)) return combined_size(tree);
    if (tree.kind == Tree::Apply && tree.parts[0]->text == "head") return head(tree);
    bool is_name = tree.kind == Tree::Name;
    auto found   = is_name ? name_of(tree) : nullptr;
    auto def     = found ? found->def : nullptr;
    if (!found && is_name) def = sizes_(tree.text);
    if (def && def->type() == w.nat()) return def;
    fail(tree, name_of_tree(tree), "is no size: a number is expected, or a size of the definition");
}

const Def* StrategyBuilder::combined_size(const Tree& tree) {
    auto a = size(*tree.parts[0]), b = size(*tree.parts[1]);
    auto n        = mim::value(b);
    bool divides  = tree.text == "/" || tree.text == "%";
    bool is_below = tree.text == "-" && mim::value(a) && n && *mim::value(a) < *n;
    if (divides && n == 0) fail_with(tree, "this", "divides by 0");
    if (is_below) fail_with(tree, "this", "is below 0");
    if (tree.text == "+") return w.call(core::nat::add, {a, b});
    if (tree.text == "-") return w.call(core::nat::sub, {a, b});
    if (tree.text == "*") return w.call(core::nat::mul, {a, b});
    return w.apply(tree.text == "/" ? nat::div : nat::mod, {a, b});
}

const Def* StrategyBuilder::head(const Tree& tree) {
    check_number(tree, "head", 1, {tree.parts.begin() + 1, tree.parts.end()});
    auto all = list(*tree.parts[1]);
    if (all.empty()) fail_with(tree, "head", "is taken of an empty list");
    return all[0];
}

DefVec StrategyBuilder::list(const Tree& tree) {
    DefVec result;
    if (tree.kind == Tree::List) {
        for (auto part : tree.parts) result.push_back(size(*part));
        return result;
    }
    bool is_tail = tree.kind == Tree::Apply && tree.parts[0]->text == "tail" && tree.parts.size() == 2;
    if (is_tail) {
        result = list(*tree.parts[1]);
        if (result.empty()) fail_with(tree, "tail", "is taken of an empty list");
        result.erase(result.begin());
        return result;
    }
    auto found = tree.kind == Tree::Name ? name_of(tree) : nullptr;
    if (found && !found->def) return found->list;
    fail(tree, name_of_tree(tree), "is no list of sizes, as `[1, 2]` is");
}

// ---- what is decided before a strategy is applied

bool StrategyBuilder::compared(const Tree& tree) {
    auto number = [&](const Tree& part) {
        auto n = mim::value(size(part));
        if (!n) fail(part, name_of_tree(part), "is only known when the program runs");
        return *n;
    };
    auto a = number(*tree.parts[0]), b = number(*tree.parts[1]);
    if (tree.text == "<") return a < b;
    if (tree.text == "<=") return a <= b;
    if (tree.text == ">") return a > b;
    if (tree.text == ">=") return a >= b;
    return (a == b) == (tree.text == "==");
}

/// Whether the program is for this kind of code.
bool StrategyBuilder::is_for(const Tree& tree) {
    constexpr std::string_view names[] = {"c", "omp", "opencl"};
    auto found                         = std::ranges::find(names, tree.kind == Tree::Text ? tree.text : std::string_view());
    auto shown                         = tree.kind == Tree::Text ? std::string(tree.text) : name_of_tree(tree);
    if (found == std::end(names)) fail(tree, shown, "is no target: \"c\", \"omp\" or \"opencl\" is expected");
    return program_.target == static_cast<Target>(found - std::begin(names));
}

std::optional<bool> StrategyBuilder::decided(const Tree& tree) {
    if (tree.kind == Tree::Infix && is_comparison(tree.text)) return compared(tree);
    bool is_call = tree.kind == Tree::Apply && tree.parts.size() == 2;
    if (is_call && tree.parts[0]->text == "empty") return list(*tree.parts[1]).empty();
    if (is_call && tree.parts[0]->text == "target") return is_for(*tree.parts[1]);
    return {};
}

// ---- other arguments

const Def* StrategyBuilder::space(const Tree& tree) {
    if (tree.kind == Tree::Name) {
        auto found = name_of(tree);
        if (found && found->def && found->def->type() == w.annex(AddrSp(0))) return found->def;
        for (auto space : {as::global, as::local, as::private_, as::constant})
            if (rise::text(static_cast<Space>(space)) == tree.text) return w.annex(space);
    }
    fail(tree, name_of_tree(tree), "is no address space: `Global`, `Local`, `Private` or `Constant` is expected");
}

const Def* StrategyBuilder::primitive(const Tree& tree) {
    auto found = tree.kind == Tree::Name ? find_primitive(tree.text) : nullptr;
    if (!found) fail(tree, name_of_tree(tree), "is no primitive");
    return found->axiom(w);
}

/// A predicate: an application of this primitive, or a variable of this name.
const Def* StrategyBuilder::expression(const Tree& tree) {
    if (tree.kind != Tree::Name) fail(tree, "this", "is no name of a primitive or of a variable");
    auto found = find_primitive(tree.text);
    return found ? is(found->axiom(w)) : w.call<elevate::isNamed>(text(tree.text));
}

/// `fmap`, or `skip(2)`: what takes one more strategy.
const Def* StrategyBuilder::function(const Tree& tree) {
    auto type  = w.annex(elevate::Strategy(0));
    auto lam   = w.mut_lam(w.pi(type, type));
    auto outer = names_;
    Tree variable{.kind = Tree::Name, .span = tree.span, .text = " s"};
    Tree call{.kind = Tree::Apply, .span = tree.span, .parts = {&tree, &variable}};
    names_[variable.text] = {lam->var()};
    w.set(lam, w.tt(), strategy(call));
    names_ = outer;
    return w.seal(lam);
}

} // namespace mim::plug::rise
