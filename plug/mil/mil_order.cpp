// SPDX-License-Identifier: MIT
// The order in which top-level definitions of MIL run: each behind those that it needs, otherwise as they are written.
#include <algorithm>

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
        , block_round_(p.blocks.size())
        , closure_round_(p.closures.size()) {
        for (auto t : tops) states_[t] = New;
    }

    std::vector<uint32_t> run() {
        for (auto t : tops_) visit(t);
        return std::move(result_);
    }
    /// Definitions that need their own value.
    std::vector<uint32_t> cyclic;

private:
    enum State : uint8_t { Foreign, New, Open, Done };
    struct Step {
        uint32_t top;
        std::vector<uint32_t> needs;
        size_t num_run; ///< so many of them run with it; functions that it may enter need the others
        size_t next = 0;
    };

    void visit(uint32_t top);
    Step open(uint32_t top);
    void look(const Tail&);
    void look(const Atoms&);
    void look_at_block(uint32_t);
    void look_at_blocks();

    const Program& p_;
    const std::vector<uint32_t>& tops_;
    std::vector<State> states_;
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

TopOrder::Step TopOrder::open(uint32_t top) {
    states_[top] = Open;
    ++round_;
    enters_ = false;
    needs_.clear();
    closures_.clear();
    look(p_.tops[top].tail);
    look_at_blocks();
    Step result{top, {}, needs_.size()};
    for (size_t i = 0; enters_ && i != closures_.size(); ++i) {
        look(p_.closures[closures_[i]].tail);
        look_at_blocks();
    }
    result.needs = needs_;
    return result;
}

void TopOrder::visit(uint32_t top) {
    if (states_[top] != New) return;
    std::vector<Step> steps{open(top)};
    while (!steps.empty()) {
        auto& step = steps.back();
        if (step.next == step.needs.size()) {
            states_[step.top] = Done;
            result_.push_back(step.top);
            steps.pop_back();
            continue;
        }
        auto need    = step.needs[step.next++];
        bool is_self = states_[need] == Open && step.next <= step.num_run;
        if (is_self) cyclic.push_back(need);
        if (states_[need] == New) steps.push_back(open(need));
    }
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
