// SPDX-License-Identifier: MIT
// One traversal finds the items of a region; it only enters what depends on the region's variable, so all regions together cost
// as much as the free variables of all nodes.
#include "sema/region.h"

#include <algorithm>

namespace mim {

bool Region::is_atom(const Def* def) {
    switch (def->node()) {
        case Node::Sort:
        case Node::Bot:
        case Node::Top:
        case Node::Nat:
        case Node::Idx:
        case Node::Var: return true;
        case Node::Axm: return true;
        case Node::Tuple: return def->num_ops() == 0;
        case Node::Sigma: return def->num_ops() == 0;
        case Node::Lit: {
            auto size = isa_idx(def->type());
            return def->type()->node() == Node::Nat || (size && size->isa<Lit>());
        }
        case Node::App: {
            auto size = isa_idx(def);
            return size && size->isa<Lit>();
        }
        case Node::Extract: return isa_lit(def->op(1)) && is_atom(def->op(0)) && def->op(0)->node() != Node::Axm;
        default: return false;
    }
}

bool Region::depends(const Def* def) { return !var_ || world_.is_free_in(var_, def); }

bool Region::is_home(const Def* def) {
    auto vars        = world_.free_vars(def);
    auto [it, fresh] = unbound_.try_emplace(vars.data());
    if (fresh) {
        auto v = std::ranges::find_if(vars, [&](auto v) { return !bound_.contains(v); });
        if (v != vars.end()) it->second = *v;
    }
    return !it->second;
}

void Region::collect(const Def* def) {
    if (!depends(def)) return;
    if (is_atom(def)) {
        // C functions and axioms of the program itself are declared by the file
        if (var_ || def->node() != Node::Axm || !is_own(def->as<Axm>()->axiom())) {
            if (def->node() == Node::Extract) collect(def->op(0));
            return;
        }
    }
    bool home = is_home(def);
    if (home && ++uses_[def] > 1) return;
    if (!home && !seen_.insert(def).second) return;
    children(world_, def, [this](const Def* d) { collect(d); });
    if (home) post_order_.push_back(def);
}

bool Region::is_big(const Def* def, size_t& budget) {
    if (is_atom(def)) return false;
    if (def->is_mut() || budget-- == 0) return true;
    bool big = false;
    children(world_, def, [&](const Def* d) { big = big || is_big(d, budget); });
    return big;
}

bool Region::is_item(const Def* def, Item::Kind& kind) {
    static constexpr size_t Small = 3;
    size_t budget                 = Small;
    if (def->isa<Lam>()) kind = Item::Fun;
    else if (def->isa<Axm>()) kind = Item::Axm;
    else if (def->isa<Sigma>() && def->is_mut() && world_.is_recursive(def)) kind = Item::Rec;
    else if (uses_[def] > 1 && is_big(def, budget)) kind = Item::Let;
    else return false;
    return true;
}

void Region::edges_from(const Def* def, uint32_t from, std::vector<uint32_t>& to) {
    if (!depends(def)) return;
    if (auto it = index_.find(def); it != index_.end()) return to.push_back(it->second);
    if (is_atom(def) && def->node() != Node::Extract) return;
    if (auto [it, fresh] = stamp_.try_emplace(def, from); !fresh) {
        if (it->second == from) return;
        it->second = from;
    }
    children(world_, def, [&](const Def* d) { edges_from(d, from, to); });
}

void Region::find_edges() {
    states_.resize(items_.size());
    for (uint32_t i = 0; i < items_.size(); ++i) {
        auto& edges = states_[i].edges;
        children(world_, items_[i].def, [&](const Def* d) { edges_from(d, i, edges); });
    }
}

void Region::visit(uint32_t i, Order& order) {
    auto& s = states_[i];
    s.index = s.low = ++count_;
    s.on_stack      = true;
    stack_.push_back(i);
    bool self = false;
    for (auto j : s.edges) {
        self |= j == i;
        if (!states_[j].index) {
            visit(j, order);
            s.low = std::min(s.low, states_[j].low);
        } else if (states_[j].on_stack) {
            s.low = std::min(s.low, states_[j].index);
        }
    }
    if (s.low != s.index) return;
    std::vector<uint32_t> members;
    for (uint32_t j = ~0u; j != i;) {
        j = stack_.back();
        stack_.pop_back();
        states_[j].on_stack = false;
        members.push_back(j);
    }
    std::sort(members.begin(), members.end());
    auto& component = order.components.emplace_back();
    for (auto j : members) {
        component.push_back(items_[j]);
        if (self || members.size() > 1) order.recursive.insert(items_[j].def);
    }
}

Region::Order Region::run(const Def* var, Defs roots, Defs first) {
    var_ = var;
    for (auto root : first) collect(root);
    auto num_nodes = post_order_.size();
    for (auto root : roots) collect(root);
    size_t num_items = 0; // of the first roots
    for (size_t i = 0; i < post_order_.size(); ++i) {
        auto def = post_order_[i];
        if (i == num_nodes) num_items = items_.size();
        Item item{def, Item::Let};
        if (!is_item(def, item.kind)) continue;
        index_.emplace(def, static_cast<uint32_t>(items_.size()));
        items_.push_back(item);
    }
    find_edges();
    Order order;
    if (num_nodes == post_order_.size()) num_items = items_.size();
    for (uint32_t i = 0; i < items_.size(); ++i) {
        if (i == num_items) order.num_first = order.components.size();
        if (!states_[i].index) visit(i, order);
    }
    if (num_items == items_.size()) order.num_first = order.components.size();
    return order;
}

} // namespace mim
