// SPDX-License-Identifier: MIT
// One traversal makes the regions of all binders. All variables that a node mentions are bound around each other, so that the innermost one
// says to which region it belongs, and the region of each of the binders around it is known while it is entered: what a node mentions of
// an outer region is mentioned there by the function that is around the node. That is linear in the graph and its sets of free variables.
#include "sema/region.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/components.h"

namespace mim {

bool Regions::is_atom(const Def* def) {
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

Regions::Regions(World& world, const std::unordered_set<const Def*>& bound, const Def* var, Defs roots, Defs first)
    : world_(world)
    , var_(var) {
    for (auto outer : bound) depths_.emplace(outer, 0);
    auto& here = regions_[nullptr];
    for (auto root : first) walk(root, nullptr);
    here.num_first = here.order.size();
    for (auto root : roots) walk(root, nullptr);
}

Regions::Home Regions::home(const Def* def) {
    auto vars = free_vars(world_, def);
    if (auto it = homes_.find(vars.data()); it != homes_.end()) return it->second;
    Home innermost;
    for (auto var : vars)
        if (auto d = depth(var); d > innermost.depth) innermost = {var, d};
    return homes_[vars.data()] = innermost;
}

uint32_t Regions::depth(const Def* var) {
    if (auto it = depths_.find(var); it != depths_.end()) return it->second;
    return depths_[var] = home(var->as<Var>()->binder()).depth + 1;
}

/// Nodes on a path that are printed in each other. The reader takes 30,000 brackets (E003), and a node has up to three.
static constexpr uint32_t MaxNesting = 2000;

/// `def` is part of the text of `user`; null: of the place, or of the binder whose variable `def` mentions. Returns how deeply the text
/// nests in there.
uint32_t Regions::walk(const Def* def, const Position* user) {
    if (var_ && !is_free_in(world_, var_, def)) return 0;
    // C functions and axioms of the program itself are declared by the file
    if (is_atom(def) && (var_ || def->node() != Node::Axm || !is_own(def->as<Axm>()->axiom()))) return 0;
    auto [it, fresh] = positions_.try_emplace(def);
    if (fresh) {
        auto [var, depth] = home(def);
        auto& region      = regions_[var];
        it->second        = {&region, static_cast<uint32_t>(region.vertices.size()), depth};
        region.vertices.push_back({def});
    } else {
        ++it->second.region->vertices[it->second.vertex].uses;
    }
    auto here = it->second;
    connect(user, here);
    if (!fresh) return here.region->vertices[here.vertex].nesting;
    auto nesting = enter(def, here) + 1;
    auto& vertex = here.region->vertices[here.vertex];
    vertex.post  = static_cast<uint32_t>(here.region->order.size());
    here.region->order.push_back(here.vertex);
    vertex.is_deep = nesting > MaxNesting;
    Item::Kind kind;
    return vertex.nesting = is_item(vertex, kind) ? 0 : nesting;
}

void Regions::connect(const Position* user, const Position& to) {
    if (!user || user->depth < to.depth) return;
    auto from = user->region == to.region ? user->vertex : around(to.depth + 1);
    if (from != None) to.region->vertices[from].edges.push_back(to.vertex);
}

uint32_t Regions::enter(const Def* def, const Position& here) {
    uint32_t nesting = 0;
    auto go_on       = [&](const Def* part) { nesting = std::max(nesting, walk(part, &here)); };
    if (auto match = def->isa<Match>()) {
        go_on(match->scrutinee());
        for (auto arm : match->arms()) {
            go_on(arm->type()->as<Pi>()->dom());
            if (is_inline_arm(world_, arm)) {
                nesting = std::max(nesting, enter_arm(arm->as<Lam>(), here));
                continue;
            }
            auto call = known_call(world_, arm);
            go_on(call ? call : arm);
        }
        return nesting;
    }
    auto var = def->var();
    if (!var || !var->isa<Var>()) {
        children(world_, def, go_on);
        return nesting;
    }
    note_body(def, var);
    auto outer = std::exchange(around(here.depth + 1), here.vertex);
    children(world_, def, go_on);
    around(here.depth + 1) = outer;
    return nesting;
}

void Regions::note_body(const Def* binder, const Def* var) {
    auto lam        = binder->isa<Lam>();
    bool is_in_body = !binder->isa<Sigma>() && !(lam && lam->op(0) && is_free_in(world_, var, lam->op(0)));
    if (lam && !lam->is_cn()) is_in_body = is_in_body && !is_free_in(world_, var, codom(world_, lam));
    auto [it, fresh] = bodies_.try_emplace(var, is_in_body ? binder->ops().back() : nullptr);
    if (!fresh) it->second = nullptr;
}

/// The arm may be less deep than what it is an arm of, and is part of its text.
uint32_t Regions::enter_arm(const Lam* arm, const Position& match) {
    auto var = arm->var();
    if (!var->isa<Var>()) return walk(arm->body(), &match);
    auto place       = depth(var);
    auto [it, fresh] = bodies_.try_emplace(var, arm->body());
    if (!fresh) {
        it->second = nullptr;
        count_again(arm->body(), place);
    }
    auto outer = around(place);
    if (place == match.depth + 1) around(place) = match.vertex;
    auto nesting  = walk(arm->body(), home(arm->body()).var == var ? nullptr : &match);
    around(place) = outer;
    return nesting;
}

/// The text of an arm that several matches share is printed for each of them: it uses each node of the regions around it once more.
void Regions::count_again(const Def* def, uint32_t place) {
    auto it = positions_.find(def);
    if (it == positions_.end()) return;
    auto& position = it->second;
    if (position.depth < place) {
        ++position.region->vertices[position.vertex].uses;
        return;
    }
    auto& counted = counted_again_[def];
    if (counted >= place) return;
    counted = place;
    children(world_, def, [&](const Def* part) { count_again(part, place); });
}

bool Regions::is_big(const Def* def, size_t& budget) {
    if (is_atom(def)) return false;
    if (def->is_mut() || budget-- == 0) return true;
    bool big = false;
    children(world_, def, [&](const Def* d) { big = big || is_big(d, budget); });
    return big;
}

bool Regions::is_item(const Vertex& vertex, Item::Kind& kind) {
    static constexpr size_t Small = 3;
    size_t budget                 = Small;
    auto def                      = vertex.def;
    if (def->isa<Lam>()) kind = Item::Fun;
    else if (def->isa<Axm>()) kind = Item::Axm;
    else if ((def->isa<Sigma>() || def->isa<Pi>() || def->isa<App>()) && def->is_mut() && is_recursive(world_, def))
        kind = Item::Rec;
    else if (vertex.is_deep || (vertex.uses > 1 && is_big(def, budget))) kind = Item::Let;
    else return false;
    return true;
}

/// Definitions that depend on each other are declared together. A vertex is known by its place in the order of its
/// region.
class Regions::Search {
public:
    Search(Regions& regions, const Region& region)
        : regions_(regions)
        , region_(region) {
        for (auto v : region.order) {
            auto& edges = edges_.emplace_back(region.vertices[v].edges);
            for (auto& to : edges) to = region.vertices[to].post;
        }
    }

    Order run() {
        auto succs         = [&](uint32_t place) { return std::span(edges_[place]); };
        auto component     = components(edges_.size(), succs);
        uint32_t num_first = 0;
        for (size_t i = 0; i != region_.num_first; ++i) num_first = std::max(num_first, component[i] + 1);
        auto groups = members(component);
        for (size_t i = 0; i != groups.size(); ++i) {
            if (i == num_first) order_.num_first = order_.components.size();
            declare(groups[i]);
        }
        if (num_first == groups.size()) order_.num_first = order_.components.size();
        return std::move(order_);
    }

private:
    void declare(const std::vector<uint32_t>& group) {
        bool is_recursive = group.size() > 1 || std::ranges::count(edges_[group[0]], group[0]) != 0;
        Component component;
        for (auto place : group) {
            auto& vertex = region_.vertices[region_.order[place]];
            Item item{vertex.def, Item::Let};
            if (!regions_.is_item(vertex, item.kind)) continue;
            component.push_back(item);
            if (is_recursive) order_.recursive.insert(item.def);
        }
        if (!component.empty()) order_.components.push_back(std::move(component));
    }

    Regions& regions_;
    const Region& region_;
    std::vector<std::vector<uint32_t>> edges_; ///< by place
    Order order_;
};

Regions::Order Regions::order(const Def* var) {
    auto it = regions_.find(var);
    return it == regions_.end() ? Order{} : Search(*this, it->second).run();
}

} // namespace mim
