// SPDX-License-Identifier: MIT
#include "eval/needed.h"

#include "eval/machine.h"

namespace mim::eval {

void NeededArguments::evaluate(const Lam* lam, const Value& arg) {
    if (arg.is(Kind::Thunk)) {
        if (needs_.always(lam, std::nullopt)) machine_.copy(arg);
        return;
    }
    if (!arg.is(Kind::Tuple)) return;
    Ref<TupleObj> tuple(&arg.tuple());
    for (size_t i = 0; i != tuple->elems.size(); ++i) {
        auto elem    = tuple->elems[i];
        bool is_late = elem.is(Kind::Thunk) && !elem.thunk().value;
        if (is_late && needs_.always(lam, i)) tuple->elems[i] = machine_.copy(elem);
    }
}

/// Whether `inner` is what the curried function gives for its first groups.
static bool is_later_group(const Lam* inner, const Lam* curried) {
    auto body = curried->is_set() ? curried->body()->isa<Lam>() : nullptr;
    while (body && body != inner) body = body->is_set() ? body->body()->isa<Lam>() : nullptr;
    return body;
}

void NeededArguments::evaluate(const ClosureObj& fn, const Value& arg) {
    if (fn.lam->is_cn() || !fn.lam->is_set() || fn.lam->body()->isa<Lam>()) return;
    for (auto frame = fn.env; frame; frame = frame->parent) {
        auto lam = frame->binder ? frame->binder->isa<Lam>() : nullptr;
        if (!lam || !is_later_group(fn.lam, lam)) break;
        evaluate(lam, frame->arg);
    }
    evaluate(fn.lam, arg);
}

} // namespace mim::eval
