// SPDX-License-Identifier: MIT
#include "ainf/list/entry.h"

#include "ainf/annexes.h"
#include "ainf/list/leaves.h"
#include "ainf/list/types.h"
#include "cli/run/entry.h"
#include "kit/build.h"
#include "kit/match.h"
#include "mem/annexes.h"

namespace mim::plug::ainf {

static const Def* pointer(World& w, const Def* type) { return w.app(w.annex(mem::PtrAS(0)), {type, w.lit_nat(0)}); }

/// Of an array that is known to have no elements, a pointer to one is left.
static const Def* outside(World& w, const Leaf& leaf) {
    bool is_number = leaf.dims.empty();
    if (is_number) return is_float(w, leaf.cell) ? leaf.cell : w.nat();
    return pointer(w, has_no_elements(leaf) ? cell_type(w, leaf.cell, Form::Words) : leaf_type(w, leaf, Form::Words));
}

/// The types, in which the sizes that the program takes are the parameters behind the first one.
static const Def* parameters_of(World& w, const Lam* program, const DefVec& types) {
    auto num_sizes = cli::num_sizes(program);
    if (num_sizes == 0) return w.sigma(types);
    auto sigma = w.mut_sigma(types.size());
    for (size_t i = 0; i <= num_sizes; ++i) w.set(sigma, i, types[i]);
    auto sizes = w.tuple(def_vec(num_sizes, [&](size_t i) { return w.extract(sigma->var(), i + 1); }));
    for (size_t i = num_sizes + 1; i < types.size(); ++i) w.set(sigma, i, w.subst(types[i], program->var(), sizes));
    return w.seal(sigma);
}

Lam* called_of(World& w, const Lam* program, const Def* type, const std::string& signature) {
    auto mem = w.app(w.annex(mem::MAS(0)), w.lit_nat(0));
    DefVec domain{mem};
    domain.insert(domain.end(), cli::num_sizes(program), w.nat());
    for (; auto pi = type->isa<Pi>(); type = pi->codom())
        for (auto& leaf : leaves(w, pi->dom())) domain.push_back(outside(w, leaf));
    auto results     = map_defs(leaves(w, type), [&](auto& leaf) { return outside(w, leaf); });
    bool is_returned = results.size() == 1 && !isa_array(w, type);
    auto codomain    = is_returned ? w.sigma({mem, results[0]}) : mem;
    if (!is_returned)
        for (auto result : results)
            domain.push_back(match<mem::PtrAS>(result) ? result : pointer(w, result == w.nat() ? w.i64_type() : result));
    auto dom  = parameters_of(w, program, domain);
    auto body = [&](const Def* var) {
        auto types  = w.tuple({program->type(), w.lit_nat(signature.size()), dom, codomain});
        auto result = w.apply<call>(types, {program, cli::text_of(w, signature)}, w.extract(var, 0));
        w.notes.set_span(result, w.notes.span(program));
        return w.app(w.extract(var, 1), result);
    };
    return w.lam(w.fn(dom, codomain), body, program);
}

} // namespace mim::plug::ainf
