// SPDX-License-Identifier: MIT
#include "ir/dump.h"

#include <unordered_set>

namespace mim {

namespace {

constexpr unsigned MaxBriefDepth = 4; ///< of a brief expression
constexpr size_t MaxShown        = 8;

std::string ref(World& w, const Def* d) {
    if (!d) return "?";
    auto name = w.notes.name(d);
    return std::string(name.view()) + "#" + std::to_string(d->id());
}

std::string lit(const Def* d) {
    auto l = d->as<Lit>();
    if (l->is_2_64()) return "i64";
    auto text = std::to_string(l->value());
    auto size = isa_idx(d->type());
    if (auto n = size ? isa_lit(size) : nullptr) text += "_" + std::to_string(n->value());
    return text;
}

/// Leaves that say all by their name.
bool is_atom(const Def* d) {
    switch (d->node()) {
        case Node::Sort:
        case Node::Bot:
        case Node::Top:
        case Node::Nat:
        case Node::Idx:
        case Node::Lit:
        case Node::Axm: return true;
        default: return false;
    }
}

std::string leaf(const Def* d) {
    switch (d->node()) {
        case Node::Sort: return "Sort " + std::to_string(d->as<Sort>()->level());
        case Node::Lit: return lit(d);
        case Node::Axm: return d->as<Axm>()->axiom().name.str();
        default: return std::string(node_name(d->node()));
    }
}

std::string short_text(World& w, const Def* d, unsigned depth);

std::string list(World& w, Defs ops, unsigned depth) {
    std::string text;
    for (size_t i = 0; i < ops.size() && i < MaxShown; ++i) text += (i ? ", " : "") + short_text(w, ops[i], depth);
    return ops.size() > MaxShown ? text + ", …" : text;
}

std::string short_text(World& w, const Def* d, unsigned depth) {
    if (!d) return "?";
    if (is_atom(d)) return leaf(d);
    if (d->node() == Node::Var) return w.notes.name(d).empty() ? "var of " + ref(w, d->op(0)) : w.notes.name(d).str();
    if (d->is_mut() || depth == 0) return ref(w, d);
    auto sub = [&](size_t i) { return short_text(w, d->op(i), depth - 1); };
    switch (d->node()) {
        case Node::App: {
            auto arg = d->op(1)->node();
            return sub(0) + (arg == Node::App ? " (" + sub(1) + ")" : " " + sub(1));
        }
        case Node::Pi: return "[" + sub(0) + "] → " + sub(1);
        case Node::Tuple: return "(" + list(w, d->ops(), depth - 1) + ")";
        case Node::Sigma: return "[" + list(w, d->ops(), depth - 1) + "]";
        case Node::Arr: return "«" + sub(0) + "; " + sub(1) + "»";
        case Node::Pack: return "‹" + sub(0) + "; " + sub(1) + "›";
        case Node::Extract: return (d->op(0)->node() == Node::App ? "(" + sub(0) + ")" : sub(0)) + "#" + sub(1);
        default: return std::string(node_name(d->node())) + " (" + list(w, d->ops(), depth - 1) + ")";
    }
}

std::string line(World& w, const Def* d) {
    auto text = ref(w, d) + " = " + std::string(node_name(d->node()));
    if (d->has(Def::Implicit)) text += " implicit";
    if (is_atom(d)) text += " " + leaf(d);
    if (!d->is_set()) text += " unset";
    if (d->is_unstable()) text += " unstable";
    for (auto op : d->ops()) text += " " + (op && is_atom(op) ? leaf(op) : ref(w, op));
    auto type = d->type();
    return text + " : " + (type && is_atom(type) ? leaf(type) : ref(w, type)) + "\n";
}

class Dumper {
public:
    explicit Dumper(World& world)
        : world_(world) {}

    /// Operands and type before the node, where no binder is in between.
    void add(const Def* root) {
        std::vector<std::pair<const Def*, bool>> stack{{root, false}};
        while (!stack.empty()) {
            auto [d, done] = stack.back();
            stack.pop_back();
            if (done) {
                text += line(world_, d);
                continue;
            }
            if (!d || is_atom(d) || !seen_.insert(d).second) continue;
            stack.push_back({d, true});
            if (d->node() != Node::Var) stack.push_back({d->type(), false});
            for (size_t i = d->num_ops(); i-- > 0;) stack.push_back({d->op(i), false});
        }
    }

    std::string text;

private:
    World& world_;
    std::unordered_set<const Def*> seen_;
};

} // namespace

std::string dump(World& world, const Def* def) {
    Dumper dumper(world);
    dumper.add(def);
    return dumper.text;
}

std::string dump(World& world) {
    Dumper dumper(world);
    for (auto& external : world.externals) {
        dumper.add(external.lam);
        dumper.text += "extern " + external.name.str() + " = " + ref(world, external.lam) + "\n";
    }
    return dumper.text;
}

std::string brief(World& world, const Def* def) { return short_text(world, def, MaxBriefDepth); }

std::string to_string(World& world, const Violation& v) {
    DiagArgs args;
    for (auto& arg : v.args) {
        auto text = std::get_if<std::string>(&arg);
        args.push_back(text ? *text : brief(world, std::get<const Def*>(arg)));
    }
    auto res = message(v.id, args);
    if (v.lam) res += " (in " + ref(world, v.lam) + ")";
    return res;
}

} // namespace mim
