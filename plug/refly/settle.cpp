// SPDX-License-Identifier: MIT
// The phase refly.settle, at the place `front`: what is to be decided while the program is compiled is decided here or
// never. What is left of code becomes the values of its expressions, with a mark that takes no room: the members of a union
// stay apart, whatever the variables in their types stand for.
//
//     Code T ▷ [Mark, T]    reify e ▷ (mark, e)    reflect c ▷ c#1
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "analysis/program.h"
#include "opt/selective.h"
#include "refly.h"
#include "refly/diagnostics.h"

namespace mim::plug::refly {

namespace {

using Tag = AnnexTraits<check>;

bool is_ours(const Axiom& axiom) { return axiom.id.plugin == Tag::plugin; }

template<class Enum>
bool has_tag(const Axiom& axiom) {
    return axiom.id.tag == AnnexTraits<Enum>::tag;
}

/// What is left of it is its operand, at most with a mark.
bool vanishes(const Axiom& axiom) {
    return has_tag<Code>(axiom) || has_tag<reify>(axiom) || has_tag<reflect>(axiom) || has_tag<dbg>(axiom);
}

class Settle : public opt::SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    bool wants(const Def* def) override { return def->isa<Axm>() && is_ours(def->as<Axm>()->axiom()); }

    const Def* rewrite_imm(const Def* def) override {
        auto axm = head_axiom(def);
        if (!axm || !is_ours(axm->axiom()) || !saturated_axiom(def)) {
            bool partial = axm && is_ours(axm->axiom()) && is_operation(def) && vanishes(axm->axiom());
            return partial ? rewrite(opt::eta_expand(world(), def)) : SelectiveRewriter::rewrite_imm(def);
        }
        if (!vanishes(axm->axiom())) return SelectiveRewriter::rewrite_imm(def);
        return settled(axm->axiom(), rewrite(def->as<App>()->arg()));
    }

private:
    const Def* settled(const Axiom& axiom, const Def* arg) {
        auto& w = world();
        if (has_tag<Code>(axiom)) return w.sigma({w.annex(Mark(0)), arg});
        if (has_tag<reify>(axiom)) return w.tuple({w.annex(mark(0)), arg});
        if (has_tag<reflect>(axiom)) return w.extract(arg, uint64_t(1));
        return arg;
    }
};

/// It is answered while the program is compiled, or asks for an answer.
bool is_question(const Def* def) {
    auto axm = saturated_axiom(def);
    if (!axm || !is_ours(axm->axiom())) return false;
    auto& axiom  = axm->axiom();
    bool is_mark = has_tag<Mark>(axiom) || has_tag<mark>(axiom);
    return !vanishes(axiom) && !is_mark && !has_tag<check>(axiom) && !has_tag<Term>(axiom);
}

/// What had to be known by now, and is not.
class Report {
public:
    explicit Report(PhaseContext& c)
        : c_(c) {}
    bool run() {
        for (auto def : c_.program().nodes()) {
            if (auto app = match(check::now, def)) undecided(app);
            else if (is_question(def) && !is_asked(def)) say(def, diag::term_left(def));
        }
        return reported_;
    }

private:
    void undecided(const Def* def) {
        auto app  = def->as<App>();
        auto text = text_of(c_.world, group(app->callee()), c_.world.extract(app->arg(), 2));
        say(def, diag::check_unknown(c_.world.extract(app->arg(), 0), text.value_or("…")));
    }
    /// Part of another question, which is the one to report.
    bool is_asked(const Def* def) const {
        return std::ranges::any_of(c_.program().users(def), [&](const Def* user) {
            return is_question(user) || (user->isa<Tuple>() && std::ranges::any_of(c_.program().users(user), is_question));
        });
    }
    /// Where it stands. A part of an expression that has no place of its own, such as a callee, stands where the expression does.
    Span place_of(const Def* def) {
        std::vector<const Def*> around{def};
        std::unordered_set<const Def*> seen{def};
        for (size_t i = 0; i != around.size(); ++i) {
            if (auto span = own_place_of(around[i])) return span;
            for (auto user : c_.program().users(around[i]))
                if (seen.insert(user).second) around.push_back(user);
        }
        return {};
    }
    /// In a function that was evaluated, the call that somebody wrote: there is what is not known.
    Span own_place_of(const Def* def) {
        auto place = c_.world.place(def);
        while (place && place.inlined && c_.world.inlined(place.inlined).call) place = c_.world.inlined(place.inlined).call;
        return place.span;
    }
    void say(const Def* def, const Error& error) {
        auto& w   = c_.world;
        auto here = std::exchange(w.here, place_of(def));
        if (w.warn) w.warn(error);
        w.here    = here;
        reported_ = true;
    }

    PhaseContext& c_;
    bool reported_ = false;
};

} // namespace

void settle(PhaseContext& c) {
    if (std::ranges::none_of(c.program().axioms(), [](const Axiom* a) { return is_ours(*a); })) return;
    if (!Report(c).run()) Settle(c).run();
}

} // namespace mim::plug::refly
