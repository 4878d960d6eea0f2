// SPDX-License-Identifier: MIT
#include "driver/extension_points.h"

#include <algorithm>
#include <optional>

#include "base/nearest.h"
#include "base/stack.h"
#include "driver/pipeline.h"
#include "phase/pipeline.h"

namespace mim {

namespace {

using Points = std::map<std::string, Span>; ///< where they are named, if known

/// Finds the extension points of a pipeline; the pipeline may be the result of a function.
class Finder : public PipelineBuilder {
public:
    Finder(Session& session, Points& points)
        : session_(session)
        , points_(points) {}
    World& world() override { return session_.world; }
    void repeat(uint64_t, const std::function<void()>& body) override { body(); }
    bool has_plugin(std::string_view name) override { return session_.has_plugin(name); }
    void phase(std::string_view) override {}
    void extension_point(std::string_view name) override { points_.emplace(name, at_); }
    void interpret(const Def* pipeline) override {
        if (!pipeline) return; // whoever interprets the pipeline reports it
        for (auto lam = pipeline->isa<Lam>(); lam && lam->is_set(); lam = pipeline->isa<Lam>()) pipeline = lam->body();
        if (!is_pipeline(pipeline) || depth_ == kMaxPipelineNesting || stack_is_low()) return;
        at_ = world().notes.span(pipeline);
        ++depth_;
        try {
            run_hook(*this, pipeline);
        } catch (const Error&) {} // likewise
        --depth_;
    }

private:
    Session& session_;
    Points& points_;
    Span at_;
    unsigned depth_ = 0;
};

/// The plugin that may declare it: the one with the default pipeline, or the one that its name begins with.
std::string owner_of(const std::string& point) {
    auto dot = point.find('.');
    return dot == point.npos ? std::string(default_pipeline_plugin()) : point.substr(0, dot);
}

class Check {
public:
    Check(Session& session, const Points& chosen)
        : session_(session)
        , declared_(session.registry.extension_points())
        , chosen_(chosen) {}

    void pipeline() {
        for (auto& [point, at] : chosen_)
            if (!declared_.contains(point)) unknown(at, point, "which the pipeline names");
    }

    void joins() {
        for (auto& [point, joins] : session_.registry.joins()) {
            bool is_reported = chosen_.contains(point) && !declared_.contains(point);
            if (!is_reported && !is_reachable(point) && !is_elsewhere(point)) joined_in_vain(point, joins);
        }
    }

private:
    bool is_loaded(const std::string& point) const { return session_.has_plugin(owner_of(point)); }
    /// It is declared, and in the pipeline that was chosen or in one of a plugin.
    bool is_reachable(const std::string& point) {
        if (!declared_.contains(point)) return false;
        return chosen_.contains(point) || points_of_plugins().contains(point);
    }
    const Points& points_of_plugins() {
        if (of_plugins_) return *of_plugins_;
        Finder finder(session_, of_plugins_.emplace());
        for (auto def : session_.plugin_annexes()) finder.interpret(def);
        return *of_plugins_;
    }
    /// A plugin that is not loaded declares it.
    bool is_elsewhere(const std::string& point) {
        auto manifest = is_loaded(point) ? nullptr : session_.manifests().plugin(owner_of(point));
        return manifest && manifest->has_extension_point(point);
    }

    /// Where the manifest of the owner cannot be read, that is the reason.
    bool has_bad_manifest(const std::string& owner) {
        auto& all = session_.manifests().bad();
        auto bad  = std::ranges::find(all, owner, &BadManifest::plugin);
        if (bad == all.end()) return false;
        session_.diags.report(Diag::bad_manifest, {}, {bad->path, bad->plugin, bad->problem});
        return true;
    }

    void joined_in_vain(const std::string& point, const std::vector<Join>& joins) {
        auto owner       = owner_of(point);
        bool is_declared = declared_.contains(point);
        if (!is_loaded(point) && has_bad_manifest(owner)) return;
        bool is_installed = is_loaded(point) || !session_.search.plugin(owner).empty();
        auto problem      = is_declared ? "is in no pipeline" : "is one of the plugin `" + owner + "`, which is not installed";
        for (auto& join : joins) {
            if (!is_declared && is_installed) unknown(join.at, point, "which the phase `" + join.phase + "` joins");
            else near(point, session_.diags.report(Diag::phase_never_runs, join.at, {join.phase, point, problem}));
        }
    }

    void unknown(Span at, const std::string& point, std::string who) {
        std::string all;
        for (auto& [name, _] : declared_) all += (all.empty() ? "`" : ", `") + name + "`";
        auto& d = session_.diags.report(Diag::unknown_extension_point, at, {point, std::move(who), all.empty() ? "none" : all});
        if (is_elsewhere(point)) d.note(Diag::needs_plugin, {}, {owner_of(point)});
        else near(point, d);
    }

    /// The name that was meant.
    void near(const std::string& point, Diagnostic& d) {
        if (declared_.contains(point)) return;
        Nearest nearest(point);
        for (auto& [name, _] : declared_) nearest.offer(name);
        for (auto& manifest : session_.manifests().all())
            for (auto& known : manifest.extension_points) nearest.offer(known.name);
        if (!nearest.best.empty()) d.note(Diag::did_you_mean, {}, {std::string(nearest.best)});
    }

    Session& session_;
    const std::map<std::string, std::string>& declared_;
    const Points& chosen_;
    std::optional<Points> of_plugins_; ///< those of plugins' pipelines, once asked for
};

} // namespace

bool check_extension_points(Session& session, const Def* pipeline) {
    Points chosen;
    Finder(session, chosen).interpret(pipeline);
    if (chosen.empty()) return true;
    bool has_default = session.has_plugin(default_pipeline_plugin());
    if (!has_default && !session.expression(kDefaultPipeline, "the default pipeline")) return false;
    auto errors = session.diags.num_errors();
    Check check(session, chosen);
    check.pipeline();
    check.joins();
    return session.diags.num_errors() == errors;
}

static std::string owner_of_phase(const std::string& phase) {
    auto dot = phase.find('.');
    return phase.substr(0, dot == phase.npos ? 0 : dot);
}

static std::string has_no_such_phase(const std::string& owner) {
    return (owner.empty() ? "Mim" : "the plugin `" + owner + "`") + " has no such phase";
}

/// Reports a wrong statement of the plugin about the phase that joins. `name` is the phase that it names, maybe
/// misspelt.
void OrderedPhases::fault(const Join& join, const std::string& name, const std::string& text) {
    auto& d = session_.diags.report(Diag::plugin_fault, join.at, {join.plugin, "the phase `" + join.phase + "` " + text});
    ok_     = false;
    if (session_.registry.phase(name)) return;
    Nearest nearest(name);
    for (auto& phase : session_.registry.phases()) nearest.offer(phase.phase.name);
    if (!nearest.best.empty()) d.note(Diag::did_you_mean, {}, {std::string(nearest.best)});
}

/// A plugin may let phases of others join.
bool OrderedPhases::check_phase(const Join& join) {
    if (session_.registry.phase(join.phase)) return true;
    auto owner     = owner_of_phase(join.phase);
    bool is_loaded = owner.empty() || session_.has_plugin(owner);
    auto why       = is_loaded ? has_no_such_phase(owner) : "the plugin `" + owner + "` is not loaded";
    fault(join, join.phase, "cannot join the extension point `" + join.point + "`: " + why);
    return false;
}

/// The extension points that the phase joins: "at the extension points `late` and `mid`".
static std::string points_of(const Registry& registry, const std::string& phase) {
    std::string all;
    size_t num = 0;
    for (auto& [point, joins] : registry.joins()) {
        if (std::ranges::find(joins, phase, &Join::phase) == joins.end()) continue;
        all += (num++ == 0 ? "`" : " and `") + point + "`";
    }
    if (num == 0) return "at no extension point";
    return (num == 1 ? "at the extension point " : "at the extension points ") + all;
}

/// Each name must be a phase of this extension point, or one of a plugin that is not loaded.
void OrderedPhases::check_names(const Join& join, const char* relation, const std::vector<std::string>& phases) {
    auto& registry = session_.registry;
    auto& joined   = registry.joins().at(join.point);
    for (auto& name : phases) {
        auto owner = owner_of_phase(name);
        auto text  = std::string("is to run ") + relation + " `" + name + "`";
        if (std::ranges::find(joined, name, &Join::phase) != joined.end()) continue;
        if (registry.phase(name))
            fault(join, name, "at the extension point `" + join.point + "` " + text + ", which is " + points_of(registry, name));
        else if (owner.empty() || session_.has_plugin(owner)) fault(join, name, text + ": " + has_no_such_phase(owner));
    }
}

void OrderedPhases::report(const std::string& point, const OrderCycle& cycle) {
    auto& d = session_.diags.report(Diag::order_cycle, {}, {point, cycle.text()});
    for (auto& s : cycle.statements) {
        if (s.is_before) d.note(Diag::stated_order, {}, {s.plugin, s.first, "before", s.second});
        else d.note(Diag::stated_order, {}, {s.plugin, s.second, "after", s.first});
    }
    ok_ = false;
}

const std::vector<std::string>& OrderedPhases::at(const std::string& point) {
    auto [found, is_new] = orders_.try_emplace(point);
    auto joined          = session_.registry.joins().find(point);
    if (!is_new || joined == session_.registry.joins().end()) return found->second;
    bool are_phases = true;
    for (auto& join : joined->second) {
        are_phases &= check_phase(join);
        check_names(join, "before", join.before);
        check_names(join, "after", join.after);
    }
    if (!are_phases) return found->second;
    auto order = session_.registry.order(point);
    for (auto& cycle : order.cycles) report(point, cycle);
    return found->second = std::move(order.phases);
}

} // namespace mim
