// SPDX-License-Identifier: MIT
// The order in which a block of `d… e where d'… end` is elaborated. d' come behind d, but a function of d' that mentions none of the later d may
// be used in these: it moves to where all that it mentions is there.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "syntax/ast.h"

namespace mim {

class Hoist {
public:
    static constexpr uint32_t None = ~0u;

    /// The first `num_before` of the declarations are d. `is_movable`: per declaration, whether it is a function of d' that may move.
    Hoist(ast::List<const ast::Decl*> decls, uint32_t num_before, std::vector<bool> is_movable)
        : decls_(decls)
        , num_before_(num_before)
        , is_movable_(std::move(is_movable))
        , needs_(decls.size(), 0) {}

    uint32_t num_before() const { return num_before_; }
    /// The declaration `from` mentions a name that `to` binds, which is no function, or an axiom of it.
    void mentions(uint32_t from, uint32_t to) {
        if (from != to) raise(from, to < num_before_ ? to + 1 : None);
    }
    /// The declarations in the order of their elaboration; `uses` are pairs of functions and what they mention.
    std::vector<uint32_t> order(const std::vector<std::pair<uint32_t, uint32_t>>& uses);

private:
    void raise(uint32_t i, uint32_t need) { needs_[i] = needs_[i] < need ? need : needs_[i]; }
    void settle(const std::vector<std::pair<uint32_t, uint32_t>>& uses);
    std::vector<uint32_t> visible_from() const;

    ast::List<const ast::Decl*> decls_;
    uint32_t num_before_;
    std::vector<bool> is_movable_;
    std::vector<uint32_t> needs_; ///< how many of d must stand before it; None: it stays
};

/// Ends a segment of functions that see each other: elaborated where it stands.
inline bool is_barrier(const ast::Decl* d) {
    switch (d->kind) {
        case ast::DeclKind::Let:
        case ast::DeclKind::Ret:
        case ast::DeclKind::Rec:
        case ast::DeclKind::Op: return true;
        default: return false;
    }
}

} // namespace mim
