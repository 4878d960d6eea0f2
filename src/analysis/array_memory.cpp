// SPDX-License-Identifier: MIT
// See array_memory.h.
#include "analysis/array_memory.h"

#include "analysis/in_place.h"

namespace mim {

namespace {

/// Of more arrays nobody asks at run time where they are.
constexpr size_t max_apart = 8;

/// In larger functions all new arrays are the collector's: each one looks at the function once.
constexpr size_t max_roots = 500;

/// The only operand that points to an array of this type; null if there is none, or there are several.
static const Def* pointer_to(World& w, const Def* op, const Def* type) {
    auto arg          = op->as<App>()->arg();
    const Def* result = nullptr;
    for (size_t i = 0, n = arg->type()->isa<Sigma>() ? arg->type()->num_ops() : 0; i != n; ++i) {
        auto part = w.extract(arg, i);
        if (pointee(part->type()) != type) continue;
        if (result) return nullptr;
        result = part;
    }
    return result;
}

class Planner {
public:
    Planner(Program& program, Function& fn, ArrayLives& lives)
        : program_(program)
        , fn_(fn)
        , lives_(lives) {}

    void run() {
        find_roots();
        if (roots_.size() > max_roots) return;
        find_cuts();
        find_sinks();
        for (auto& root : roots_)
            if (is_only_root(root) && is_private(lives_.line_of(root.value)) && !is_needed_beside(root)) plan(root);
    }

private:
    using Edge  = ArrayLives::Edge;
    using Place = ArrayLives::Place;
    using Use   = ArrayLives::Use;
    using Value = ArrayLives::Value;

    /// Where a value of a line gets new memory: as the operation that it is, or where it is passed to a block.
    struct Root {
        uint32_t value;
        Place at;
    };
    /// Where an array is copied to: an effect that stores it, or an update in place of which it is a row.
    struct Sink {
        const Def* op;
        const Def* value;
        Place at;
    };
    /// Operations and calls on the ways from a root to a sink: of each block, those from one step to another.
    struct Steps {
        uint32_t from, to;
    };
    struct Region {
        std::unordered_map<uint32_t, std::vector<Steps>> blocks;

        void add(uint32_t block, uint32_t from, uint32_t to) { blocks[block].push_back({from, to}); }
        bool has(Place at) const {
            auto block = blocks.find(at.block);
            auto is_in = [&](Steps steps) { return steps.from <= at.step && at.step < steps.to; };
            return block != blocks.end() && std::ranges::any_of(block->second, is_in);
        }
        bool uses(const Value& value) const {
            return std::ranges::any_of(value.uses, [&](const Use& use) { return has(use.at); });
        }
    };

    /// At a root, and all the way to a sink: a loop must not come to another turn meanwhile.
    struct Known {
        const Region& region;
        Place at;
    };

    /*
     * roots
     */

    bool is_copied(const Edge& edge) const { return fn_.blocks[edge.at.block]->copied.contains(lives_.values[edge.to].def); }

    void find_roots() {
        for (uint32_t i = 0; i != lives_.values.size(); ++i) {
            auto& value = lives_.values[i];
            if (!value.is_param && !fn_.in_place.contains(value.def)) roots_.push_back({i, value.at});
        }
        for (auto& edge : lives_.edges)
            if (edge.is_cut && lives_.values[edge.to].is_param && is_copied(edge)) roots_.push_back({edge.to, edge.at});
        for (auto& root : roots_) ++num_roots_[lives_.line_of(root.value)];
    }

    /// Lines that get new memory in several places are left to the collector.
    bool is_only_root(const Root& root) { return num_roots_[lives_.line_of(root.value)] == 1; }

    /// Another value of the line, which would have the same memory, is needed when this one begins.
    bool is_needed_beside(const Root& root) {
        auto& to = lives_.values[root.value];
        return std::ranges::any_of(lives_.members(lives_.line_of(root.value)), [&](uint32_t i) {
            auto& other = lives_.values[i]; // or the same of the turn before
            auto is_now = [&](const Use& use) { return use.at == root.at; };
            if (std::ranges::any_of(other.uses, is_now)) return true; // what is written may be made of it
            if (i == root.value) return false;
            if (!to.is_param) return lives_.is_live_across(other, root.at);
            return other.live_in.contains(to.at.block) || (other.is_param && other.at.block == to.at.block);
        });
    }

    /// The arrays that are passed to blocks as what they are, or copied.
    void find_cuts() {
        for (auto& edge : lives_.edges) {
            if (!edge.is_cut || !lives_.values[edge.to].is_param) continue;
            if (!is_copied(edge)) cuts_into_[lives_.line_of(edge.to)].push_back(&edge);
            if (edge.from != Edge::unknown) cuts_from_[lives_.line_of(edge.from)].push_back(&edge);
        }
    }

    /// Nobody but the line's own values refers to its memory.
    bool is_private(uint32_t line) {
        auto [known, is_first] = is_private_.try_emplace(line, false);
        if (is_first) known->second = find_private(line);
        return known->second;
    }

    bool find_private(uint32_t line) {
        for (auto i : lives_.members(line))
            if (std::ranges::any_of(lives_.values[i].uses, &Use::is_shared)) return false;
        auto stays = [&](auto edge) { return is_copied(*edge) && lives_.line_of(edge->to) != line; };
        return std::ranges::all_of(cuts_from_[line], stays);
    }

    /*
     * sinks
     */

    void find_sinks() {
        for (auto& block : fn_.blocks) {
            uint32_t step = 0;
            for (auto def : block->nodes) {
                Place at{block->number, ++step};
                if (auto store = isa_store(program_.world(), def)) add_sink(def, store->value, pointee(store->ptr->type()), at);
                if (fn_.in_place.contains(def)) add_row(def->as<Insert>(), at);
            }
        }
    }

    void add_row(const Insert* insert, Place at) {
        if (!fn_.in_place.contains(insert->value())) add_sink(insert, insert->value(), insert->type()->as<Arr>()->body(), at);
    }

    /// Nobody needs the array afterwards.
    void add_sink(const Def* op, const Def* array, const Def* type, Place at) {
        auto value = lives_.find(array);
        if (!value || array->type() != type) return;
        auto line   = lives_.line_of(*value);
        bool is_end = std::ranges::none_of(lives_.members(line),
                                           [&](uint32_t i) { return lives_.is_live_after(lives_.values[i], at); });
        if (is_end) sinks_[line].push_back({op, array, at});
    }

    /*
     * plans
     */

    void plan(const Root& root) {
        auto line    = lives_.line_of(root.value);
        auto& value  = lives_.values[root.value];
        auto& block  = *fn_.blocks[root.at.block];
        auto& memory = value.is_param ? block.array_memory[value.def] : fn_.array_memory[value.def];
        memory.line  = number_of_line_.try_emplace(line, uint32_t(number_of_line_.size())).first->second;
        for (auto& sink : sinks_[line]) {
            auto region = find_region(root, sink);
            if (!region || !may_write_early(root, sink, *region, memory)) continue;
            memory.sink = sink.op;
            fn_.sinks.insert(sink.op);
            return;
        }
    }

    /// Nothing if control may go elsewhere than to the sink, or comes to the sink without having passed the root.
    std::optional<Region> find_region(const Root& root, const Sink& sink) {
        Region region;
        std::unordered_set<uint32_t> seen;
        std::vector<uint32_t> todo;
        auto& first = *fn_.blocks[root.at.block];
        auto& value = lives_.values[root.value];
        if (value.is_param) {
            region.add(first.number, root.at.step, root.at.step + 1); // others are copied on the same way
            seen.insert(value.at.block);
            todo.push_back(value.at.block);
        } else if (root.at.block == sink.at.block && root.at.step < sink.at.step) {
            region.add(first.number, root.at.step, sink.at.step);
        } else {
            region.add(first.number, root.at.step, end_of(first));
            if (!follow(first, seen, todo)) return {};
        }
        while (!todo.empty()) {
            auto& block = *fn_.blocks[todo.back()];
            todo.pop_back();
            bool is_last = block.number == sink.at.block;
            region.add(block.number, 0, is_last ? sink.at.step : end_of(block));
            if (!is_last && !follow(block, seen, todo)) return {};
        }
        return region;
    }

    static uint32_t end_of(const BasicBlock& block) { return uint32_t(block.nodes.size()) + 2; }

    /// False if the function may be left, or others called.
    bool follow(const BasicBlock& block, std::unordered_set<uint32_t>& seen, std::vector<uint32_t>& todo) {
        bool is_jump = block.kind == BasicBlock::Jump && block.next.kind == Cont::To;
        bool is_last = block.kind == BasicBlock::Unreachable;
        bool stays   = is_jump || is_last || block.kind == BasicBlock::Branch || lives_.is_pure_end(block);
        for (auto succ : block.succs)
            if (seen.insert(succ->number).second) todo.push_back(succ->number);
        return stays;
    }

    /// Nobody looks at the memory of the sink on the way to it, but maybe `apart`.
    bool may_write_early(const Root& root, const Sink& sink, const Region& region, ArrayMemory& memory) {
        memory.is_update = false;
        auto happens     = [&](auto& event) { return region.has(event.at) && !is_view(event.at); };
        if (std::ranges::any_of(lives_.events, happens)) return false;
        Known known{region, root.at};
        if (auto row = sink.op->isa<Insert>())
            return is_known(row->tuple(), known) && is_known(row->index(), known) && !is_read(row->tuple(), region);
        auto ptr = isa_store(program_.world(), sink.op)->ptr;
        if (!is_known(ptr, known)) return false;
        auto found       = find_apart(region);
        memory.is_update = changes_memory_of(source_of(root), ptr, root, region);
        if (memory.is_update) std::erase(found, source_of(root));
        if (found.size() > max_apart) return false;
        std::vector<const Def*> places;
        for (auto array : found) places.push_back(place_of(array, known));
        if (std::ranges::find(places, nullptr) != places.end()) return false;
        memory.apart = std::move(places);
        return true;
    }

    /// The array of which the root is a copy, if it is one.
    const Def* source_of(const Root& root) const {
        auto& value = lives_.values[root.value];
        if (!value.is_param) return may_be_changed(value.def) ? value.def->as<Insert>()->tuple() : nullptr;
        auto is_it = [&](const Edge& edge) { return edge.to == root.value && edge.at == root.at; };
        auto edge  = std::ranges::find_if(lives_.edges, is_it);
        return edge == lives_.edges.end() ? nullptr : edge->array;
    }

    /// The update writes what is there already, and not a row while it makes this, maybe of the array.
    static bool may_be_changed(const Def* def) {
        if (!ArrayLives::is_update(def)) return false;
        auto insert = def->as<Insert>();
        auto value  = insert->value();
        for (auto row = value->isa<Insert>(); row && updates_row(row, insert); row = value->isa<Insert>()) {
            insert = row;
            value  = row->value();
        }
        auto pack = value->isa<Pack>();
        return !pack || !pack->var();
    }

    /// `source` was loaded from where the result is stored, and nobody looks at it once the copy of it changes: the copy
    /// may have its memory, even though this is looked at.
    bool changes_memory_of(const Def* source, const Def* ptr, const Root& root, const Region& region) {
        auto load = source ? lives_.load_of(source) : nullptr;
        if (!load || !fn_.views.contains(load->op)) return false;
        if (pointer_to(program_.world(), load->op, source->type()) != ptr) return false;
        auto is_over = [&](const Use& use) { return !region.has(use.at) || use.at == root.at; };
        return std::ranges::all_of(load->array.uses, is_over);
    }

    /// An array that is loaded at this place is looked at where it lies: it is among the arrays that must be apart.
    bool is_view(Place at) const {
        return std::ranges::any_of(lives_.loads, [&](auto& load) { return load.array.at == at && fn_.views.contains(load.op); });
    }

    /// The array, or a pointer to it if it is loaded later; null if it is not known where it lies, or how long it is.
    const Def* place_of(const Def* array, const Known& known) {
        if (!is_known_size(array->type(), known)) return nullptr;
        if (is_known(array, known)) return array;
        auto load = lives_.load_of(array);
        if (!load || !fn_.views.contains(load->op)) return nullptr;
        auto ptr = pointer_to(program_.world(), load->op, array->type());
        return ptr && is_known(ptr, known) ? ptr : nullptr;
    }

    /// Some value of the line of `array`, which is updated in place, is looked at or passed on.
    bool is_read(const Def* array, const Region& region) {
        auto value = lives_.find(array);
        if (!value) return true;
        auto is_used = [&](uint32_t i) { return region.uses(lives_.values[i]); };
        return std::ranges::any_of(lives_.members(lives_.line_of(*value)), is_used);
    }

    /// The arrays that are read, and whose memory may be anybody's.
    std::vector<const Def*> find_apart(const Region& region) {
        std::unordered_set<uint32_t> lines;
        std::unordered_set<const Def*> found;
        for (auto& use : lives_.outer_uses)
            if (region.has(use.at)) found.insert(use.array);
        for (auto& load : lives_.loads)
            if (fn_.views.contains(load.op) && (region.has(load.array.at) || region.uses(load.array)))
                found.insert(load.array.def);
        for (auto& value : lives_.values)
            if (region.uses(value)) add_outer(lives_.line_of(value), lines, found);
        std::vector<const Def*> result(found.begin(), found.end());
        std::ranges::sort(result, {}, &Def::id);
        return result;
    }

    /// The arrays from outside whose memory the values of a line may have.
    void add_outer(uint32_t line, std::unordered_set<uint32_t>& seen, std::unordered_set<const Def*>& found) {
        std::vector<uint32_t> todo{line};
        while (!todo.empty()) {
            auto at = todo.back();
            todo.pop_back();
            if (!seen.insert(at).second) continue;
            for (auto edge : cuts_into_[at]) {
                auto array   = lives_.array_of(edge->array);
                auto load    = lives_.load_of(array);
                bool is_copy = load && !fn_.views.contains(load->op);
                if (auto from = lives_.find(array)) todo.push_back(lives_.line_of(*from));
                else if (!is_copy && lives_.may_be_anybodys(array)) found.insert(array);
            }
        }
    }

    /*
     * what is known where a root is
     */

    bool is_known_from(Place begin, const Known& known) const {
        bool is_before = begin.block == known.at.block ? begin.step < known.at.step
                                                       : fn_.doms->dominates(begin.block, known.at.block);
        return is_before && !known.region.has(begin);
    }

    bool is_known(const Def* def, const Known& known) {
        if (def->isa<Lit>() || def->isa<Axm>()) return true;
        if (auto place = lives_.place_of(def)) return is_known_from(*place, known);
        if (ArrayLives::is_of_variable(def)) return is_bound(def, known);
        if (lives_.is_operation(def)) return false;
        bool is_part = def->isa<Extract>() || def->isa<Tuple>();
        return is_part && std::ranges::all_of(def->ops(), [&](auto op) { return is_known(op, known); });
    }

    bool is_bound(const Def* def, const Known& known) {
        if (std::ranges::find(fn_.captures, def) != fn_.captures.end()) return true;
        while (def->isa<Extract>()) def = def->as<Extract>()->tuple();
        auto lam   = def->as<Var>()->binder()->isa<Lam>();
        auto block = lam ? fn_.block_of.find(lam) : fn_.block_of.end();
        return block != fn_.block_of.end() && is_known_from({block->second->number, 0}, known);
    }

    bool is_known_size(const Def* type, const Known& known) {
        for (auto arr = type->isa<Arr>(); arr; arr = arr->body()->isa<Arr>())
            if (arr->var() || !is_known(arr->arity(), known)) return false;
        return true;
    }

    Program& program_;
    Function& fn_;
    ArrayLives& lives_;
    std::vector<Root> roots_;
    std::unordered_map<uint32_t, uint32_t> num_roots_;      ///< by line
    std::unordered_map<uint32_t, std::vector<Sink>> sinks_; ///< by line
    std::unordered_map<uint32_t, std::vector<const Edge*>> cuts_into_, cuts_from_;
    std::unordered_map<uint32_t, bool> is_private_;         ///< likewise
    std::unordered_map<uint32_t, uint32_t> number_of_line_; ///< of those that have memory of the activation
};

} // namespace

void plan_array_memory(Program& program, Function& fn, ArrayLives& lives) { Planner(program, fn, lives).run(); }

} // namespace mim
