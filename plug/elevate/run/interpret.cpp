// SPDX-License-Identifier: MIT
// The interpreter of strategies, and the combinators. The traversals are in traverse.cpp.
#include "interpret.h"

#include <algorithm>

#include "base/stack.h"
#include "elevate/annexes.h"
#include "elevate/diagnostics.h"
#include "ir/hook.h"
#include "kit/match.h"
#include "kit/text.h"

namespace mim::plug::elevate {

template<class Enum>
void Interpreter::on(Handler handler) {
    handlers_[AnnexTraits<Enum>::tag] = handler;
}

Interpreter::Interpreter(World& world, Diagnostics& diags, Options options)
    : w_(world)
    , diags_(diags)
    , options_(options)
    , words_(options.words ? *options.words : Words::of_mim())
    , rules_(world, words_) {
    on<elevate::rule>(&Interpreter::rule);
    on<elevate::with>(&Interpreter::rule);
    on<elevate::seq>(&Interpreter::seq);
    on<elevate::choice>(&Interpreter::choice);
    on<elevate::fix>(&Interpreter::fix);
    on<elevate::repeat>(&Interpreter::repeat);
    on<elevate::applyN>(&Interpreter::apply_n);
    on<elevate::fails>(&Interpreter::fails);
    on<elevate::cond>(&Interpreter::cond);
    on<elevate::one>(&Interpreter::one);
    on<elevate::some>(&Interpreter::some);
    on<elevate::all>(&Interpreter::all);
    on<elevate::child>(&Interpreter::child);
    on<elevate::argument>(&Interpreter::argument);
    on<elevate::function>(&Interpreter::function);
    on<elevate::body>(&Interpreter::body);
    on<elevate::is>(&Interpreter::is);
    on<elevate::isLambda>(&Interpreter::is_lambda);
    on<elevate::isApply>(&Interpreter::is_apply);
    on<elevate::isNamed>(&Interpreter::is_named);
    on<elevate::equals>(&Interpreter::equals);
    on<elevate::contains>(&Interpreter::contains);
    on<elevate::peek>(&Interpreter::peek);
    on<elevate::position>(&Interpreter::position);
    on<elevate::skip>(&Interpreter::skip);
    on<elevate::every>(&Interpreter::every);
}

const Def* Interpreter::run(const Def* strategy, const Def* term, std::string& why) {
    begin_ = static_cast<const char*>(__builtin_frame_address(0));
    rules_.check(strategy);
    auto result = apply(strategy, term);
    if (!result) {
        why = failure_text(w_, result.why, words_);
        return nullptr;
    }
    for (auto& fired : trace_)
        if (options_.trace)
            diags_.report(diag::fired(fired.rule, fired.way, in_words(fired.before), in_words(fired.after)), options_.place);
    return closed(result);
}

/*
 * limits
 */
void Interpreter::fail_budget(const std::string& what) {
    std::vector<std::pair<std::string, uint64_t>> most(firings_.begin(), firings_.end());
    std::ranges::stable_sort(most, [](auto& a, auto& b) { return a.second > b.second; });
    std::string text;
    for (size_t i = 0; i < std::min<size_t>(most.size(), 3); ++i)
        text += (i ? ", `" : "; most often fired: `") + most[i].first + "` " + std::to_string(most[i].second) + " times";
    throw Error(diag::budget(what, text));
}

void Interpreter::visit() {
    static constexpr uint64_t visits_per_firing = 100;
    if (++num_visited_ / visits_per_firing > options_.budget)
        fail_budget(std::to_string(num_visited_ - 1) + " terms were visited");
    auto here = static_cast<const char*>(__builtin_frame_address(0));
    auto used = static_cast<uint64_t>(begin_ > here ? begin_ - here : here - begin_);
    if (used > w_.limits.max_stack || stack_is_low()) throw Error(diag::too_deep());
}

/*
 * running
 */
bool Interpreter::says(const Def* strategy) {
    if (auto known = says_.find(strategy); known != says_.end()) return known->second;
    std::unordered_set<const Def*> seen;
    DefVec todo{strategy};
    bool result = false;
    while (!todo.empty() && !result) {
        auto def = todo.back();
        todo.pop_back();
        bool is_new = def && def->is_set() && !def->isa<Var>() && seen.insert(def).second;
        if (!is_new) continue;
        result = bool(match<elevate::peek>(def));
        todo.insert(todo.end(), def->ops().begin(), def->ops().end());
    }
    return says_[strategy] = result;
}

/// The head of the term answers it, sooner than a table would.
static bool is_question(const Def* strategy) {
    return match<elevate::is>(strategy) || match<elevate::isLambda>(strategy) || match<elevate::isApply>(strategy);
}

Interpreter::Result Interpreter::apply(const Def* strategy, const Def* term) {
    visit();
    if (is_question(strategy)) return dispatch(strategy, term);
    std::pair key(strategy, term);
    if (auto known = known_failures_.find(key); known != known_failures_.end())
        return {nullptr, known->second.why, known->second.reach};
    auto num_fired = trace_.size();
    auto result    = dispatch(strategy, term);
    if (result) return result;
    trace_.resize(num_fired);
    if (!says(strategy)) known_failures_.insert_or_assign(key, Known{result.why, result.reach});
    return result;
}

Interpreter::Result Interpreter::dispatch(const Def* strategy, const Def* term) {
    auto axm = saturated_axiom(strategy);
    if (axm && axm->axiom().rewrite) return native(strategy, term);
    auto handler = axm && is_of_plugin<elevate::seq>(axm->axiom()) ? handlers_.find(axm->axiom().id.tag) : handlers_.end();
    if (handler != handlers_.end()) return (this->*handler->second)(strategy, term);
    if (strategy->isa<App>() || strategy->isa<Extract>())
        throw Error(diag::not_known(in_words(strategy), "it is not an application of what makes strategies"));
    throw Error(diag::not_known(in_words(strategy), "it is a value of the running program"));
}

Interpreter::Result Interpreter::attempt(const Def* strategy, const Def* term) {
    auto num_fired = trace_.size();
    auto result    = apply(strategy, term);
    trace_.resize(num_fired);
    return result;
}

/*
 * results
 */
Interpreter::Result Interpreter::said(std::string name, const Def* term, Reason reason) {
    Failure failure{Failure::Said};
    failure.term = term, failure.name = std::move(name), failure.reason = std::move(reason);
    return {nullptr, keep(std::move(failure))};
}

Interpreter::Result Interpreter::failed(std::vector<const Failure*> parts) {
    if (parts.size() == 1) return {nullptr, parts[0]};
    Failure failure{Failure::All};
    failure.parts = std::move(parts);
    return {nullptr, keep(std::move(failure))};
}

/// New terms stand where the one did that they are made of: messages are about the program, and not about the rule.
void Interpreter::place_at(const Def* before, const Def* after) {
    auto here = w_.notes.span(before);
    if (!here) return;
    std::unordered_set<const Def*> seen;
    DefVec todo{after};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        bool is_new = def && def->id() > before->id() && def->is_set() && !def->isa<Var>() && !is_type(def)
                      && seen.insert(def).second;
        if (!is_new) continue;
        auto span      = w_.notes.span(def);
        bool is_placed = span && span.file == here.file;
        if (Notes::has_place(def) && !is_placed) w_.notes.set_span(def, here);
        todo.insert(todo.end(), def->ops().begin(), def->ops().end());
    }
}

Interpreter::Result Interpreter::fired(const std::string& rule, const Def* before, const Def* after) {
    if (num_fired_ == options_.budget) fail_budget("rules fired " + std::to_string(num_fired_) + " times");
    ++num_fired_, ++firings_[rule];
    place_at(before, after);
    if (options_.trace) trace_.push_back({rule, way_text(w_, way_, words_), before, after});
    return {after};
}

/*
 * rules
 */
Interpreter::Result Interpreter::rule(const Def* strategy, const Def* term) {
    auto& call = rules_.find(strategy);
    Failure failure{Failure::Rule};
    failure.term = term, failure.name = call.name;
    auto reach = Reach(0);
    for (size_t i = 0; i != call.rules.size(); ++i) {
        Mismatch why;
        auto result = w_.rules.fire_at(*call.rules[i], term, call.params, &why);
        if (result) return {fired(call.name, term, result).term, nullptr, reach.with(call.reaches[i].moves)};
        bool has_head = why.kind != Mismatch::Pattern || why.found != term;
        if (has_head || !failure.why.found) failure.why = why;
        if (has_head) reach = reach.with(why.kind == Mismatch::Same ? Reach::all() : call.reaches[i].fails);
    }
    return {nullptr, keep(std::move(failure)), reach};
}

/// A rule in C++.
Interpreter::Result Interpreter::native(const Def* strategy, const Def* term) {
    auto& axiom = head_axiom(strategy)->axiom();
    auto name   = in_words(strategy);
    std::string why;
    const Def* result = nullptr;
    call_hook(axiom, "the rewrite rule", strategy, [&] { result = axiom.rewrite(w_, strategy, term, why); });
    bool has_type = !result || assignable(w_, term->type(), result);
    if (!has_type)
        hook_broke(axiom, "the rewrite rule", strategy,
                   "makes `" + in_words(result) + "` of `" + in_words(term) + "`, which has another type");
    bool is_by_type = std::ranges::find(options_.by_type, head_axiom(strategy)) != options_.by_type.end();
    auto reach      = is_by_type ? Reach(0) : Reach::all();
    if (!result) {
        auto failure = said(name, term, why.empty() ? Reason{"it does not apply to ", term} : Reason{why});
        return {nullptr, failure.why, reach};
    }
    if (result == term) return said(name, term, {"it changes nothing"});
    return {fired(name, term, result).term, nullptr, reach};
}

/*
 * combinators
 */
DefVec Interpreter::list(const Def* strategy) {
    auto arg = arg_of(strategy);
    auto n   = lit_arity(w_, arg->type());
    if (n < 0) throw Error(diag::not_known(in_words(strategy), "the number of strategies in it is unknown"));
    DefVec result;
    for (int64_t i = 0; i < n; ++i) result.push_back(elem(w_, arg, static_cast<uint64_t>(i)));
    return result;
}

uint64_t Interpreter::number(const Def* strategy, const Def* def) {
    if (auto number = value(def)) return *number;
    throw Error(diag::not_known(in_words(strategy), "`" + in_words(def) + "` is no literal"));
}

Interpreter::Result Interpreter::seq(const Def* strategy, const Def* term) {
    Result result{term, nullptr, Reach(0)};
    auto moved = Reach(0); // what the term has now was at most so much further below
    for (auto step : list(strategy)) {
        auto here  = closed(result);
        auto next  = apply(step, here);
        auto reach = result.reach.with(next.reach.from(moved));
        if (!next) return {nullptr, next.why, reach};
        if (next.term != here) moved = next.reach.from(moved);
        result = next.with(reach);
    }
    return result;
}

Interpreter::Result Interpreter::choice(const Def* strategy, const Def* term) {
    auto options = list(strategy);
    if (options.empty()) return at_root(said("fail", term, {"it always fails"}));
    std::vector<const Failure*> parts;
    auto reach = Reach(0);
    for (auto option : options) {
        auto result = apply(option, term);
        reach       = reach.with(result.reach);
        if (result) return result.with(reach);
        parts.push_back(result.why);
    }
    return {nullptr, failed(std::move(parts)).why, reach};
}

/// Functions in it are copied where it is unfolded: once, or each term would meet a strategy of its own, of which nothing is known.
const Def* Interpreter::unfolded(const Def* fix) {
    auto& known = unfolded_[fix];
    if (known) return known;
    auto f       = arg_of(fix);
    auto body    = w_.beta(f, fix);
    return known = body ? body : w_.app(f, fix);
}

Interpreter::Result Interpreter::fix(const Def* strategy, const Def* term) {
    std::pair key(strategy, term);
    if (!active_.insert(key).second) throw Error(diag::endless(in_words(strategy)));
    auto result = apply(unfolded(strategy), term);
    active_.erase(key);
    return result;
}

Interpreter::Result Interpreter::repeat(const Def* strategy, const Def* term) {
    if (auto s = repeated_top_down(arg_of(strategy))) return {normal(s, term, nullptr).term};
    while (true) {
        visit();
        auto next = apply(arg_of(strategy), term);
        auto then = next ? closed(next) : term;
        if (then == term) return {term};
        term = then;
    }
}

Interpreter::Result Interpreter::apply_n(const Def* strategy, const Def* term) {
    auto [n, f, s] = groups<3>(strategy);
    for (auto i = number(strategy, n); i > 0; --i) {
        visit();
        s = w_.app(f, s);
    }
    return apply(s, term);
}

Interpreter::Result Interpreter::fails(const Def* strategy, const Def* term) {
    auto s       = arg_of(strategy);
    auto result  = attempt(s, term);
    auto failure = result ? said("fails", term, {s, " succeeds"}).why : nullptr;
    return {result ? nullptr : term, failure, result.reach};
}

Interpreter::Result Interpreter::cond(const Def* strategy, const Def* term) {
    auto [p, then, otherwise] = elems<3>(w_, arg_of(strategy));
    auto holds                = attempt(p, term);
    auto result               = apply(holds ? then : otherwise, term);
    return result.with(result.reach.with(holds.reach));
}

/*
 * predicates
 */
Interpreter::Result Interpreter::is(const Def* strategy, const Def* term) {
    auto head_of = [](const Def* def) {
        while (auto app = def->isa<App>()) def = app->callee();
        return def;
    };
    auto head   = head_of(term);
    bool is_all = !head->isa<Axm>() || saturated_axiom(term);
    auto wanted = head_of(arg_of(strategy));
    if (head == wanted && is_all) return at_root({term});
    return at_root(said("is", term, {term, " is not an application of ", wanted}));
}

Interpreter::Result Interpreter::is_lambda(const Def*, const Def* term) {
    if (term->isa<Lam>()) return at_root({term});
    return at_root(said("isLambda", term, {term, " is no function"}));
}

Interpreter::Result Interpreter::is_apply(const Def*, const Def* term) {
    if (term->isa<App>()) return at_root({term});
    return at_root(said("isApply", term, {term, " is no application"}));
}

Interpreter::Result Interpreter::is_named(const Def* strategy, const Def* term) {
    auto name = literal_text(w_, arg_of(strategy));
    if (!name) throw Error(diag::not_known(in_words(strategy), "the name of a variable is a text"));
    bool is_it = is_variable(term) && w_.notes.name(term).view() == *name;
    if (is_it) return {term};
    return said("isNamed", term, {term, " is no variable `" + *name + "`"});
}

Interpreter::Result Interpreter::equals(const Def* strategy, const Def* term) {
    if (equal(w_, arg_of(strategy), term)) return {term};
    return said("equals", term, {term, " is not ", arg_of(strategy)});
}

Interpreter::Result Interpreter::contains(const Def* strategy, const Def* term) {
    if (holds_in(arg_of(strategy), term)) return {term};
    return said("contains", term, {arg_of(strategy), " is not in ", term});
}

} // namespace mim::plug::elevate
