// SPDX-License-Identifier: MIT
#include "eval/fixed_parts.h"

#include <algorithm>

#include "base/worklist.h"
#include "ir/def_set.h"

namespace mim::eval {

namespace {

/// No type, and no universe.
bool is_value(const Def* def) {
    auto type = def->isa<Sort>() ? nullptr : def->type();
    return type && !type->isa<Sort>() && type->type() && type->type()->isa<Sort>();
}

/// Whether an operand is evaluated for the value that it is an operand of.
bool is_evaluated(const Def* op) { return op->isa<Tuple>() || op->isa<App>() || is_value(op); }

bool is_call(const Def* def) {
    auto app = def->isa<App>();
    if (!app || !is_value(app) || head_axiom(app)) return false;
    auto pi = app->callee()->type()->isa<Pi>();
    return pi && !app->callee()->isa<Idx>();
}

/// Code computes the elements, since they call something: so they ask for values by need.
bool is_filled(const Pack* pack) {
    Worklist<const Def*> todo{pack->body()};
    while (auto def = todo.next()) {
        if (is_call(def) || def->isa<Match>()) return true;
        if (def->isa<Lam>() || def->isa<Var>()) continue;
        for (auto op : def->ops())
            if (op && is_evaluated(op)) todo.push(op);
    }
    return false;
}

class Scan {
public:
    Scan(World& world, const Lam* lam)
        : world_(world)
        , lam_(lam) {}

    std::vector<PartPath> run() {
        add(lam_->body(), false);
        while (!todo_.empty()) {
            auto [def, is_in_type] = todo_.back();
            todo_.pop_back();
            visit(def, is_in_type);
        }
        return std::move(paths_);
    }

private:
    void add(const Def* def, bool is_in_type) {
        if (!def || is_closed(world_, def)) return;
        if ((is_in_type ? in_types_ : in_values_).insert(def)) todo_.emplace_back(def, is_in_type);
    }

    void visit(const Def* def, bool is_in_type) {
        if (is_part(def)) {
            if (is_in_type && is_value(def)) paths_.push_back(path_of(def));
            return add(def->type(), true);
        }
        if (def->isa<Var>()) return;
        add(def->type(), true);
        auto pack         = def->isa<Pack>();
        bool is_mentioned = is_in_type || (pack && pack->is_mut() && !is_filled(pack));
        for (auto op : def->ops())
            if (op) add(op, is_mentioned || !is_evaluated(op));
    }

    /// The function's variable, or a known part of it.
    bool is_part(const Def* def) {
        auto extract = def->isa<Extract>();
        while (extract && extract->index()->isa<Lit>()) {
            def     = extract->tuple();
            extract = def->isa<Extract>();
        }
        return def == lam_->var();
    }

    static PartPath path_of(const Def* def) {
        PartPath path;
        while (auto extract = def->isa<Extract>()) {
            path.push_back(extract->index()->as<Lit>()->value());
            def = extract->tuple();
        }
        std::ranges::reverse(path);
        return path;
    }

    World& world_;
    const Lam* lam_;
    DefSet in_types_, in_values_;
    std::vector<std::pair<const Def*, bool>> todo_;
    std::vector<PartPath> paths_;
};

} // namespace

const std::vector<PartPath>& FixedParts::of(const Lam* lam) {
    auto [i, is_new] = parts_.try_emplace(lam);
    if (is_new && lam->is_set() && is_value(lam->body())) i->second = Scan(world_, lam).run();
    return i->second;
}

} // namespace mim::eval
