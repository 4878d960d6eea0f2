// SPDX-License-Identifier: MIT
#include "sema/rule.h"

#include <algorithm>

#include "front/chars.h"
#include "ir/rule_match.h"
#include "linear/tokens.h"

namespace mim {

/// The pattern variables of a rule are the leaves of its groups, one after the other.
bool Rules::add_leaves(const ast::Pattern* p, SigmaScope& scope) {
    if (auto tuple = ast::isa<ast::TuplePattern>(p); tuple && !tuple->type) {
        bool ok = true;
        for (auto e : tuple->elems) ok &= add_leaves(e, scope);
        return ok;
    }
    auto t = patterns_.type(p);
    if (auto group = ast::isa<ast::GroupPattern>(p)) {
        for (auto& n : group->names) {
            scope.add(t, n.name);
            names_.bind_name(n, scope.elem(), t.view, Binding::Param);
        }
    } else if (auto name = ast::isa<ast::NamePattern>(p)) {
        scope.add(t, name->name.name);
        names_.bind_name(name->name, scope.elem(), t.view, Binding::Param);
    } else if (t) {
        error(Diag::bad_rule, p->span, {"name each pattern variable"});
        return false;
    }
    return static_cast<bool>(t);
}

static size_t num_leaves(const ast::Pattern* p) {
    auto tuple = ast::isa<ast::TuplePattern>(p);
    if (!tuple || tuple->type) {
        auto group = ast::isa<ast::GroupPattern>(p);
        return group ? group->names.size() : 1;
    }
    size_t n = 0;
    for (auto e : tuple->elems) n += num_leaves(e);
    return n;
}

static void leaf_names(const ast::Pattern* p, std::vector<ast::Binder>& names) {
    if (auto tuple = ast::isa<ast::TuplePattern>(p)) {
        for (auto e : tuple->elems) leaf_names(e, names);
    } else if (auto group = ast::isa<ast::GroupPattern>(p)) {
        names.insert(names.end(), group->names.begin(), group->names.end());
    } else if (auto name = ast::isa<ast::NamePattern>(p)) {
        names.push_back(name->name);
    }
}

/// The left side once its placeholders are filled; its head stays as it is written.
static const Def* refresh_left(World& world, const Def* left) {
    std::vector<const Def*> args;
    for (; left->isa<App>(); left = left->as<App>()->callee()) args.push_back(world.refresh(left->as<App>()->arg()));
    World::Frozen frozen(world);
    for (auto arg = args.rbegin(); arg != args.rend(); ++arg) left = world.app(left, *arg);
    return left;
}

/// Whether the text has this name, and not only as a part of another word.
static bool has_word(std::string_view text, std::string_view name) {
    for (auto at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        auto end      = at + name.size();
        bool is_begin = at == 0 || !front::is_word(text[at - 1]);
        if (is_begin && (end == text.size() || !front::is_word(text[end]))) return true;
    }
    return false;
}

static bool is_parameters(const ast::Group& group) {
    auto tuple = ast::isa<ast::TuplePattern>(group.pattern);
    return tuple && tuple->square && !tuple->type && !group.implicit;
}

/// Groups in `[…]` are parameters, also an empty one.
bool Rules::check_groups(const ast::Rule* e, RewriteRule& rule) {
    bool is_behind = false;
    for (auto& group : e->groups) {
        if (!is_parameters(group)) {
            is_behind = true;
            continue;
        }
        const char* why = e->is_norm  ? "a `norm` applies by itself, so nobody gives it parameters in `[…]`"
                          : is_behind ? "its parameters in `[…]` come before its other variables"
                                      : nullptr;
        if (why) return error(Diag::bad_rule, group.pattern->span, {why}), false;
        rule.on_request = true;
        rule.num_params += static_cast<uint32_t>(num_leaves(group.pattern));
    }
    return true;
}

void Rules::rule(const ast::Rule* e) {
    auto holes = holes_.mark();
    auto mark  = names_.mark();
    std::vector<ast::Binder> names;
    RewriteRule rule;
    auto dom = check_groups(e, rule) ? domain(e, names) : Ty{};
    if (!dom) return;
    rule.name  = e->name.name;
    rule.eager = e->is_norm;
    rule.span  = e->span;
    auto lam   = at(e->span, [&] { return world_.mut_lam(world_.pi(dom.type, world_.unit_type())); });
    if (!lam) return;
    world_.holes.enter(lam);
    auto root = names_.bind_root(lam->var(), nullptr);
    for (uint32_t i = 0; i < names.size(); ++i)
        names_.bind_name(names[i], {root, i, static_cast<uint32_t>(names.size())}, nullptr, Binding::Param);
    rule.lhs = left_side(e, holes);
    if (e->cond) rule.when = terms_.expr(e->cond).def;
    rule.rhs  = terms_.expr(e->rhs).def;
    bool fits = rule.lhs && rule.rhs && assignable(world_, rule.lhs->type(), rule.rhs); // fills placeholders
    bool ok   = holes_.check(holes) && rule.lhs && rule.rhs && (!e->cond || rule.when);
    names_.pop(mark);
    if (!ok) return;
    rule.rhs = world_.refresh(rule.rhs);
    if (rule.when) rule.when = world_.refresh(rule.when);
    auto binder = const_cast<Lam*>(lam->as<Lam>());
    if (!is_closed(e, rule, binder)) return;
    world_.set(binder, world_.ff(), world_.unit());
    rule.binder = binder;
    place_variables(binder, names);
    rule.plugin = world_.sym(shared_.host.owner());
    try {
        auto warning = why_dead(e, rule); // before the rule is one of those that are tried
        if (!fits || check_tokens(e, rule, names)) world_.rules.add(rule);
        if (warning) errors_.diags().report(Diag::rule_cannot_fire, warning->place, {e->name.name.str(), warning->why});
    } catch (const Error& err) {
        report_bad(e, rule, err);
    }
}

/// A variable that is not on the left side is where the mistake is. Where the text has it there, the left side became something else.
void Rules::report_bad(const ast::Rule* e, const RewriteRule& rule, Error err) {
    bool is_unbound = err.id == Diag::bad_rule && err.rewritten;
    auto variable   = is_unbound ? source_text(err.rewritten) : std::string();
    auto left       = errors_.diags().sources().text(e->lhs->span);
    if (is_unbound && has_word(left, variable)) {
        auto text   = std::get<std::string>(err.args.front());
        err.args[0] = text + ", which becomes `" + show(rule.lhs) + "` when it is read";
    }
    auto place = is_unbound ? err.rewritten : err.id == Diag::not_assignable ? e->rhs->span : e->lhs->span;
    report(err, place);
}

/// Null if it is poison or has open placeholders.
const Def* Rules::left_side(const ast::Rule* e, size_t holes) {
    applications_.freeze(result_expr(e->lhs));
    auto left = terms_.expr(e->lhs).def;
    applications_.freeze(nullptr);
    if (!holes_.check(holes) || !left) return nullptr;
    return refresh_left(world_, left);
}

bool Rules::is_closed(const ast::Rule* e, const RewriteRule& rule, const Lam* binder) {
    auto check = [&](const Def* def, const ast::Expr* text) {
        return !text || closed_.check(rule.name, text->span, def, binder);
    };
    return check(rule.lhs, e->lhs) && check(rule.when, e->cond) && check(rule.rhs, e->rhs);
}

/// Errors in the right side name its pattern variables.
void Rules::place_variables(const Lam* binder, std::span<const ast::Binder> names) {
    for (size_t i = 0; i < names.size(); ++i) {
        auto leaf = names.size() == 1 ? binder->var() : world_.extract(binder->var(), i);
        if (!world_.notes.name(leaf)) world_.notes.set_name(leaf, names[i].name);
        world_.notes.set_span(leaf, names[i].span);
    }
}

/// The left side consumes each token that it takes once; the right side, as the body of a function of the pattern
/// variables, does too.
bool Rules::check_tokens(const ast::Rule* e, const RewriteRule& rule, std::span<const ast::Binder> names) {
    if (!tokens_.exist() || !tokens_.is_token(rule.binder->var())) return true;
    auto pi    = world_.mut_pi(rule.binder->dom());
    auto codom = world_.subst(rule.lhs->type(), rule.binder->var(), pi->var());
    auto probe = world_.mut_lam(world_.seal(pi, codom));
    world_.set(probe, world_.ff(), world_.subst(rule.rhs, rule.binder->var(), probe->var()));
    for (size_t i = 0; i < names.size(); ++i)
        world_.notes.set_name(names.size() == 1 ? probe->var() : world_.extract(probe->var(), i), names[i].name);
    const Lam* root[] = {probe};
    auto violations   = mim::check_tokens(world_, root);
    for (auto& v : violations) report(Error(v.id, v.args), e->rhs->span);
    return violations.empty();
}

/// The elements of an argument; none if their number is not known.
static std::vector<const Def*> elements(World& world, const Def* arg) {
    std::vector<const Def*> res;
    auto n = lit_arity(world, arg->type());
    for (int64_t i = 0; i < n; ++i)
        res.push_back(world.extract(arg, world.lit_idx(static_cast<uint64_t>(n), static_cast<uint64_t>(i))));
    return res;
}

/// Whether one is the other with operands in another order, as normalizers of commutative operations choose it. A
/// literal has one place in all of them.
static bool is_reordered(World& world, const Def* left, const Def* now) {
    auto a = left->isa<App>();
    auto b = now->isa<App>();
    if (!a || !b || a->callee() != b->callee()) return false;
    auto before     = elements(world, a->arg());
    auto is_literal = [](const Def* d) { return d->isa<Lit>(); };
    return std::ranges::is_permutation(before, elements(world, b->arg())) && std::ranges::none_of(before, is_literal);
}

/// The left side where one variable is a number and the others are anything; null if that is no application.
const Def* Rules::left_side_at(const RewriteRule& rule, size_t index, const Def* number) {
    auto probe = world_.mut_lam(world_.pi(rule.binder->dom(), world_.unit_type()));
    auto n     = num_vars(world_, rule);
    std::vector<const Def*> values;
    for (size_t i = 0; i < n; ++i)
        values.push_back(i == index ? number : n == 1 ? probe->var() : world_.extract(probe->var(), i));
    try {
        auto app = world_.subst(rule.lhs, rule.binder->var(), world_.tuple(values))->isa<App>();
        return app ? world_.app(app->callee(), app->arg()) : nullptr;
    } catch (const Error&) { // the type of another variable, or of an argument, does not allow this number
        return nullptr;
    }
}

/// `%d.h (n * n)`: where n is 5, the program has `%d.h 25`, and no equation finds n in that.
std::optional<Rules::Dead> Rules::why_dead_at_numbers(const ast::Rule* e, const RewriteRule& rule) {
    auto number = world_.lit_nat(5);
    auto n      = num_vars(world_, rule);
    for (size_t i = 0; i < n; ++i) {
        auto variable = n == 1 ? rule.binder->var() : world_.extract(rule.binder->var(), i);
        auto name     = world_.notes.name(variable);
        if (!name || variable->type() != world_.nat()) continue;
        Mismatch why;
        auto left = left_side_at(rule, i, number);
        if (!left || match_rule(world_, rule, left, {}, &why)) continue;
        bool is_lost = why.kind == Mismatch::Size || why.kind == Mismatch::Unknown;
        if (!is_lost) continue;
        auto text = "`" + name.str() + "` may be no number, as `" + show(left) + "` does not tell that it is " + show(number);
        return Dead{e->lhs->span, text};
    }
    return {};
}

/// A left side that normalizes to something else is in no graph; a condition may be false whatever the variables are.
std::optional<Rules::Dead> Rules::why_dead(const ast::Rule* e, const RewriteRule& rule) {
    auto left = rule.lhs;
    auto app  = left->isa<App>();
    if (!app) return {}; // an error, which `add` reports
    auto now = world_.app(app->callee(), app->arg());
    if (now != left && !is_reordered(world_, left, now))
        return Dead{e->lhs->span, "its left side becomes `" + show(now) + "` before rules are tried"};
    if (rule.when == world_.ff()) return Dead{e->cond->span, "its condition is `ff`"};
    auto first = world_.rules.hides(rule);
    if (!first) return rule.on_request ? std::nullopt : why_dead_at_numbers(e, rule);
    return Dead{e->lhs->span, "the rule `" + first->name.str() + "`, which is tried before it, matches all that it matches"};
}

Ty Rules::domain(const ast::Rule* e, std::vector<ast::Binder>& names) {
    size_t n = 0;
    for (auto& g : e->groups) n += num_leaves(g.pattern), leaf_names(g.pattern, names);
    SigmaScope scope(errors_, views_, n);
    bool ok = true;
    for (auto& g : e->groups) ok &= add_leaves(g.pattern, scope);
    return ok ? scope.finish(e->span) : Ty{};
}

} // namespace mim
