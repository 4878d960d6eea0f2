// SPDX-License-Identifier: MIT
// What the axioms of pipelines stand for.
#include <string>

#include "driver/plugin.h"
#include "phase/pipeline.h"

using namespace mim;

namespace {

/// The text of an array of characters; one of equal characters is a pack, one of a single character that character.
std::string text(World& world, const Def* def) {
    std::string out;
    auto size = lit_arity(world, def->type());
    for (int64_t i = 0; i < size; ++i) {
        auto lit = isa_lit(world.extract(def, static_cast<uint64_t>(i)));
        if (!lit) return {};
        out += static_cast<char>(lit->value());
    }
    return out;
}

const Def* argument(const Def* app) { return app->as<App>()->arg(); }

void phase(PipelineBuilder& p, const Def* app) { p.phase(text(p.world(), argument(app))); }

void place(PipelineBuilder& p, const Def* app) { p.extension_point(text(p.world(), argument(app))); }

void seq(PipelineBuilder& p, const Def* app) {
    auto phases = argument(app);
    auto size   = lit_arity(p.world(), phases->type());
    for (int64_t i = 0; i < size; ++i) p.interpret(p.world().extract(phases, static_cast<uint64_t>(i)));
}

constexpr uint64_t MaxRounds = 100; ///< phases that undo each other's work must not go on for ever

void fix(PipelineBuilder& p, const Def* app) {
    p.repeat(MaxRounds, [&] { p.interpret(argument(app)); });
}

/// A number that is no literal is reported as part of an expression that is no pipeline.
void repeat(PipelineBuilder& p, const Def* app) {
    auto& w    = p.world();
    auto limit = isa_lit(w.extract(argument(app), uint64_t(0)));
    if (!limit) return p.interpret(w.extract(argument(app), uint64_t(0)));
    if (limit->value() != 0) p.repeat(limit->value(), [&] { p.interpret(w.extract(argument(app), 1)); });
}

void if_loaded(PipelineBuilder& p, const Def* app) {
    auto& w   = p.world();
    auto name = text(w, app->as<App>()->callee()->as<App>()->arg());
    p.interpret(w.extract(argument(app), p.has_plugin(name) ? 0 : 1));
}

void init(PluginBuilder& p) {
    p.axiom("%compile.phase").pipeline(phase);
    p.axiom("%compile.place").pipeline(place);
    p.axiom("%compile.seq").pipeline(seq);
    p.axiom("%compile.fix").pipeline(fix);
    p.axiom("%compile.repeat").pipeline(repeat);
    p.axiom("%compile.if_loaded").pipeline(if_loaded);
}

} // namespace

MIM_PLUGIN(compile, init)
