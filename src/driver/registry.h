// SPDX-License-Identifier: MIT
// The tables that plugins fill: axiom descriptors, phases and the extension points they joined. A session owns one; it only grows, and the
// descriptors have stable addresses, since the graph points at them.
#pragma once
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driver/annexes.h"
#include "driver/ends.h"
#include "driver/join.h"
#include "driver/order.h"
#include "phase/phase.h"

namespace mim {

/// Where a phase comes from, for messages: `the plugin `core`` or Mim itself.
struct RegisteredPhase {
    Phase phase;
    std::string plugin; ///< empty: Mim's own
};

struct RegisteredFrontEnd {
    std::string extension; ///< without the dot
    FrontEnd read;
    std::string plugin;
};

struct RegisteredBackEnd {
    std::string name, suffix, summary;
    BackEnd make;
    std::string plugin;
};

class Registry {
public:
    /// Makes the descriptors of the tag's axiom, one for each subtag.
    void declare(const AnnexTag&, SymbolTable&);
    /// `%p.tag` → the descriptors of all its subtags; `%p.tag.sub` (or an alias) → that one. Empty if unknown.
    std::vector<Axiom*> find(std::string_view name) const;
    /// The descriptor of exactly this annex name; null if unknown.
    Axiom* axiom(std::string_view name) const;

    const std::deque<Axiom>& axioms() const { return axioms_; }

    /// False if there is a phase of this name already.
    bool add_phase(RegisteredPhase);
    const RegisteredPhase* phase(std::string_view name) const;
    const std::deque<RegisteredPhase>& phases() const { return phases_; }
    /// A plugin declares an extension point of pipelines.
    void add_extension_point(const std::string& name, const std::string& plugin) { extension_points_.emplace(name, plugin); }
    /// All of them, with the plugins that declare them.
    const std::map<std::string, std::string>& extension_points() const { return extension_points_; }
    void join(Join);
    /// All extension points that phases joined, with these; they are sorted by their plugins.
    const std::map<std::string, std::vector<Join>>& joins() const { return joins_; }
    /// The declarations of a plugin name another one.
    void add_foundation(const std::string& plugin, const std::string& other) { builds_on_[plugin].insert(other); }
    /// The order of the phases at an extension point.
    PhaseOrder order(const std::string& point) const;

    /// False if there is one for this extension (of this name) already.
    bool add_front_end(RegisteredFrontEnd);
    bool add_back_end(RegisteredBackEnd);
    const RegisteredFrontEnd* front_end(std::string_view extension) const;
    const RegisteredBackEnd* back_end(std::string_view name) const;
    const std::deque<RegisteredBackEnd>& back_ends() const { return back_ends_; }

    /// The libraries of a plugin, where they stay.
    const std::vector<RuntimeLibrary>& add_libraries(std::vector<RuntimeLibrary> libraries) {
        return libraries_.emplace_back(std::move(libraries));
    }
    /// Null if no plugin has one.
    const CollectorRuntime* collector() const { return collector_ ? &*collector_ : nullptr; }
    void set_collector(CollectorRuntime runtime) { collector_ = std::move(runtime); }

private:
    std::deque<Axiom> axioms_;
    std::unordered_map<std::string, std::vector<Axiom*>> by_tag_; ///< without subtag
    std::unordered_map<std::string, Axiom*> by_name_;
    std::deque<RegisteredPhase> phases_;
    std::map<std::string, std::string> extension_points_;
    std::map<std::string, std::vector<Join>> joins_;
    BuildsOn builds_on_;
    std::deque<RegisteredFrontEnd> front_ends_;
    std::deque<RegisteredBackEnd> back_ends_;
    std::deque<std::vector<RuntimeLibrary>> libraries_;
    std::optional<CollectorRuntime> collector_;
};

} // namespace mim
