// SPDX-License-Identifier: MIT
// The rules of lists that the types of the graph do not state. list.h has them all.
#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "ainf/list/list.h"

namespace mim::plug::ainf {

namespace {

class ListCheck {
public:
    void run(const List& list) {
        for (auto& b : list.bindings) binding(b);
        number_ = list.result.number;
        if (list.result.is_index) fail("is the result, and an index");
        auto& env = environment(list.result);
        if (!env.empty()) fail("is the result, and stands under `" + frame_text(env.back()) + "`");
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error("in the list, x" + std::to_string(number_) + " " + what);
    }
    const Environment& environment(const Operand&) const;
    void binding(const Binding&);
    void frames(const Environment&) const;
    void operand(const Operand&, std::span<const Frame> outer, std::span<const Frame> own) const;

    uint32_t number_ = 0; ///< of the binding that is looked at
    bool is_first_   = true;
    std::unordered_map<uint32_t, const Environment*> environments_;
};

const Environment& ListCheck::environment(const Operand& x) const {
    auto found = environments_.find(x.number);
    if (found == environments_.end()) fail("uses " + operand_text(x) + ", which no binding before it defines");
    return *found->second;
}

/// Each frame binds names of its own, and what a condition stands under is around it. Most often, names ascend.
void ListCheck::frames(const Environment& env) const {
    if (env.size() > kMaxFrames) fail("stands under more than " + std::to_string(kMaxFrames) + " frames");
    uint32_t next = 0; ///< no name from here on is bound
    for (size_t i = 0; i != env.size(); ++i) {
        std::span<const Frame> outer(env.data(), i);
        auto& f = env[i];
        if (f.is_condition()) {
            operand(f.condition, outer, {});
            continue;
        }
        uint32_t last = f.index + (f.kind == Kind::Fold);
        auto shares   = [&](auto& other) { return other.binds(f.index) || other.binds(last); };
        auto other    = f.index < next ? std::ranges::find_if(outer, shares) : outer.end();
        if (other != outer.end())
            fail("stands under `" + frame_text(f) + "` and `" + frame_text(*other) + "`, which have one name");
        next = std::max(next, last + 1);
    }
}

void ListCheck::operand(const Operand& x, std::span<const Frame> outer, std::span<const Frame> own) const {
    if (!x.is_index) {
        auto needed = missing(environment(x), outer, own);
        if (needed) fail("uses " + operand_text(x) + " outside of its frame `" + frame_text(*needed) + "`");
        return;
    }
    auto binds    = [&](auto& f) { return f.binds(x.number); };
    bool is_bound = std::ranges::any_of(outer, binds) || std::ranges::any_of(own, binds);
    if (!is_bound) fail("uses " + operand_text(x) + ", which no frame around it binds");
}

void ListCheck::binding(const Binding& b) {
    bool ascends = is_first_ || b.number > number_;
    auto before  = std::exchange(number_, b.number);
    if (!ascends) fail("stands after x" + std::to_string(before) + ": numbers ascend");
    is_first_ = false;
    frames(b.env);
    for (size_t i = 0; i != b.p.args.size(); ++i) operand(b.p.args[i], b.env, frames_around(b.p, i));
    environments_.emplace(b.number, &b.env);
}

} // namespace

void verify(const List& list) { ListCheck().run(list); }

} // namespace mim::plug::ainf
