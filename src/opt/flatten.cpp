// SPDX-License-Identifier: MIT
// A tuple in a tuple of arguments becomes parameters of their own, so that other phases see each element: `f ((a, b), c)` becomes
// `f (a, b, c)`. Only for functions all of whose calls are known. Arrays are taken apart if they are short and no index is computed.
#include "analysis/cps.h"
#include "opt/opt.h"
#include "opt/signature.h"

namespace mim::opt {

namespace {

constexpr int64_t MaxElems = 16;
constexpr size_t MaxParams = 64; ///< what a function has in the end

class Flatten : public SignatureRewriter {
public:
    using SignatureRewriter::SignatureRewriter;

    void plan() {
        for (auto def : program().nodes()) {
            auto lam = def->isa<Lam>();
            if (!lam || !is_only_called(program(), lam)) continue;
            auto n   = num_parts(world(), lam->pi());
            auto sig = lam->dom()->isa<Sigma>();
            if (n == 1 || (sig && sig->is_mut())) continue;
            Part whole{Part::Split, nullptr, {}};
            for (size_t i = 0; i < n; ++i) whole.parts.push_back(split(world().extract(lam->var(), i)));
            auto kept = num_kept(whole);
            bool any  = false;
            for (auto& part : whole.parts) any |= part.kind == Part::Split;
            if (any && kept <= MaxParams) plans_.emplace(lam, std::move(whole));
        }
    }

private:
    Part split(const Def* param) {
        auto type = param->type();
        auto n    = type->isa<Sigma>() || type->isa<Arr>() ? world().lit_arity(type) : -1;
        if (n < 0 || n > MaxElems || type->is_mut()) return {};
        if (type->isa<Arr>() && n != 0 && has_computed_index(param)) return {};
        Part part{Part::Split, nullptr, {}};
        for (int64_t i = 0; i < n; ++i) part.parts.push_back(split(world().extract(param, static_cast<uint64_t>(i))));
        return part;
    }

    bool has_computed_index(const Def* param) {
        for (auto user : program().users(param)) {
            auto extract = user->isa<Extract>();
            if (extract && extract->tuple() == param && !isa_lit(extract->index())) return true;
        }
        return false;
    }
};

} // namespace

void flatten(PhaseContext& c) {
    Flatten flatten(c);
    flatten.plan();
    flatten.run();
}

} // namespace mim::opt
