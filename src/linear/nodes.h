// SPDX-License-Identifier: MIT
// Nodes as the check of tokens reads them: which operands are evaluated, what a call enters and passes, and where it
// comes back. The answers depend on the graph alone. Private to the check in tokens.h.
#pragma once
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "ir/token_types.h"
#include "ir/world.h"

namespace mim::linear {

using IsSuchType = std::function<bool(const Def* type)>;

/// How a node is used: as a value, as what is called (also as the return of a call), as the result of a curried
/// function, or as a value that is gone when the call that gets it comes back.
enum class Mode : uint8_t { Value, Call, Result, Jump };

struct Key {
    const Def* def;
    Mode mode;
    bool operator==(const Key&) const = default;
};
struct KeyHash {
    size_t operator()(const Key& k) const { return k.def->id() * 4ull + static_cast<size_t>(k.mode); }
};

/// Operands that are evaluated: no types, filters or binders.
Defs value_ops(const Def* d);
/// d : ⊥, where control goes
inline bool is_never(const Def* d) { return d->type() && d->type()->node() == Node::Bot; }
/// The values that `d` chooses one of; null if it is no choice.
const Tuple* isa_choice(const Def* d);
/// d : ⊥, and only who made it knows where control goes: it is a parameter, or a part of one.
bool is_unknown_end(const Def* d);
/// The elements of a variable or an argument with more than this are not told apart.
constexpr int64_t MaxElems = 256;

bool is_continuation(const Def* d);
/// A function, or one that waits for more arguments, that makes types in the end.
bool makes_types(const Def* d);
/// Its domain holds a function.
bool takes_continuation(const Pi*);
/// A continuation that takes none itself: calling it leaves for good.
bool is_exit(const Def* d);

/// The elements of the argument: those of a tuple, or the argument itself.
inline Defs arg_elems(const App* app) {
    auto arg = app->arg();
    return arg->node() == Node::Tuple ? arg->ops() : app->ops().subspan(1);
}
using Elems = SmallVector<const Def*, 8>;
/// Also those of an argument that is passed on as a whole.
Elems call_elems(World&, const App*);
/// Elements of the argument through which the call may come back: exits, and the last one, which is the return of a
/// `fun`.
Elems return_elems(World&, const App*);
/// Some element of the argument is one, or the return.
bool has_exit(World&, const App*);
/// Control may come back from this call through something else than the continuations among its arguments and the
/// functions that its callee captures: through a function in an aggregate or behind a pointer, if `holds_way` holds for
/// that type, or one that an axiom got earlier.
bool comes_back_elsewhere(World&, const App*, const IsSuchType& holds_way);
/// Whether `is_such` holds for an element of what this was applied to so far that holds functions. It is asked until it
/// does.
template<class F>
bool any_function_so_far(const Def* applied, F is_such) {
    for (auto app = applied->isa<App>(); app; app = app->callee()->isa<App>())
        for (auto elem : arg_elems(app))
            if (!is_static(elem) && holds_function(elem->type()) && is_such(elem)) return true;
    return false;
}
/// All of these.
std::vector<const Def*> functions_so_far(const Def* applied);
/// The functions that a call gets as values: λs and what is not known.
void passed(World&, const App*, std::vector<const Lam*>& lams, std::vector<const Def*>& others);

/// The binder of the variable that `d` is a part of; null if it is something else.
const Def* binder_of(const Def* d);
/// The last parameter of a λ, or its only one.
const Def* last_param(World&, const Lam*);
const Def* param(World&, const Lam*, size_t i);
/// The tuple that one part is taken out of; null if it is something else.
inline const Def* projected(const Def* d) {
    auto ex = d->isa<Extract>();
    return ex && isa_lit(ex->index()) ? ex->tuple() : nullptr;
}
/// The λ that a call enters in the end if the program names it: f in `f a`, and in `f a b`; null if it does not.
const Lam* named_function(const Def* callee);
/// The λs and other functions that calling `callee` may enter.
void callees(const Def* callee, std::vector<const Lam*>& lams, std::vector<const Def*>& others);
/// Whether the node is made from `part`; `known` has the answers so far.
bool is_made_from(const Def* def, const Def* part, std::unordered_map<const Def*, bool>& known);
/// The function without free variables around a λ.
const Lam* outermost(World&, const Lam*);

/// The elements of tuples in tuples, if λs are among them, else `d`.
template<class F>
void visit_parts(const Def* d, F f) {
    if (d->node() != Node::Tuple || !holds_function(d->type())) return f(d);
    for (auto op : d->ops())
        if (!is_static(op)) visit_parts(op, f);
}

} // namespace mim::linear
