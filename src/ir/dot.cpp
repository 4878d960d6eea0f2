// SPDX-License-Identifier: MIT
#include "ir/dot.h"

#include <unordered_set>
#include <vector>

#include "ir/world.h"

namespace mim {

namespace {

std::string label(World& world, const Def* def) {
    auto text = std::string(node_name(def->node()));
    if (auto lit = def->isa<Lit>()) text = lit->is_2_64() ? "2^64" : std::to_string(lit->value());
    if (auto axm = def->isa<Axm>()) text = axm->axiom().name.str();
    if (auto sort = def->isa<Sort>()) text = "Sort " + std::to_string(sort->level());
    if (auto name = world.notes.name(def)) text += " " + name.str();
    std::string out;
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string id(const Def* def) { return "n" + std::to_string(def->id()); }

} // namespace

std::string dot(World& world) {
    std::string out = "digraph mim {\n    node [shape=ellipse fontname=monospace];\n";
    std::vector<const Def*> work;
    std::unordered_set<const Def*> done;
    auto reach = [&](const Def* def) {
        if (def && done.insert(def).second) work.push_back(def);
    };
    for (auto& e : world.externals) reach(e.lam);
    for (size_t i = 0; i < work.size(); ++i) {
        auto def = work[i];
        out += "    " + id(def) + " [label=\"" + label(world, def) + "\"" + (def->is_mut() ? " shape=box" : "") + "];\n";
        bool is_var = def->node() == Node::Var;
        for (size_t j = 0; j < def->num_ops(); ++j) {
            auto op = def->op(j);
            if (!op) continue;
            reach(op);
            out += "    " + id(def) + " -> " + id(op) + " [label=" + std::to_string(j) + (is_var ? " style=dotted" : "") + "];\n";
        }
    }
    return out + "}\n";
}

} // namespace mim
