// SPDX-License-Identifier: MIT
// The functions of reverse mode: which of them are blocks, what they capture, and their bodies. What these compute
// is in values.cpp, the way back in backwards.cpp.
#include "reverse.h"

#include "autodiff/diagnostics.h"
#include "ir/questions.h"
#include "mem/annexes.h"

namespace mim::plug::autodiff {

const Def* part_of(World& w, const Def* value, size_t i, size_t n) { return n == 1 ? value : w.extract(value, i); }

const Def* reversed(World& w, const Def* f, Applied applied) { return Reverse(w, applied).derivative(f); }
const Def* accumulating(World& w, const Def* f, const Def* start) { return Reverse(w).accumulating(f, start); }

static const Lam* known_lam(World& w, const Def* f) {
    if (auto lam = isa_known(f)) return lam;
    auto made = w.mut_lam(f->type());
    w.set(made, w.tt(), w.app(f, made->var()));
    return w.seal(made)->as<Lam>();
}

/// A list that is empty has the type of one with shadows, too.
static bool is_made_with_pointers(World& w, const Def* def) {
    return (def->isa<Tuple>() || def->isa<Inj>()) && holds_pointer(w, def->type());
}

Reverse::Reverse(World& world, Applied applied)
    : Rewriter(world)
    , applied_(applied)
    , calls_(world, true)
    , dependence_(world)
    , copies_(world, dependence_, [this](const Def* def) {
        bool is_value   = def->isa<Var>() || active_.contains(def);
        bool is_pointer = is_memory_operation(def) || match<mem::lea>(def) || is_made_with_pointers(this->world(), def);
        return is_value || is_pointer ? rewrite(def) : nullptr;
    }) {}

const Def* Reverse::derivative(const Def* f) {
    auto entry = on_its_own(known_lam(world(), f)).entry;
    world().close(made_);
    return entry;
}

/// The tangent `sum` of this type, where zero stands for the parts that are zero in `start`: nothing is added to these.
static const Def* with_zeros(World& w, const Def* type, const Def* start, const Def* sum) {
    if (start == zero_of(w, type)) return start;
    if (!start->isa<Tuple>()) return sum;
    return w.tuple(
        def_vec(start->num_ops(), [&](auto i) { return with_zeros(w, part_type(w, type, i), start->op(i), w.extract(sum, i)); }));
}

const Def* Reverse::accumulating(const Def* f, const Def* start) {
    auto& w        = world();
    auto lam       = known_lam(world(), f);
    auto to        = tangent(w, lam->dom());
    auto dom       = w.sigma({lam->dom(), tangent(w, lam->pi()->codom()), to});
    auto made      = new_function(w.pi(dom, to), lam, true);
    auto [x, s, a] = elems<3>(w, made->var());
    seeded_ = lam, seed_ = with_zeros(w, lam->dom(), start, a);
    auto entry  = on_its_own(lam).entry;
    auto result = w.app(w.extract(w.app(entry, x), 1), s);
    bool is_sum = !functions_.at(lam)->block; // the argument of each turn of a loop has a cotangent of its own
    w.set_body(made, is_sum ? result : sum_of(w, lam->dom(), seed_, result));
    w.close(made_);
    return made;
}

/*
 * functions
 */

/// The innermost function that it refers to.
Reverse::Function* Reverse::around(const Lam* lam) {
    Function* result = nullptr;
    for (auto var : free_vars(world(), lam)) {
        auto binder = binders_.find(var);
        bool inner  = binder != binders_.end() && (!result || binder->second->depth > result->depth);
        if (inner) result = binder->second;
    }
    return result;
}

Reverse::Function& Reverse::function(const Lam* lam) {
    auto& made = functions_[lam];
    if (made) return *made;
    auto pi           = lam->pi();
    bool is_dependent = pi->var() && is_free_in(world(), pi->var(), pi->codom());
    if (is_dependent || !is_reversible(world(), pi->dom()) || !is_reversible(world(), pi->codom()))
        fail(world(), diag::not_covered(lam, "it takes or returns functions"), lam);
    made         = std::make_unique<Function>();
    made->old    = lam;
    made->around = around(lam);
    made->depth  = made->around ? made->around->depth + 1 : 0;
    return *made;
}

const DefVec& Reverse::captures(Function& f) {
    if (!f.has_captures) f.has_captures = true, f.captures = captures_of(f);
    return f.captures;
}

const Def* Reverse::pair_type(const Function& f, const Def* cotangents) {
    auto to = f.old->pi()->codom();
    return world().sigma({typed(to), world().pi(tangents(to), cotangents)});
}

Reverse::Function& Reverse::on_its_own(const Lam* lam) {
    auto& w = world();
    auto& f = function(lam);
    if (f.region) return f;
    f.region     = &f;
    f.cotangents = cotangent_types(f.old->dom(), captures(f));
    auto pair    = pair_type(f, f.cotangents);
    auto dom     = typed(lam->dom());
    f.entry      = new_function(w.pi(dom, pair), lam, lam->filter() == w.tt());
    find_blocks(f);
    if (!f.blocks.contains(lam)) {
        make_body(f, f.entry, f.entry->var());
        return f;
    }
    auto go_on = w.pi(f.cotangents, f.cotangents);
    f.block    = new_function(w.pi(w.sigma({dom, go_on}), pair), lam, false);
    f.k        = w.extract(f.block->var(), 1);
    auto end   = new_function(go_on, nullptr, true);
    w.set_body(end, end->var());
    w.set_body(f.entry, w.app(f.block, {f.entry->var(), end}));
    make_body(f, f.block, w.extract(f.block->var(), 0));
    return f;
}

Reverse::Function& Reverse::block(const Lam* lam, Function& region) {
    auto& w = world();
    auto& f = function(lam);
    if (f.region) return f;
    f.region   = &region;
    auto go_on = w.pi(cotangent_types(lam->dom(), captures(f)), region.cotangents);
    auto dom   = w.sigma({typed(lam->dom()), go_on});
    f.block    = new_function(w.pi(dom, pair_type(f, region.cotangents)), lam, false);
    f.k        = w.extract(f.block->var(), 1);
    make_body(f, f.block, w.extract(f.block->var(), 0));
    return f;
}

Lam* Reverse::new_function(const Def* pi, const Lam* like, bool is_inlined) {
    auto made = world().mut_lam(pi);
    if (like) world().notes.copy_info(like, made);
    world().set_filter(made, is_inlined ? world().tt() : world().ff());
    made_.push_back(made);
    return made;
}

/// A region has those functions that depend on it and are only called last by others of it.
void Reverse::find_blocks(Function& region) {
    std::unordered_map<const Lam*, std::vector<const Lam*>> callers;
    std::unordered_set<const Lam*> seen{region.old}, others;
    std::vector<const Lam*> work{region.old};
    auto meet = [&](const Lam* lam) {
        auto is_inner = [&](const Def* var) { return var->isa<Var>() && seen.contains(var->as<Var>()->binder()->isa<Lam>()); };
        if (std::ranges::any_of(free_vars(world(), lam), is_inner) && seen.insert(lam).second) work.push_back(lam);
    };
    while (!work.empty()) {
        auto lam = work.back();
        work.pop_back();
        DefVec defs;
        std::unordered_set<const Def*> visited;
        if (auto last = calls_.find(lam->body()); last && !last->turns) {
            for (auto target : last->targets) callers[target].push_back(lam), meet(target);
            defs.push_back(last->arg);
            if (last->index) defs.push_back(last->index);
        } else {
            defs.push_back(lam->body());
        }
        while (!defs.empty()) {
            auto def = defs.back();
            defs.pop_back();
            bool is_closed = !def->is_mut() && !def->has(Def::HasDep);
            bool is_copied = def->isa<Lam>();
            if (is_closed || is_copied || !visited.insert(def).second) continue;
            auto call = calls_.find(def);
            if (!call) {
                defs.insert(defs.end(), def->ops().begin(), def->ops().end());
                continue;
            }
            for (auto target : call->targets) others.insert(target), meet(target);
            defs.push_back(call->arg);
            if (call->index) defs.push_back(call->index);
        }
    }
    for (auto lam : seen)
        if (lam == region.old || (!others.contains(lam) && callers.contains(lam))) region.blocks.insert(lam);
    auto is_elsewhere = [&](const Lam* lam) {
        return std::ranges::any_of(callers[lam], [&](auto caller) { return !region.blocks.contains(caller); });
    };
    for (bool changed = true; changed;)
        changed = std::erase_if(region.blocks, [&](auto lam) { return lam != region.old && is_elsewhere(lam); }) != 0;
    auto calls_itself = [&](const Lam* caller) { return region.blocks.contains(caller); };
    if (std::ranges::none_of(callers[region.old], calls_itself)) region.blocks.erase(region.old);
}

void Reverse::make_body(Function& f, Lam* into, const Def* x) {
    if (auto var = f.old->var(); var->isa<Var>()) {
        map(var, x);
        binders_[var] = &f;
        dependence_.add(var);
    }
    auto body     = f.old->body();
    auto call     = calls_.find(body);
    auto is_block = [&](const Lam* target) { return f.region->blocks.contains(target); };
    bool is_jump  = call && std::ranges::any_of(call->targets, is_block);
    world().set_body(into, is_jump ? jump_body(f, *call) : value_body(f, body));
}

/// (value, λ s = what it is worth)
const Def* Reverse::value_body(Function& f, const Def* value) {
    auto order  = values_of(f, value);
    auto result = rewrite(value);
    auto dom    = tangents(f.old->pi()->codom());
    auto back   = backwards(f, dom, order, true, [&](Sums& sums, const Def* s) { add(sums, value, s); });
    return world().tuple({result, back});
}

/// The call of a block, which gets what goes on behind it.
const Def* Reverse::jump_body(Function& f, const Call& call) {
    auto& w    = world();
    auto order = values_of(f, call.arg);
    rewrite(call.arg);
    auto caught = captures_of(call);
    auto n      = caught.size() + 1;
    auto seed   = [&](Sums& sums, const Def* z) {
        add(sums, call.arg, part_of(w, z, 0, n));
        for (size_t i = 1; i != n; ++i) add(sums, caught[i - 1], part_of(w, z, i, n));
    };
    auto k       = backwards(f, cotangent_types(call.arg->type(), caught), order, !call.is_choice(), seed);
    auto callees = map_defs(call.targets, [&](auto target) { return jump(f, call, target, caught, k); });
    return chosen(call, callees);
}

/// The call of what the functions that it calls have become.
const Def* Reverse::chosen(const Call& call, const DefVec& callees) {
    auto& w = world();
    if (call.is_match()) return w.match(with_shadows(call.arg, call.arg), callees);
    auto arg = rewrite(call.arg);
    return w.app(call.is_choice() ? w.extract(w.tuple(callees), rewrite(call.index)) : callees[0], arg);
}

/// λ x = target, which goes on with k.
const Def* Reverse::jump(Function& from, const Call& call, const Lam* target, const DefVec& caught, const Def* k) {
    auto& w       = world();
    auto region   = from.region;
    bool is_block = region->blocks.contains(target);
    auto& f       = is_block ? block(target, *region) : on_its_own(target);
    auto made     = new_function(w.pi(typed(target->dom()), pair_type(f, region->cotangents)), nullptr, true);
    auto wider    = [&](const Def* z) { return w.app(k, widened(call, f, z, caught)); };
    if (is_block) {
        auto mine = k;
        if (call.is_match() || captures(f) != caught) {
            auto types  = cotangent_types(target->dom(), captures(f));
            auto narrow = new_function(w.pi(types, region->cotangents), nullptr, true);
            w.set_body(narrow, wider(narrow->var()));
            mine = narrow;
        }
        w.set_body(made, w.app(f.block, {made->var(), mine}));
        return made;
    }
    auto pair = w.app(f.entry, made->var());
    auto back = new_function(w.pi(tangents(target->pi()->codom()), region->cotangents), nullptr, true);
    w.set_body(back, wider(w.app(w.extract(pair, 1), back->var())));
    w.set_body(made, w.tuple({w.extract(pair, 0), back}));
    return made;
}

/// The cotangents of what the call takes and of what its targets capture, with zeros for what f does not.
const Def* Reverse::widened(const Call& call, Function& f, const Def* z, const DefVec& caught) {
    auto& w    = world();
    auto& mine = captures(f);
    auto arg   = part_of(w, z, 0, mine.size() + 1);
    if (call.is_match()) arg = injected_tangent(w, rewrite(call.arg->type()), rewrite(f.old->dom()), arg);
    DefVec result{arg};
    for (auto value : caught) {
        auto i = std::ranges::find(mine, value);
        auto s = i == mine.end() ? zero_of(w, rewrite(value->type()))
                                 : part_of(w, z, size_t(i - mine.begin()) + 1, mine.size() + 1);
        result.push_back(s);
    }
    return w.tuple(result);
}

/// The call of functions on their own: their value and pullback.
const Def* Reverse::called(const Call& call) {
    auto& w = world();
    rewrite(call.arg);
    if (call.turns) {
        auto turn   = on_its_own(call.targets[0]).entry;
        auto acc    = rewrite(call.arg);
        auto back   = w.pi(tangents(call.arg->type()), cotangent_types(call.arg->type(), captures_of(call)));
        auto types  = w.tuple({acc->type(), turn->pi()->codom(), w.sigma({acc->type(), back})});
        auto is_one = w.lit_bool(applied_ == Applied::Once);
        return w.app(w.apply<taped>(types, {is_one, rewrite(call.turns)}, turn), acc);
    }
    if (!call.is_choice()) return chosen(call, {on_its_own(call.targets[0]).entry});
    auto caught  = captures_of(call);
    auto type    = cotangent_types(call.arg->type(), caught);
    auto callees = map_defs(call.targets, [&](auto target) -> const Def* {
        auto& f = on_its_own(target);
        if (!call.is_match() && captures(f) == caught) return f.entry;
        auto made = new_function(w.pi(typed(target->dom()), pair_type(f, type)), nullptr, true);
        auto pair = w.app(f.entry, made->var());
        auto back = new_function(w.pi(tangents(target->pi()->codom()), type), nullptr, true);
        w.set_body(back, widened(call, f, w.app(w.extract(pair, 1), back->var()), caught));
        w.set_body(made, w.tuple({w.extract(pair, 0), back}));
        return made;
    });
    return chosen(call, callees);
}

/*
 * captures
 */

/// A function around it computes the value, wherever it is called.
bool Reverse::is_outside(Function& f, const Def* def) {
    if (def->isa<Var>()) return def != f.old->var();
    if (auto whole = whole_with_token(def)) return is_outside(f, whole);
    for (auto outer = f.around; outer; outer = outer->around)
        if (outer->values.contains(def)) return true;
    return is_memory_operation(def) && !does(f, def);
}

/// The λ refers to what is bound in f, so f computes what it takes to call it.
bool Reverse::is_within(const Function& f, const Lam* lam) {
    return !std::ranges::all_of(free_vars(world(), lam), [&](auto var) { return is_free_in(world(), var, f.old); });
}

/// The values from around it that it and what it calls refer to, as far as they have tangents. A function that it calls
/// sees values with its own eyes: one that is a value around f may be made anew by it, as it refers to less.
DefVec Reverse::captures_of(Function& f) {
    struct Step {
        const Def* def;
        Function* in;
    };
    std::vector<Step> work{{f.old->body(), &f}};
    std::unordered_map<const Function*, std::unordered_set<const Def*>> visited;
    std::unordered_set<const Def*> found, inner;
    DefVec result;
    // Functions that f goes on with take the result of an operation with a token from there, if f does that operation.
    auto is_done_here = [&](const Def* def) {
        for (auto whole = whole_with_token(def); whole; whole = whole_with_token(def)) def = whole;
        return is_memory_operation(def) && does(f, def);
    };
    auto capture = [&](const Def* def) {
        for (auto part : captured_parts(world(), def))
            if (!is_done_here(part) && found.insert(part).second) result.push_back(part);
    };
    auto enter = [&](const Lam* target, Function* in) {
        if (is_within(*in, target)) {
            if (target->var()) inner.insert(target->var());
            return work.push_back({target->body(), in});
        }
        auto& callee = function(target);
        if (callee.has_captures) std::ranges::for_each(callee.captures, capture);
        else if (visited[&callee].insert(target).second) work.push_back({target->body(), &callee});
    };
    while (!work.empty()) {
        auto [def, in] = work.back();
        work.pop_back();
        bool is_copied   = def->isa<Lam>(); // so nothing in it is differentiated
        bool is_constant = is_copied || !depends(def) || match<stop>(def) || is_silent(world(), def->type());
        if (is_constant || !visited[in].insert(def).second) continue;
        if (is_outside(*in, def)) {
            capture(def);
        } else if (auto call = calls_.find(def)) {
            work.push_back({call->arg, in});
            for (auto target : call->targets) enter(target, in);
        } else {
            for (auto op : def->ops()) work.push_back({op, in});
        }
    }
    std::erase_if(result, [&](auto def) { return inner.contains(def); });
    return result;
}

/// Of any of the targets.
DefVec Reverse::captures_of(const Call& call) {
    DefVec result;
    for (auto target : call.targets)
        for (auto value : captures(function(target)))
            if (std::ranges::find(result, value) == result.end()) result.push_back(value);
    return result;
}

const Def* Reverse::cotangent_types(const Def* arg, const DefVec& captures) {
    DefVec types{tangents(arg)};
    for (auto value : captures) types.push_back(tangents(value->type()));
    return world().sigma(types);
}

/*
 * the program
 */

bool Reverse::needs(const Def* def) { return depends(def) || is_made_with_pointers(world(), def); }

const Def* Reverse::rewrite_imm(const Def* def) {
    if (is_memory_operation(def)) return rewrite_memory(def->as<App>());
    if (match<mem::lea>(def)) return rewrite_lea(def);
    if (is_made_with_pointers(world(), def)) return rewrite_pointers(def);
    auto call      = calls_.find(def);
    bool has_pair  = call && !has_no_tangent(world(), def->type());
    bool is_axiom  = !call && def->isa<App>() && active_.contains(def) && !accumulates(def);
    bool is_called = has_pair || is_axiom;
    if (is_called) return world().extract(pair(def), 0);
    if (!call && active_.contains(def) && is_lifted(def))
        if (auto value = recorded_value(def)) return value;
    return Rewriter::rewrite_imm(def);
}

/// The value of an operation that makes what its pullback reads on the way; null if it does not.
const Def* Reverse::recorded_value(const Def* app) {
    auto& w    = world();
    auto x     = rewrite(arg_of(app));
    auto types = w.tuple({x->type(), rewrite(app->type())});
    auto value = w.apply<autodiff::recorded>(types, rewrite(callee_of(app)), x);
    return match<autodiff::recorded>(value) ? nullptr : value;
}

/// The value of a call, and its pullback.
const Def* Reverse::pair(const Def* def) {
    if (auto known = pairs_.find(def); known != pairs_.end()) return known->second;
    const Def* result;
    if (auto call = calls_.find(def)) {
        result = called(*call);
    } else {
        auto callee               = rewrite(callee_of(def));
        auto [derivative, is_new] = derivatives_.try_emplace(callee);
        if (is_new) derivative->second = registered(world(), callee);
        if (!derivative->second) fail(world(), diag::no_derivative(def, callee), def);
        result = world().app(derivative->second, rewrite(arg_of(def)));
    }
    return pairs_[def] = result;
}

} // namespace mim::plug::autodiff
