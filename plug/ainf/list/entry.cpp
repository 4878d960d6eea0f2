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

/// The types by which one value goes outside.
static DefVec all_outside(World& w, const Def* type) {
    return map_defs(leaves(w, type), [&](auto& leaf) { return outside(w, leaf); });
}

/// Where a result is stored.
static const Def* place_of(World& w, const Def* result) {
    if (match<mem::PtrAS>(result)) return result;
    return pointer(w, result == w.nat() ? w.i64_type() : result);
}

namespace {

struct Parameters {
    World& w;
    DefVec types              = {};
    std::vector<Symbol> names = {};

    void add(const DefVec& parts, std::string_view name) {
        bool is_plain = parts.size() == 1 || name.empty();
        for (size_t i = 0; i != parts.size(); ++i) {
            auto end = is_plain ? "" : "_" + std::to_string(i + 1);
            types.push_back(parts[i]);
            names.push_back(w.sym(std::string(name) + end));
        }
    }
};

} // namespace

Lam* called_of(World& w, const Lam* program, const Def* type, const std::string& signature, const Names& names) {
    auto mem  = w.app(w.annex(mem::MAS(0)), w.lit_nat(0));
    auto next = [&, i = size_t(0)]() mutable { return i < names.size() ? names[i++] : std::string_view(); };
    Parameters all{w};
    all.add({mem}, "mem");
    for (size_t i = 0; i != cli::num_sizes(program); ++i) all.add({w.nat()}, next());
    for (; auto pi = type->isa<Pi>(); type = pi->codom()) all.add(all_outside(w, pi->dom()), next());
    auto results     = all_outside(w, type);
    bool is_returned = results.size() == 1 && !isa_array(w, type);
    auto codomain    = is_returned ? w.sigma({mem, results[0]}) : mem;
    if (!is_returned) all.add(map_defs(results, [&](auto result) { return place_of(w, result); }), "out");
    auto dom  = parameters_of(w, program, all.types);
    auto body = [&](const Def* var) {
        auto types  = w.tuple({program->type(), w.lit_nat(signature.size()), dom, codomain});
        auto result = w.apply<call>(types, {program, cli::text_of(w, signature)}, w.extract(var, 0));
        w.notes.set_span(result, w.notes.span(program));
        return w.app(w.extract(var, 1), result);
    };
    auto result = w.lam(w.fn(dom, codomain), body, program);
    w.notes.set_fields(result->var(), std::move(all.names));
    return result;
}

} // namespace mim::plug::ainf
