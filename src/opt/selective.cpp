// SPDX-License-Identifier: MIT
#include "opt/selective.h"

#include <algorithm>

namespace mim::opt {

namespace {

/// Everything that a node is made of: operands, and its type where that does not follow from them. A variable is made of nothing.
template<class F>
void each_part(const Def* def, F f) {
    if (def->node() == Node::Var) return;
    for (auto op : def->ops())
        if (op) f(op);
    switch (def->node()) {
        case Node::Lit:
        case Node::Axm:
        case Node::Inj:
        case Node::Lam: f(def->type()); break;
        default: break;
    }
}

} // namespace

void SelectiveRewriter::set_mark(const Def* def, Mark mark) {
    if (def->id() >= marks_.size()) marks_.resize(std::max<size_t>(def->id() + 1, marks_.size() * 2), Unknown);
    marks_[def->id()] = mark;
}

void SelectiveRewriter::search() {
    auto reach = [&](const Def* def) {
        if (mark(def) != Unknown) return;
        set_mark(def, Clean);
        reached_.push_back(def);
    };
    for (auto& e : world().externals()) reach(e.lam);
    for (size_t i = 0; i < reached_.size(); ++i) each_part(reached_[i], reach);
    // Asked in a second pass: wants() may make nodes, which are not part of the program.
    for (auto def : reached_)
        if (wants(def)) wanted_.push_back(def);
}

/// Dirty is what is wanted, all that mentions something dirty, and the variable of a dirty binder, since the copy has its own.
void SelectiveRewriter::spread() {
    std::vector<uint32_t> first(marks_.size() + 1, 0);
    for (auto def : reached_) each_part(def, [&](const Def* part) { ++first[part->id() + 1]; });
    for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<const Def*> users(first.back());
    auto next = first;
    for (auto def : reached_) each_part(def, [&](const Def* part) { users[next[part->id()]++] = def; });
    auto work = std::move(wanted_);
    for (auto def : work) set_mark(def, Dirty);
    auto dirty = [&](const Def* def) {
        if (mark(def) == Clean) set_mark(def, Dirty), work.push_back(def);
    };
    while (!work.empty()) {
        auto def = work.back();
        work.pop_back();
        if (def->var()) dirty(def->var());
        for (auto i = first[def->id()]; i < first[def->id() + 1]; ++i) dirty(users[i]);
    }
}

bool SelectiveRewriter::run() {
    search();
    if (wanted_.empty()) return false;
    spread();
    auto externals = world().externals();
    for (auto& e : externals)
        if (auto lam = rewrite(e.lam); lam != e.lam) world().replace_external(e.name, lam->as_mut<Lam>());
    return true;
}

const Def* SelectiveRewriter::rewrite_mut(const Def* def) {
    auto copy = Rewriter::rewrite_mut(def);
    map(copy, copy);
    return copy;
}

} // namespace mim::opt
