// SPDX-License-Identifier: MIT
// What --checked does around the operations of memory: it asks the library beside the program (src/runtime/memory.h) and reports what
// the evaluator would. A load of a tuple or an array is checked for where it is only: elements that were never written may be in it.
#pragma once
#include "backend/emit.h"
#include "mem.h"

namespace mim::plug::mem {

bool is_scalar(backend::Emit&, backend::Type);
/// A value of `type` is read or written there. `question`: one of the library's functions.
void check_access(backend::Emit&, const Def* app, backend::Value ptr, const Def* type, std::string_view question);
void check_free(backend::Emit&, const Def* app, backend::Value ptr);
/// An address is computed from this one.
void check_base(backend::Emit&, const Def* app, backend::Value ptr);
/// The address of this element is computed from `base`: the same, or marked for check_access if it is past the end of the allocation.
backend::Value check_element(backend::Emit&, const Def* app, backend::Value base, backend::Value element);

} // namespace mim::plug::mem
