// SPDX-License-Identifier: MIT
#include "tree.h"

#include <algorithm>

namespace agree {

void Tree::render(std::string& out) const {
    for (size_t i = 0; i != text_.size(); ++i) {
        out += text_[i];
        if (i < kids.size()) kids[i].render(out);
    }
}

std::string Tree::text() const {
    std::string out;
    render(out);
    return out;
}

size_t Tree::size() const {
    size_t n = 1;
    for (auto& k : kids) n += k.size();
    return n;
}

void Shrinker::collect(Tree& tree) {
    std::vector<std::pair<size_t, Tree*>> all;
    auto walk = [&](auto& self, Tree& t) -> size_t {
        size_t n = 1;
        for (auto& k : t.kids) n += self(self, k);
        all.emplace_back(n, &t);
        return n;
    };
    walk(walk, tree);
    std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.first > b.first; });
    for (auto& [n, t] : all) nodes_.push_back(t);
}

/// Variant 0: nothing; 1: the least text; k: the k-th node below of the same kind.
bool Shrinker::apply(Tree& node, size_t variant) {
    auto become = [&](Tree other) {
        before_       = std::move(node);
        node          = std::move(other);
        node.optional = before_.optional;
        changed_      = &node;
        return true;
    };
    if (variant == 0) {
        if (!node.optional || node.text().empty()) return false;
        Tree nothing("");
        return become(std::move(nothing));
    }
    if (node.kind.empty()) return false;
    if (variant == 1) {
        if (node.least.empty() || node.text() == node.least) return false;
        Tree least(node.least);
        least.kind = node.kind, least.least = node.least;
        return become(std::move(least));
    }
    size_t seen     = 1;
    const Tree* hit = nullptr;
    auto walk       = [&](auto& self, const Tree& t) -> void {
        for (auto& k : t.kids) {
            if (hit) return;
            if (k.kind == node.kind && ++seen == variant) hit = &k;
            self(self, k);
        }
    };
    walk(walk, node);
    return hit && become(Tree(*hit));
}

bool Shrinker::next() {
    for (; node_ < nodes_.size(); ++node_, variant_ = 0) {
        auto& node = *nodes_[node_];
        auto limit = std::min<size_t>(node.size(), 12);
        while (variant_ <= limit + 1)
            if (apply(node, variant_++)) return true;
    }
    return false;
}

void Shrinker::undo() {
    if (changed_) *changed_ = std::move(before_);
    changed_ = nullptr;
}

} // namespace agree
