// SPDX-License-Identifier: MIT
// Lists that grow by one operation after the other, under the frames that are around the place where it stands.
#pragma once
#include "ainf/list/list.h"

namespace mim::plug::ainf {

/// A list has more of something than it can.
struct TooLarge {
    uint64_t most;
    std::string what;
};

class ListBuilder {
protected:
    explicit ListBuilder(World& w)
        : w(w) {}
    ~ListBuilder() = default;

    /// One more frame is around, or one less.
    virtual void entered() {}
    virtual void left() {}

    /// Appends the operation under the frames that are around.
    Operand add(Primitive); ///< throws TooLarge
    Operand add(Op op, const Def* type, std::vector<Operand> args, uint64_t mode = 0) {
        return add({.op = op, .type = type, .args = std::move(args), .mode = mode});
    }
    Operand literal(const Def* def) { return add({.op = Op::Literal, .type = def->type(), .literal = def}); }

    /// @name binders and branches; `body` makes an operand under one more frame, of the indices that the frame binds
    ///@{
    template<class Body>
    Operand add_function(const Pi* pi, Body body) {
        Frame f{.kind = Kind::Fun, .index = depth_, .type = pi->dom(), .functions = {next_++}};
        auto x = under(f, [&] { return body(Operand{true, f.index}); });
        return add({.op = Op::Fun, .type = pi, .args = {x}, .body = {f}});
    }
    template<class Body>
    Operand add_table(const Def* type, const Def* index, Body body) {
        Frame f{.kind = Kind::For, .index = depth_, .type = index};
        auto x = under(f, [&] { return body(Operand{true, f.index}); });
        return add({.op = Op::For, .type = type, .args = {x}, .body = {f}});
    }
    template<class Body>
    Operand add_fold(Op op, const Def* type, Operand start, const Def* value, const Def* turn, Body body) {
        Frame f{.kind = Kind::Fold, .index = depth_, .type = value, .turn = turn, .fold = next_++};
        auto x = under(f, [&] { return body(Operand{true, f.index}, Operand{true, f.index + 1}); });
        return add({.op = op, .type = type, .args = {start, x}, .body = {f}});
    }
    template<class Body>
    Operand add_choice(const Def* type, Operand condition, Body holds, Body fails) {
        auto first  = under({.kind = Kind::Holds, .condition = condition}, holds);
        auto second = under({.kind = Kind::Fails, .condition = condition}, fails);
        return add(Op::Ite, type, {condition, first, second});
    }
    ///@}

    World& w;
    List list_;
    Environment env_;

private:
    template<class Body>
    Operand under(Frame f, Body body) {
        Inside inside(*this, std::move(f));
        return body();
    }
    /// While it lives, one more frame is around. Throws TooLarge.
    class Inside {
    public:
        Inside(ListBuilder&, Frame);
        ~Inside();
        Inside(const Inside&)            = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        ListBuilder& builder_;
        uint32_t names_; ///< that the frame binds
    };

    uint32_t depth_ = 0; ///< indices around
    uint32_t next_  = 0; ///< function or fold
};

} // namespace mim::plug::ainf
