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

/// Makes the body of a function for its variable; null: there is none.
using MakeBody = std::function<const Def*(const Lam* old, const Def* var)>;

/// The same function with another body.
Lam* with_body(World& w, Lam* lam, const MakeBody& make) {
    auto result = w.mut_lam(lam->pi());
    auto body   = make(lam, result->var());
    if (!body) return nullptr;
    w.notes.copy_info(lam, result);
    w.set_filter(result, w.ff());
    w.set_body(result, body);
    w.close(std::span<Lam* const>(&result, 1));
    return result;
}

/// The function of sizes that `%ainf.main` or `%ainf.call` calls.
Lam* program_of(World& w, const Def* call) { return const_cast<Lam*>(elem(w, group(call, 1), 0)->isa<Lam>()); }

} // namespace

List renamed(World& w, List list, const Def* from, const Def* to) {
    std::map<const Def*, const Def*> known;
    auto rename = [&](const Def*& def) {
        if (!def) return;
        auto& result = known[def];
        if (!result) result = w.subst(def, from, to);
        def = result;
    };
    auto rename_all = [&](Environment& env) {
        for (auto& f : env) rename(f.type), rename(f.turn);
    };
    for (auto& b : list.bindings) {
        rename_all(b.env);
        rename_all(b.p.body);
        rename(b.p.type);
        rename(b.p.literal);
    }
    return list;
}

const Def* body_of_program(World& w, const Lam* external) {
    if (is_program(w, external->body())) return external->body();
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> todo{external->body()};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!seen.insert(def).second) continue;
        if (match<main>(def) || match<call>(def)) {
            auto program = program_of(w, def);
            return program ? program->body() : nullptr;
        }
        for (auto op : def->ops()) todo.push_back(op);
    }
    return nullptr;
}

static void replace(PhaseContext& c, const MakeBody& make) {
    auto& w  = c.world;
    auto all = w.externals.all();
    for (auto& external : all) {
        if (!is_program(w, external.lam->body())) continue;
        if (auto lam = with_body(w, external.lam, make)) w.externals.replace(external.name, lam);
    }
    auto replaced = [&](const Lowered& app) -> const Def* {
        auto lam     = program_of(w, app.app());
        auto program = lam ? with_body(w, lam, make) : nullptr;
        if (!program) return nullptr;
        auto types     = app.group(0);
        auto length    = elem(w, types, 1);
        auto signature = elem(w, app.group(1), 1);
        if (match<main>(app.app())) return w.apply<main>({program->type(), length}, {program, signature}, app.arg());
        auto implicit = w.tuple({program->type(), length, elem(w, types, 2), elem(w, types, 3)});
        return w.apply<call>(implicit, {program, signature}, app.arg());
    };
    Lowering(c).on<main>(replaced).on<call>(replaced).run();
}

void replace_programs(PhaseContext& c, const std::function<const Def*(const Def*, Span)>& make) {
    auto& w = c.world;
    replace(c, [&](const Lam* lam, const Def* var) -> const Def* {
        auto body = make(lam->body(), w.notes.span(lam));
        return body ? w.subst(body, lam->var(), var) : nullptr;
    });
}

void replace_by_lists(PhaseContext& c, const std::function<std::optional<List>(const Def*, Span)>& make) {
    auto& w = c.world;
    replace(c, [&](const Lam* lam, const Def* var) -> const Def* {
        auto list = make(lam->body(), w.notes.span(lam));
        return list ? write(w, renamed(w, std::move(*list), lam->var(), var)) : nullptr;
    });
}

} // namespace mim::plug::ainf
