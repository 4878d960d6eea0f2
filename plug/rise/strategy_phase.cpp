// SPDX-License-Identifier: MIT
// The phase that applies strategies to programs, and η-long terms.
#include <unordered_map>
#include <unordered_set>

#include "elevate/diagnostics.h"
#include "elevate/run/interpret.h"
#include "eval/machine.h"
#include "kit/lower.h"
#include "kit/match.h"
#include "primitives.h"
#include "print.h"
#include "rise/annexes.h"
#include "rise/diagnostics.h"
#include "strategy.h"
#include "terms/scalars.h"

namespace mim::plug::rise {

namespace {

/// Messages show terms as the user writes them.
struct RiseWords : elevate::Words {
    std::string term(World& w, const Def* def) const override {
        auto head   = head_axiom(def);
        bool is_own = !head || is_of_plugin<rise::map>(head->axiom());
        if (head && is_own && !is_type(def) && !saturated_axiom(def)) return partial(w, def);
        return is_own || is_type(def) || def->type() == w.nat() ? print_short(w, def) : Words::term(w, def);
    }
    /// `split(4)`: without what is implicit.
    std::string partial(World& w, const Def* def) const {
        auto app = def->isa<App>();
        if (!app) return head(w, def);
        auto callee = app->callee();
        auto text   = partial(w, callee);
        return callee->type()->as<Pi>()->is_implicit() ? text : text + "(" + term(w, app->arg()) + ")";
    }
    std::string head(World& w, const Def* def) const override {
        auto axiom     = head_axiom(def);
        auto primitive = axiom ? primitive_of(w, axiom) : nullptr;
        if (primitive) return std::string(primitive->name);
        return axiom && axiom == w.annex(rise::let(0)) ? "let" : Words::head(w, def);
    }
};

/*
 * η-long terms
 */
class EtaLong {
public:
    explicit EtaLong(World& world)
        : w(world) {}

    const Def* run(const Def* def) {
        if (auto known = known_.find(def); known != known_.end()) return known->second;
        auto result        = isa_known(def) || !def->type()->isa<Pi>() ? below(def) : expanded(def);
        return known_[def] = result;
    }

private:
    const Def* below(const Def* def) {
        elevate::Below parts(w, def, {});
        DefVec now;
        for (size_t i = 0; i != parts.size(); ++i) now.push_back(run(parts.at(i)));
        return parts.rebuild(now);
    }
    /// λ y. f y; a variable that is a function stays one.
    const Def* expanded(const Def* f) {
        if (is_variable(f)) return f;
        auto lam = w.mut_lam(f->type()->as<Pi>());
        w.set(lam, w.tt(), w.app(f, lam->var()));
        return run(w.seal(lam));
    }

    World& w;
    std::unordered_map<const Def*, const Def*> known_;
};

/*
 * the phase
 */
DiagArgs texts(World& w, const Error& error, const RiseWords& words) {
    DiagArgs result;
    for (auto& arg : error.args) {
        auto text = std::get_if<std::string>(&arg);
        result.push_back(text ? *text : words.term(w, std::get<const Def*>(arg)));
    }
    return result;
}

/// A strategy that fails lowers nothing: the term stays.
const Def* rewrite_by(PhaseContext& c, const Lowered& app) {
    auto& w           = app.world();
    auto [_, s, term] = app.groups<3>();
    auto place        = w.notes.span(app.app());
    bool is_traced    = c.settings.flag("rise.trace") || c.settings.flag("elevate.trace");
    RiseWords words;
    elevate::Interpreter::Options options{c.settings.number("elevate.budget"), is_traced, place, &words, {w.annex(idAfter(0))}};
    try {
        std::string why;
        if (auto result = elevate::Interpreter(w, c.diags, options).run(s, term, why)) return eta_long(w, result);
        c.diags.report(diag::fails(why), place);
    } catch (const Error& error) {
        bool is_reported = error.id == Diag::plugin_fault || info(error.id).code.starts_with("E-elevate");
        if (!is_reported) throw;
        c.diags.report(error.id, place, texts(w, error, words));
    }
    return term;
}

/// The program that is called from outside; null if there is none.
const Lam* find_program(World& w) {
    std::unordered_set<const Def*> seen;
    DefVec todo;
    if (auto main = w.externals.find("main")) todo.push_back(main);
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        bool is_new = def && def->is_set() && seen.insert(def).second;
        if (!is_new) continue;
        if (auto app = match<rise::main>(def)) return elem(w, mim::group(def, 1), 0)->isa<Lam>();
        todo.insert(todo.end(), def->ops().begin(), def->ops().end());
    }
    return nullptr;
}

} // namespace

const Def* eta_long(World& w, const Def* def) { return EtaLong(w).run(def); }

void apply_strategies(PhaseContext& c, const std::function<void(const Lam*)>& show) {
    bool is_any = Lowering(c).on<rise::by>([&](const Lowered& app) { return rewrite_by(c, app); }).run();
    if (!is_any) return;
    if (auto program = find_program(c.world)) show(program);
}

} // namespace mim::plug::rise
