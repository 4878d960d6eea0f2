// SPDX-License-Identifier: MIT
// A pipeline is a Mim expression over axioms that register a PipelineOp. Interpreting it calls the PipelineOp of the head axiom,
// which says here what it stands for; nothing in the compiler knows the names of these axioms.
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>

#include "ir/world.h"

namespace mim {

class PipelineBuilder {
public:
    virtual ~PipelineBuilder() = default;

    virtual World& world() = 0;
    /// Appends the registered phase of this name; an unknown one is reported.
    virtual void phase(std::string_view name) = 0;
    /// Appends the phases at this extension point, in the order that plugins stated.
    virtual void extension_point(std::string_view name) = 0;
    /// Appends `body` (which appends its phases when it is called), to be repeated until it changes nothing, at most `limit` times.
    virtual void repeat(uint64_t limit, const std::function<void()>& body) = 0;
    /// Whether the plugin of this name is loaded.
    virtual bool has_plugin(std::string_view name) = 0;
    /// Appends what the expression of a pipeline type stands for; one that is no application of such an axiom is reported.
    virtual void interpret(const Def* pipeline) = 0;
};

} // namespace mim
