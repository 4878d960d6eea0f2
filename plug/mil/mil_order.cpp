// SPDX-License-Identifier: MIT
// The order in which top-level definitions of MIL run: each behind those that it needs, otherwise as they are written.
// Allocations may need each other: their objects are there before their values are.
#include <algorithm>
#include <map>

#include "base/components.h"
#include "mil/diagnostics.h"
#include "stages.h"
#include "walk.h"

namespace mim::plug::mil {

namespace {

class TopOrder {
public:
    TopOrder(const Program& p, const std::vector<uint32_t>& tops)
        : p_(p)
        , tops_(tops)
        , states_(p.tops.size(), Foreign)
        , run_(p.tops.size())
        , entered_(p.tops.size())
        , block_round_(p.blocks.size())
        , closure_round_(p.closures.size()) {
        for (auto t : tops) states_[t] = New;
    }

    std::vector<uint32_t> run() {
        for (auto t : tops_) needs_of(t);
        find_cycles();
        for (auto t : tops_) visit(t);
        return gathered();
    }
    /// Definitions that need their own value to compute something.
    std::vector<uint32_t> cyclic;

private:
    enum State : uint8_t { Foreign, New, Open, Done };
    struct Step {
        uint32_t top;
        size_t next = 0; ///< of what it needs
    };

    void visit(uint32_t top);
    void needs_of(uint32_t top);
    void find_cycles();
    bool are_allocated_together(uint32_t a, uint32_t b) const { return cycle_[a] == cycle_[b] && is_allocated_[cycle_[a]]; }
    std::vector<uint32_t> gathered() const;
    void look(const Tail&);
    void look(const Atoms&);
    void look_at_block(uint32_t);
    void look_at_blocks();

    const Program& p_;
    const std::vector<uint32_t>& tops_;
    std::vector<State> states_;
    std::vector<std::vector<uint32_t>> run_, entered_; ///< what runs with a top needs these, functions that it may enter those
    std::vector<uint32_t> cycle_;                      ///< of a top
    std::vector<bool> is_allocated_;                   ///< of a cycle: nothing in it computes
    std::vector<uint32_t> result_;

    uint32_t round_ = 0;
    std::vector<uint32_t> block_round_, closure_round_; ///< the top that has seen them last
    std::vector<uint32_t> blocks_, closures_, needs_;
    bool enters_ = false;
};

void TopOrder::look(const Atoms& all) {
    for (auto& a : all)
        if (a.kind == Atom::Top && states_[a.number] != Foreign) needs_.push_back(static_cast<uint32_t>(a.number));
}

void TopOrder::look_at_block(uint32_t b) {
    if (std::exchange(block_round_[b], round_) != round_) blocks_.push_back(b);
}

void TopOrder::look(const Tail& t) {
    look(t.args);
    enters_ |= t.op == Tail::Enter;
    if (t.op == Tail::Block) look_at_block(t.target);
    bool is_new = t.op == Tail::Closure && std::exchange(closure_round_[t.target], round_) != round_;
    if (is_new) closures_.push_back(t.target);
}

void TopOrder::look_at_blocks() {
    while (!blocks_.empty()) {
        auto& code = p_.blocks[blocks_.back()].code;
        blocks_.pop_back();
        each_tail(code, [&](auto& t) { look(t); });
        each_jump(code, [&](auto& j) {
            look(j.args);
            look_at_block(j.block);
        });
        if (code.end != Code::Tailed) look(Atoms{code.subject});
    }
}

void TopOrder::needs_of(uint32_t top) {
    ++round_;
    enters_ = false;
    needs_.clear();
    closures_.clear();
    look(p_.tops[top].tail);
    look_at_blocks();
    run_[top] = std::exchange(needs_, {});
    for (size_t i = 0; enters_ && i != closures_.size(); ++i) {
        look(p_.closures[closures_[i]].tail);
        look_at_blocks();
    }
    entered_[top] = std::exchange(needs_, {});
}

void TopOrder::find_cycles() {
    cycle_ = ComponentSearch(run_.size(), [&](uint32_t t) -> const std::vector<uint32_t>& { return run_[t]; }).run();
    is_allocated_.assign(run_.size(), true);
    for (auto t : tops_)
        if (!makes_object(p_, p_.tops[t].tail)) is_allocated_[cycle_[t]] = false;
}

void TopOrder::visit(uint32_t top) {
    if (states_[top] != New) return;
    states_[top] = Open;
    std::vector<Step> steps{{top}};
    while (!steps.empty()) {
        auto& step    = steps.back();
        auto& run     = run_[step.top];
        auto& entered = entered_[step.top];
        if (step.next == run.size() + entered.size()) {
            states_[step.top] = Done;
            result_.push_back(step.top);
            steps.pop_back();
            continue;
        }
        bool is_run  = step.next < run.size();
        auto need    = is_run ? run[step.next] : entered[step.next - run.size()];
        bool is_self = states_[need] == Open && is_run && !are_allocated_together(step.top, need);
        ++step.next;
        if (is_self) cyclic.push_back(need);
        if (states_[need] != New) continue;
        states_[need] = Open;
        steps.push_back({need});
    }
}

/// Allocations that need each other stand where the last of them does, as they are written.
std::vector<uint32_t> TopOrder::gathered() const {
    std::map<uint32_t, std::vector<uint32_t>> cycles;
    for (auto t : tops_)
        if (is_allocated_[cycle_[t]]) cycles[cycle_[t]].push_back(t);
    std::map<uint32_t, size_t> seen;
    std::vector<uint32_t> all;
    for (auto t : result_) {
        auto cycle = cycles.find(cycle_[t]);
        if (cycle == cycles.end()) all.push_back(t);
        else if (++seen[cycle_[t]] == cycle->second.size()) all.insert(all.end(), cycle->second.begin(), cycle->second.end());
    }
    return all;
}

} // namespace

void order_tops(Diagnostics& diags, Program& p, size_t first) {
    std::vector<uint32_t> tops;
    std::vector<size_t> places;
    for (auto i = first; i != p.order.size(); ++i) {
        auto& e     = p.order[i];
        bool is_now = e.kind == Program::TopKind && !p.tops[e.index].is_late && p.tops[e.index].external == kNone;
        if (!is_now) continue;
        tops.push_back(e.index);
        places.push_back(i);
    }
    TopOrder order(p, tops);
    auto sorted = order.run();
    for (size_t i = 0; i != places.size(); ++i) p.order[places[i]].index = sorted[i];
    for (auto t : order.cyclic) diags.report(diag::needs_itself(p.tops[t].name), p.tops[t].at);
}

} // namespace mim::plug::mil
