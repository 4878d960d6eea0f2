// SPDX-License-Identifier: MIT
// Facts on all nodes (one walk over the graph), and the summaries of λs. The paths are in flow.cpp.
#include "linear/tokens.h"

#include <algorithm>

#include "linear/check.h"

namespace mim {

namespace linear {

/*
 * facts
 */

Check::Fact& Check::fact(const Def* d) {
    if (d->id() >= facts_.size()) facts_.resize(d->id() + d->id() / 2 + 64);
    auto& res = facts_[d->id()];
    if (!res.known && res.component == 0 && d->node() != Node::Lam) { // made after the walk: a projection of a token
        res.known  = true;
        auto token = types.is_token(d);
        auto& f    = facts_[d->id()];
        f.token = f.has_token = token;
        return f;
    }
    return res;
}

/// Tarjan's algorithm for strongly connected components, with a work list.
void Check::connect(const Def* root) {
    struct Visit {
        const Def* def;
        uint32_t low;
        uint32_t next = 0;
    };
    std::vector<Visit> stack;
    std::vector<const Def*> open;
    auto at = [&](const Def* d) -> Fact& {
        if (d->id() >= facts_.size()) facts_.resize(d->id() + d->id() / 2 + 64);
        return facts_[d->id()];
    };
    auto push = [&](const Def* d) {
        at(d).order = ++num_visits_;
        stack.push_back({d, num_visits_});
        open.push_back(d);
        if (auto lam = d->isa<Lam>()) lams_.push_back(lam);
    };
    if (at(root).order == 0) push(root);
    while (!stack.empty()) {
        auto& top = stack.back();
        auto ops  = value_ops(top.def);
        if (top.next < ops.size()) {
            auto op = ops[top.next++];
            if (!op || is_static(op)) continue;
            auto& f = at(op);
            if (f.order == 0) push(op);
            else if (f.component == 0) {
                top.low  = std::min(top.low, f.order);
                f.cyclic = f.cyclic || op == top.def;
            }
            continue;
        }
        auto [def, low, next] = top;
        stack.pop_back();
        if (!stack.empty()) stack.back().low = std::min(stack.back().low, low);
        postorder_.push_back(def);
        if (low != at(def).order) continue;
        ++num_components_;
        bool cyclic = open.back() != def;
        for (const Def* d = nullptr; d != def; open.pop_back()) {
            d           = open.back();
            auto& f     = at(d);
            f.component = num_components_;
            f.cyclic    = f.cyclic || cyclic;
        }
    }
}

void Check::collect(std::span<const Lam* const> roots) {
    for (auto root : roots) connect(root);
    if (!inlined_) connect_rules();
    instantiate();
    for (auto d : postorder_) has_tokens_ |= facts_[d->id()].token = types.is_token(d);
    for (auto lam : lams_) has_tokens_ |= types.is_token(lam->var()); // it may be unused
    if (!has_tokens_) return;                                         // most programs
    for (auto d : postorder_) classify(d);
}

/// The calls that instantiate type variables, and the functions that have some.
void Check::instantiate() {
    std::vector<TokenTypes::Instance> instances;
    for (auto d : postorder_) {
        auto match = d->isa<Match>();
        for (auto arm : match ? match->arms() : Defs())
            if (holds_types(match->scrutinee()->type()))
                instances.push_back({arm, match->scrutinee(), TokenTypes::Instance::Match});
        auto app    = d->isa<App>();
        auto callee = app ? app->callee() : nullptr;
        if (!callee || !holds_types(callee->type()->as<Pi>()->dom())) continue;
        if (callee->node() == Node::Lam || !head_axiom(callee)) instances.push_back({callee, app->arg()});
        else instantiate_rules(app, instances);
    }
    if (instances.empty()) return;
    auto uncalled = uncalled_rules();
    std::vector<const Lam*> polymorphic;
    for (auto lam : lams_)
        if (holds_types(lam->dom()) && !uncalled.contains(lam)) polymorphic.push_back(lam);
    types.instantiate(instances, polymorphic);
}

/*
 * rules
 */

/// The right sides of rules that may be applied to values of any type, or to functions, are functions of the program.
void Check::connect_rules() {
    std::unordered_map<const Axiom*, std::vector<const RewriteRule*>> rules;
    for (auto& rule : world.rules.all())
        if (may_matter(*rule)) rules[&head_axiom(rule->lhs)->axiom()].push_back(rule.get());
    if (rules.empty()) return;
    for (size_t i = 0; i < postorder_.size(); ++i) { // right sides mention more
        auto axm   = postorder_[i]->isa<Axm>();
        auto found = axm ? rules.find(&axm->axiom()) : rules.end();
        if (found == rules.end()) continue;
        for (auto rule : found->second) {
            auto function = rule_function(world, *rule);
            if (!function) continue;
            connect(function->lams.front());
            rules_[found->first].push_back(std::move(*function));
        }
    }
}

/// The pattern on the left side of a rule is compared with this argument.
void Check::instantiate_rules(const App* app, std::vector<TokenTypes::Instance>& instances) {
    auto found = rules_.find(&head_axiom(app)->axiom());
    if (found == rules_.end()) return;
    size_t group = 0;
    for (auto callee = app->callee(); callee->isa<App>(); callee = callee->as<App>()->callee()) ++group;
    for (auto& rule : found->second)
        if (group < rule.patterns.size()) instances.push_back({rule.patterns[group], app->arg(), TokenTypes::Instance::Rule});
}

/// The functions of rules for axioms that no unknown function is.
LamSet Check::uncalled_rules() {
    LamSet res;
    if (rules_.empty()) return res;
    auto values = axioms_as_values();
    for (auto& [head, rules] : rules_)
        for (auto& rule : rules)
            for (auto lam : rule.lams)
                if (!values.contains(head)) res.insert(lam);
    return res;
}

std::vector<const Lam*> Check::rule_functions(const Axiom& head) const {
    std::vector<const Lam*> res;
    auto found = rules_.find(&head);
    if (found == rules_.end()) return res;
    for (auto& rule : found->second) res.insert(res.end(), rule.lams.begin(), rule.lams.end());
    return res;
}

/// The axioms that somebody gets as a value before they have all arguments.
std::unordered_set<const Axiom*> Check::axioms_as_values() {
    std::unordered_set<const Axiom*> res;
    for (auto user : postorder_) {
        auto app = user->isa<App>();
        for (auto op : value_ops(user)) {
            bool is_function = op && !is_static(op) && op->type()->isa<Pi>();
            if (!is_function || (app && app->callee() == op)) continue;
            if (auto axm = head_axiom(op)) res.insert(&axm->axiom());
        }
    }
    return res;
}

/*
 * single nodes
 */

/// The value becomes one of this type.
void Check::check_assigned(const Def* at, const Def* type, const Def* value) {
    auto found = types.hidden(type, value);
    if (found && hidden.insert(found.token).second)
        report(at, Diag::token_hidden, {found.sigma, found.token, found.token->type()});
}

/// Tokens that would be hidden (token_types.h), and those that pass through what neither takes nor makes any. That the types of a program as
/// it was written are right is known; here type variables stand for types with tokens.
void Check::check_node(const Def* d) {
    switch (d->node()) {
        case Node::Lam: {
            auto lam = d->as<Lam>();
            check_filter(lam);
            if (lam->is_set() && holds_types(lam->body()->type()))
                check_assigned(d, codom(world, lam->pi(), lam->var()), lam->body());
            break;
        }
        case Node::App: {
            auto app = d->as<App>();
            if (holds_types(app->arg()->type())) check_assigned(d, app->callee()->type()->as<Pi>()->dom(), app->arg());
            check_token_free(app);
            break;
        }
        case Node::Insert: {
            auto ins  = d->as<Insert>();
            auto type = elem_type(world, ins->tuple()->type(), ins->tuple(), ins->index());
            check_assigned(d, type, ins->value());
            break;
        }
        case Node::Inj: {
            auto inj = d->as<Inj>();
            check_assigned(d, inj->member(), inj->value());
            break;
        }
        default: break;
    }
}

void Check::check_token_free(const App* app) {
    auto axm = saturated_axiom(app);
    if (!axm || !axm->axiom().has(Axiom::TokenFree)) return;
    const Def* token = types.contains(app->type()) ? app->type() : nullptr;
    for (const Def* d = app; d->isa<App>(); d = d->as<App>()->callee()) {
        auto arg  = d->as<App>()->arg();
        auto type = holds_types(arg->type()) ? arg : arg->type();
        if (types.contains(type)) token = type;
    }
    if (token) report(app, Diag::token_cast, {axm, token});
}

void Check::report(const Def* at, Diag id, std::vector<Error::Arg> args) {
    auto vars = free_vars(world, at);
    auto lam  = at->isa<Lam>();
    if (!lam && !vars.empty()) lam = vars.front()->as<Var>()->binder()->isa<Lam>();
    violations.push_back({id, std::move(args), lam, at, {}});
}

/// `#i` of a variable, or of `#j` of it.
static bool is_part_of_var(const Def* d) {
    while (auto ex = d->isa<Extract>()) d = ex->tuple();
    return d->node() == Node::Var;
}

/// No effect happens where a filter is evaluated, so uses of tokens in it are none, and are not counted. Other elements of a parameter are
/// no uses of the tokens in it, and neither is asking whether it is known. What does not depend on the variable of the λ happens around it.
void Check::check_filter(const Lam* lam) {
    if (!lam->is_set() || lam->filter()->isa<Lit>()) return;
    struct Use {
        const Def* def;
        const Def* place; ///< the innermost expression around it that the text shows
    };
    DefSet seen;
    std::vector<Use> todo{{lam->filter(), lam}};
    while (!todo.empty()) {
        auto [def, place] = todo.back();
        todo.pop_back();
        if (is_closed(world, def) || !seen.insert(def)) continue;
        bool is_param = is_part_of_var(def);
        if (is_param && types.is_token(def)) return report(place, Diag::token_in_filter, {lam, def});
        if (is_param || !is_free_in(world, lam->var(), def)) continue;
        if (world.notes.span(def)) place = def;
        auto axm     = saturated_axiom(def);
        bool is_free = axm && axm->axiom().has(Axiom::TokenFree);
        for (auto op : is_free ? arg_elems(def->as<App>()) : value_ops(def))
            if (op && !is_static(op) && !(is_free && is_part_of_var(op))) todo.push_back({op, place});
    }
}

void Check::classify(const Def* d) {
    Fact f     = facts_[d->id()];
    f.known    = true;
    auto app   = d->isa<App>();
    auto known = [&](const Def* op) { return facts_[op->id()]; };
    if (app && d->type()->node() == Node::Pi)
        f.token = known(app->callee()).token || (!is_static(app->arg()) && known(app->arg()).token);
    f.has_token = f.token;
    if (d->node() == Node::Lam) {
        f.anchored = !is_closed(world, d);
    } else if (f.token || !is_part_of_var(d)) {
        for (auto op : value_ops(d)) {
            if (!op || is_static(op)) continue;
            f.has_token |= known(op).has_token;
            f.anchored |= op->node() == Node::Lam ? !is_closed(world, op) : known(op).anchored && !known(op).token;
        }
    }
    facts_[d->id()] = f;
}

/*
 * summaries
 */

bool Check::is_expanded(const Fn& f, const Def* d, Mode mode) {
    if (mode != Mode::Value || d->node() == Node::Tuple || is_never(d) || f.own.contains(d)) return true;
    if (is_token(d) && is_closed(world, d)) return makes_from_token(d); // an axiom, or what is made from one
    if (auto c = fact(d).component; c && fact(d).cyclic && c == facts_[f.lam->id()].component) return true;
    return std::any_of(f.binders.begin(), f.binders.end(), [&](auto var) { return is_free_in(world, var, d); });
}

/// It, or what it is a projection of, takes a token.
bool Check::makes_from_token(const Def* d) {
    while (auto ex = d->isa<Extract>()) d = ex->tuple();
    return std::ranges::any_of(value_ops(d), [&](auto op) { return op && !is_static(op) && is_token(op); });
}

void Check::capture(Fn& f, const Def* d) {
    if (f.capture_set.contains(d)) return;
    if (is_closed(world, d)) {
        if (is_token(d)) add_capture(f, d);
        return;
    }
    auto own = f.own.size();
    if (is_token(d))
        for (auto other : f.captures)
            if (is_token(other)) share(f, d, other);
    if (f.own.size() != own) {
        auto inside = [&](const Def* other) {
            if (!is_made_inside(f, other)) return false;
            work_.push_back({&f, {other, Mode::Value}});
            return true;
        };
        retracted_ |= std::erase_if(f.captures, inside) != 0;
    }
    if (is_made_inside(f, d)) return work_.push_back({&f, {d, Mode::Value}});
    add_capture(f, d);
}

void Check::add_capture(Fn& f, const Def* d) {
    f.capture_set.insert(d);
    f.captures.push_back(d);
    for (auto caller : f.callers) need(*caller, d);
}

/// A call of f needs this value. Most that callees of one function capture are the same.
void Check::need(Fn& f, const Def* d) {
    bool is_known = f.capture_set.contains(d) || f.keys.contains({d, Mode::Value});
    if (!is_known) work_.push_back({&f, {d, Mode::Value}});
}

/// A call of f replaces an element of a tuple that is made around f: somebody there has to consume that element.
void Check::touch(Fn& f, const Def* tuple) {
    if (is_expanded(f, tuple, Mode::Value) || is_made_inside(f, tuple)) return work_.push_back({&f, {tuple, Mode::Value}});
    if (is_closed(world, tuple) || !is_token(tuple) || !f.touched.insert(tuple)) return;
    for (auto caller : f.callers) work_.push_back({caller, {tuple, Mode::Value}, true});
}

void Check::visit_lam(Fn& f, const Lam* lam, Mode mode, const Def* at) {
    auto callee = fn(lam);
    if (!callee) return;
    if (mode == Mode::Value) f.escaping.push_back({lam, at});
    if (mode == Mode::Result) f.results.push_back({lam, at});
    if (mode == Mode::Jump) f.jumps.push_back({lam, at});
    callee->callers.push_back(&f);
    for (size_t i = 0; i < callee->captures.size(); ++i) need(f, callee->captures[i]);
    for (auto tuple : callee->touched) work_.push_back({&f, {tuple, Mode::Value}, true});
}

bool Check::matters(const Key& key) {
    auto d = key.def;
    if (is_static(d)) return false;
    auto& fact = this->fact(d);
    if (fact.has_token || fact.anchored) return true;
    return key.mode == Mode::Value ? is_never(d) : d->node() == Node::Lam;
}

/// Whether it chooses one of several constants: tables have thousands, and none of them matters.
bool Check::is_table(const Key& choice) {
    auto& tuple = fact(choice.def->as<Extract>()->tuple());
    return choice.mode == Mode::Value && !is_never(choice.def) && !tuple.has_token && !tuple.anchored;
}

void Check::visit(Fn& f, Key key) {
    auto d = key.def;
    if (!matters(key)) return;
    auto fact = this->fact(d);
    if (d->node() != Node::Lam && !is_expanded(f, d, key.mode)) {
        auto n = fact.token ? num_elems(d) : 0;
        for (size_t i = 0; i < n; ++i)
            if (types.is_elem_token(d, i)) work_.push_back({&f, {world.extract(d, i), Mode::Value}});
        if (n == 0) capture(f, d);
        return;
    }
    if (!f.keys.insert(key)) return;
    if (auto pack = d->isa<Pack>(); pack && pack->is_mut()) f.binders.push_back(pack->var());
    if (auto lam = d->isa<Lam>()) return visit_lam(f, lam, key.mode, d);
    if (is_never(d)) f.end_nodes.push_back(d);
    edges(f, key, [&](const Edge& e) {
        if (is_kept(d, e)) f.kept.push_back(e.to.def);
        bool is_touch = e.kind == Edge::Touch;
        if (is_touch || matters(e.to)) work_.push_back({&f, e.to, is_touch});
    });
}

void Check::summarize() {
    for (auto lam : lams_) {
        if (!lam->is_set() || is_static(lam->body())) continue;
        auto& f = fn_store_.emplace_back();
        f.lam   = lam;
        f.index = static_cast<uint32_t>(fn_store_.size() - 1);
        f.binders.push_back(lam->var());
        fns_.emplace(lam, &f);
    }
    visit_all();
    // Callers may have captured what turned out to be made inside. Knowing that now, start again.
    for (int round = 1; retracted_ && round < MaxRounds; ++round) {
        for (auto& f : fn_store_) {
            Fn again;
            again.lam       = f.lam;
            again.index     = f.index;
            again.own       = std::move(f.own);
            again.first_own = f.first_own;
            again.binders   = {f.lam->var()};
            f               = std::move(again);
        }
        visit_all();
    }
    if (!inlined_) direct.find(); // phases make them calls of continuations
    find_exits();
    find_kept();
}

void Check::visit_all() {
    retracted_ = false;
    for (auto& f : fn_store_) {
        auto body = f.lam->body();
        if (fact(f.lam->var()).token) visit(f, {f.lam->var(), Mode::Value});
        visit(f, {body, body->node() == Node::Lam ? Mode::Result : Mode::Value});
        while (!work_.empty()) {
            auto [fn, key, is_touch] = work_.back();
            work_.pop_back();
            if (is_touch) touch(*fn, key.def);
            else visit(*fn, key);
        }
    }
    // what functions refer to is known only now
    for (auto& f : fn_store_) {
        for (auto d : f.captures) retracted_ |= is_made_inside(f, d);
        for (auto d : f.touched) retracted_ |= is_made_inside(f, d);
    }
}

std::vector<Violation> Check::run(std::span<const Lam* const> roots) {
    collect(roots);
    if (!has_tokens_) return {};
    for (auto d : postorder_) check_node(d);
    for (auto d : postorder_)
        if (is_declared(d)) check_assigned(d, d->type(), d); // one that is chosen, say
    if (!violations.empty()) return std::move(violations);   // what they hide is not followed
    find_return_params(roots);
    summarize();
    for (auto& f : fn_store_) {
        check_escapes(f);
        direct.check(f);
        check_flow(*this, f);
    }
    drop_consequences();
    return std::move(violations);
}

/// The function without free variables around a λ.
const Lam* Check::outermost(const Lam* lam) {
    for (const Def* d = lam;;) {
        auto vars = free_vars(world, d);
        if (vars.empty()) return lam;
        d = vars.front()->as<Var>()->binder();
        if (auto outer = d->isa<Lam>()) lam = outer;
    }
}

/// In one function, what is wrong once shows in several places: a token that goes around a loop is also used twice by who enters
/// the loop, and one that is used twice has often replaced another one, which is dropped. Keeps the kind that says most.
void Check::drop_consequences() {
    auto rank = [](Diag id) {
        return id == Diag::token_escapes ? 3 : id == Diag::token_in_loop ? 2 : id == Diag::token_used_twice ? 1 : 0;
    };
    std::unordered_map<const Lam*, int> best;
    for (auto& v : violations) {
        auto& b = best[outermost(v.lam)];
        b       = std::max(b, rank(v.id));
    }
    std::erase_if(violations, [&](auto& v) { return rank(v.id) < best[outermost(v.lam)]; });
}

} // namespace linear

/// Some axiom for which `is_such` holds is mentioned, in a term or in a type. It takes one bit a node.
template<class F>
static bool mention(std::span<const Lam* const> roots, F is_such) {
    std::vector<bool> seen;
    std::vector<const Def*> todo;
    auto push = [&](const Def* d) {
        if (!d) return;
        if (d->id() >= seen.size()) seen.resize(d->id() + d->id() / 2 + 64);
        if (!seen[d->id()]) seen[d->id()] = true, todo.push_back(d);
    };
    for (auto root : roots) push(root);
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (auto axm = d->isa<Axm>(); axm && is_such(axm)) return true;
        if (d->node() != Node::Sort) push(d->type());
        if (!d->is_set()) continue;
        for (auto op : d->ops()) push(op);
    }
    return false;
}

static std::vector<Violation> check_tokens(World& world, std::span<const Lam* const> roots, bool inlined) {
    auto makes_tokens = [&](const Axm* axm) { return world.token_types().contains(axm); }; // also once it is rewritten
    if (!world.annexes.has_linear_types() || !mention(roots, makes_tokens))
        return {}; // most programs that merely load such a plugin
    if (inlined && mention(roots, [](const Axm* axm) { return axm->axiom().has(Axiom::Jumps); })) return {};
    return linear::Check(world, inlined).run(roots);
}

std::vector<Violation> check_tokens(World& world, std::span<const Lam* const> roots) { return check_tokens(world, roots, false); }

std::vector<Violation> check_tokens(World& world) {
    std::vector<const Lam*> roots;
    for (auto& external : world.externals) roots.push_back(external.lam);
    return check_tokens(world, roots, true);
}

} // namespace mim
