// SPDX-License-Identifier: MIT
#include "terms.h"

#include <algorithm>

#include "driver/shown.h"
#include "ir/def_set.h"
#include "ir/token_types.h"
#include "kit/match.h"

namespace mim::plug::elevate {

namespace {

/// Whether `element`, one of `var` or the whole of it, occurs in `def`.
bool mentions(World& w, const Def* def, const Def* var, const Def* element) {
    DefVec todo{def};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (d == element || d == var) return true;
        auto ex       = d->isa<Extract>();
        bool is_other = ex && ex->tuple() == var && isa_lit(ex->index());
        if (is_other || !is_free_in(w, var, d) || !seen.insert(d)) continue;
        todo.insert(todo.end(), d->ops().begin(), d->ops().end());
    }
    return false;
}

/// Whether some type depends on element i of what a function takes, so that another value would change it.
bool is_depended_on(World& w, const Pi* pi, size_t i, size_t n) {
    auto element_of = [&](const Def* var) { return n == 1 ? var : w.extract(var, static_cast<uint64_t>(i)); };
    auto var        = pi->var();
    if (var && var->isa<Var>() && mentions(w, pi->codom(), var, element_of(var))) return true;
    auto sigma = pi->dom()->isa<Sigma>();
    auto own   = sigma ? sigma->var() : nullptr;
    if (!own || !own->isa<Var>()) return false;
    return std::ranges::any_of(sigma->ops(), [&](auto type) { return mentions(w, type, own, element_of(own)); });
}

bool is_term(const Def* def, const Entered& entered) {
    if (is_type(def) || holds_types(def->type())) return false;
    auto lam = def->isa<Lam>();
    return !lam || std::ranges::find(entered, lam) == entered.end();
}

/// The elements of a tuple, also of one whose elements are equal, which is a pack; none of what is no tuple, or has very many.
DefVec elements(World& w, const Def* def) {
    static constexpr int64_t max_elements = 64;
    if (def->isa<Tuple>()) return {def->ops().begin(), def->ops().end()};
    auto n        = lit_arity(w, def->type());
    bool is_small = n > 1 && n <= max_elements && !(def->isa<Pack>() && def->is_mut());
    DefVec result;
    for (int64_t i = 0; is_small && i < n; ++i) result.push_back(w.extract(def, static_cast<uint64_t>(i)));
    return result;
}

/// The functions that a term applies, from the axiom or the function at its head on.
DefVec applications(const Def* term) {
    DefVec result;
    for (auto app = term->isa<App>(); app; app = app->callee()->isa<App>()) result.push_back(app);
    std::ranges::reverse(result);
    return result;
}

} // namespace

Below::Below(World& world, const Def* term, const Entered& entered)
    : world_(world)
    , term_(term) {
    auto add = [&](size_t i) {
        if (is_term(term->op(i), entered)) parts_.push_back({term->op(i), 0, i});
    };
    switch (term->node()) {
        case Node::App: add_arguments(entered); break;
        case Node::Lam:
            if (isa_known(term)) add(1);
            break;
        case Node::Tuple:
        case Node::Pack: add_elements(entered); break;
        case Node::Inj: add(0); break;
        case Node::Extract:
            if (!is_variable(term)) add(0);
            break;
        case Node::Insert: add(0), add(2); break;
        case Node::Match:
            for (size_t i = 0; i < term->num_ops(); ++i) add(i);
            break;
        default: break;
    }
}

void Below::add_elements(const Entered& entered) {
    auto all = elements(world_, term_);
    for (size_t i = 0; i < all.size(); ++i)
        if (is_term(all[i], entered)) parts_.push_back({all[i], 0, i});
    bool is_body = all.empty() && term_->isa<Pack>() && is_term(term_->op(1), entered);
    if (is_body) parts_.push_back({term_->op(1), 0, whole});
}

void Below::add_argument(const Pi* pi, const Def* arg, size_t group, const Entered& entered) {
    auto elems    = elements(world_, arg);
    bool is_tuple = !elems.empty() || arg->isa<Tuple>();
    if (!is_tuple) elems.push_back(arg);
    for (size_t i = 0; i < elems.size(); ++i) {
        bool is_free = is_term(elems[i], entered) && !is_depended_on(world_, pi, i, elems.size());
        if (is_free) parts_.push_back({elems[i], group, is_tuple ? i : whole});
    }
}

void Below::add_arguments(const Entered& entered) {
    size_t group = 0;
    for (auto app : applications(term_)) {
        auto pi = callee_of(app)->type()->as<Pi>();
        if (!pi->is_implicit()) add_argument(pi, arg_of(app), group, entered);
        ++group;
    }
    std::ranges::stable_partition(parts_, [](auto& part) { return !part.def->type()->template isa<Pi>(); });
}

size_t Below::last(bool is_function) const {
    for (size_t i = size(); i-- > 0;)
        if (this->is_function(i) == is_function) return i;
    return size();
}

const Def* Below::replace(size_t i, const Def* now) const {
    if (now == at(i)) return term_;
    DefVec all;
    for (auto& part : parts_) all.push_back(part.def);
    all[i] = now;
    return rebuild(all);
}

DefVec Below::operands(const DefVec& now) const {
    DefVec ops(term_->ops().begin(), term_->ops().end());
    for (size_t i = 0; i < size(); ++i) ops[parts_[i].elem] = now[i];
    return ops;
}

static const Def* itself(const Def* def) { return def; }

const Def* Below::rebuild(const DefVec& now, const Other& other) const {
    auto result = rebuild_app(now, other);
    world_.notes.copy_place(term_, result);
    return result;
}

const Def* Below::rebuild(const DefVec& now) const {
    bool is_same = std::ranges::equal(now, parts_, {}, {}, &Part::def);
    if (is_same) return term_;
    const Def* result = nullptr;
    switch (term_->node()) {
        case Node::App: result = rebuild_app(now, itself); break;
        case Node::Lam: result = rebuild_lam(now[0]); break;
        case Node::Extract: result = world_.extract(now[0], term_->as<Extract>()->index()); break;
        case Node::Inj: result = world_.inj(term_->type(), now[0], term_->as<Inj>()->member()); break;
        case Node::Tuple: result = rebuild_tuple(term_, now, 0, itself); break;
        case Node::Pack: result = parts_[0].elem == whole ? rebuild_pack(now[0]) : rebuild_tuple(term_, now, 0, itself); break;
        case Node::Insert: {
            auto ops = operands(now);
            result   = world_.insert(ops[0], ops[1], ops[2]);
            break;
        }
        case Node::Match: {
            auto ops = operands(now);
            result   = world_.match(ops[0], Defs(ops).subspan(1));
            break;
        }
        default: return term_;
    }
    world_.notes.copy_place(term_, result);
    return result;
}

/// The tuple where the parts of this group are these now.
const Def* Below::rebuild_tuple(const Def* tuple, const DefVec& now, size_t group, const Other& other) const {
    auto elems      = elements(world_, tuple);
    bool is_changed = false;
    DefVec changed(elems.size(), nullptr);
    for (size_t i = 0; i < size(); ++i) {
        auto& part   = parts_[i];
        bool is_here = part.group == group && part.def != now[i];
        if (!is_here) continue;
        if (part.elem == whole) return now[i];
        is_changed         = true;
        changed[part.elem] = now[i];
    }
    if (!is_changed) return other(tuple);
    for (size_t i = 0; i < elems.size(); ++i) elems[i] = changed[i] ? changed[i] : other(elems[i]);
    return is_declared(tuple) ? world_.tuple(other(tuple->type()), elems) : world_.tuple(elems);
}

const Def* Below::rebuild_app(const DefVec& now, const Other& other) const {
    auto apps   = applications(term_);
    auto result = other(callee_of(apps[0]));
    for (size_t group = 0; group < apps.size(); ++group)
        result = world_.app(result, rebuild_tuple(arg_of(apps[group]), now, group, other));
    return result;
}

/// The new body speaks of the variable of the old function: only that is closed again.
const Def* Below::rebuild_lam(const Def* body) const {
    auto lam  = term_->as<Lam>();
    auto copy = world_.mut_lam(lam->type());
    world_.notes.copy_info(lam, copy);
    auto closed = [&](const Def* def) { return world_.subst(def, lam->var(), copy->var()); };
    world_.set(copy, closed(lam->filter()), closed(body));
    return world_.seal(copy);
}

const Def* Below::rebuild_pack(const Def* body) const {
    auto pack = term_->as<Pack>();
    auto var  = pack->var();
    if (!var || !var->isa<Var>()) return world_.pack(pack->arity(), body);
    auto copy = world_.mut_pack(pack->arity());
    world_.notes.copy_info(pack, copy);
    return world_.seal(copy, world_.subst(body, var, copy->var()));
}

/*
 * texts
 */
/// `%demo.map.high` is `map.high` in a way.
std::string Words::head(World& w, const Def* term) const {
    auto axm = head_axiom(term);
    if (!axm) {
        while (auto app = term->isa<App>()) term = app->callee();
        auto name = w.notes.name(term);
        return name ? name.str() : "call";
    }
    auto name = w.annexes.shortest_name(axm).str();
    return name.substr(name.find('.') + 1);
}

std::string Words::term(World& w, const Def* term) const { return shown(w, term); }

const Words& Words::of_mim() {
    static const Words words;
    return words;
}

namespace {

std::string step_text(World& w, const Step& step, const Words& words) {
    Below below(w, step.from, {});
    auto number = "#" + std::to_string(step.child);
    switch (step.from->node()) {
        case Node::Lam:
        case Node::Pack: return "body";
        case Node::App: break;
        default: return number;
    }
    bool is_function = step.child < below.size() && below.is_function(step.child);
    size_t alike     = 0;
    for (size_t i = 0; i < below.size(); ++i) alike += below.is_function(i) == is_function;
    return words.head(w, step.from) + (alike > 1 ? number : "");
}

} // namespace

std::string way_text(World& w, const std::vector<Step>& way, const Words& words) {
    std::string text;
    for (auto& step : way) text += (text.empty() ? "" : " / ") + step_text(w, step, words);
    return text.empty() ? "the root" : text;
}

std::string term_text(World& w, const Def* term, const Words& words) { return words.term(w, term); }

} // namespace mim::plug::elevate
