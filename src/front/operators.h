// SPDX-License-Identifier: MIT
// Infix operators by a table that a program may extend, with scopes. Expressions are read by Dijkstra's shunting yard, so neither many
// operators nor deep nesting of right-associative ones use the stack, and the time is linear.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/span.h"
#include "front/scoped_map.h"

namespace mim::front {

struct Fixity {
    enum Side : uint8_t { Left, Right, Neither };
    Side side                            = Left;
    int precedence                       = 0; ///< higher ones bind tighter
    bool operator==(const Fixity&) const = default;
};

class OperatorTable {
public:
    /// The fixity of operators that nobody declared; without one, they are unknown.
    explicit OperatorTable(std::optional<Fixity> of_others = {})
        : of_others_(of_others) {}

    /// Declares an operator in the innermost scope. False if that scope declares it already.
    bool declare(std::string_view op, Fixity);
    std::optional<Fixity> find(std::string_view op) const;

    /// While it lives, declarations are those of an inner scope.
    class Scope {
    public:
        explicit Scope(OperatorTable& table)
            : table_(table)
            , size_(table.declared_.size()) {
            ++table_.depth_;
        }
        ~Scope() { table_.end_scope(size_); }
        Scope(const Scope&)            = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        OperatorTable& table_;
        size_t size_;
    };

private:
    struct Declared {
        Fixity fixity;
        uint32_t depth;
    };
    void end_scope(size_t size);

    ScopedMap<std::string, Declared> declared_;
    std::optional<Fixity> of_others_;
    uint32_t depth_ = 0;
};

/// An operator between two operands.
struct Infix {
    std::string_view text;
    Span span;
    Fixity fixity;
};

/// Orders operands and operators by the fixities of the operators. `Operand` is a value such as a pointer to a tree.
template<class Operand>
class Infixes {
public:
    explicit Infixes(Operand first)
        : operands_{first} {}

    /// Adds an operator and the operand behind it. Two operators of one precedence that have no side in common are ambiguous: then the
    /// one before it is returned, and the new one is taken as if it had that one's side.
    template<class Combine>
    std::optional<Infix> add(Infix op, Operand operand, Combine combine) {
        std::optional<Infix> clash;
        while (!operators_.empty()) {
            auto& before = operators_.back();
            if (before.fixity.precedence < op.fixity.precedence) break;
            bool is_same = before.fixity.precedence == op.fixity.precedence;
            bool agrees  = before.fixity == op.fixity && op.fixity.side != Fixity::Neither;
            if (is_same && !agrees && !clash) clash = before;
            if (is_same && before.fixity.side == Fixity::Right) break;
            reduce(combine);
        }
        operators_.push_back(op);
        operands_.push_back(operand);
        return clash;
    }

    /// The whole expression. `combine(operator, left, right)` makes the parts of it, from the innermost out.
    template<class Combine>
    Operand finish(Combine combine) {
        while (!operators_.empty()) reduce(combine);
        return operands_.back();
    }

private:
    template<class Combine>
    void reduce(Combine combine) {
        auto op    = operators_.back();
        auto right = operands_.back();
        operators_.pop_back();
        operands_.pop_back();
        operands_.back() = combine(op, operands_.back(), right);
    }

    std::vector<Infix> operators_;
    std::vector<Operand> operands_;
};

} // namespace mim::front
