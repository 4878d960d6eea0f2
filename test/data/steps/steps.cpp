// SPDX-License-Identifier: MIT
// Registers phases that do nothing, as the file `registers` in the folder of its data says:
//
//     phase NAME
//     join POINT PHASE before PHASE after PHASE
//     point NAME
//
// test/driver/files/steps makes plugins with other names of it.
#include <fstream>
#include <sstream>

#include "driver/plugin.h"

using namespace mim;

namespace {

void join(PluginBuilder& p, std::istringstream& words) {
    std::string point, phase, relation, other;
    words >> point >> phase;
    auto join = p.join(point, phase);
    while (words >> relation >> other) relation == "before" ? join.before(other) : join.after(other);
}

void init(PluginBuilder& p) {
    std::ifstream file(p.folder() + "/registers");
    for (std::string line, kind, name; std::getline(file, line);) {
        std::istringstream words(line);
        words >> kind;
        if (kind == "join") {
            join(p, words);
            continue;
        }
        words >> name;
        if (kind == "phase") p.phase(name, "nothing", [](PhaseContext&) {});
        else p.extension_point(name, "one of a file");
    }
}

} // namespace

MIM_PLUGIN(steps, init)
