// SPDX-License-Identifier: MIT
#include "ir/apart.h"

#include <algorithm>

namespace mim {

/*
 * places
 */

namespace {

/// Of an array whose elements differ so many are looked at.
constexpr uint64_t max_elements = 1 << 16;

const Lit* isa_length(const Def* type) {
    auto arr = type->isa<Arr>();
    return arr && arr->is_set() ? isa_lit(arr->arity()) : nullptr;
}

/// The number of elements that a tuple or a pack spells out; 0 if it does not.
uint64_t num_elements(const Def* value) {
    if (value->isa<Tuple>()) return value->num_ops();
    auto pack = value->isa<Pack>();
    auto n    = pack && pack->is_set() ? isa_lit(pack->arity()) : nullptr;
    return n ? n->value() : 0;
}

const Def* element(World& w, const Def* value, uint64_t i) {
    if (value->isa<Tuple>()) return value->op(i);
    auto pack = value->as<Pack>();
    return pack->var() ? w.subst(pack->body(), pack->var(), w.lit_idx(pack->arity(), i)) : pack->body();
}

/// The argument of the group with this number.
const Def* argument(const Def* type, uint64_t group) {
    for (auto n = num_groups(type) - 1; n != group; --n) type = type->as<App>()->callee();
    return type->as<App>()->arg();
}

} // namespace

Spot Apart::type(const Def* def) {
    auto sing = def ? def->isa<Sing>() : nullptr; // null: a binder under construction
    return sing ? Spot{sing->value(), Spot::Value} : Spot{def, Spot::Type};
}

Head Apart::axiom_head(const Axm* axm) {
    auto& axiom = axm->axiom();
    if (axiom.kind != Axiom::Op || axiom.normalizer || world_.rules.has(&axiom)) return {};
    axioms.insert(&axiom);
    return {Head::Axiom, axm->id()};
}

Head Apart::type_head(const Def* type) {
    switch (type->node()) {
        case Node::Sort: return {Head::Sort};
        case Node::Bot: return {Head::Bot};
        case Node::Nat: return {Head::Nat};
        case Node::Pi: return {Head::Pi};
        case Node::Sigma: return {Head::Sigma, type->num_ops()};
        case Node::Arr: {
            auto length = isa_length(type);
            return length ? Head{Head::Sigma, length->value()} : Head{};
        }
        case Node::Axm: return axiom_head(type->as<Axm>());
        case Node::App:
            if (isa_idx(type)) return {Head::Idx};
            if (auto axm = head_axiom(type)) return axiom_head(axm);
            return {};
        default: return {};
    }
}

Head Apart::head(Spot spot) {
    auto def = spot.def;
    if (!def || def->has(Def::Stale)) return {};
    bool is_known = def->is_set() || def->isa<Lam>(); // the type of a function is known before its body
    if (!is_known) return {};
    switch (spot.kind) {
        case Spot::Type: return type_head(def);
        case Spot::Value:
            if (auto n = num_elements(def)) return {Head::Sigma, n};
            return head(type(def->type()));
        case Spot::Arg: break;
    }
    if (auto lit = def->isa<Lit>()) return {Head::Lit, lit->value(), lit->is_2_64()};
    if (auto n = num_elements(def)) return {Head::Tuple, n};
    return is_type(def) ? head(type(def)) : Head{};
}

/// The place whose heads and children those of `spot` are: for a value that is not written out, its type.
Spot Apart::holder(Spot spot) {
    auto def = spot.def;
    if (spot.kind != Spot::Type && num_elements(def)) return spot;
    if (spot.kind == Spot::Arg) return type(def);
    return spot.kind == Spot::Value ? type(def->type()) : spot;
}

uint64_t Apart::num_children(Spot spot, Head head) {
    switch (head.kind) {
        case Head::None:
        case Head::Lit: return 0;
        case Head::Sigma:
        case Head::Tuple: return std::min(head.value, max_elements);
        case Head::Pi: return 3;
        case Head::Idx:
        case Head::Axiom: {
            auto at = spot;
            while (at.kind != Spot::Type) at = holder(at);
            return num_groups(at.def) + 1;
        }
        default: return 1;
    }
}

/// Of what is no aggregate the first one is the literal that the value is.
Spot Apart::child(Spot spot, uint64_t i) {
    auto def = spot.def;
    if (spot.kind != Spot::Type) {
        if (num_elements(def)) return {element(world_, def, i), spot.kind};
        auto in           = holder(spot);
        bool is_aggregate = in.kind == Spot::Type && (in.def->isa<Sigma>() || isa_length(in.def));
        if (i == 0 && spot.kind == Spot::Value && !is_aggregate) return {def->isa<Lit>() ? def : nullptr, Spot::Arg};
        return child(in, i);
    }
    if (def->isa<Sigma>()) return type(def->op(i));
    if (auto arr = def->isa<Arr>()) {
        auto body = arr->var() ? world_.subst(arr->body(), arr->var(), world_.lit_idx(arr->arity(), i)) : arr->body();
        return type(body);
    }
    if (i == 0) return {};
    if (auto pi = def->isa<Pi>()) return type(pi->op(i - 1));
    return {argument(def, i - 1), Spot::Arg};
}

/*
 * two types
 */

size_t Apart::PairHash::operator()(const Pair& pair) const {
    auto key = [](Spot spot) { return spot.def->id() * 4ull + spot.kind; };
    return mix(key(pair.first), key(pair.second));
}

void Apart::push(Spot a, Spot b) {
    if (!a.def || !b.def || a == b) return;
    if (seen_.insert({a, b}).second) work_.push_back({a, b});
}

void Apart::push_children(Spot a, Spot b, Head head) {
    auto is_uniform = [](Spot spot) { return spot.kind == Spot::Type && spot.def->isa<Arr>() && !spot.def->var(); };
    bool all_alike  = is_uniform(a) && is_uniform(b);
    auto n          = std::min(num_children(a, head), num_children(b, head));
    for (uint64_t i = 0; i < (all_alike ? 1 : n); ++i) push(child(a, i), child(b, i));
}

bool Apart::check(const Def* a, const Def* b) {
    work_.clear(), seen_.clear();
    push(type(world_.refresh(a)), type(world_.refresh(b)));
    while (!work_.empty()) {
        auto [x, y] = work_.back();
        work_.pop_back();
        auto head = this->head(x), other = this->head(y);
        if (!head || !other) continue;
        if (head != other) return true;
        push_children(x, y, head);
    }
    return false;
}

/// Singletons and sorts of different levels may differ without a clash, and binders have more than one node.
bool Apart::is_rigid(Spot spot) {
    auto def = spot.def;
    if (!def || def->has(Def::HasDep) || def->is_mut() || def->has(Def::Implicit) || def->isa<Sing>() || stack_is_low())
        return false;
    if (auto known = rigid_.find(def); known != rigid_.end()) return known->second;
    auto head = this->head(spot);
    bool all  = head && head.kind != Head::Sort;
    auto n    = all ? num_children(spot, head) : 0;
    bool one  = def->isa<Arr>() || def->isa<Pack>();
    all &= n < max_elements;
    for (uint64_t i = 0; all && i != (one ? std::min<uint64_t>(n, 1) : n); ++i) {
        auto part = child(spot, i);
        all       = !part.def || is_rigid(part);
    }
    return rigid_[def] = all;
}

bool apart(World& world, const Def* a, const Def* b) {
    Apart apart(world);
    if (!apart.check(a, b)) return false;
    world.impl().told_apart.insert(apart.axioms.begin(), apart.axioms.end());
    return true;
}

/*
 * many types
 */

size_t MemberIndex::EdgeHash::operator()(const Edge& edge) const {
    return mix(mix(edge.place, HeadHash()(edge.head)), edge.child);
}

size_t MemberIndex::HeadHash::operator()(const Head& head) const { return mix(head.value, head.kind * 2u + head.is_large); }

/// The heads in a type at the places nearest to its root. `number(edge)` is the place at the end of an edge, if it is of interest.
template<class Number>
MemberIndex::Marks MemberIndex::marks(Apart& view, Spot root, Number number) {
    constexpr size_t max_marks = 48, max_children = 16;
    Marks marks;
    std::vector<std::pair<uint32_t, Spot>> queue{{0, root}};
    for (size_t next = 0; next != queue.size() && marks.size() < max_marks; ++next) {
        auto [place, spot] = queue[next];
        auto head          = view.head(spot);
        if (!head) continue;
        marks.emplace(place, head);
        auto n = std::min<uint64_t>(view.num_children(spot, head), max_children);
        for (uint64_t i = 0; i != n && queue.size() < 2 * max_marks; ++i) {
            auto child = view.child(spot, i);
            auto inner = child.def ? number(Edge{place, head, i}) : std::optional<uint32_t>();
            if (inner) queue.emplace_back(*inner, child);
        }
    }
    return marks;
}

MemberIndex::MemberIndex(World& world, Defs members) {
    std::vector<Marks> heads;
    std::vector<size_t> group;
    Apart view(world);
    auto number = [&](const Edge& edge) -> std::optional<uint32_t> {
        return places_.emplace(edge, static_cast<uint32_t>(places_.size() + 1)).first->second;
    };
    for (auto member : members) {
        group.push_back(heads.size());
        heads.push_back(marks(view, Apart::type(world.refresh(member)), number));
    }
    axioms_ = std::move(view.axioms);
    std::unordered_set<uint32_t> used;
    root_ = split(heads, std::move(group), used);
}

/// By the place that most of the group have a head at, of several by one with as many different ones as possible.
std::unique_ptr<MemberIndex::Tree> MemberIndex::split(const std::vector<Marks>& heads, std::vector<size_t> group,
                                                      std::unordered_set<uint32_t>& used) {
    auto tree = std::make_unique<Tree>();
    std::unordered_map<uint32_t, std::unordered_map<Head, size_t, HeadHash>> seen;
    if (group.size() > max_leaf)
        for (auto i : group)
            for (auto& [place, head] : heads[i])
                if (!used.contains(place)) ++seen[place][head];
    std::pair<size_t, size_t> best{0, 1};
    for (auto& [place, by_head] : seen) {
        std::pair<size_t, size_t> value{0, by_head.size()};
        for (auto& [head, n] : by_head) value.first += n;
        bool is_better = value > best || (value == best && place < tree->place);
        if (value.second < 2 || !is_better) continue;
        best        = value;
        tree->place = place;
    }
    if (best.first == 0) {
        tree->rest = std::move(group);
        return tree;
    }
    std::unordered_map<Head, std::vector<size_t>, HeadHash> groups;
    for (auto i : group) {
        auto head = heads[i].find(tree->place);
        (head == heads[i].end() ? tree->rest : groups[head->second]).push_back(i);
    }
    used.insert(tree->place);
    for (auto& [head, inner] : groups) tree->by_head.emplace(head, split(heads, std::move(inner), used));
    used.erase(tree->place);
    return tree;
}

void MemberIndex::all(const Tree& tree, std::vector<size_t>& out) {
    out.insert(out.end(), tree.rest.begin(), tree.rest.end());
    for (auto& [head, inner] : tree.by_head) all(*inner, out);
}

std::vector<size_t> MemberIndex::candidates(World& world, Spot spot) const {
    auto number = [&](const Edge& edge) -> std::optional<uint32_t> {
        auto it = places_.find(edge);
        return it == places_.end() ? std::optional<uint32_t>() : it->second;
    };
    Apart view(world);
    auto heads = marks(view, spot, number);
    std::vector<size_t> result;
    auto tree = root_.get();
    for (; tree && !tree->by_head.empty();) {
        auto head = heads.find(tree->place);
        if (head == heads.end()) break;
        result.insert(result.end(), tree->rest.begin(), tree->rest.end());
        auto inner = tree->by_head.find(head->second);
        tree       = inner == tree->by_head.end() ? nullptr : inner->second.get();
    }
    if (tree) all(*tree, result);
    std::sort(result.begin(), result.end());
    return result;
}

} // namespace mim
