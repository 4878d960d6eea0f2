// SPDX-License-Identifier: MIT
// The reverse of closure conversion, for what a program writes itself, or what was printed behind the pipeline and is read again:
//
//     %clos.make (env, code)     becomes     f_0, …, f_(n-1)     where f_i = λ x: ⊥ = (code (env, (f_0, …)))#i x
//
// So all other phases see functions that refer to variables around them, and `clos.convert` makes closures of those that escape.
#include "open.h"

#include <algorithm>

#include "analysis/cps.h"
#include "clos/annexes.h"
#include "opt/selective.h"

namespace mim::plug::clos {

namespace {

class Open : public opt::SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    bool wants(const Def* def) override {
        auto made = match<clos::make>(def);
        return made && num_functions(def->type()) >= 0;
    }

    const Def* rewrite_imm(const Def* def) override {
        if (!wants(def)) return SelectiveRewriter::rewrite_imm(def);
        auto arg = rewrite(def->as<App>()->arg());
        return functions(rewrite(def->type()), world().extract(arg, uint64_t(0)), world().extract(arg, uint64_t(1)));
    }

private:
    /// -1 if that is not known.
    int64_t num_functions(const Def* type) { return type->isa<Pi>() ? 1 : world().lit_arity(type); }

    const Def* functions(const Def* type, const Def* env, const Def* code) {
        auto& w = world();
        auto n  = static_cast<size_t>(num_functions(type));
        std::vector<Lam*> lams;
        std::vector<const Def*> values;
        for (size_t i = 0; i != n; ++i) {
            auto lam = w.mut_lam((n == 1 ? type : elem_decl(w, type, i))->as<Pi>());
            w.set_filter(lam, w.ff());
            lams.push_back(lam), values.push_back(lam);
        }
        auto made = call(code, w.tuple({env, w.tuple(values)}));
        for (size_t i = 0; i != n; ++i) w.set_body(lams[i], w.app(w.extract(made, i), lams[i]->var()));
        w.close(lams);
        return w.tuple(values);
    }

    const Def* call(const Def* code, const Def* arg) {
        auto lam = code->isa<Lam>();
        return lam && lam->is_set() ? world().subst(lam->body(), lam->var(), arg) : world().app(code, arg);
    }
};

} // namespace

void open_closures(PhaseContext& context) {
    auto makes = [](const Axiom* axiom) {
        using Make = AnnexTraits<clos::make>;
        return axiom->id.plugin == Make::plugin && axiom->id.tag == Make::tag;
    };
    if (std::ranges::any_of(context.program().axioms(), makes)) Open(context).run();
}

} // namespace mim::plug::clos
