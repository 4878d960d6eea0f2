// SPDX-License-Identifier: MIT
// The extension points of pipelines: plugins declare them, pipelines have them by `%compile.place`, phases of other plugins join them. Here
// the three are compared, and the phases of one are put into their order.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "driver/session.h"

namespace mim {

/// Reports an extension point that the pipeline has or that a phase joins, and that no plugin declares; warns of phases that no pipeline
/// reaches. Loads the default pipeline if the pipeline has extension points: its own would be empty without the plugins that come with
/// it. False after an error.
bool check_extension_points(Session&, const Def* pipeline);

/// The phases at extension points, which are ordered when they are asked for first.
class OrderedPhases {
public:
    explicit OrderedPhases(Session& session)
        : session_(session) {}
    /// Their names; nothing, after a report, if they cannot be put in order.
    const std::vector<std::string>& at(const std::string& point);
    bool ok() const { return ok_; }

private:
    bool check_phase(const Join&);
    void check_names(const Join&, const char* relation, const std::vector<std::string>& phases);
    void fault(const Join&, const std::string& name, const std::string& text);
    void report(const std::string& point, const OrderCycle&);

    Session& session_;
    std::map<std::string, std::vector<std::string>> orders_;
    bool ok_ = true;
};

} // namespace mim
