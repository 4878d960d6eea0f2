// SPDX-License-Identifier: MIT
// A generated program as a tree of text. A node knows what may stand in its place, and that is all a shrinker needs: another node
// of the same kind, the least text of that kind, or nothing at all.
#pragma once
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace agree {

class Tree {
public:
    Tree() = default;
    /// Pieces of text and trees, in order: Tree{"(", a, ", ", b, ")"}. Braces, so that they are made from left to right.
    template<class... P>
        requires(sizeof...(P) > 1 || (std::is_convertible_v<P, std::string> && ...))
    explicit Tree(P&&... parts) {
        (add(std::forward<P>(parts)), ...);
    }

    void add(const std::string& text) {
        if (text_.empty()) text_.emplace_back();
        text_.back() += text;
    }
    void add(Tree kid) {
        if (text_.empty()) text_.emplace_back();
        kids.push_back(std::move(kid));
        text_.emplace_back();
    }
    /// With a separator between.
    void list(std::vector<Tree> items, const std::string& separator) {
        for (size_t i = 0; i != items.size(); ++i) {
            if (i) add(separator);
            add(std::move(items[i]));
        }
    }

    std::string text() const;
    size_t size() const;
    /// Each piece of text, in order.
    template<class F>
    void visit_text(F&& see) {
        for (size_t i = 0; i != text_.size(); ++i) {
            see(text_[i]);
            if (i < kids.size()) kids[i].visit_text(see);
        }
    }

    std::string kind;      ///< nodes of one kind may replace each other; empty: this one stays
    std::string least;     ///< the simplest text of this kind; empty: there is none
    bool optional = false; ///< may go altogether (a declaration, a statement)
    std::vector<Tree> kids;

private:
    void render(std::string& out) const;
    std::vector<std::string> text_; ///< around the kids: one more than these
};

/// Calls `still_fails` with smaller and smaller trees; each that fails is the next to be made smaller. At most `budget` calls.
template<class Test>
Tree shrink(Tree tree, unsigned budget, Test still_fails);

/// The trees that differ from `tree` in one place, which got simpler; the greatest steps first.
class Shrinker {
public:
    explicit Shrinker(Tree& tree) { collect(tree); }
    /// Changes the tree to its next variant; false if there is none.
    bool next();
    /// Takes the last change back.
    void undo();

private:
    void collect(Tree&);
    bool apply(Tree& node, size_t variant);

    std::vector<Tree*> nodes_; ///< largest first
    size_t node_ = 0, variant_ = 0;
    Tree* changed_ = nullptr;
    Tree before_;
};

template<class Test>
Tree shrink(Tree tree, unsigned budget, Test still_fails) {
    for (bool progress = true; progress;) {
        progress = false;
        Shrinker variants(tree);
        while (variants.next()) {
            if (budget-- == 0) {
                variants.undo();
                return tree;
            }
            if (still_fails(tree)) {
                progress = true;
                break;
            }
            variants.undo();
        }
    }
    return tree;
}

} // namespace agree
