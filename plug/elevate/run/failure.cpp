// SPDX-License-Identifier: MIT
#include "failure.h"

#include <algorithm>

#include "ir/views.h"

namespace mim::plug::elevate {

namespace {

constexpr size_t max_lines  = 20;
constexpr size_t max_leaves = 10'000; ///< that are looked at: failures that are remembered share parts, so there may be very many

struct Line {
    std::string text;
    size_t depth, count;
    bool is_near; ///< the left side of the rule has the axiom of the term at its head
};

/// The rule's left side is not even an application of the axiom that the term applies.
bool has_other_head(const Failure& leaf) {
    return leaf.kind == Failure::Rule && leaf.why.kind == Mismatch::Pattern && leaf.why.found == leaf.term;
}

class Leaves {
public:
    Leaves(World& world, const Words& words)
        : world_(world)
        , words_(words) {}

    void collect(const Failure* failure) {
        if (num_leaves_ == max_leaves) return;
        switch (failure->kind) {
            case Failure::Rule: return add(*failure, mismatch_text(world_, failure->why, words_));
            case Failure::Said: return add(*failure, reason_text(failure->reason));
            case Failure::All:
                for (auto part : failure->parts) collect(part);
                return;
            case Failure::Below:
                way_.push_back({failure->term, failure->child});
                collect(failure->parts[0]);
                way_.pop_back();
        }
    }

    std::string text() {
        std::ranges::stable_sort(lines_, [](auto& a, auto& b) {
            if (a.is_near != b.is_near) return a.is_near;
            return a.depth > b.depth;
        });
        std::string text;
        for (size_t i = 0; i < std::min(lines_.size(), max_lines); ++i) {
            text += "\n  " + lines_[i].text;
            if (lines_[i].count > 1) text += " (" + std::to_string(lines_[i].count) + " times)";
        }
        if (lines_.size() > max_lines) text += "\n  and " + std::to_string(lines_.size() - max_lines) + " more reasons";
        return text;
    }

private:
    std::string reason_text(const Reason& reason) const {
        std::string text;
        for (auto& part : reason) {
            auto term = std::get_if<const Def*>(&part);
            text += term ? "`" + term_text(world_, *term, words_) + "`" : std::get<std::string>(part);
        }
        return text;
    }
    void add(const Failure& leaf, const std::string& why) {
        ++num_leaves_;
        auto text = leaf.name + " at " + way_text(world_, way_, words_) + ": " + why;
        auto same = std::ranges::find(lines_, text, &Line::text);
        if (same != lines_.end()) ++same->count;
        else lines_.push_back({text, way_.size(), 1, !has_other_head(leaf)});
    }

    World& world_;
    const Words& words_;
    std::vector<Step> way_;
    std::vector<Line> lines_;
    size_t num_leaves_ = 0;
};

} // namespace

std::string failure_text(World& world, const Failure* failure, const Words& words) {
    Leaves leaves(world, words);
    leaves.collect(failure);
    auto text = leaves.text();
    return text.empty() ? ": there is no term where it could do anything" : ":" + text;
}

std::string mismatch_text(World& w, const Mismatch& why, const Words& words) {
    auto quoted   = [&](const Def* def) { return "`" + term_text(w, def, words) + "`"; };
    auto expected = why.expected ? quoted(why.expected) : "";
    auto found    = why.found ? quoted(why.found) : "";
    switch (why.kind) {
        case Mismatch::Pattern: return found + " does not match " + expected;
        case Mismatch::Size: return "nothing makes " + expected + " equal to " + found;
        case Mismatch::Type: return found + " is not of the type " + expected;
        case Mismatch::Condition:
            return isa_lit(why.found) ? "its condition is false" : "its condition is not known to hold: " + found;
        case Mismatch::Unknown: return "nothing tells the value of " + expected;
        case Mismatch::Same: return "it changes nothing";
    }
    return {};
}

} // namespace mim::plug::elevate
