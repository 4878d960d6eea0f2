// SPDX-License-Identifier: MIT
// The blocks and the function around the text that is elaborated.
#pragma once
#include <utility>
#include <vector>

#include "diag/diag.h"
#include "ir/building.h"
#include "sema/consumed.h"
#include "sema/plan.h"

namespace mim {

class Enclosing {
public:
    /// `consumed`: the declarations of the file that may not be read again; null: all may.
    Enclosing(World& world, const Consumed* consumed)
        : world_(world)
        , consumed_(consumed) {}

    /// The function whose body is read; null: none.
    const Lam* function() const { return function_; }
    /// From now on the body of this function is read (null: none); the one before.
    const Lam* enter(const Lam* function) {
        Building::set(world_, function);
        return std::exchange(function_, function);
    }

    /// While it lives, the body of this function is read (null: none).
    class Function {
    public:
        Function(Enclosing& enclosing, const Lam* function)
            : enclosing_(enclosing)
            , outer_(enclosing.enter(function)) {}
        ~Function() { enclosing_.enter(outer_); }
        Function(const Function&)            = delete;
        Function& operator=(const Function&) = delete;

    private:
        Enclosing& enclosing_;
        const Lam* outer_;
    };

    /// The text is neither in a function nor in a block of expressions.
    bool is_top_level() const { return !nesting_; }
    /// Nothing is around the declaration that is elaborated.
    bool is_outermost() const { return blocks_.size() <= 1 && !function_ && !nesting_; }

    /// While it lives, the text is in a function or a block of expressions.
    class Nested {
    public:
        explicit Nested(Enclosing& enclosing)
            : enclosing_(enclosing) {
            ++enclosing_.nesting_;
        }
        ~Nested() { --enclosing_.nesting_; }
        Nested(const Nested&)            = delete;
        Nested& operator=(const Nested&) = delete;

    private:
        Enclosing& enclosing_;
    };

    /// While it lives, these declarations are elaborated.
    class Block {
    public:
        /// `num_before`: of `d… e where d'… end`, the number of the first ones.
        Block(Enclosing& enclosing, Decls decls, uint32_t num_before = 0)
            : enclosing_(enclosing) {
            enclosing_.blocks_.push_back({decls, num_before});
        }
        ~Block() { enclosing_.blocks_.pop_back(); }
        Block(const Block&)            = delete;
        Block& operator=(const Block&) = delete;

    private:
        Enclosing& enclosing_;
    };

    /// Where a block that is elaborated declares a name that is not in scope, with the note that says so; no place if
    /// none does.
    Span declared_later(Symbol, Diag& note) const;

private:
    World& world_;
    const Consumed* consumed_;
    const Lam* function_ = nullptr;
    size_t nesting_      = 0;
    struct Around {
        Decls decls;
        uint32_t num_before;
    };
    std::vector<Around> blocks_; ///< from the outermost in
};

} // namespace mim
