// SPDX-License-Identifier: MIT
// The strategies of the language that are those of the plugin `elevate`, and what needs no more than a few of these.
#include <algorithm>

#include "rise/annexes.h"
#include "strategy_builder.h"

namespace mim::plug::rise {

namespace {

template<class Annex>
const Def* axiom_of(World& w) {
    return w.annex(Annex(0));
}

/// How the arguments are given: as one tuple, or one after the other.
enum class Given : uint8_t { Together, Curried };

struct TableRow {
    StrategyRow row;
    const Def* (*axiom)(World&) = nullptr; ///< null: `StrategyBuilder::made` has it
    Given given                 = Given::Together;
};

constexpr TableRow kStrategies[] = {
    {{"id", ""}, axiom_of<elevate::id>},
    {{"fail", ""}, axiom_of<elevate::fail>},
    {{"try", "s"}, axiom_of<elevate::tryTo>},
    {{"repeat", "s"}, axiom_of<elevate::repeat>},
    {{"repeatN", "ns"}, axiom_of<elevate::repeatN>, Given::Curried},
    {{"applyN", "nfs"}, axiom_of<elevate::applyN>, Given::Curried},
    {{"normalize", "s"}, axiom_of<elevate::normalize>},
    {{"not", "s"}, axiom_of<elevate::fails>},
    {{"if", "sss"}, axiom_of<elevate::cond>},
    {{"all", "s"}, axiom_of<elevate::all>},
    {{"one", "s"}, axiom_of<elevate::one>},
    {{"some", "s"}, axiom_of<elevate::some>},
    {{"topDown", "s"}, axiom_of<elevate::topDown>},
    {{"bottomUp", "s"}, axiom_of<elevate::bottomUp>},
    {{"allTopDown", "s"}, axiom_of<elevate::allTopDown>},
    {{"allBottomUp", "s"}, axiom_of<elevate::allBottomUp>},
    {{"tryAll", "s"}, axiom_of<elevate::tryAll>},
    {{"downUp", "s"}, axiom_of<elevate::downUp>},
    {{"downUp2", "ss"}, axiom_of<elevate::downUp2>},
    {{"allTd", "s"}, axiom_of<elevate::allTd>},
    {{"someTd", "s"}, axiom_of<elevate::someTd>},
    {{"someBu", "s"}, axiom_of<elevate::someBu>},
    {{"position", "ns"}, axiom_of<elevate::position>, Given::Curried},
    {{"skip", "ns"}, axiom_of<elevate::skip>, Given::Curried},
    {{"outermost", "ss"}, axiom_of<elevate::outermost>},
    {{"innermost", "ss"}, axiom_of<elevate::innermost>},
    {{"every", "ss"}, axiom_of<elevate::every>},
    {{"function", "s"}, axiom_of<elevate::function>},
    {{"argument", "s"}, axiom_of<elevate::argument>},
    {{"body", "s"}, axiom_of<elevate::body>},
    {{"isLambda", ""}, axiom_of<elevate::isLambda>},
    {{"isApply", ""}, axiom_of<elevate::isApply>},
    {{"BENF", ""}, axiom_of<elevate::benf>},
    {{"argumentOf", "ps"}},
    {{"fmap", "s"}},
    {{"mapNest", "n"}},
    {{"isApplied", "s"}},
    {{"isFullyApplied", "p"}},
    {{"isReduceX", ""}},
    {{"DFNF", ""}},
    {{"empty", "l"}},
    {{"target", "t"}},
    {{"peek", "t"}},
    {{"equals", "e"}},
    {{"contains", "e"}},
};

} // namespace

const StrategyRow* find_strategy(std::string_view name) {
    auto found = std::ranges::find(kStrategies, name, [](auto& row) { return row.row.name; });
    return found == std::end(kStrategies) ? nullptr : &found->row;
}

void for_each_strategy(const std::function<void(std::string_view)>& f) {
    for (auto& row : kStrategies) f(row.row.name);
}

const Def* elevate_strategy(World& w, std::string_view name, const DefVec& args) {
    auto found = std::ranges::find(kStrategies, name, [](auto& row) { return row.row.name; });
    if (!found->axiom) return nullptr;
    auto result = found->axiom(w);
    if (args.empty()) return result;
    if (found->given == Given::Together) return w.app(result, args.size() == 1 ? args[0] : w.tuple(args));
    for (auto arg : args) result = w.app(result, arg);
    return result;
}

const Def* StrategyBuilder::made(std::string_view name, const DefVec& a) {
    if (auto result = elevate_strategy(w, name, a)) return result;
    auto inside = [&](const Def* s) { return w.apply<elevate::function>({w.apply<elevate::body>({s})}); };
    if (name == "argumentOf") return seq({is(a[0]), w.apply<elevate::argument>({a[1]})});
    if (name == "fmap") return seq({is_any_map(), inside(a[0])});
    if (name == "mapNest") return map_nest(mim::value(a[0]).value_or(0));
    if (name == "isApplied") return seq({w.annex(elevate::isApply(0)), a[0]});
    if (name == "isFullyApplied") return is(a[0]);
    if (name == "isReduceX")
        return choice({is(w.annex(rise::reduce(0))), is(w.annex(reduce_seq::loop)), is(w.annex(reduce_seq::unroll))});
    if (name == "peek") return w.call<elevate::peek>(a[0]);
    if (name == "equals") return a[0];
    if (name == "contains") {
        auto somewhere = w.call<elevate::topDown>(a[0]);
        return w.app(w.annex(elevate::cond(0)), w.tuple({somewhere, w.annex(elevate::id(0)), w.annex(elevate::fail(0))}));
    }
    return w.call<elevate::tryTo>(w.annex(dfnf(0)));
}

const Def* StrategyBuilder::is_any_map() {
    DefVec all;
    for (auto head : {map::high, map::seq, map::unroll, map::par, map::vec}) all.push_back(is(w.annex(head)));
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

/// A predicate takes no function of types, so the axiom gets some, which mean nothing.
const Def* StrategyBuilder::is(const Def* axiom) {
    auto some = [&](const Def* type) -> const Def* {
        if (type == w.nat()) return w.lit_nat(0);
        if (auto pi = type->isa<Pi>()) return w.lam(pi, [&](auto x) { return x; });
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

} // namespace mim::plug::rise
