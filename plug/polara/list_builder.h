// SPDX-License-Identifier: MIT
// Lists that grow by one operation after the other, under the frames that are around the place where it stands.
#pragma once
#include "ainf/list/list.h"

namespace mim::plug::polara {

class ListBuilder {
protected:
    explicit ListBuilder(World& w)
        : w(w) {}

    /// Appends the operation under the frames that are around.
    ainf::Operand add(ainf::Primitive);
    /// Of a binder, `body` is the frame that is around its body.
    static ainf::Primitive plain(ainf::Op op, const mim::Def* type, std::vector<ainf::Operand> args,
                                 ainf::Environment body = {}) {
        return {.op = op, .type = type, .args = std::move(args), .body = std::move(body)};
    }
    static ainf::Primitive moded(ainf::Op op, const mim::Def* type, std::vector<ainf::Operand> args, uint64_t mode) {
        return {.op = op, .type = type, .args = std::move(args), .mode = mode};
    }
    ainf::Operand literal(const mim::Def* def) { return add({.op = ainf::Op::Literal, .type = def->type(), .literal = def}); }
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

    World& w;
    ainf::List list_;
    ainf::Environment env_;
    uint32_t depth_ = 0; ///< indices around
    uint32_t next_  = 0; ///< function or fold
};

} // namespace mim::plug::polara
