// SPDX-License-Identifier: MIT
// The reverse of closure conversion, for what a program writes itself, or what was printed behind the pipeline and is read again:
//
//     %clos.make (env, code)     becomes     f_0, …, f_(n-1)     where f_i = λ x: ⊥ = (code (env, (f_0, …)))#i x
//
// So all other phases see functions that refer to variables around them, and `clos.convert` makes closures of those that escape.
#include "open.h"

#include "analysis/cps.h"
#include "clos/annexes.h"
#include "kit/build.h"
#include "kit/lower.h"

namespace mim::plug::clos {

namespace {

const Def* call(World& w, const Def* code, const Def* arg) {
    auto lam = code->isa<Lam>();
    return lam && lam->is_set() ? w.subst(lam->body(), lam->var(), arg) : w.app(code, arg);
}

/// Null, so that it stays, if the number of functions is not known.
const Def* functions_of(const Lowered& closures) {
    auto& w   = closures.world();
    auto type = closures.app()->type();
    auto n    = type->isa<Pi>() ? 1 : lit_arity(w, type);
    if (n < 0) return nullptr;
    auto [env, code] = elems<2>(w, closures.arg());
    auto now         = closures.rewrite(type);
    Functions functions(w);
    auto lam    = [&](size_t i) { return functions.lam(n == 1 ? now : elem_decl(w, now, i)); };
    auto values = w.tuple(def_vec(size_t(n), lam));
    auto made   = call(w, code, w.tuple({env, values}));
    for (size_t i = 0; auto f : functions.all()) w.set_body(f, w.app(w.extract(made, i++), f->var()));
    functions.close();
    return values;
}

} // namespace

void open_closures(PhaseContext& context) { Lowering(context).on<clos::make>(functions_of).run(); }

} // namespace mim::plug::clos
