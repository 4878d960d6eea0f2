// SPDX-License-Identifier: MIT
#include "phase/unused.h"

#include <algorithm>

#include "kit/selective.h"
#include "mem.h"

namespace mim::plug::mem {

namespace {

class DropUnused : public SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    bool wants(const Def* def) override {
        auto users = program().users(def);
        return match<load>(def) && std::ranges::all_of(users, [&](auto user) { return is_token(user, def); });
    }

    const Def* rewrite_imm(const Def* def) override {
        auto extract = def->isa<Extract>();
        auto op      = extract ? extract->tuple() : nullptr;
        if (!op || !program().contains(op) || !wants(op)) return SelectiveRewriter::rewrite_imm(def);
        return rewrite(operand(world(), op, 0));
    }

private:
    static bool is_token(const Def* user, const Def* load) {
        auto extract = user->isa<Extract>();
        return extract && extract->tuple() == load && is_value(extract->index(), 0);
    }
};

} // namespace

/// Not with --checked: a load may be undefined, used or not.
void drop_unused(PhaseContext& c) {
    if (!c.world.keeps_traps) DropUnused(c).run();
}

} // namespace mim::plug::mem
