// SPDX-License-Identifier: MIT
#include "cli/run/entry.h"

#include "kit/build.h"
#include "kit/match.h"
#include "mem/annexes.h"

namespace mim::plug::cli {

size_t num_sizes(const Lam* program) {
    auto domain = program->dom();
    auto arr    = domain->isa<Arr>();
    return arr ? *value(arr->arity()) : domain->isa<Sigma>() ? 0 : 1;
}

const Def* text_of(World& w, const std::string& text) {
    return w.tuple(map_defs(text, [&](char c) { return w.lit_idx(256, static_cast<unsigned char>(c)); }));
}

static const Def* pointer(World& w, const Def* type) { return w.app(w.annex(mem::PtrAS(0)), {type, w.lit_nat(0)}); }

Lam* main_of(World& w, const Lam* program, const std::string& signature, const Def* axiom) {
    auto memory   = w.app(w.annex(mem::MAS(0)), w.lit_nat(0));
    auto status   = w.idx(uint64_t(1) << 32);
    auto domain   = w.sigma({memory, status, pointer(w, pointer(w, w.idx(256)))});
    auto implicit = w.tuple({program->type(), w.lit_nat(signature.size())});
    auto given    = w.tuple({program, text_of(w, signature)});
    auto body     = [&](const Def* var) {
        auto result = w.app(w.app(w.app(axiom, implicit), given), w.extract(var, 0));
        w.notes.set_span(result, w.notes.span(program));
        return w.app(w.extract(var, 1), result);
    };
    return w.lam(w.fn(domain, w.sigma({memory, status})), body, program);
}

} // namespace mim::plug::cli
