// SPDX-License-Identifier: MIT
// What calls pass to functions that take some arguments by need: values, lazy values, or nothing (passing.h decides). See converter.h.
#include <algorithm>

#include "converter.h"

namespace mim::plug::direct {

/// A tuple of what `part` says for each leaf.
const Def* Converter::assemble(const Lam* lam, const PartOf& part, bool is_type) {
    auto& leaves = *facts_.leaves(lam);
    return assemble(leaves, 0, leaves.size(), 0, part, is_type);
}

const Def* Converter::assemble(const std::vector<Leaf>& leaves, size_t from, size_t to, size_t depth, const PartOf& part,
                               bool is_type) {
    if (leaves[from].path.size() == depth) return part(leaves[from]);
    std::vector<const Def*> elems;
    for (size_t next; from != to; from = next) {
        for (next = from + 1; next != to && leaves[next].path[depth] == leaves[from].path[depth];) ++next;
        elems.push_back(assemble(leaves, from, next, depth + 1, part, is_type));
        if (!elems.back()) return nullptr;
    }
    return is_type ? world_.sigma(elems) : world_.tuple(elems);
}

/// Of what is not passed, the type may mention a value that nobody evaluates.
const Def* Converter::worker_type(const Lam* lam) {
    auto part = [&](const Leaf& leaf) {
        if (leaf.is_lazy() && !leaf.is_used) return world_.unit_type();
        auto type = rewrite(leaf.def->type());
        return leaf.is_lazy() ? make_lazy_type(world_, type) : type;
    };
    return world_.fn(assemble(lam, part, true), rewrite(lam->pi()->codom()));
}

const Def* Converter::done(const Leaf& leaf, const Def* value) {
    return world_.app(world_.app(world_.annex(direct::done(0)), rewrite(leaf.def->type())), value);
}

/// Whether def is the variable or a part of it. An element of a singleton type is none: it is the value that the type names.
static bool is_part_of_variable(const Def* def, const Def* var) {
    while (auto extract = def->isa<Extract>()) def = extract->tuple();
    return def == var;
}

/// Binds the variable of `lam`, and its leaves, to what `arg`, of the worker's type, holds.
void Converter::bind_leaves(const Lam* lam, const Def* arg) {
    for (auto& leaf : *facts_.leaves(lam)) {
        auto part = facts_.part(arg, leaf);
        if (!is_part_of_variable(leaf.def, lam->var()) || (leaf.is_lazy() && !leaf.is_used)) continue;
        if (leaf.is_lazy()) cells_[leaf.def] = part, part = make_force(world_, part);
        bind(leaf.def, part);
    }
    bind_parts(lam->var(), lam->var());
}

/// Binds the tuple `def`, a part of `var`, if all its leaves are bound.
bool Converter::bind_parts(const Def* def, const Def* var) {
    if (facts_.isa_leaf(def)) return env_.contains(def);
    std::vector<const Def*> elems;
    for (int64_t i = 0, n = lit_arity(world_, def->type()); i != n; ++i) {
        auto elem = world_.extract(def, uint64_t(i));
        if (!is_part_of_variable(elem, var)) elems.push_back(rewrite(elem));
        else elems.push_back(bind_parts(elem, var) ? env_[elem] : nullptr);
    }
    if (std::find(elems.begin(), elems.end(), nullptr) != elems.end()) return false;
    bind(def, world_.coerce(rewrite(def->type()), world_.tuple(elems)));
    return true;
}

/// What the call, vertex i, of a function that takes some arguments by need passes.
const Def* Converter::pass(uint32_t i, const Lam* callee, const Def* arg, delay where) {
    std::vector<uint32_t> delays;
    for (auto s : (*uses_)[i].succs)
        if ((*uses_)[s].kind == Vertex::Delay) delays.push_back(s);
    auto next = delays.begin();
    return assemble(callee, [&](const Leaf& leaf) {
        if (!leaf.is_lazy()) return rewrite(facts_.part(arg, leaf));
        return leaf.is_used ? suspend(*next++, where) : world_.unit();
    });
}

/// The argument of vertex d as a lazy value.
const Def* Converter::suspend(uint32_t d, delay where) {
    auto expr  = (*uses_)[d].def;
    auto& leaf = *(*uses_)[d].leaf;
    auto type  = rewrite(leaf.def->type());
    if (auto outer = facts_.isa_leaf(expr); outer && outer->is_lazy() && rewrite(expr->type()) == type) return cells_[expr];
    if (is_ready(d)) return done(leaf, rewrite(expr));
    auto code = new_lam(world_.cn(world_.cn(type)));
    context(d, code, expr, code->var());
    return make_delay(world_, where, code);
}

/// Whether all that the argument of vertex d must wait for has been evaluated.
bool Converter::is_ready(uint32_t d) {
    for (auto i : uses_->enter(d))
        if ((*uses_)[i].kind != Vertex::Control || !env_.contains((*uses_)[i].def)) return false;
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> todo{(*uses_)[d].def};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (facts_.is_speculatable(def) || facts_.is_effect(def) || !seen.insert(def).second) continue;
        if (cells_.contains(def)) return false;
        if (facts_.is_control(def)) continue;
        if (!facts_.is_cheap(def)) return false;
        run_time_ops(def, todo);
    }
    return true;
}

} // namespace mim::plug::direct
