// SPDX-License-Identifier: MIT
// How a continuation's type reads as a function of the target: which part of the domain are parameters, and which is the
// continuation that it returns to. `Fn [A, B] → U` = `Cn [[A, B], Cn U]` has the parameters A, B and returns U; so has
// `Cn [A, B, Cn U]`. A continuation without a last element of type `Cn` never returns.
#pragma once
#include <vector>

#include "ir/world.h"

namespace mim {

struct CnView {
    /// Where parameter i is: element `outer` of the domain (or the domain itself if it is no tuple), and within that element
    /// `inner`, or the element as a whole if inner < 0.
    struct Param {
        int outer;
        int inner;
        const Def* type; ///< as declared: may mention the binder's variable
    };
    std::vector<Param> params;
    int ret           = -1;      ///< element of the domain that is the return continuation, or -1
    const Def* result = nullptr; ///< the domain of that continuation, null if it never returns
    int arity         = 1;       ///< elements of the domain; 1: it is no tuple
    bool has_ret() const { return ret >= 0; }
};

/// Elements up to which an array of parameters is passed element by element.
inline constexpr int max_flat_params = 64;
/// The same of a Σ, and of an array in what C calls or is called by: nothing but parameters can be meant there.
inline constexpr int max_c_params = 1024;

/// `with_ret`: whether a last element of type Cn is the return continuation (it is plain data where a result contains one).
CnView view_cn(World&, const Def* dom, bool with_ret);
/// A direct-style function `[T] → U` has the same shape as `Fn T → U`.
CnView view_pi(World&, const Pi*);

/// Whether this is a whole list of parameters of one type, too long to be passed element by element. In C, these are parameters all the same.
bool is_group(World&, const CnView&, const CnView::Param&);
/// The parameters that C sees.
std::vector<CnView::Param> c_params(World&, const CnView&);

/// The type of element i of a Σ or array of literal arity, as declared.
const Def* elem_decl(World&, const Def* type, size_t i);
/// Whether a value of the type `from` contains one of a singleton type ⦃e⦄, which takes no room there, but may take some in `to`.
bool omits_singleton(World&, const Def* from, const Def* to);
/// The parameter's part of `arg` (a value of the domain).
const Def* param_of(World&, const CnView&, const CnView::Param&, const Def* arg);

} // namespace mim
