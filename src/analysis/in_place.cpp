// SPDX-License-Identifier: MIT
// See in_place.h.
#include "analysis/in_place.h"

#include <map>
#include <optional>

#include "analysis/array_lives.h"
#include "analysis/array_memory.h"

namespace mim {

namespace {

class InPlace {
public:
    InPlace(Program& program, Function& fn)
        : program_(program)
        , fn_(fn)
        , lives_(program, fn) {}

    void run() {
        if (!lives_.collect()) return;
        fn_.row_views = lives_.row_views;
        lives_.make_lines();
        while (cut_somewhere()) lives_.make_lines();
        join_again();
        hand_out();
        find_views();
        plan_array_memory(program_, fn_, lives_);
    }

private:
    using Edge  = ArrayLives::Edge;
    using Place = ArrayLives::Place;
    using Use   = ArrayLives::Use;
    using Value = ArrayLives::Value;

    /*
     * views of memory
     */

    void find_views() {
        for (auto& load : lives_.loads) {
            auto is_shared = [](const Use& use) { return use.is_shared; };
            bool is_own    = std::ranges::none_of(load.array.uses, is_shared) && is_copied_where_passed(load.array.def);
            if (is_own && !may_change(load)) fn_.views.insert(load.op);
        }
    }

    /// No parameter of a block has its memory.
    bool is_copied_where_passed(const Def* array) const {
        return std::ranges::all_of(lives_.edges, [&](auto& edge) {
            auto& to = lives_.values[edge.to];
            return edge.array != array || !to.is_param || fn_.blocks[edge.at.block]->copied.contains(to.def);
        });
    }

    /// Whether somebody may write to memory while the array is looked at. Effects of the same kind only read.
    bool may_change(const ArrayLives::Load& load) {
        auto kind      = head_axiom(load.op);
        auto may_write = [&](auto& event) { return event.axm != kind && lives_.is_live_across(load.array, event.at); };
        return std::ranges::any_of(lives_.events, may_write);
    }

    /*
     * lines
     */

    bool cut_somewhere() {
        for (auto& edge : lives_.edges) {
            if (edge.is_cut) continue;
            if (is_shared_before(edge)) return edge.is_cut = true;
            if (auto other = needed_beside(edge)) return cut_between(*other, edge);
        }
        return false;
    }

    /// Another value of the line, which is needed when `to` begins.
    std::optional<uint32_t> needed_beside(const Edge& edge) {
        auto& to = lives_.values[edge.to];
        for (auto i : lives_.members(lives_.line_of(edge.to))) {
            if (i == edge.to) continue;
            auto& other = lives_.values[i];
            bool needed = to.is_param ? other.live_in.contains(to.at.block) : lives_.is_live_across(other, edge.at);
            if (needed || (to.is_param && other.is_param && is_passed_beside(edge, i))) return i;
        }
        return {};
    }

    uint32_t depth_of(const Edge& edge) const { return fn_.loop_depth[edge.at.block]; }

    /// Cuts the line between `other` and the end of `edge`, outside of the loop around the edge if that is possible: an
    /// array that an inner loop makes, of the array that the last turn of the outer loop made, is not copied for each element.
    bool cut_between(uint32_t other, Edge& edge) {
        auto outermost = &edge;
        for (auto passed : way(other, edge.to))
            if (depth_of(*passed) < depth_of(*outermost)) outermost = passed;
        if (outermost != &edge) far_cuts_.push_back(outermost);
        return outermost->is_cut = true;
    }

    /// Edges that join two values of one line.
    std::vector<Edge*> way(uint32_t from, uint32_t to) {
        std::unordered_map<uint32_t, std::vector<Edge*>> around;
        for (auto& edge : lives_.edges) {
            if (edge.is_cut) continue;
            around[edge.from].push_back(&edge);
            around[edge.to].push_back(&edge);
        }
        std::unordered_map<uint32_t, Edge*> reached{{from, nullptr}};
        std::vector<uint32_t> todo{from};
        for (size_t i = 0; i != todo.size() && !reached.contains(to); ++i) {
            for (auto edge : around[todo[i]]) {
                auto next = edge->from == todo[i] ? edge->to : edge->from;
                if (reached.try_emplace(next, edge).second) todo.push_back(next);
            }
        }
        std::vector<Edge*> result;
        for (auto edge = reached[to]; edge; edge = reached[to]) {
            result.push_back(edge);
            to = edge->from == to ? edge->to : edge->from;
        }
        return result;
    }

    /// Cuts far from where a line turned out to be unsound, which others have made needless.
    void join_again() {
        auto is_unsound = [&](const Edge& edge) { return !edge.is_cut && (is_shared_before(edge) || needed_beside(edge)); };
        for (auto edge : far_cuts_) {
            edge->is_cut = false;
            lives_.make_lines();
            edge->is_cut = std::ranges::any_of(lives_.edges, is_unsound);
        }
        if (!far_cuts_.empty()) lives_.make_lines();
    }

    /// Another parameter of the same block.
    bool is_passed_beside(const Edge& edge, uint32_t other) {
        return lives_.values[other].at.block == lives_.values[edge.to].at.block
               && lives_.line_of(other) == lives_.line_of(edge.to);
    }

    /// Somebody else may refer to the array where the edge begins, and would see changes behind it.
    bool is_shared_before(const Edge& edge) {
        auto& from = lives_.values[edge.from];
        return std::ranges::any_of(from.uses, [&](const Use& use) {
            bool is_here = use.at.block == edge.at.block && use.at.step == edge.at.step;
            return use.is_shared && (is_here || (lives_.is_live_after(from, use.at) && comes_to(edge, use.at)));
        });
    }

    /// Whether control comes from this use of the array to the edge, and the array is needed all the way: a loop that fills
    /// an array is not entered again from one behind it that reads rows.
    bool comes_to(const Edge& edge, Place use) {
        bool is_before = use.block == edge.at.block && use.step < edge.at.step;
        return is_before || blocks_before(edge).contains(use.block);
    }

    /// The blocks from whose ends control comes to the edge while the array is needed.
    const std::unordered_set<uint32_t>& blocks_before(const Edge& edge) {
        auto [at, is_new] = blocks_before_.try_emplace({edge.from, edge.at.block});
        auto& result      = at->second;
        if (!is_new) return result;
        auto& live_in = lives_.values[edge.from].live_in;
        std::vector<uint32_t> todo{edge.at.block};
        while (!todo.empty()) {
            auto block = todo.back();
            todo.pop_back();
            if (!live_in.contains(block)) continue;
            for (auto pred : fn_.blocks[block]->preds)
                if (result.insert(pred->number).second) todo.push_back(pred->number);
        }
        return result;
    }

    void hand_out() {
        std::unordered_set<uint32_t> updated; // lines
        for (auto& edge : lives_.edges) {
            if (edge.is_cut || lives_.values[edge.to].is_param) continue;
            update(edge);
            updated.insert(lives_.line_of(edge.to));
        }
        auto is_updated = [&](uint32_t value) { return value != Edge::unknown && updated.contains(lives_.line_of(value)); };
        for (auto& edge : lives_.edges) {
            auto& to        = lives_.values[edge.to];
            bool is_changed = is_updated(edge.from) || is_updated(edge.to); // and the other one must not see it
            if (edge.is_cut && to.is_param && is_changed) fn_.blocks[edge.at.block]->copied.insert(to.def);
        }
    }

    /// The update, and those of rows in it: `ins (a, i, ins (a#i, j, x))` changes one element of a row.
    void update(const Edge& edge) {
        auto& array = lives_.values[edge.from];
        auto outer  = lives_.values[edge.to].def->as<Insert>();
        std::unordered_set<uint32_t> steps;
        for (;;) {
            fn_.in_place.insert(outer);
            steps.insert(lives_.find(outer)->at.step);
            auto row   = outer->value()->isa<Insert>();
            auto inner = row && updates_row(row, outer) ? lives_.find(row) : nullptr;
            if (!inner || !is_only_used_at(*inner, lives_.find(outer)->at)) return;
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
    ArrayLives lives_;
    std::map<std::pair<uint32_t, uint32_t>, std::unordered_set<uint32_t>> blocks_before_; ///< by value and block
    std::vector<Edge*> far_cuts_; ///< outside of the loop in which a line was unsound
};

} // namespace

bool updates_row(const Insert* row, const Insert* whole) {
    auto old = row->tuple()->isa<Extract>();
    return old && old->tuple() == whole->tuple() && old->index() == whole->index();
}

void find_updates_in_place(Program& program, Function& fn) { InPlace(program, fn).run(); }

} // namespace mim
