// SPDX-License-Identifier: MIT
#include "ainf/list/programs.h"

#include <unordered_set>
#include <vector>

#include "ainf/annexes.h"
#include "kit/lower.h"
#include "kit/match.h"

namespace mim::plug::ainf {

namespace {

bool is_program(World& w, const Def* def) { return def->type() == w.annex(Program(0)); }

/// The same function with another body, which may have its variable.
Lam* with_body(World& w, Lam* lam, const Def* body) {
    auto result = w.mut_lam(lam->pi());
    w.notes.copy_info(lam, result);
    w.set_filter(result, w.ff());
    w.set_body(result, w.subst(body, lam->var(), result->var()));
    w.close(std::span<Lam* const>(&result, 1));
    return result;
}

Lam* program_of(World& w, const Def* main) { return const_cast<Lam*>(elem(w, group(main, 1), 0)->isa<Lam>()); }

} // namespace

const Def* body_of_program(World& w, const Lam* external) {
    if (is_program(w, external->body())) return external->body();
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> todo{external->body()};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!seen.insert(def).second) continue;
        if (auto app = match<main>(def)) {
            auto program = program_of(w, def);
            return program ? program->body() : nullptr;
        }
        for (auto op : def->ops()) todo.push_back(op);
    }
    return nullptr;
}

void replace_programs(PhaseContext& c, const std::function<const Def*(const Def*, Span)>& make) {
    auto& w  = c.world;
    auto all = w.externals.all();
    for (auto& external : all) {
        if (!is_program(w, external.lam->body())) continue;
        auto body = make(external.lam->body(), w.notes.span(external.lam));
        if (body) w.externals.replace(external.name, with_body(w, external.lam, body));
    }
    auto replaced = [&](const Lowered& app) -> const Def* {
        auto lam  = program_of(w, app.app());
        auto body = lam ? make(lam->body(), w.notes.span(lam)) : nullptr;
        if (!body) return nullptr;
        auto signature = elem(w, app.group(1), 1);
        auto program   = with_body(w, lam, body);
        auto length    = elem(w, app.group(0), 1);
        return w.apply<main>({program->type(), length}, {program, signature}, app.arg());
    };
    Lowering(c).on<main>(replaced).run();
}

} // namespace mim::plug::ainf
