// SPDX-License-Identifier: MIT
// The strategies of the language that are those of the plugin `elevate`, and what needs no more than a few of these.
#include <algorithm>

#include "rise/annexes.h"
#include "strategy_builder.h"

namespace mim::plug::rise {

namespace {

template<class Annex>
const Def* annex(World& w) {
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
    {{"id", ""}, annex<elevate::id>},
    {{"fail", ""}, annex<elevate::fail>},
    {{"try", "s"}, annex<elevate::tryTo>},
    {{"repeat", "s"}, annex<elevate::repeat>},
    {{"repeatN", "ns"}, annex<elevate::repeatN>, Given::Curried},
    {{"applyN", "nfs"}, annex<elevate::applyN>, Given::Curried},
    {{"normalize", "s"}, annex<elevate::normalize>},
    {{"not", "s"}, annex<elevate::fails>},
    {{"if", "sss"}, annex<elevate::cond>},
    {{"all", "s"}, annex<elevate::all>},
    {{"one", "s"}, annex<elevate::one>},
    {{"some", "s"}, annex<elevate::some>},
    {{"topDown", "s"}, annex<elevate::topDown>},
    {{"bottomUp", "s"}, annex<elevate::bottomUp>},
    {{"allTopDown", "s"}, annex<elevate::allTopDown>},
    {{"allBottomUp", "s"}, annex<elevate::allBottomUp>},
    {{"tryAll", "s"}, annex<elevate::tryAll>},
    {{"downUp", "s"}, annex<elevate::downUp>},
    {{"downUp2", "ss"}, annex<elevate::downUp2>},
    {{"allTd", "s"}, annex<elevate::allTd>},
    {{"someTd", "s"}, annex<elevate::someTd>},
    {{"someBu", "s"}, annex<elevate::someBu>},
    {{"position", "ns"}, annex<elevate::position>, Given::Curried},
    {{"skip", "ns"}, annex<elevate::skip>, Given::Curried},
    {{"outermost", "ss"}, annex<elevate::outermost>},
    {{"innermost", "ss"}, annex<elevate::innermost>},
    {{"every", "ss"}, annex<elevate::every>},
    {{"function", "s"}, annex<elevate::function>},
    {{"argument", "s"}, annex<elevate::argument>},
    {{"body", "s"}, annex<elevate::body>},
    {{"isLambda", ""}, annex<elevate::isLambda>},
    {{"isApply", ""}, annex<elevate::isApply>},
    {{"BENF", ""}, annex<elevate::benf>},
    {{"argumentOf", "ps"}},
    {{"fmap", "s"}},
    {{"mapNest", "n"}},
    {{"isApplied", "s"}},
    {{"isFullyApplied", "p"}},
    {{"isReduceX", ""}},
    {{"DFNF", ""}},
    {{"empty", "l"}},
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
