// SPDX-License-Identifier: MIT
// See siblings.h.
#include "lower/siblings.h"

#include <algorithm>

#include "base/worklist.h"
#include "normal.h"

namespace mim::plug::tensor {

namespace {

/// Operations of one group, users of one array, and nodes to look at for one group: the search is linear in the
/// program.
constexpr size_t max_members = 8, max_users = 32, max_nodes = 4000;

/// Dimensions 0, 1, … below one, and all others; none if they are in another order.
std::optional<size_t> num_first(const std::vector<bool>& are_first) {
    auto end = std::ranges::find(are_first, false);
    if (std::any_of(end, are_first.end(), [](bool is_first) { return is_first; })) return {};
    return size_t(end - are_first.begin());
}

/// A loop over the last dimension reads an input in larger steps than a loop over the last one of the result.
bool reads_by_columns(const std::vector<Numbers>& subscripts, size_t num_around, size_t rank) {
    if (num_around == 0 || num_around == rank) return false;
    auto num_strided = [&](uint64_t dim) {
        return std::ranges::count_if(
            subscripts, [&](auto& dims) { return std::ranges::find(dims, dim) != dims.end() && dims.back() != dim; });
    };
    return num_strided(rank - 1) > num_strided(num_around - 1);
}

std::optional<Turns> turns_of_map_reduce(World& w, const Def* op) {
    auto [k, m, ni, it, rs, ts, from, to] = elems<8>(w, group(op, 0));
    auto [e, c, z, p]                     = elems<4>(w, group(op, 2));
    auto extents                          = elements_of(w, k, it);
    auto outer                            = numbers_of(w, m, elem(w, group(op, 1), 0));
    auto ranks                            = numbers_of(w, ni, rs);
    if (!extents || !outer || !ranks || !is_identity(*outer)) return {};
    auto inputs = elements_of(w, ni, group(op, 3)), us = elements_of(w, ni, elem(w, group(op, 1), 1));
    Turns result{*extents, outer->size(), {}, {group(op, 0), group(op, 1), group(op, 2)}, {e, c, p}};
    std::vector<Numbers> subscripts;
    for (size_t i = 0; i != ranks->size(); ++i) {
        auto dims = numbers_of(w, w.lit_nat((*ranks)[i]), (*us)[i]);
        if (!dims) return {};
        bool is_in_turn = dims->size() == extents->size() && is_identity(*dims);
        (is_in_turn ? result.inputs : result.others).push_back((*inputs)[i]);
        subscripts.push_back(*dims);
    }
    return reads_by_columns(subscripts, outer->size(), extents->size()) ? std::nullopt : std::optional(result);
}

std::optional<Turns> turns_of_reduce(World& w, const Def* op) {
    auto [r, s, ni, is]   = elems<4>(w, group(op, 0));
    auto [array, z, dims] = elems<3>(w, group(op, 2));
    auto extents          = elements_of(w, r, s);
    auto chosen           = numbers_of(w, r, dims);
    if (!is_value(ni, 1) || !extents || !chosen) return {};
    std::vector<bool> are_around;
    for (auto is_chosen : *chosen) are_around.push_back(!is_chosen);
    auto num_around = num_first(are_around);
    if (!num_around || *num_around == extents->size()) return {};
    return Turns{*extents, *num_around, {array}, {group(op, 0), group(op, 1), z}, {group(op, 1)}};
}

std::optional<Turns> turns_of_elements(World& w, const Def* op) {
    auto r = elem(w, group(op, 2), 0), s = elem(w, group(op, 2), 1);
    auto num_inputs = match<zip>(op) ? elem(w, group(op, 0), 0) : w.lit_nat(1);
    auto extents = elements_of(w, r, s), inputs = elements_of(w, num_inputs, group(op, 3));
    if (!extents || !inputs) return {};
    return Turns{*extents, extents->size(), *inputs, {group(op, 0), group(op, 1), group(op, 2)}, {group(op, 1)}};
}

bool is_same_space(const Turns& a, const Turns& b) { return a.extents == b.extents; }

bool has(const DefVec& defs, const Def* def) { return std::ranges::find(defs, def) != defs.end(); }

/// Whatever `on` depends on, `def` depends on, too, unless `on` is inside of what binds it.
bool may_depend(World& w, const Def* def, const Def* on) {
    auto vars = free_vars(w, def);
    return std::ranges::all_of(free_vars(w, on), [&](auto var) { return std::ranges::find(vars, var) != vars.end(); });
}

/// The element of an array is a number or the like, but no row.
bool has_elements_of_rank_0(World& w, const Def* op) {
    auto implicits = group(op, 0);
    auto type      = match<map_reduce>(op) ? elem(w, implicits, 7)
                     : match<generate>(op) ? group(op, 2)
                                           : elem(w, implicits, match<zip>(op) ? 2 : 1);
    return !type->isa<Arr>();
}

} // namespace

std::optional<Turns> turns_of(World& w, const Def* op) {
    if (match<map_reduce>(op)) return turns_of_map_reduce(w, op);
    if (match<tensor::map>(op) || match<zip>(op)) return turns_of_elements(w, op);
    if (match<reduce>(op)) return turns_of_reduce(w, op);
    if (match<generate>(op)) {
        auto extents = elements_of(w, group(op, 0), group(op, 1));
        if (!extents) return {};
        return Turns{*extents, extents->size(), {}, {group(op, 0), group(op, 1), group(op, 3)}, {group(op, 3)}};
    }
    if (match<fold>(op)) {
        auto [z, array] = elems<2>(w, group(op, 3));
        return Turns{{group(op, 2)}, 0, {array}, {group(op, 0), group(op, 1), group(op, 2), z}, {group(op, 1)}};
    }
    return {};
}

/*
 * who reads what
 */

void Siblings::add_step(const Def* op, const Turns& turns, Step& step) {
    step.path.push_back(op);
    for (auto input : turns.inputs) {
        if (has(step.path, input) || has(step.leaves, input)) continue;
        auto made = turns_of(w, input);
        if (made && !made->reduces() && is_same_space(*made, turns) && ask_.is_fused(input, step.path[0]))
            add_step(input, *made, step);
        else step.leaves.push_back(input);
    }
}

Siblings::Step Siblings::step_of(const Def* op) {
    Step result;
    if (auto turns = turns_of(w, op)) add_step(op, *turns, result);
    return result;
}

/// The operations that it is an operand of, or a part of one; none if there are too many.
DefVec Siblings::operations_with(const Def* array) {
    DefVec result;
    auto users = program_.users(array);
    for (auto user : users.size() > max_users ? Defs() : users) {
        bool is_operand = user->isa<Tuple>() || user->isa<Pack>();
        auto around     = is_operand ? program_.users(user) : Defs(&user, 1);
        result.insert(result.end(), around.begin(), around.end());
    }
    return result;
}

/// Reductions that seem to read the array's element at the index of the turn.
void Siblings::add_readers(const Def* array, const Turns& space, size_t depth, DefVec& result) {
    if (depth == max_members) return;
    for (auto op : operations_with(array)) {
        auto turns = turns_of(w, op);
        if (!turns || !has(turns->inputs, array) || !is_same_space(*turns, space)) continue;
        if (turns->reduces()) result.push_back(op);
        else add_readers(op, space, depth + 1, result);
    }
}

DefVec Siblings::readers(const Def* array, const Turns& space) {
    DefVec result;
    if (!free_vars(w, array).empty()) add_readers(array, space, 0, result);
    return result;
}

bool Siblings::reads_in_turn(const Def* op, const Def* array) { return has(step_of(op).leaves, array); }

bool Siblings::is_read_by_all(const Def* array, const Group& found) {
    DefVec paths;
    for (auto op : found.reductions) {
        auto step = step_of(op);
        if (has(step.leaves, array)) paths.insert(paths.end(), step.path.begin(), step.path.end());
    }
    auto all = operations_with(array);
    return !all.empty() && std::ranges::all_of(all, [&](auto op) { return has(paths, op); });
}

/// Its one reader computes it where it reads it.
bool Siblings::is_fused_elsewhere(const Def* reduction) {
    auto all = operations_with(reduction);
    return all.size() == 1 && turns_of(w, all[0]);
}

/*
 * which ones need each other
 */

bool Siblings::depends(const Def* def, const Def* on) {
    Worklist<const Def*> todo{def};
    while (auto next = todo.next()) {
        if (next == on || !goes_on()) return true;
        if (!may_depend(w, next, on)) continue;
        for (auto op : next->ops())
            if (op) todo.push(op);
    }
    return false;
}

bool Siblings::depends_otherwise(const Def* op, const Def* on) {
    auto step = step_of(op);
    auto any  = [&](const DefVec& defs) { return std::ranges::any_of(defs, [&](auto def) { return depends(def, on); }); };
    std::erase(step.leaves, on);
    return any(step.leaves) || std::ranges::any_of(step.path, [&](auto made) { return any(turns_of(w, made)->others); });
}

/// The parts of an expression that are evaluated whenever it is. An array is evaluated only where an element of it is
/// read; but what is read in each turn over a space is evaluated if there are turns.
static DefVec evaluated_parts(World& w, const Def* def, const Turns& space) {
    if (def->isa<Tuple>()) return DefVec(def->ops().begin(), def->ops().end());
    if (auto extract = def->isa<Extract>()) {
        bool chooses = extract->tuple()->isa<Tuple>() && !isa_lit(extract->index());
        return chooses ? DefVec{extract->index()} : DefVec{extract->tuple(), extract->index()};
    }
    auto app = def->isa<App>();
    if (!app) return {};
    auto axm = head_axiom(app);
    if (!axm || !is_of_plugin<store>(axm->axiom()) || is_tag<store>(axm->axiom())) return {app->callee(), app->arg()};
    DefVec result;
    auto turns = saturated_axiom(app) ? turns_of(w, app) : std::nullopt;
    if (!turns || !is_same_space(*turns, space)) return {};
    for (auto f : turns->functions) {
        auto lam = isa_known(f);
        result.push_back(lam ? lam->body() : f);
    }
    return result;
}

bool Siblings::evaluates(const Def* def, const Def* other, const Turns& space) {
    Worklist<const Def*> todo;
    auto lam = isa_known(def);
    todo.push(lam ? lam->body() : def);
    while (auto next = todo.next()) {
        if (next == other) return true;
        if (!goes_on()) return false;
        if (next->isa<Lam>() || !may_depend(w, next, other)) continue;
        for (auto part : evaluated_parts(w, next, space)) todo.push(part);
    }
    return false;
}

bool Siblings::is_needed_with(const Def* def, const Def* other, const Turns& space) {
    Worklist<const Def*> todo{def};
    while (auto next = todo.next()) {
        auto users = program_.users(next);
        if (users.empty() || !goes_on()) return false;
        for (auto user : users)
            if (user->isa<Tuple>() || !evaluates(user, other, space)) todo.push(user);
    }
    return true;
}

/*
 * groups
 */

/// Whether the operation may be one of the group, whose members have loops over this space.
bool Siblings::fits(const Def* op, const Turns& space, const Group& found) {
    auto turns = turns_of(w, op);
    if (!ask_.is_open(op) || free_vars(w, op).empty()) return false;
    if (turns->reduces() && turns->num_around != 0 && is_fused_elsewhere(op)) return false;
    if (std::ranges::any_of(active_, [&](auto member) { return depends(op, member); })) return false;
    auto members = found.reductions;
    if (found.array) members.push_back(found.array);
    return std::ranges::all_of(members, [&](auto member) {
        auto others = turns_of(w, member);
        if (turns->reduces() && others->reduces() && turns->num_around != others->num_around) return false;
        if (ask_.is_deeper(op, member) || ask_.is_deeper(member, op)) return false;
        if (depends_otherwise(op, member) || depends_otherwise(member, op)) return false;
        return (reads_in_turn(op, member) || is_needed_with(op, member, space))
               && (reads_in_turn(member, op) || is_needed_with(member, op, space));
    });
}

/// It makes elements over this space that an operation which reduces them could make in its turns.
bool Siblings::makes_elements(const Def* op, const Turns& space) {
    auto turns = turns_of(w, op);
    return turns && !turns->reduces() && is_same_space(*turns, space) && has_elements_of_rank_0(w, op);
}

Group Siblings::find(const Def* op) {
    auto space = turns_of(w, op);
    if (!space || space->extents.empty() || !program_.contains(op) || free_vars(w, op).empty()) return {};
    budget_ = max_nodes;
    Group result;
    if (space->reduces()) result.reductions.push_back(op);
    else if (makes_elements(op, *space)) result.array = op;
    else return {};

    auto leaves = step_of(op).leaves;
    for (auto leaf : leaves)
        if (!result.array && makes_elements(leaf, *space) && fits(leaf, *space, result)) result.array = leaf;
    if (result.array && result.array != op) {
        auto more = step_of(result.array).leaves;
        leaves.insert(leaves.end(), more.begin(), more.end());
    }
    if (result.array) leaves.push_back(result.array);
    for (auto leaf : leaves)
        for (auto reader : readers(leaf, *space)) {
            bool is_full = result.reductions.size() == max_members || has(result.reductions, reader);
            if (!is_full && fits(reader, *space, result)) result.reductions.push_back(reader);
        }
    if (result.array) result.is_kept = result.array == op || !is_read_by_all(result.array, result);
    bool is_alone = result.reductions.empty() || (result.reductions.size() == 1 && !result.array);
    return is_alone ? Group{} : result;
}

void Siblings::begin(const Group& members) {
    active_.insert(active_.end(), members.reductions.begin(), members.reductions.end());
    if (members.array) active_.push_back(members.array);
}

void Siblings::end(const Group& members) { active_.resize(active_.size() - members.reductions.size() - (members.array ? 1 : 0)); }

} // namespace mim::plug::tensor
