// SPDX-License-Identifier: MIT
// Memory in reverse mode (doc/adr/0047-shadows.md). A pointer becomes two, to the value and to its shadow, in which the
// cotangents of what is there gather. A token is a value like any other one, whose cotangent is the token of the way
// back: it goes from operation to operation in reverse order. A read adds to the shadow, and a write takes what is there.
#include "mem/annexes.h"

#include "autodiff/diagnostics.h"
#include "reverse.h"

namespace mim::plug::autodiff {

/// The operations that make memory.
static bool is_allocation(const Def* def) {
    return match<mem::alloc>(def) || match<mem::malloc>(def) || match<mem::local>(def) || match<mem::slot>(def);
}

bool is_memory_operation(const Def* def) {
    auto axm = def->isa<App>() ? saturated_axiom(def) : nullptr;
    if (!axm || !is_of_plugin<mem::load>(axm->axiom())) return false;
    bool is_access = match<mem::load>(def) || match<mem::store>(def);
    return is_access || is_allocation(def) || match<mem::free>(def) || match<mem::restrict>(def);
}

/// The last group of an allocation is a token, or has one in front.
static const Def* token_of(World& w, const App* app) {
    bool is_alone = match<mem::alloc>(app) || match<mem::local>(app);
    return is_alone ? app->arg() : elem(w, app->arg(), 0);
}

DefVec operands_of_memory(World& w, const App* app) {
    DefVec result{token_of(w, app)};
    if (match<mem::store>(app)) result.push_back(elem(w, app->arg(), 2));
    return result;
}

/*
 * pointers
 */

/// One that depends on nothing that is differentiated comes from outside, where memory is constant; so does one that was read there.
static bool has_shadow(World& w, Dependence& dependence, const Def* pointer) {
    while (auto extract = pointer->isa<Extract>()) pointer = extract->tuple();
    if (auto lea = match<mem::lea>(pointer)) return has_shadow(w, dependence, elem(w, lea.arg(), 0));
    if (auto load = match<mem::load>(pointer)) return has_shadow(w, dependence, elem(w, load.arg(), 1));
    return dependence.of(pointer);
}

Reverse::Pointer Reverse::pointer(const Def* def) {
    auto made = rewrite(def);
    if (!has_shadow(world(), dependence_, def)) return {made, nullptr};
    return {world().extract(made, 0), world().extract(made, 1)};
}

const Def* Reverse::rewrite_lea(const Def* lea) {
    auto& w     = world();
    auto [p, i] = elems<2>(w, arg_of(lea));
    auto base   = pointer(p);
    auto index  = rewrite(i);
    auto value  = w.call<mem::lea>({base.value, index});
    return base.shadow ? w.tuple({value, w.call<mem::lea>({base.shadow, index})}) : value;
}

/// A value for somebody who expects shadows in it.
const Def* Reverse::with_shadows(const Def* value, const Def* at) {
    bool is_made_here = value->isa<Tuple>() || value->isa<Inj>();
    bool is_pointer   = holds_pointer(world(), value->type()) && !is_made_here;
    if (is_pointer && !has_shadow(world(), dependence_, value)) fail(world(), diag::no_shadow(value), at);
    return rewrite(value);
}

/// A tuple or a member of a union with pointers in it, each of which must have a shadow.
const Def* Reverse::rewrite_pointers(const Def* def) {
    if (auto inj = def->isa<Inj>()) return world().inj(typed(inj->type()), with_shadows(inj->value(), def));
    return world().tuple(map_defs(def->ops(), [&](auto op) { return with_shadows(op, def); }));
}

/*
 * the way forward
 */

const Def* Reverse::rewrite_memory(const App* app) {
    auto& w  = world();
    auto mem = rewrite(token_of(w, app));
    if (match<mem::restrict>(app)) return mem; // a promise about the value, not about both
    if (is_allocation(app)) return fresh(app);
    auto at = pointer(elem(w, app->arg(), 1));
    if (match<mem::load>(app)) return w.call<mem::load>({mem, at.value});
    if (match<mem::free>(app)) return w.call<mem::free>({mem, at.value});
    auto value   = elem(w, app->arg(), 2);
    bool is_lost = !at.shadow && (is_active(value) || holds_pointer(w, value->type()));
    if (is_lost) fail(w, diag::no_shadow(elem(w, app->arg(), 1)), app);
    return w.call<mem::store>({mem, at.value, with_shadows(value, app)});
}

static const Def* cleared(World& w, const Def* mem, const Def* shadow, const Def* type) {
    return is_silent(w, type) ? mem : w.call<mem::store>({mem, shadow, zero_of(w, type)});
}

/// The memory, and a shadow of zeros. That outlives the function, whose pullback is applied later.
const Def* Reverse::fresh(const App* app) {
    auto& w         = world();
    auto type       = rewrite(group(app, 0));
    auto space      = rewrite(group(app, 1));
    auto mem        = rewrite(token_of(w, app));
    const Def* made = nullptr;
    if (match<mem::malloc>(app)) made = w.apply<mem::malloc>(augmented(w, type), space, {mem, rewrite(elem(w, app->arg(), 1))});
    else if (match<mem::alloc>(app)) made = w.apply<mem::alloc>(augmented(w, type), space, mem);
    else made = w.apply<mem::local>(augmented(w, type), space, mem);
    auto shadow = w.apply<mem::alloc>(tangent(w, type), space, w.extract(made, 0));
    auto at     = w.extract(shadow, 1);
    return w.tuple({cleared(w, w.extract(shadow, 0), at, type), w.tuple({w.extract(made, 1), at})});
}

/*
 * the way back
 */

void Reverse::back_memory(const App* app, const Def* s, Sums& sums) {
    auto& w     = world();
    auto mem    = token_of(w, app);
    auto type   = rewrite(group(app, 0));
    auto result = [&](const Def* token) { add(sums, mem, token); };
    if (match<mem::restrict>(app)) return result(s);
    if (is_allocation(app)) {
        auto token  = w.extract(s, 0);
        auto shadow = w.extract(w.extract(rewrite(app), 1), 1);
        if (applied_ == Applied::Once) return result(w.call<mem::free>({token, shadow}));
        return result(cleared(w, token, shadow, type)); // the next time finds it as this time did
    }
    auto shadow  = pointer(elem(w, app->arg(), 1)).shadow;
    bool is_load = bool(match<mem::load>(app));
    auto token   = is_load ? w.extract(s, 0) : s;
    if (!shadow || is_silent(w, type)) return result(token);
    if (match<mem::free>(app)) return result(cleared(w, token, shadow, type));
    if (is_load && w.extract(s, 1) == zero_of(w, type)) return result(token);
    auto old  = w.call<mem::load>({token, shadow});
    auto rest = w.extract(old, 0), there = w.extract(old, 1);
    auto next = is_load ? sum_of(w, type, there, w.extract(s, 1)) : zero_of(w, type);
    if (!is_load) add(sums, elem(w, app->arg(), 2), there);
    result(w.call<mem::store>({rest, shadow, next}));
}

/*
 * tokens that functions capture
 */

/// The tuple of which this is an element, if there is a token in that: such a tuple is captured element by element, since
/// its token is one function's, and others refer to what is beside it.
const Def* Reverse::whole_with_token(const Def* def) {
    auto extract = def->isa<Extract>();
    bool is_part = extract && isa_lit(extract->index()) && holds_token(world(), extract->tuple()->type());
    return is_part && !calls_.find(def) ? extract->tuple() : nullptr;
}

/// Whoever passes the token of an operation on has done it. Others, that refer to what is beside the token, have not.
bool Reverse::does(Function& f, const Def* operation) {
    if (f.has_operations) return f.operations.contains(operation);
    f.has_operations = true;
    std::unordered_set<const Def*> visited;
    DefVec work{f.old->body()};
    while (!work.empty()) {
        auto def = work.back();
        work.pop_back();
        if (!depends(def) || !visited.insert(def).second) continue;
        bool is_beside_token = whole_with_token(def) && !holds_token(world(), def->type());
        if (is_beside_token) continue;
        if (is_memory_operation(def)) f.operations.insert(def);
        auto lam = def->isa<Lam>();
        if (!lam) work.insert(work.end(), def->ops().begin(), def->ops().end());
        else if (is_within(f, lam)) work.push_back(lam->body());
    }
    return f.operations.contains(operation);
}

DefVec captured_parts(World& w, const Def* def) {
    auto tuple = def->type()->isa<Sigma>();
    if (!tuple || !holds_token(w, tuple)) return {def};
    DefVec result;
    for (size_t i = 0; i != tuple->num_ops(); ++i) {
        auto part = w.extract(def, i);
        if (is_silent(w, part->type())) continue;
        for (auto inner : captured_parts(w, part)) result.push_back(inner);
    }
    return result;
}

} // namespace mim::plug::autodiff
