// SPDX-License-Identifier: MIT
// Specialization: a call that passes a known function gets a copy of the callee in which that parameter is that function, so
// higher-order code becomes first-order and needs no closure. Types that are passed at run time are specialized away in the same way.
// Calls with the same functions share the copy, and a recursive call in the copy that passes them on finds the copy itself, so
// recursion ties the knot. The return continuation is no reason for a copy, but for a function that may leave through the return of a
// function around it: machine code has no such functions, so if its calls return to different places, each gets a copy, which is a block.
//
// A function that calls itself with ever new functions would be copied for ever: these are passed as before (variation.h). Where the recursion
// goes through unknown functions, copies of a function within copies of it nest MaxNesting deep; and all copies of all rounds may make no more
// than MaxGrowth nodes for each node of the program that the first round got (and MinLimit). Branches that pass different functions to what
// follows them double it, one after the other: the limit is what ends that.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "analysis/cps.h"
#include "analysis/program.h"
#include "opt/opt.h"
#include "opt/signature.h"
#include "opt/variation.h"

namespace mim::opt {

namespace {

constexpr unsigned MaxNesting = 4;
constexpr uint64_t MaxGrowth = 8, MinLimit = 100'000;

class Specialize : public SignatureRewriter {
public:
    explicit Specialize(PhaseContext& c)
        : SignatureRewriter(c)
        , variation_(c.world, program())
        , left_(c.copies_left) {
        if (!left_) left_ = std::max(MinLimit, MaxGrowth * program().nodes().size());
        limit_ = c.world.stats().nodes + *left_;
    }

    void run() {
        SignatureRewriter::run();
        *left_ = limit_ - std::min(limit_, world().stats().nodes);
    }

protected:
    bool wants(const Def* def) override {
        auto app = def->isa<App>();
        auto lam = app ? app->callee()->isa<Lam>() : nullptr;
        if (!lam || !is_candidate(lam)) return false;
        std::vector<const Def*> known;
        find_known(lam, app->arg(), known);
        return !known.empty();
    }

    const Def* rewrite_imm(const Def* def) override {
        auto app = def->isa<App>();
        auto lam = app ? app->callee()->isa<Lam>() : nullptr;
        if (!lam || !is_candidate(lam)) return SelectiveRewriter::rewrite_imm(def);
        std::vector<const Def*> key{lam};
        auto part = find_known(lam, app->arg(), key);
        if (key.size() == 1 || exhausted(lam) || !keep_misfits(part, lam->var())) return SelectiveRewriter::rewrite_imm(def);
        auto [known, fresh] = copies_.try_emplace(ids(key), nullptr);
        if (fresh) known->second = copy(lam, part);
        std::vector<const Def*> args;
        select(part, app->arg(), args);
        for (auto& arg : args) arg = rewrite(arg);
        ++nesting_[lam];
        auto callee = rewrite(known->second);
        --nesting_[lam];
        return world().app(callee, args);
    }

    /// Copies are functions of the old program until they are rewritten: what is put into a body has the types that the body expects.
    const Def* type_for_part(const Def* type) override { return type; }

private:
    bool exhausted(const Lam* lam) { return nesting_[lam] >= MaxNesting || world().stats().nodes > limit_; }

    static std::vector<uint32_t> ids(Defs defs) {
        std::vector<uint32_t> result;
        for (auto def : defs) result.push_back(def->id());
        return result;
    }

    bool is_candidate(const Lam* lam) {
        return lam->is_cn() && lam->is_set() && lam->var()->isa<Var>() && (takes_functions(lam) || leaves(lam));
    }

    /// Something besides the return continuation is a function or a type.
    bool takes_functions(const Lam* lam) {
        auto [memo, fresh] = takes_.try_emplace(lam->pi(), false);
        if (!fresh) return memo->second;
        auto n   = num_parts(world(), lam->pi());
        auto ret = ret_part(world(), lam->pi());
        bool any = false;
        for (size_t i = 0; i < n && !any; ++i)
            any = int(i) != ret && contains_function(n == 1 ? lam->dom() : elem_decl(world(), lam->dom(), i));
        return takes_[lam->pi()] = any;
    }

    /// Its calls return to different places, and it may leave through the return of a function around it.
    bool leaves(const Lam* lam) {
        auto [memo, fresh] = leaves_.try_emplace(lam, false);
        if (!fresh) return memo->second;
        return leaves_[lam] = returns_differ(lam) && refers_to_return(lam);
    }

    bool returns_differ(const Lam* lam) {
        auto ret = ret_part(world(), lam->pi());
        if (ret < 0 || is_closed(world(), lam) || !program().contains(lam)) return false;
        const Def* first = nullptr;
        for (auto user : program().users(lam)) {
            auto app = user->isa<App>();
            if (!app || app->callee() != lam) continue;
            auto to = part_of(world(), app->arg(), num_parts(world(), lam->pi()), size_t(ret));
            if (first && to != first) return true;
            first = to;
        }
        return false;
    }

    bool refers_to_return(const Lam* lam) {
        auto around = free_vars(world(), lam);
        auto refers = [&](const Def* def) {
            return std::ranges::any_of(around, [&](auto var) { return is_free_in(world(), var, def); });
        };
        std::vector<const Def*> work{lam->body()};
        std::unordered_set<const Def*> seen;
        while (!work.empty()) {
            auto def = work.back();
            work.pop_back();
            if (!refers(def) || !seen.insert(def).second) continue;
            if (is_return(def)) return true;
            run_time_ops(def, work);
            if (auto inner = def->isa<Lam>(); inner && inner->is_set()) work.push_back(inner->body());
        }
        return false;
    }

    static bool contains_function(const Def* type) {
        if (type->isa<Pi>() || type->isa<Sort>()) return true;
        if (type->is_mut()) return false;
        if (auto sigma = type->isa<Sigma>())
            for (auto op : sigma->ops())
                if (contains_function(op)) return true;
        return false;
    }

    /// What becomes of the argument; appends a path number and the value for each part that is known.
    Part find_known(const Lam* lam, const Def* arg, std::vector<const Def*>& key) {
        auto n   = num_parts(world(), lam->pi());
        auto ret = ret_part(world(), lam->pi());
        Part whole{Part::Split, nullptr, {}};
        uint64_t path = 0;
        for (size_t i = 0; i < n; ++i) {
            auto type = n == 1 ? lam->dom() : elem_decl(world(), lam->dom(), i);
            bool keep = (int(i) == ret && !leaves(lam)) || variation_.is_unbounded(lam, i);
            whole.parts.push_back(keep ? Part{} : find_known(type, part_of(world(), arg, n, i), key, path));
        }
        return n == 1 ? whole.parts.front() : whole;
    }

    Part find_known(const Def* type, const Def* arg, std::vector<const Def*>& key, uint64_t& path) {
        ++path;
        if ((type->isa<Pi>() && is_known(arg)) || (type->isa<Sort>() && is_closed(world(), arg))) {
            key.push_back(world().lit_nat(path));
            key.push_back(arg);
            return {Part::Drop, arg, {}};
        }
        if (!type->isa<Sigma>() || !contains_function(type)) return {};
        Part part{Part::Split, nullptr, {}};
        for (size_t i = 0; i < type->num_ops(); ++i)
            part.parts.push_back(find_known(elem_decl(world(), type, i), world().extract(arg, i), key, path));
        return part;
    }

    bool is_known(const Def* arg) { return arg->isa<Lam>() || head_axiom(arg) || is_return(arg); }

    /// Where the function around returns to.
    bool is_return(const Def* arg) {
        auto extract = arg->isa<Extract>();
        auto var     = (extract ? extract->tuple() : arg)->isa<Var>();
        auto lam     = var ? var->binder()->isa<Lam>() : nullptr;
        if (!lam || !lam->is_cn()) return false;
        auto ret = ret_part(world(), lam->pi());
        auto n   = num_parts(world(), lam->pi());
        return ret >= 0 && part_of(world(), var, n, size_t(ret)) == arg;
    }

    const Lam* copy(const Lam* old, const Part& part) {
        auto& w  = world();
        auto lam = w.mut_lam(new_type(part, old->pi()));
        w.notes.set_name(lam, w.notes.name(old)), w.notes.set_span(lam, w.notes.span(old));
        auto value = assemble(part, params_of(lam, num_kept(part)));
        w.set_filter(lam, w.subst(old->filter(), old->var(), value));
        w.set_body(lam, w.subst(old->body(), old->var(), value));
        w.close(std::span<Lam* const>(&lam, 1));
        return lam;
    }

    Variation variation_;
    std::optional<uint64_t>& left_; ///< nodes, for this round and those after it
    uint64_t limit_ = 0;            ///< of all nodes
    std::unordered_map<const Pi*, bool> takes_;
    std::unordered_map<const Lam*, bool> leaves_;
    std::unordered_map<const Lam*, unsigned> nesting_;   ///< copies of a function that are being rewritten
    std::map<std::vector<uint32_t>, const Lam*> copies_; ///< by function, places and values
};

} // namespace

void specialize(PhaseContext& c) { Specialize(c).run(); }

} // namespace mim::opt
