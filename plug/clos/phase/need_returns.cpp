// SPDX-License-Identifier: MIT
// Whether a program needs its returns as values: a cheap look first, which most programs pass, then the functions as the back end will make them.
#include <algorithm>

#include "ir/token_types.h"
#include "returns.h"

namespace mim::plug::clos {

/// Some function leaves through the return of another one whose block it is not.
static bool leaves_past_calls(Program& program, const Snapshot& snapshot) {
    for (auto def : snapshot.nodes()) {
        auto lam = def->isa<Lam>();
        if (!lam || !lam->is_cn() || !lam->is_set()) continue;
        if (!program.is_function(lam) || is_closed(program.world(), lam)) continue;
        try {
            program.build(lam);
        } catch (const ProgramError& e) {
            if (e.kind == ProgramError::NonLocal) return true;
        }
    }
    return false;
}

/// A parameter of a function type that is used otherwise than by calls, as what is called or as the last argument.
static bool is_kept(const Snapshot& program, const Def* def) {
    auto extract = def->isa<Extract>();
    auto pi      = extract && extract->tuple()->isa<Var>() ? def->type()->isa<Pi>() : nullptr;
    if (!pi || !pi->is_cn()) return false;
    auto is_call = [&](auto user) {
        auto app    = user->template isa<App>();
        auto callee = app ? app->callee()->type()->template isa<Pi>() : nullptr;
        return callee && callee->is_cn();
    };
    return std::ranges::any_of(program.users(def), [&](auto user) {
        auto tuple = user->template isa<Tuple>();
        if (!tuple) return !is_call(user);
        return tuple->ops().back() != def || !std::ranges::all_of(program.users(tuple), is_call);
    });
}

/// Cheap, and true for all programs in which a function may leave through the return of another.
bool Returns::may_leave() {
    auto& world   = context_.world;
    auto& program = context_.program();
    IdTable<bool> known; // many functions have one domain
    auto has_ret = [&](const Def* dom) {
        if (auto result = known.find(dom)) return *result;
        bool result = view_cn(world, dom, true).has_ret();
        known.put(dom, result);
        return result;
    };
    return std::ranges::any_of(program.nodes(), [&](auto def) {
        auto lam = def->template isa<Lam>();
        if (!lam) return is_kept(program, def);
        return lam->is_cn() && has_ret(lam->dom()) && !is_closed(world, lam);
    });
}

Program& Returns::program() {
    if (!program_) program_ = std::make_unique<Program>(context_.world);
    return *program_;
}

Holders& Returns::holders() {
    if (!holders_) holders_ = std::make_unique<Holders>(context_.world, program(), context_.program());
    return *holders_;
}

bool Returns::need_values() {
    if (!may_leave()) return false;
    return leaves_past_calls(program(), context_.program()) || holders().leaves();
}

} // namespace mim::plug::clos
