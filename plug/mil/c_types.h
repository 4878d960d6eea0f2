// SPDX-License-Identifier: MIT
// Types of functions that C has, or that it calls.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "tree.h"

namespace mim::plug::mil {

/// The type of a function, taken apart.
struct CSignature {
    std::vector<Type*> domain;
    Type* result;
    bool runs; ///< it is a `Proc`
};

CSignature c_signature(Types&, Type*);
bool is_c_name(const std::string&);
/// The arguments and the result are at these places. Nothing after a report.
std::optional<CPassing> c_passing(Diagnostics&, Source&, const CSignature&, const std::vector<Span>& places);

/// `%p.f`, `%p.f.g`
bool is_annex(std::string_view);
/// Mim has values of the types of the arguments and of the result, which are at these places. False after a report.
bool has_mim_types(Diagnostics&, Source&, const CSignature&, const std::vector<Span>& places);
} // namespace mim::plug::mil
