// SPDX-License-Identifier: MIT
// The types of derivatives, computed where they are built, and the zeros and sums of tangents. A type of which too
// little is known stays as it is.
#include <functional>
#include <unordered_set>

#include "autodiff.h"
#include "autodiff/diagnostics.h"
#include "ir/questions.h"
#include "ir/recursive.h"
#include "ir/rewrite.h"
#include "kit/build.h"
#include "math/annexes.h"
#include "mem/annexes.h"

namespace mim::plug::autodiff {

namespace {

/// Numbers that do not change in small steps, and types.
bool is_discrete(const Def* type) { return type->isa<Nat>() || isa_idx(type) || type->isa<Sing>() || type->isa<Sort>(); }

using OnType = std::function<const Def*(const Def*)>;

/// An array with another type of elements, which may depend on the index.
const Def* map_array(World& w, const Arr* arr, const OnType& f) {
    if (!arr->is_mut()) return w.arr(arr->arity(), f(arr->body()));
    auto made = w.mut_arr(arr->arity());
    return w.seal(made, f(w.subst(arr->body(), arr->var(), made->var())));
}

const Def* env_type(World& w) { return w.annex(Env(0)); }

/// A group that only says which function is meant, such as sizes and types.
bool is_leading(World& w, const Pi* pi) {
    auto rest = pi->codom()->isa<Pi>();
    return rest && !rest->is_cn() && has_no_tangent(w, pi->dom());
}

const Def* with_pullback(World& w, const Def* from, const Def* to) {
    auto back = w.pi(tangent(w, to), w.sigma({tangent(w, from), env_type(w)}));
    return w.sigma({augmented(w, to), back});
}

const Def* augmented_function(World& w, const Pi* pi) {
    if (pi->is_cn()) {
        auto fn = continuation_style(pi);
        if (!fn) return nullptr;
        auto back = w.fn(tangent(w, fn->second), w.sigma({tangent(w, fn->first), env_type(w)}));
        return w.fn(augmented(w, fn->first), w.sigma({augmented(w, fn->second), back}));
    }
    bool is_first = is_leading(w, pi);
    auto result   = [&](const Def* to) { return is_first ? augmented(w, to) : with_pullback(w, pi->dom(), to); };
    auto dom      = augmented(w, pi->dom());
    if (!pi->is_mut()) return w.pi(dom, result(pi->codom()), pi->is_implicit());
    if (dom != pi->dom()) return nullptr; // the codomain depends on what has changed
    auto made = w.mut_pi(dom, pi->is_implicit());
    return w.seal(made, result(w.subst(pi->codom(), pi->var(), made->var())));
}

const Def* augmented_tuple(World& w, const Sigma* sigma) {
    auto types = map_defs(sigma->ops(), [&](auto type) { return augmented(w, type); });
    if (std::ranges::equal(types, sigma->ops())) return sigma;
    return sigma->is_mut() ? nullptr : w.sigma(types);
}

const Def* tangent_tuple(World& w, const Sigma* sigma) {
    auto types  = map_defs(sigma->ops(), [&](auto type) { return tangent(w, type); });
    auto result = w.sigma(types);
    bool is_own = sigma->var() && is_free_in(w, sigma->var(), result);
    if (is_own) throw Error(diag::dependent(sigma));
    return result;
}

} // namespace

std::optional<std::pair<const Def*, const Def*>> continuation_style(const Pi* pi) {
    auto groups = pi->dom()->isa<Sigma>();
    bool is_fn  = pi->is_cn() && groups && !groups->is_mut() && groups->num_ops() == 2;
    auto ret    = is_fn ? groups->op(1)->isa<Pi>() : nullptr;
    if (!ret || !ret->is_cn()) return {};
    return std::pair(groups->op(0), ret->dom());
}

const Def* augmented(World& w, const Def* type) { return type->isa<Sort>() ? type : w.apply<AD>(type); }
const Def* tangent(World& w, const Def* type) { return type->isa<Sort>() ? w.unit_type() : w.apply<Tan>(type); }

bool has_no_tangent(World& w, const Def* type) {
    if (is_discrete(type)) return true;
    if (auto arr = type->isa<Arr>()) return has_no_tangent(w, arr->body());
    bool is_compound = type->isa<Sigma>() || type->isa<Union>();
    return is_compound && std::ranges::all_of(type->ops(), [&](auto op) { return has_no_tangent(w, op); });
}

bool holds_function(World& w, const Def* type) {
    if (type->isa<Pi>()) return true;
    if (auto arr = type->isa<Arr>()) return holds_function(w, arr->body());
    bool is_compound = type->isa<Sigma>() || type->isa<Union>();
    return is_compound && std::ranges::any_of(type->ops(), [&](auto op) { return holds_function(w, op); });
}

bool is_plain(World& w, const Def* type) {
    if (is_discrete(type) || match<math::F>(type)) return true;
    if (auto arr = type->isa<Arr>()) return is_plain(w, arr->body());
    bool is_compound = type->isa<Sigma>() || type->isa<Union>();
    return is_compound && std::ranges::all_of(type->ops(), [&](auto op) { return is_plain(w, op); });
}

/// Whether a type is one of these, or all types of its parts are.
template<class F>
static bool all_parts(World& w, const Def* type, F f) {
    if (f(type)) return true;
    if (auto arr = type->isa<Arr>()) return all_parts(w, arr->body(), f);
    bool is_compound = type->isa<Sigma>() || type->isa<Union>();
    return is_compound && std::ranges::all_of(type->ops(), [&](auto op) { return all_parts(w, op, f); });
}
/// Whether a type is one of these, or the type of one of its parts is.
template<class F>
static bool any_part(World& w, const Def* type, F f) {
    if (f(type)) return true;
    if (auto arr = type->isa<Arr>()) return any_part(w, arr->body(), f);
    bool is_compound = type->isa<Sigma>() || type->isa<Union>();
    return is_compound && std::ranges::any_of(type->ops(), [&](auto op) { return any_part(w, op, f); });
}

static const Def* pointee(World& w, const Def* type) {
    auto ptr = match<mem::PtrAS>(type);
    return ptr ? elem(w, ptr.arg(), 0) : nullptr;
}

/// A pointer in a recursive type comes back to a type that has been met: that type adds nothing.
using Met = std::unordered_set<const Def*>;

static bool is_reversible(World& w, const Def* type, Met& met) {
    return all_parts(w, type, [&](const Def* part) {
        auto to = pointee(w, part);
        if (to) return !met.insert(to).second || is_reversible(w, to, met);
        return match<mem::MAS>(part) || is_plain(w, part);
    });
}

bool is_reversible(World& w, const Def* type) {
    Met met;
    return is_reversible(w, type, met);
}

static bool changes(World& w, const Def* type, Met& met) {
    return any_part(w, type, [&](const Def* part) {
        auto to = pointee(w, part);
        return to ? met.insert(to).second && changes(w, to, met) : bool(match<math::F>(part));
    });
}

bool changes(World& w, const Def* type) {
    Met met;
    return changes(w, type, met);
}

bool is_silent(World& w, const Def* type) {
    return all_parts(w, type, [&](const Def* part) { return has_no_tangent(w, part) || pointee(w, part); });
}

bool holds_token(World& w, const Def* type) {
    return any_part(w, type, [](const Def* part) { return bool(match<mem::MAS>(part)); });
}

bool holds_pointer(World& w, const Def* type) {
    return any_part(w, type, [&](const Def* part) { return pointee(w, part) != nullptr; });
}

const Def* zero_of(World& w, const Def* type) {
    if (match<math::F>(type)) return w.raw_lit(type, 0);
    if (auto arr = type->isa<Arr>()) {
        if (!arr->is_mut()) return w.pack(arr->arity(), zero_of(w, arr->body()));
        auto pack = w.mut_pack(arr->arity());
        return w.seal(pack, zero_of(w, w.subst(arr->body(), arr->var(), pack->var())));
    }
    bool is_compound = type->isa<Sigma>() || type->isa<Union>();
    return is_compound ? w.tuple(map_defs(type->ops(), [&](auto op) { return zero_of(w, op); })) : w.unit();
}

int64_t num_parts(World& w, const Def* type) { return type->isa<Union>() ? int64_t(type->num_ops()) : lit_arity(w, type); }

const Def* part_type(World& w, const Def* type, uint64_t i) {
    return type->isa<Union>() ? type->op(i) : elem_type(w, type, w.unit(), w.lit_idx(arity(w, type), i));
}

/// The index of the type among the members of the union; -1: it is none of them.
static int64_t find_member(World& w, const Def* type, const Def* member) {
    auto all = type->ops();
    auto at  = std::ranges::find(all, member);
    if (at == all.end()) at = std::ranges::find_if(all, [&](auto other) { return equal(w, other, member); });
    return at == all.end() ? -1 : at - all.begin();
}

const Def* injected_tangent(World& w, const Def* type, const Def* member, const Def* tangent) {
    if (!type->isa<Union>()) return tangent;
    auto at   = find_member(w, type, member);
    auto some = at < 0 ? member->isa<Union>() : nullptr;
    return w.tuple(def_vec(type->num_ops(), [&](auto i) {
        if (int64_t(i) == at) return tangent;
        auto inner = some ? find_member(w, some, type->op(i)) : -1;
        return inner < 0 ? zero_of(w, type->op(i)) : w.extract(tangent, size_t(inner));
    }));
}

const Def* member_tangent(World& w, const Def* type, const Def* member, const Def* tangent) {
    if (!type->isa<Union>()) return tangent;
    auto at = find_member(w, type, member);
    if (at >= 0) return w.extract(tangent, size_t(at));
    return w.tuple(map_defs(member->ops(), [&](auto op) { return w.extract(tangent, size_t(find_member(w, type, op))); }));
}

const Def* sum_of(World& w, const Def* type, const Def* a, const Def* b) {
    static constexpr int64_t max_elements = 64; // written out
    static constexpr uint64_t reassoc     = 64;
    if (has_no_tangent(w, type)) return a;
    auto zero = zero_of(w, type);
    if (a == zero || b == zero) return a == zero ? b : a;
    if (match<math::F>(type)) return w.apply(math::arith::add, arg_of(type), reassoc, {a, b});
    auto element = [&](const Def* of, auto i) { return sum_of(w, of, w.extract(a, i), w.extract(b, i)); };
    auto arr     = type->isa<Arr>();
    if (arr && !arr->is_mut()) {
        auto n = lit_arity(w, type);
        if (n >= 0 && n <= max_elements) return w.tuple(def_vec(size_t(n), [&](auto i) { return element(arr->body(), i); }));
    }
    if (arr) {
        auto pack = w.mut_pack(arr->arity());
        auto of   = arr->is_mut() ? w.subst(arr->body(), arr->var(), pack->var()) : arr->body();
        return w.seal(pack, element(of, pack->var()));
    }
    bool is_compound = type->isa<Sigma>() || type->isa<Union>();
    return is_compound ? w.tuple(def_vec(type->num_ops(), [&](auto i) { return element(type->op(i), i); })) : w.unit();
}

namespace {

/// The augmented type of a recursive one. Each type that contains itself, a tuple or a pointer, becomes a tuple that does.
class Recursive : public Rewriter {
public:
    using Rewriter::Rewriter;

    /// Null: there are functions in it, or types that depend on values.
    const Def* augmented(const Def* type) {
        auto result = rewrite(type);
        return is_refused_ ? nullptr : result;
    }

private:
    const Def* rewrite_imm(const Def* type) override {
        is_refused_ |= type->isa<Pi>() != nullptr;
        if (is_refused_ || is_discrete(type) || match<math::F>(type)) return type;
        if (!match<mem::PtrAS>(type)) return Rewriter::rewrite_imm(type);
        auto parts = pointers(type);
        return world().sigma({parts.first, parts.second});
    }

    const Def* rewrite_mut(const Def* type) override {
        is_refused_ |= type->isa<Pi>() || (type->isa<Sigma>() && depends_on_itself(type));
        if (is_refused_) return type;
        if (!match<mem::PtrAS>(type)) return copy_mut(type);
        auto made = world().mut_sigma(2);
        map(type, made);
        auto parts = pointers(type);
        world().set(made, 0, parts.first);
        world().set(made, 1, parts.second);
        return seal_recursive(world(), made);
    }

    /// To the value, and to its shadow.
    std::pair<const Def*, const Def*> pointers(const Def* type) {
        auto& w          = world();
        auto [to, space] = elems<2>(w, arg_of(type));
        auto shadow      = w.apply<mem::PtrAS>({tangent(w, to), space});
        return {w.apply<mem::PtrAS>({rewrite(to), space}), shadow};
    }

    bool depends_on_itself(const Def* sigma) {
        auto var = sigma->var();
        return var && std::ranges::any_of(sigma->ops(), [&](auto op) { return is_free_in(world(), var, op); });
    }

    bool is_refused_ = false;
};

} // namespace

/*
 * normalizers
 */

const Def* normalize_AD(const Redex& redex) {
    auto& w   = redex.w;
    auto type = redex.arg;
    if (redex.is_unstable()) return nullptr;
    if (is_recursive(w, type)) return Recursive(w).augmented(type);
    if (is_discrete(type) || match<math::F>(type) || match<mem::MAS>(type)) return type;
    if (auto arr = type->isa<Arr>()) return map_array(w, arr, [&](auto body) { return augmented(w, body); });
    if (auto sigma = type->isa<Sigma>()) return augmented_tuple(w, sigma);
    if (auto members = type->isa<Union>())
        return w.union_type(map_defs(members->ops(), [&](auto op) { return augmented(w, op); }));
    if (auto pi = type->isa<Pi>()) return augmented_function(w, pi);
    if (auto ptr = match<mem::PtrAS>(type)) {
        auto [to, space] = elems<2>(w, ptr.arg());
        auto pointer     = [&](const Def* to) { return w.apply<mem::PtrAS>({to, space}); };
        return w.sigma({pointer(augmented(w, to)), pointer(tangent(w, to))});
    }
    return nullptr;
}

const Def* normalize_Tan(const Redex& redex) {
    auto& w   = redex.w;
    auto type = redex.arg;
    if (redex.is_unstable()) return nullptr; // a recursive type comes back to itself through a pointer or function, so this ends
    if (match<math::F>(type) || match<mem::MAS>(type)) return type;
    if (is_discrete(type) || match<mem::PtrAS>(type)) return w.unit_type();
    if (type->isa<Pi>()) return env_type(w);
    if (match<Tan>(type) || match<Env>(type)) return type; // a tangent changes as it is
    if (auto arr = type->isa<Arr>()) return map_array(w, arr, [&](auto body) { return tangent(w, body); });
    if (auto sigma = type->isa<Sigma>()) return tangent_tuple(w, sigma);
    if (auto members = type->isa<Union>()) return w.sigma(map_defs(members->ops(), [&](auto op) { return tangent(w, op); }));
    return nullptr;
}

/// %autodiff.zero T ▷ (), if that is all there is
const Def* normalize_zero(const Redex& redex) {
    return has_no_tangent(redex.w, redex.arg) ? zero_of(redex.w, redex.arg) : nullptr;
}

/// %autodiff.add T (a, b):
///   ▷ b   if a is %autodiff.zero T, and a if b is
///   ▷ a   if that is all there is
const Def* normalize_add(const Redex& redex) {
    auto [a, b] = redex.elems<2>();
    if (match<zero>(a)) return b;
    bool is_first = match<zero>(b) || has_no_tangent(redex.w, redex.group(0));
    return is_first ? a : nullptr;
}

/// %autodiff.rule f back ▷ λ x = (f x, λ s = (back (x, f x) s, %autodiff.zero (T → U))), if T and U are plain
const Def* normalize_rule(const Redex& redex) {
    auto& w         = redex.w;
    auto f          = redex.group(1);
    auto [from, to] = elems<2>(w, redex.group(0));
    if (redex.is_unstable() || !is_plain(w, from) || !is_plain(w, to)) return nullptr;
    auto type = w.sigma({to, w.pi(tangent(w, to), w.sigma({tangent(w, from), env_type(w)}))});
    auto made = w.mut_lam(w.pi(from, type));
    auto x    = made->var();
    auto y    = w.app(f, x);
    auto back = w.mut_lam(type->op(1));
    auto part = w.app(w.app(redex.arg, {x, y}), back->var());
    w.set(back, w.tt(), w.tuple({part, w.apply<zero>(w.pi(from, to))}));
    w.set(made, w.tt(), w.tuple({y, w.seal(back)}));
    return w.seal(made);
}

} // namespace mim::plug::autodiff
