// SPDX-License-Identifier: MIT
// Lists that grow by one operation after the other, under the frames that are around the place where it stands.
#pragma once
#include "ainf/list/list.h"

namespace mim::plug::polara {

using ainf::Op;
using ainf::Operand;

class ListBuilder {
protected:
    explicit ListBuilder(World& w)
        : w(w) {}

    /// Appends the operation under the frames that are around.
    Operand add(ainf::Primitive);
    Operand add(Op op, const mim::Def* type, std::vector<Operand> args, uint64_t mode = 0) {
        return add({.op = op, .type = type, .args = std::move(args), .mode = mode});
    }
    Operand literal(const mim::Def* def) { return add({.op = Op::Literal, .type = def->type(), .literal = def}); }

    /// @name binders and branches; `body` makes an operand under one more frame, of the indices that the frame binds
    ///@{
    template<class Body>
    Operand add_function(const Pi* pi, Body body) {
        ainf::Frame f{.kind = ainf::Kind::Fun, .index = depth_, .type = pi->dom(), .functions = {next_++}};
        auto x = under(f, [&] { return body(Operand{true, f.index}); });
        return add({.op = Op::Fun, .type = pi, .args = {x}, .body = {f}});
    }
    template<class Body>
    Operand add_table(const mim::Def* type, const mim::Def* index, Body body) {
        ainf::Frame f{.kind = ainf::Kind::For, .index = depth_, .type = index};
        auto x = under(f, [&] { return body(Operand{true, f.index}); });
        return add({.op = Op::For, .type = type, .args = {x}, .body = {f}});
    }
    template<class Body>
    Operand add_fold(Op op, const mim::Def* type, Operand start, const mim::Def* value, const mim::Def* turn, Body body) {
        ainf::Frame f{.kind = ainf::Kind::Fold, .index = depth_, .type = value, .turn = turn, .fold = next_++};
        auto x = under(f, [&] { return body(Operand{true, f.index}, Operand{true, f.index + 1}); });
        return add({.op = op, .type = type, .args = {start, x}, .body = {f}});
    }
    template<class Body>
    Operand add_choice(const mim::Def* type, Operand condition, Body holds, Body fails) {
        auto first  = under({.kind = ainf::Kind::Holds, .condition = condition}, holds);
        auto second = under({.kind = ainf::Kind::Fails, .condition = condition}, fails);
        return add(Op::Ite, type, {condition, first, second});
    }
    ///@}

    World& w;
    ainf::List list_;
    ainf::Environment env_;

private:
    template<class Body>
    Operand under(ainf::Frame f, Body body) {
        Inside inside(*this, std::move(f));
        return body();
    }
    /// While it lives, one more frame is around. Throws an Error if there are too many.
    class Inside {
    public:
        Inside(ListBuilder&, ainf::Frame);
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

} // namespace mim::plug::polara
