// SPDX-License-Identifier: MIT
// See in_place.h.
#include "analysis/in_place.h"

#include <algorithm>

#include "analysis/pointee.h"
#include "analysis/schedule.h"

namespace mim {

namespace {

/// In larger functions each update copies: the time of the analysis is quadratic in the number of arrays.
constexpr size_t max_values = 2000;

/// No variable has more elements that are parameters of their own.
constexpr int64_t max_params = 256;

class InPlace {
public:
    InPlace(Program& program, Function& fn)
        : program_(program)
        , fn_(fn) {}

    void run() {
        if (!has_updates() && !has_loads()) return;
        for (auto& block : fn_.blocks) sink_updates(*block);
        find_values();
        if (values_.size() > max_values) return;
        for (auto& block : fn_.blocks) find_uses(*block);
        for (auto& value : values_) find_live(value);
        while (cut_somewhere()) {}
        hand_out();
        find_views();
    }

private:
    /// In the order of evaluation: before the block is 0, operation k is k + 1, and its end comes last.
    struct Place {
        uint32_t block, step;
    };
    struct Use {
        Place at;
        bool is_shared; ///< somebody else may refer to the array from here on
    };
    /// A parameter, a new array, or an update.
    struct Value {
        const Def* def;
        Place at;
        bool is_param;
        std::vector<Use> uses;
        std::unordered_set<uint32_t> live_in; ///< blocks at whose beginning it will be needed
    };
    /// An effect that reads an array.
    struct Load {
        const Def* op;
        Value array;
    };
    /// `to` has the memory of `from`.
    struct Edge {
        static constexpr uint32_t unknown = ~0u;
        uint32_t from; ///< unknown: an array whose memory may be anybody's
        uint32_t to;
        Place at;
        bool is_cut;
    };

    Value* find(const Def* def) {
        auto i = number_.find(def);
        return i == number_.end() ? nullptr : &values_[i->second];
    }

    /*
     * values
     */

    static bool is_update(const Def* def) { return def->isa<Insert>() && is_open_array(def->type()); }

    bool has_updates() const {
        for (auto& block : fn_.blocks)
            if (std::ranges::any_of(block->nodes, is_update)) return true;
        return false;
    }

    /// The array that an effect read from memory; null of anything else.
    const Def* loaded(const Def* def) {
        if (!def->isa<App>() || !is_effect(def)) return nullptr;
        auto result = def->type()->isa<Sigma>();
        for (size_t i = 0; result && i != result->num_ops(); ++i)
            if (is_open_array(result->op(i))) return program_.world().extract(def, i);
        return nullptr;
    }

    bool has_loads() {
        for (auto& block : fn_.blocks)
            if (std::ranges::any_of(block->nodes, [&](auto def) { return loaded(def); })) return true;
        return false;
    }

    /// Operations of the same block that `def` is computed from.
    void operations_of(const Def* def, const std::unordered_map<const Def*, size_t>& step, std::vector<size_t>& out) {
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
    void sink_updates(BasicBlock& block) {
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

    void find_values() {
        std::unordered_map<const Def*, uint32_t> times;
        for (auto& block : fn_.blocks)
            for (auto def : block->nodes) ++times[def], is_operation_.insert(def);
        for (auto& block : fn_.blocks) {
            add_params(*block);
            for (uint32_t k = 0; k != block->nodes.size(); ++k) {
                auto def    = block->nodes[k];
                bool is_new = def->isa<Pack>() || def->isa<Tuple>() || is_update(def);
                Place at{block->number, k + 1};
                if (is_new && is_open_array(def->type()) && times[def] == 1) add_value(def, at, false);
                if (auto array = loaded(def); array && times[def] == 1) add_load(def, array, at);
            }
        }
    }

    void add_value(const Def* def, Place at, bool is_param) {
        if (number_.try_emplace(def, uint32_t(values_.size())).second) values_.push_back({def, at, is_param, {}, {}});
    }

    void add_load(const Def* op, const Def* array, Place at) {
        load_of_[op] = load_of_[array] = uint32_t(loads_.size());
        loads_.push_back({op, {array, at, false, {}, {}}});
    }

    /// The result of a call, and what a union holds, may be anybody's.
    void add_params(const BasicBlock& block) {
        auto is_call = [](auto pred) { return pred->kind == BasicBlock::Call || pred->kind == BasicBlock::Match; };
        if (block.number == 0 || !block.lam || std::ranges::any_of(block.preds, is_call)) return;
        auto view = program_.view(block.lam);
        for (auto& p : view.params) {
            auto def = param_of(program_.world(), view, p, block.lam->var());
            if (is_open_array(p.type)) add_value(def, {block.number, 0}, true);
        }
    }

    /*
     * uses
     */

    /// The operands that are evaluated for def, as the schedule sees them.
    void operands(const Def* def, std::vector<const Def*>& ops) {
        ops.clear();
        if (def->isa<Lam>() || def->isa<Var>()) return;
        run_time_ops(def, ops);
        for (size_t i = 0, n = ops.size(); i != n; ++i)
            if (auto lam = ops[i]->isa<Lam>(); lam && program_.is_function(lam)) {
                auto& captures = program_.captures(lam);
                ops.insert(ops.end(), captures.begin(), captures.end());
            }
    }

    void find_uses(BasicBlock& block) {
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
        std::vector<const Def*> uses;
        end_uses(program_, fn_, block, uses);
        for (auto def : uses) evaluate({{def, true}}, end);
    }

    void pass(const BasicBlock& block, const BasicBlock& target, Place end) {
        auto view = program_.view(target.lam);
        for (auto& p : view.params) {
            auto arg       = param_of(program_.world(), view, p, block.arg);
            auto param     = number_.find(param_of(program_.world(), view, p, target.lam->var()));
            bool has_param = param != number_.end();
            bool has_edge  = has_param && number_.contains(arg); // nobody keeps an eye on other names, as that of a row
            evaluate({{arg, !has_edge}}, end);
            if (has_param) add_edge(arg, param->second, end);
        }
    }

    void add_edge(const Def* from, uint32_t to, Place at) {
        auto i        = number_.find(from);
        bool is_known = i != number_.end();
        edges_.push_back({is_known ? i->second : Edge::unknown, to, at, !is_known});
    }

    void use_operands(const Def* def, Place at) {
        if (auto extract = def->isa<Extract>()) {
            bool is_row = is_open_array(def->type()) && !number_.contains(def);
            if (is_row) view_of_[def] = extract->tuple();
            return evaluate({{extract->tuple(), false}, {extract->index(), true}}, at);
        }
        if (is_update(def)) {
            auto insert = def->as<Insert>();
            auto value  = insert->value();
            evaluate({{insert->tuple(), false}, {insert->index(), true}, {value, !is_open_array(value->type())}}, at);
            if (auto to = number_.find(def); to != number_.end()) add_edge(insert->tuple(), to->second, at);
            return;
        }
        evaluate_operands(def, at);
    }

    /// An expression, and whether what is made of it may refer to its arrays: else it is looked at, or copied.
    struct Item {
        const Def* def;
        bool is_shared;
    };

    void evaluate_operands(const Def* def, Place at) {
        std::vector<Item> todo;
        push_operands(def, todo);
        evaluate(std::move(todo), at);
    }

    /// Rows are copied into an array, and elements out of one.
    void push_operands(const Def* def, std::vector<Item>& out) {
        std::vector<const Def*> ops;
        operands(def, ops);
        bool copies_rows = (def->isa<Pack>() || def->isa<Tuple>()) && is_open_array(def->type());
        for (auto op : ops) out.push_back({op, !copies_rows});
    }

    /// Finds the arrays in expressions that the schedule has no place for: these are evaluated here.
    void evaluate(std::vector<Item> todo, Place at) {
        std::unordered_set<const Def*> seen[2];
        while (!todo.empty()) {
            auto [def, is_shared] = todo.back();
            todo.pop_back();
            if (!seen[is_shared].insert(def).second) continue;
            bool is_open = def->type() && is_open_array(def->type());
            if (is_open) use(def, at, is_shared);
            if (is_shared) use_whole(def, at);
            if (is_of_variable(def)) {
                use_params(def, at, is_shared && !is_open);
                continue;
            }
            if (is_operation_.contains(def)) continue;
            auto extract = def->isa<Extract>();
            if (!extract) {
                push_operands(def, todo);
                continue;
            }
            todo.push_back({extract->tuple(), is_open && is_shared});
            todo.push_back({extract->index(), true});
        }
    }

    /// A use of a row is one of the array, unless the row is a parameter of its own.
    void use(const Def* def, Place at, bool is_shared) {
        for (auto view = view_of_.find(def); view != view_of_.end(); view = view_of_.find(def)) def = view->second;
        if (auto value = find(def)) value->uses.push_back({at, is_shared});
        if (auto load = load_of_.find(def); load != load_of_.end()) loads_[load->second].array.uses.push_back({at, is_shared});
    }

    static bool is_of_variable(const Def* def) {
        while (def->isa<Extract>() && isa_lit(def->as<Extract>()->index())) def = def->as<Extract>()->tuple();
        return def->isa<Var>();
    }

    /// A variable, or a group of its parameters, as a whole: it is put together from them. Into an array they are copied.
    void use_params(const Def* def, Place at, bool is_shared) {
        auto n = number_.contains(def) ? 0 : lit_arity(program_.world(), def->type());
        for (int64_t i = 0; n > 1 && n <= max_params && i < n; ++i) {
            auto part = program_.world().extract(def, uint64_t(i));
            if (number_.contains(part)) use(part, at, is_shared);
            else if (holds_open_array(part->type())) use_params(part, at, is_shared);
        }
    }

    /// All that a load yields, its array among it.
    void use_whole(const Def* def, Place at) {
        if (!def->isa<App>()) return;
        if (auto load = load_of_.find(def); load != load_of_.end()) loads_[load->second].array.uses.push_back({at, true});
    }

    /*
     * lives
     */

    void find_live(Value& value) {
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

    bool is_live_after(const Value& value, Place at) const {
        for (auto& use : value.uses)
            if (use.at.block == at.block && use.at.step > at.step) return true;
        return std::ranges::any_of(fn_.blocks[at.block]->succs, [&](auto succ) { return value.live_in.contains(succ->number); });
    }

    /// A value that begins later in the block of `at` is there before only if it comes from another turn of a loop.
    bool is_live_across(const Value& value, Place at) const {
        bool begins_later = value.at.block == at.block && value.at.step > at.step;
        return is_live_after(value, at) && (!begins_later || value.live_in.contains(at.block));
    }

    /*
     * views of memory
     */

    void find_views() {
        if (loads_.size() > max_values) return;
        auto effects = all_effects();
        for (auto& load : loads_) {
            find_live(load.array);
            auto is_shared = [](const Use& use) { return use.is_shared; };
            if (std::ranges::none_of(load.array.uses, is_shared) && !may_change(load, effects)) fn_.views.insert(load.op);
        }
    }

    /// Something that may write to memory: an operation, or a call, of which the axiom is null.
    struct Write {
        const Axm* axm;
        Place at;
    };

    std::vector<Write> all_effects() {
        std::vector<Write> result;
        for (auto& block : fn_.blocks) {
            uint32_t step = 0;
            for (auto def : block->nodes) {
                Place at{block->number, ++step};
                if (def->isa<App>() && is_effect(def)) result.push_back({head_axiom(def), at});
            }
            bool is_call = block->kind == BasicBlock::Call || block->kind == BasicBlock::Effect;
            if (is_call) result.push_back({nullptr, {block->number, ++step}});
        }
        return result;
    }

    /// Whether somebody may write to memory while the array is looked at. Effects of the same kind only read.
    bool may_change(const Load& load, const std::vector<Write>& effects) {
        auto kind = head_axiom(load.op);
        return std::ranges::any_of(effects,
                                   [&](auto& effect) { return effect.axm != kind && is_live_across(load.array, effect.at); });
    }

    /*
     * lines
     */

    uint32_t line_of(uint32_t i) {
        while (line_[i] != i) i = line_[i] = line_[line_[i]];
        return i;
    }

    void make_lines() {
        line_.resize(values_.size());
        for (uint32_t i = 0; i != line_.size(); ++i) line_[i] = i;
        for (auto& edge : edges_)
            if (!edge.is_cut) line_[line_of(edge.from)] = line_of(edge.to);
        members_.assign(values_.size(), {});
        for (uint32_t i = 0; i != line_.size(); ++i) members_[line_of(i)].push_back(i);
    }

    bool cut_somewhere() {
        make_lines();
        for (auto& edge : edges_)
            if (!edge.is_cut && (is_needed_beside(edge) || is_shared_before(edge))) return edge.is_cut = true;
        return false;
    }

    /// Another value of the line is needed when `to` begins.
    bool is_needed_beside(const Edge& edge) {
        auto& to = values_[edge.to];
        for (auto i : members_[line_of(edge.to)]) {
            if (i == edge.to) continue;
            auto& other = values_[i];
            bool needed = to.is_param ? other.live_in.contains(to.at.block) : is_live_across(other, edge.at);
            if (needed || (to.is_param && other.is_param && is_passed_beside(edge, i))) return true;
        }
        return false;
    }

    /// Another parameter of the same block.
    bool is_passed_beside(const Edge& edge, uint32_t other) {
        return values_[other].at.block == values_[edge.to].at.block && line_of(other) == line_of(edge.to);
    }

    /// Somebody else may refer to the array where the edge begins, and would see changes behind it.
    bool is_shared_before(const Edge& edge) {
        auto& from = values_[edge.from];
        return std::ranges::any_of(from.uses, [&](const Use& use) {
            bool is_here = use.at.block == edge.at.block && use.at.step == edge.at.step;
            return use.is_shared && (is_here || is_live_after(from, use.at));
        });
    }

    void hand_out() {
        make_lines();
        std::unordered_set<uint32_t> updated; // lines
        for (auto& edge : edges_) {
            if (edge.is_cut || values_[edge.to].is_param) continue;
            update(edge);
            updated.insert(line_of(edge.to));
        }
        auto is_updated = [&](uint32_t value) { return value != Edge::unknown && updated.contains(line_of(value)); };
        for (auto& edge : edges_) {
            auto& to        = values_[edge.to];
            bool is_changed = is_updated(edge.from) || is_updated(edge.to); // and the other one must not see it
            if (edge.is_cut && to.is_param && is_changed) fn_.blocks[edge.at.block]->copied.insert(to.def);
        }
    }

    /// The update, and those of rows in it: `ins (a, i, ins (a#i, j, x))` changes one element of a row.
    void update(const Edge& edge) {
        auto& array = values_[edge.from];
        auto outer  = values_[edge.to].def->as<Insert>();
        std::unordered_set<uint32_t> steps;
        for (;;) {
            fn_.in_place.insert(outer);
            steps.insert(find(outer)->at.step);
            auto row   = outer->value()->isa<Insert>();
            auto inner = row && updates_row(row, outer) ? find(row) : nullptr;
            if (!inner || !is_only_used_at(*inner, find(outer)->at)) return;
            bool is_looked_at = std::ranges::any_of(array.uses, [&](const Use& use) {
                return use.at.block == inner->at.block && use.at.step > inner->at.step && !steps.contains(use.at.step);
            });
            if (is_looked_at) return;
            outer = row;
        }
    }

    static bool is_only_used_at(const Value& value, Place at) {
        auto is_there = [&](const Use& use) { return use.at.block == at.block && use.at.step == at.step; };
        return value.at.block == at.block && std::ranges::all_of(value.uses, is_there);
    }

    Program& program_;
    Function& fn_;
    std::vector<Value> values_;
    std::vector<Load> loads_;
    std::unordered_map<const Def*, uint32_t> load_of_; ///< by the operation, and by its array
    std::unordered_map<const Def*, uint32_t> number_;
    std::unordered_map<const Def*, const Def*> view_of_; ///< a row → its array
    std::unordered_set<const Def*> is_operation_;        ///< evaluated where the schedule has it
    std::vector<Edge> edges_;
    std::vector<uint32_t> line_;
    std::vector<std::vector<uint32_t>> members_; ///< of each line
};

} // namespace

bool updates_row(const Insert* row, const Insert* whole) {
    auto old = row->tuple()->isa<Extract>();
    return old && old->tuple() == whole->tuple() && old->index() == whole->index();
}

void find_updates_in_place(Program& program, Function& fn) { InPlace(program, fn).run(); }

} // namespace mim
