// SPDX-License-Identifier: MIT
// See array_lives.h.
#include "analysis/array_lives.h"

#include "analysis/schedule.h"

namespace mim {

namespace {

/// In larger functions each update copies: the time of the analysis is quadratic in the number of arrays.
constexpr size_t max_values = 2000;

/// No variable has more elements that are parameters of their own.
constexpr int64_t max_params = 256;

/// The variable that `def` is, or is an element of at known places; null: neither.
const Def* variable_of(const Def* def) {
    while (def->isa<Extract>() && isa_lit(def->as<Extract>()->index())) def = def->as<Extract>()->tuple();
    return def->isa<Var>() ? def : nullptr;
}

/// The elements of the variables `among` that the function mentions. It gets the others, too, and looks at none of
/// them, such as the array that a loop carries beside its index.
std::vector<const Def*> mentioned(World& world, const Lam* lam, const std::unordered_set<const Def*>& among) {
    std::vector<const Def*> result, todo{lam};
    std::unordered_set<const Def*> seen;
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!def || !seen.insert(def).second || is_closed(world, def)) continue;
        if (auto var = variable_of(def)) {
            if (among.contains(var)) result.push_back(def);
        } else if (def->is_set()) {
            todo.insert(todo.end(), def->ops().begin(), def->ops().end());
        }
    }
    return result;
}

/// The values around the function that its code looks at.
std::vector<const Def*> captured_uses(Program& program, const Lam* lam) {
    std::vector<const Def*> result;
    std::unordered_set<const Def*> variables;
    for (auto def : program.captures(lam)) {
        if (def->isa<Var>()) variables.insert(def);
        else result.push_back(def);
    }
    if (variables.empty()) return result;
    auto parts = mentioned(program.world(), lam, variables);
    result.insert(result.end(), parts.begin(), parts.end());
    return result;
}

} // namespace

bool ArrayLives::collect() {
    if (!has_arrays()) return false;
    for (auto& block : fn_.blocks) sink_updates(*block);
    find_values();
    if (values.size() > max_values || loads.size() > max_values) return false;
    for (auto& block : fn_.blocks) find_uses(*block);
    for (auto& value : values) find_live(value);
    for (auto& load : loads) find_live(load.array);
    find_row_views();
    return true;
}

ArrayLives::Value* ArrayLives::find(const Def* def) {
    auto i = number_.find(def);
    return i == number_.end() ? nullptr : &values[i->second];
}

/*
 * values
 */

static bool is_row(const Def* def) {
    auto extract = def->isa<Extract>();
    return extract && extract->tuple()->type()->isa<Arr>();
}

/// The array that an effect read from memory; null of anything else.
const Def* ArrayLives::loaded(const Def* def) {
    if (!def->isa<App>() || !is_effect(def)) return nullptr;
    auto result = def->type()->isa<Sigma>();
    for (size_t i = 0; result && i != result->num_ops(); ++i)
        if (is_by_address(result->op(i))) return program_.world().extract(def, i);
    return nullptr;
}

bool ArrayLives::has_arrays() {
    auto reads_row      = [](const Def* def) { return is_row(def) && def->type()->isa<Arr>(); };
    auto makes_or_reads = [&](const Def* def) { return is_new(def) || loaded(def) || reads_row(def); };
    return std::ranges::any_of(fn_.blocks, [&](auto& block) { return std::ranges::any_of(block->nodes, makes_or_reads); });
}

/// Operations of the same block that `def` is computed from.
void ArrayLives::operations_of(const Def* def, const std::unordered_map<const Def*, size_t>& step, std::vector<size_t>& out) {
    std::vector<const Def*> todo{def}, ops;
    std::unordered_set<const Def*> seen;
    while (!todo.empty()) {
        auto at = todo.back();
        todo.pop_back();
        operands(at, ops);
        for (auto op : ops) {
            if (!seen.insert(op).second) continue;
            if (auto i = step.find(op); i != step.end()) out.push_back(i->second);
            else todo.push_back(op);
        }
    }
}

/// Moves each update behind the operations that do not need it, since they may look at the old array.
void ArrayLives::sink_updates(BasicBlock& block) {
    auto& nodes = block.nodes;
    if (std::ranges::none_of(nodes, is_update) || nodes.size() > max_values) return;
    std::unordered_map<const Def*, size_t> step;
    std::vector<std::vector<size_t>> needs(nodes.size());
    for (size_t i = 0; i != nodes.size(); ++i) {
        operations_of(nodes[i], step, needs[i]);
        step[nodes[i]] = i;
    }
    std::vector<uint32_t> updates_before(nodes.size()); // in the longest chain that it needs, itself among them
    for (size_t i = 0; i != nodes.size(); ++i) {
        for (auto need : needs[i]) updates_before[i] = std::max(updates_before[i], updates_before[need]);
        updates_before[i] += is_update(nodes[i]);
    }
    std::vector<size_t> order(nodes.size());
    for (size_t i = 0; i != order.size(); ++i) order[i] = i;
    // an update comes behind all operations of a smaller rank
    auto rank = [&](size_t i) { return 2 * updates_before[i] - is_update(nodes[i]); };
    std::ranges::stable_sort(order, {}, rank);
    std::vector<const Def*> sorted;
    for (auto i : order) sorted.push_back(nodes[i]);
    nodes = std::move(sorted);
}

bool ArrayLives::is_new(const Def* def) {
    return (def->isa<Pack>() || def->isa<Tuple>() || def->isa<Insert>()) && is_by_address(def->type()) && !is_constant_array(def);
}

void ArrayLives::find_values() {
    std::unordered_map<const Def*, uint32_t> times;
    for (auto& block : fn_.blocks)
        for (auto def : block->nodes) ++times[def], is_operation_.insert(def);
    for (auto& block : fn_.blocks) {
        add_params(*block);
        for (uint32_t k = 0; k != block->nodes.size(); ++k) {
            auto def = block->nodes[k];
            Place at{block->number, k + 1};
            if (def->isa<App>() && is_effect(def)) events.push_back({head_axiom(def), at});
            if (times[def] != 1) continue;
            places_[def] = at;
            if (is_new(def)) add_value(def, at, false);
            if (auto array = loaded(def)) add_load(def, array, at);
        }
        bool is_call = block->kind == BasicBlock::Call || block->kind == BasicBlock::Effect;
        if (!is_call) continue;
        if (has_pure_end(*block)) pure_ends_.insert(block->number);
        else events.push_back({nullptr, {block->number, uint32_t(block->nodes.size()) + 1}});
    }
}

/// Numbers, pointers, and what holds nothing else: no functions, and tokens only if they are said to be among it.
static bool is_data(const Def* type, bool with_tokens = false) {
    auto is_part = [&](const Def* part) { return is_data(part, with_tokens); };
    if (auto arr = type->isa<Arr>()) return is_part(arr->body());
    if (type->isa<Sigma>()) return std::ranges::all_of(type->ops(), is_part);
    if (isa_idx(type) || type->isa<Nat>()) return true;
    auto axm = saturated_axiom(type);
    if (!axm) return false;
    if (axm->axiom().has(Axiom::LinearType)) return with_tokens;
    auto arg      = type->isa<App>() ? type->as<App>()->arg() : nullptr;
    bool has_type = arg && (is_type(arg) || (arg->isa<Tuple>() && std::ranges::any_of(arg->ops(), is_type)));
    return axm->axiom().has(Axiom::Pointer) || !has_type;
}

/// Of a variable, a function captures all parameters but the way back, which it could not leave through.
bool ArrayLives::captures_code(const Lam* lam) {
    auto is_code = [](const Def* type) { return !is_data(type, true); };
    return std::ranges::any_of(program_.captures(lam), [&](const Def* def) {
        auto owner = def->isa<Var>() ? def->as<Var>()->binder()->isa<Lam>() : nullptr;
        if (!owner) return is_code(def->type());
        return std::ranges::any_of(program_.view(owner).params, [&](auto& param) { return is_code(param.type); });
    });
}

/// A token that a function captures is used by it only if the function returns one.
bool ArrayLives::has_pure_end(const BasicBlock& block) {
    if (block.kind == BasicBlock::Effect) return is_data(block.arg->type());
    auto lam = block.callee->isa<Lam>();
    if (!lam || !program_.is_function(lam) || block.next.kind != Cont::To) return false;
    auto view = program_.view(lam);
    if (!view.result || !is_data(view.result)) return false;
    auto is_plain = [](auto& param) { return is_data(param.type); };
    return std::ranges::all_of(view.params, is_plain) && !captures_code(lam);
}

void ArrayLives::add_value(const Def* def, Place at, bool is_param) {
    if (number_.try_emplace(def, uint32_t(values.size())).second) values.push_back({def, at, is_param, {}, {}});
}

void ArrayLives::add_load(const Def* op, const Def* array, Place at) {
    load_of_[op] = load_of_[array] = uint32_t(loads.size());
    loads.push_back({op, {array, at, false, {}, {}}});
}

/// The result of a call, and what a union holds, may be anybody's.
void ArrayLives::add_params(const BasicBlock& block) {
    auto is_call = [](auto pred) { return pred->kind == BasicBlock::Call || pred->kind == BasicBlock::Match; };
    if (block.number == 0 || !block.lam || std::ranges::any_of(block.preds, is_call)) return;
    auto view = program_.view(block.lam);
    for (auto& p : view.params) {
        auto def = param_of(program_.world(), view, p, block.lam->var());
        if (is_by_address(p.type)) add_value(def, {block.number, 0}, true);
    }
}

/*
 * uses
 */

/// The operands that are evaluated for def, as the schedule sees them.
void ArrayLives::operands(const Def* def, std::vector<const Def*>& ops) {
    ops.clear();
    if (def->isa<Lam>() || def->isa<Var>()) return;
    run_time_ops(def, ops);
    for (size_t i = 0, n = ops.size(); i != n; ++i)
        if (auto lam = ops[i]->isa<Lam>(); lam && program_.is_function(lam)) {
            auto& captures = program_.captures(lam);
            ops.insert(ops.end(), captures.begin(), captures.end());
        }
}

void ArrayLives::find_uses(BasicBlock& block) {
    uint32_t step = 0;
    for (auto def : block.nodes) use_operands(def, {block.number, ++step});
    Place end{block.number, ++step};
    if (block.kind == BasicBlock::Jump && block.next.kind == Cont::To) return pass(block, *block.next.block, end);
    if (block.kind == BasicBlock::Branch) {
        evaluate({{block.index, true}}, end);
        for (auto target : block.targets)
            if (target->lam) pass(block, *target, end);
        return;
    }
    auto lam = block.kind == BasicBlock::Call ? block.callee->isa<Lam>() : nullptr;
    std::vector<const Def*> uses;
    if (lam) uses = call_uses(block, lam);
    else end_uses(program_, fn_, block, uses);
    for (auto def : uses) evaluate({{def, true}}, end);
}

/// The arrays that the call of a function at the end of a block looks at. Many blocks may call one function.
std::vector<const Def*> ArrayLives::call_uses(const BasicBlock& block, const Lam* lam) {
    auto view = program_.view(lam);
    std::vector<const Def*> result;
    for (auto& p : view.params) result.push_back(param_of(program_.world(), view, p, block.arg));
    if (block.next.kind == Cont::Value) result.push_back(block.next.value);
    auto [captured, is_new] = captured_uses_.try_emplace(lam);
    if (is_new) captured->second = captured_uses(program_, lam);
    result.insert(result.end(), captured->second.begin(), captured->second.end());
    return result;
}

void ArrayLives::pass(const BasicBlock& block, const BasicBlock& target, Place end) {
    auto view = program_.view(target.lam);
    for (auto& p : view.params) {
        auto arg       = param_of(program_.world(), view, p, block.arg);
        auto param     = number_.find(param_of(program_.world(), view, p, target.lam->var()));
        bool has_param = param != number_.end();
        bool is_known  = number_.contains(arg) || load_of_.contains(arg); // nobody keeps an eye on other names, as that of a row
        evaluate({{arg, !has_param || !is_known}}, end);
        if (has_param) add_edge(arg, param->second, end);
    }
}

void ArrayLives::add_edge(const Def* from, uint32_t to, Place at) {
    auto i        = number_.find(from);
    bool is_known = i != number_.end();
    edges.push_back({is_known ? i->second : Edge::unknown, to, at, from, !is_known});
}

void ArrayLives::use_operands(const Def* def, Place at) {
    if (auto extract = def->isa<Extract>()) {
        bool is_row = is_by_address(def->type()) && !number_.contains(def);
        if (is_row) view_of_[def] = extract->tuple();
        std::vector<Item> todo{{extract->index(), true}};
        if (!reads_element(extract, at)) todo.push_back({extract->tuple(), false});
        return evaluate(std::move(todo), at);
    }
    if (is_update(def)) {
        auto insert = def->as<Insert>();
        auto value  = insert->value();
        evaluate({{insert->tuple(), false}, {insert->index(), true}, {value, !is_by_address(value->type())}}, at);
        if (auto to = number_.find(def); to != number_.end()) add_edge(insert->tuple(), to->second, at);
        return;
    }
    evaluate_operands(def, at);
}

void ArrayLives::evaluate_operands(const Def* def, Place at) {
    std::vector<Item> todo;
    if (auto store = isa_store(program_.world(), def)) todo = {{store->token, true}, {store->ptr, true}, {store->value, false}};
    else push_operands(def, todo);
    evaluate(std::move(todo), at);
}

/// Rows are copied into an array, and elements out of one.
void ArrayLives::push_operands(const Def* def, std::vector<Item>& out) {
    std::vector<const Def*> ops;
    operands(def, ops);
    bool copies_rows = (def->isa<Pack>() || def->isa<Tuple>()) && is_by_address(def->type());
    for (auto op : ops) out.push_back({op, !copies_rows});
}

/// Finds the arrays in expressions that the schedule has no place for: these are evaluated here.
void ArrayLives::evaluate(std::vector<Item> todo, Place at) {
    std::unordered_set<const Def*> seen[2];
    while (!todo.empty()) {
        auto [def, is_shared] = todo.back();
        todo.pop_back();
        if (!seen[is_shared].insert(def).second) continue;
        bool is_open = def->type() && is_by_address(def->type());
        if (is_open) use(def, at, is_shared);
        if (is_shared) use_whole(def, at);
        if (is_of_variable(def)) {
            use_params(def, at, is_shared && !is_open);
            continue;
        }
        if (is_operation_.contains(def)) {
            if (is_small_row(def)) whole_rows_.insert(def);
            continue;
        }
        auto extract = def->isa<Extract>();
        if (!extract) {
            push_operands(def, todo);
            continue;
        }
        if (!reads_element(extract, at)) todo.push_back({extract->tuple(), is_open && is_shared});
        todo.push_back({extract->index(), true});
    }
}

/// A use of a row is one of the array, unless the row is a parameter of its own.
void ArrayLives::use(const Def* def, Place at, bool is_shared) {
    for (auto view = view_of_.find(def); view != view_of_.end(); view = view_of_.find(def)) def = view->second;
    auto value = find(def);
    auto load  = load_of_.find(def);
    if (value) value->uses.push_back({at, is_shared});
    if (load != load_of_.end()) loads[load->second].array.uses.push_back({at, is_shared});
    if (!value && load == load_of_.end() && may_be_anybodys(def)) outer_uses.push_back({def, at});
}

/// An array that is made where it is used has memory of its own, and a row is looked at with its array.
bool ArrayLives::may_be_anybodys(const Def* def) {
    bool is_other = is_new(def) || is_constant_array(def) || is_row(def) || is_unwritten(def);
    return is_by_address(def->type()) && !is_other;
}

const Def* ArrayLives::array_of(const Def* def) {
    while (is_row(def) && !find(def)) def = def->as<Extract>()->tuple();
    return def;
}

const ArrayLives::Load* ArrayLives::load_of(const Def* array) const {
    auto i = load_of_.find(array);
    return i == load_of_.end() ? nullptr : &loads[i->second];
}

const ArrayLives::Place* ArrayLives::place_of(const Def* op) const {
    auto i = places_.find(op);
    return i == places_.end() ? nullptr : &i->second;
}

bool ArrayLives::is_of_variable(const Def* def) { return variable_of(def); }

/// A variable, or a group of its parameters, as a whole: it is put together from them. Into an array they are copied.
void ArrayLives::use_params(const Def* def, Place at, bool is_shared) {
    auto n = number_.contains(def) ? 0 : lit_arity(program_.world(), def->type());
    for (int64_t i = 0; n > 1 && n <= max_params && i < n; ++i) {
        auto part = program_.world().extract(def, uint64_t(i));
        if (number_.contains(part)) use(part, at, is_shared);
        else if (holds_by_address(part->type())) use_params(part, at, is_shared);
    }
}

/// All that a load yields, its array among it.
void ArrayLives::use_whole(const Def* def, Place at) {
    if (!def->isa<App>()) return;
    if (auto load = load_of_.find(def); load != load_of_.end()) loads[load->second].array.uses.push_back({at, true});
}

/*
 * lives
 */

void ArrayLives::find_live(Value& value) {
    std::vector<uint32_t> todo;
    auto need_at_start = [&](uint32_t block) {
        if (value.live_in.insert(block).second) todo.push_back(block);
    };
    for (auto& use : value.uses)
        if (use.at.block != value.at.block || use.at.step <= value.at.step) need_at_start(use.at.block);
    while (!todo.empty()) {
        auto block = todo.back();
        todo.pop_back();
        for (auto pred : fn_.blocks[block]->preds)
            if (pred->number != value.at.block) need_at_start(pred->number);
    }
}

bool ArrayLives::is_live_after(const Value& value, Place at) const {
    for (auto& use : value.uses)
        if (use.at.block == at.block && use.at.step > at.step) return true;
    return std::ranges::any_of(fn_.blocks[at.block]->succs, [&](auto succ) { return value.live_in.contains(succ->number); });
}

bool ArrayLives::is_live_across(const Value& value, Place at) const {
    bool begins_later = value.at.block == at.block && value.at.step > at.step;
    return is_live_after(value, at) && (!begins_later || value.live_in.contains(at.block));
}

/*
 * rows of a literal length
 */

/// An operation that is a row of an array of run-time length, or of such a row, and a value.
bool ArrayLives::is_small_row(const Def* def) {
    if (!is_operation_.contains(def) || !is_row(def) || !def->type()->isa<Arr>() || is_by_address(def->type())) return false;
    auto array           = def->as<Extract>()->tuple();
    bool is_of_same_type = array->type()->as<Arr>()->body() == def->type();
    return is_of_same_type && (is_by_address(array->type()) || is_small_row(array));
}

/// Whether `element` is one of such a row; then it is remembered. One of a known number is no operation, and is read wherever it is needed.
bool ArrayLives::reads_element(const Extract* element, Place at) {
    auto row     = element->tuple()->isa<Extract>();
    bool is_read = row && !isa_lit(element->index()) && is_small_row(row);
    if (is_read) row_reads_.push_back({row, at});
    return is_read;
}

/// The array of run-time length that `row` is a part of.
const Def* ArrayLives::array_around(const Def* row) {
    while (!is_by_address(row->type())) row = row->as<Extract>()->tuple();
    for (auto view = view_of_.find(row); view != view_of_.end(); view = view_of_.find(row)) row = view->second;
    return row;
}

/// An array that is none of the values and loads stays as it is.
bool ArrayLives::is_there(const Def* array, Place at) {
    if (auto value = find(array)) return is_live_after(*value, at);
    if (auto load = load_of(array)) return is_live_after(load->array, at);
    return may_be_anybodys(array) || is_constant_array(array);
}

/// The elements of a row are read where its array lies if the array is needed afterwards anyway: no update becomes a copy for their sake.
void ArrayLives::find_row_views() {
    auto is_whole = [&](const Def* row) { return whole_rows_.contains(row); };
    for (auto [row, at] : row_reads_)
        if (!is_whole(row) && !is_there(array_around(row), at)) whole_rows_.insert(row);
    for (auto [row, at] : row_reads_) {
        if (is_whole(row->tuple())) whole_rows_.insert(row);
        if (is_whole(row)) continue;
        row_views.insert(row);
        use(array_around(row), at, false);
    }
}

/*
 * lines
 */

uint32_t ArrayLives::line_of(uint32_t i) {
    while (line_[i] != i) i = line_[i] = line_[line_[i]];
    return i;
}

void ArrayLives::make_lines() {
    line_.resize(values.size());
    for (uint32_t i = 0; i != line_.size(); ++i) line_[i] = i;
    for (auto& edge : edges)
        if (!edge.is_cut) line_[line_of(edge.from)] = line_of(edge.to);
    members_.assign(values.size(), {});
    for (uint32_t i = 0; i != line_.size(); ++i) members_[line_of(i)].push_back(i);
}

} // namespace mim
