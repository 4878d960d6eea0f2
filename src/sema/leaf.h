// SPDX-License-Identifier: MIT
// Private to src/sema: syntax for graph nodes without operands of interest, and small makers of syntax, as both the printed IR
// and messages need them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ir/world.h"
#include "syntax/ast.h"

namespace mim {

/// The bytes of a tuple or of a short pack that reads as a string: most of them are characters that one can see. A zero at the end does
/// not count. Nothing for any other value.
std::optional<std::string> text_of(const Def*);

class Leaf {
public:
    Leaf(World& world, ast::Arena& arena)
        : world_(world)
        , arena_(arena) {}

    /// Syntax for sorts, ⊥, ⊤, Nat, Idx and its usual sizes, literals of Nat and Idx, and axioms; else null.
    const ast::Expr* leaf(const Def*) const;
    /// A literal of a plugin's type, whose syntax is given: as the plugin prints it, else as its bits.
    const ast::Expr* plugin_literal(const Lit*, const ast::Expr* type) const;

    const ast::Expr* name(Symbol s) const { return ast::make<ast::Name>(arena_, {}, s); }
    const ast::Expr* name(std::string_view s) const { return name(world_.sym(s)); }
    const ast::Expr* prim(ast::PrimKind p) const { return ast::make<ast::Prim>(arena_, {}, p); }
    const ast::Expr* nat(uint64_t n) const { return ast::make<ast::NatLit>(arena_, {}, n); }
    const ast::Expr* app(const ast::Expr* callee, const ast::Expr* arg, bool at) const {
        return ast::make<ast::App>(arena_, {}, at, callee, arg);
    }
    const ast::Expr* tuple(const std::vector<const ast::Expr*>& elems) const {
        return ast::make<ast::Tuple>(arena_, {}, arena_.list(elems));
    }
    const ast::Pattern* type_pattern(const ast::Expr* type) const { return ast::make<ast::TypePattern>(arena_, {}, type); }
    const ast::Pattern* name_pattern(Symbol name, const ast::Expr* type) const {
        return ast::make<ast::NamePattern>(arena_, {}, ast::Binder{name, {}}, type);
    }
    const ast::TuplePattern* square(const std::vector<const ast::Pattern*>& elems) const { return group(elems, true); }
    const ast::TuplePattern* round(const std::vector<const ast::Pattern*>& elems) const { return group(elems, false); }

protected:
    const ast::TuplePattern* group(const std::vector<const ast::Pattern*>& elems, bool square) const {
        return ast::make<ast::TuplePattern>(arena_, {}, square, arena_.list(elems), static_cast<const ast::Expr*>(nullptr));
    }
    World& world_;
    ast::Arena& arena_;

private:
    const ast::Expr* idx_type(const Def* size) const;
    const ast::Expr* literal(const Lit*) const;
};

} // namespace mim
