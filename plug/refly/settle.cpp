// SPDX-License-Identifier: MIT
// The phase refly.settle, at the extension point `front`: what is to be decided while the program is compiled is decided here or
// never. What is left of code becomes the values of its expressions, with a mark that takes no room: the members of a union
// stay apart, whatever the variables in their types stand for.
//
//     Code T ▷ [Mark, T]    reify e ▷ (mark, e)    reflect c ▷ c#1
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "analysis/program.h"
#include "kit/lower.h"
#include "refly.h"
#include "refly/diagnostics.h"

namespace mim::plug::refly {

namespace {

bool is_ours(const Axiom& axiom) { return is_of_plugin<check>(axiom); }

/// What is left of it is its operand, at most with a mark.
bool vanishes(const Axiom& axiom) {
    return is_tag<Code>(axiom) || is_tag<reify>(axiom) || is_tag<reflect>(axiom) || is_tag<dbg>(axiom);
}

const Def* settled_type(const Lowered& code) { return code.world().sigma({code.world().annex(Mark(0)), code.arg()}); }
const Def* marked(const Lowered& code) { return code.world().tuple({code.world().annex(mark(0)), code.arg()}); }
const Def* unmarked(const Lowered& code) { return code.world().extract(code.arg(), 1); }
const Def* itself(const Lowered& e) { return e.arg(); }

/// It is answered while the program is compiled, or asks for an answer.
bool is_question(const Def* def) {
    auto axm = saturated_axiom(def);
    if (!axm || !is_ours(axm->axiom())) return false;
    auto& axiom  = axm->axiom();
    bool is_mark = is_tag<Mark>(axiom) || is_tag<mark>(axiom);
    return !vanishes(axiom) && !is_mark && !is_tag<check>(axiom) && !is_tag<Term>(axiom);
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
        auto text = text_of(c_.world, group(def, 1), operand(c_.world, def, 2));
        say(def, diag::check_unknown(operand(c_.world, def, 0), text.value_or("…")));
    }
    /// Part of another question, which is the one to report.
    bool is_asked(const Def* def) const {
        return std::ranges::any_of(c_.program().users(def), [&](const Def* user) {
            return is_question(user) || (user->isa<Tuple>() && std::ranges::any_of(c_.program().users(user), is_question));
        });
    }
    /// Where it stands. A part of an expression that has no place of its own, such as a callee, stands where the expression does.
    Span place_of(const Def* def) {
        DefVec around{def};
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
        auto place = c_.world.notes.place(def);
        while (place && place.inlined && c_.world.notes.inlined(place.inlined).call)
            place = c_.world.notes.inlined(place.inlined).call;
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
    if (!plugin_occurs<check>(c.program()) || Report(c).run()) return;
    Lowering(c).on<Code>(settled_type).on<reify>(marked).on<reflect>(unmarked).on<dbg>(itself).run();
}

} // namespace mim::plug::refly
