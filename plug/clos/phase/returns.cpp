// SPDX-License-Identifier: MIT
// A function that may be left in other ways than by returning to its caller cannot leave a frame on the stack. So it takes what it returns
// to as a value, a closure of what its caller has left to do, and its calls are jumps:
//
//     Cn D  becomes  Cn [D, []]      where the last element of D is a continuation
//
// By its type such a function has no return, so that the back end takes all of D for data. All types of functions that are values change
// alike. A function that is no holder (holders.h) stays as it is; as a value it is called by one of the new type.
//
// Who calls from outside waits: an external function becomes
//
//     fun f (a: A): R = return (%clos.enter (a, body)) where
//         fun body (base: %clos.Base, a: A): %clos.Done = f' ((a, k), ()) where
//             fun put (r: R): %clos.Done = return (%clos.put (base, r));
//             let k = %clos.as (Cn R) put;
//
// Since all calls of holders are jumps, `put` returns to `body`'s caller: `enter`, which finds the result.
#include "returns.h"

#include <algorithm>
#include <unordered_map>

#include "clos/annexes.h"
#include "holders.h"
#include "ir/rewrite.h"
#include "ir/token_types.h"

namespace mim::plug::clos {

namespace {

/// C or an axiom would have to leave a frame as well.
struct Unsuitable {};

class Copy : public Rewriter {
public:
    Copy(World& world, Program& program, Holders& holders)
        : Rewriter(world)
        , program_(program)
        , holders_(holders) {}

    const Lam* external(const Lam* lam) {
        if (!holders_.contains(lam)) return lam;
        auto view = program_.view(lam);
        for (auto& p : view.params)
            if (holds_function(p.type)) throw Unsuitable();
        if (!view.has_ret()) return function(lam)->as<Lam>();
        if (view.arity != 2 || holds_function(view.result)) throw Unsuitable();
        return entry(lam, view);
    }

protected:
    const Def* rewrite_imm(const Def* def) override {
        if (auto pi = def->isa<Pi>(); pi && pi->is_cn()) return world().cn(domain(pi->dom()));
        if (auto app = def->isa<App>()) return call(app);
        return Rewriter::rewrite_imm(def);
    }

    const Def* rewrite_mut(const Def* def) override {
        auto lam = def->isa<Lam>();
        if (!lam) return Rewriter::rewrite_mut(def);
        if (is_static(lam)) return Rewriter::rewrite_mut(def);
        if (!lam->is_cn() || !lam->is_set()) throw Unsuitable();
        return holders_.is_plain(lam) ? as_value(lam) : function(lam);
    }

private:
    bool is_function(const Def* dom) { return view_cn(world(), dom, true).has_ret(); }

    const Def* domain(const Def* dom) {
        auto now = rewrite(dom);
        return is_function(dom) ? world().sigma({now, world().unit_type()}) : now;
    }

    // --- functions ---

    const Def* function(const Lam* lam) {
        if (auto i = functions_.find(lam); i != functions_.end()) return i->second;
        bool is_plain = holders_.is_plain(lam);
        if (is_plain && world().is_closed(lam)) return functions_[lam] = lam;
        bool is_changed = !is_plain && is_function(lam->dom());
        auto to         = world().mut_lam(is_plain ? world().cn(rewrite(lam->dom())) : rewrite(lam->type()));
        functions_[lam] = to;
        if (!is_plain) map(lam, to);
        map(lam->var(), is_changed ? world().extract(to->var(), uint64_t(0)) : to->var());
        world().copy_info(lam, to);
        world().set_filter(to, world().ff());
        world().set_body(to, rewrite(lam->body()));
        copy_names(lam, to);
        close(to);
        return to;
    }

    /// A function that returns to its caller, for those who pass what it returns to as a value.
    const Def* as_value(const Lam* lam) {
        auto plain = function(lam);
        auto to    = world().mut_lam(rewrite(lam->type()));
        auto args  = world().extract(to->var(), uint64_t(0));
        auto view  = program_.view(lam);
        std::vector<const Def*> ops;
        for (int i = 0; i != view.arity; ++i) ops.push_back(world().extract_at(args, uint64_t(i)));
        ops[size_t(view.ret)] = forward(ops[size_t(view.ret)]);
        world().copy_info(lam, to);
        return finish(to, world().app(plain, world().tuple(ops)));
    }

    /// A continuation that calls `value`.
    const Def* forward(const Def* value) {
        auto to = world().mut_lam(value->type());
        return finish(to, world().app(value, to->var()));
    }

    const Def* finish(Lam* lam, const Def* body) {
        world().set_filter(lam, world().ff());
        world().set_body(lam, body);
        close(lam);
        return lam;
    }

    void close(Lam* lam) { world().close(std::span<Lam* const>(&lam, 1)); }

    // --- calls ---

    const Def* call(const App* app) {
        auto callee = app->callee();
        auto pi     = callee->type()->isa<Pi>();
        auto lam    = callee->isa<Lam>();
        if (!pi || !pi->is_cn()) return world().app(rewrite(callee), rewrite(app->arg()));
        if (lam && holders_.is_plain(lam)) return world().app(function(lam), argument(pi, app->arg()));
        if (callee->isa<Axm>() || is_operation(callee)) return world().app(rewrite_operation(callee), argument(pi, app->arg()));
        auto arg = rewrite(app->arg());
        return world().app(rewrite(callee), is_function(pi->dom()) ? world().tuple({arg, world().unit()}) : arg);
    }

    /// C's functions keep their type.
    const Def* rewrite_operation(const Def* callee) {
        if (!callee->isa<Axm>()) return rewrite(callee);
        auto view = view_cn(world(), callee->type()->as<Pi>()->dom(), true);
        for (auto& p : view.params)
            if (holds_function(p.type)) throw Unsuitable();
        return callee;
    }

    /// For a callee that returns to its caller.
    const Def* argument(const Pi* pi, const Def* arg) {
        auto view = view_cn(world(), pi->dom(), true);
        if (!view.has_ret()) return rewrite(arg);
        std::vector<const Def*> ops;
        for (int i = 0; i != view.arity; ++i) {
            auto op = view.arity == 1 ? arg : world().extract(arg, uint64_t(i));
            ops.push_back(i == view.ret ? as_return(op) : rewrite(op));
        }
        return world().tuple(ops);
    }

    const Def* as_return(const Def* cont) {
        if (auto lam = cont->isa<Lam>()) return function(lam);
        auto owner = program_.isa_ret(cont);
        return owner && !holders_.contains(owner) ? rewrite(cont) : forward(rewrite(cont));
    }

    // --- externals ---

    const Lam* entry(const Lam* lam, const CnView& view) {
        auto& w    = world();
        auto to    = w.mut_lam(lam->pi());
        auto arg   = w.extract(to->var(), uint64_t(0));
        auto body  = entry_body(lam, arg->type(), view.result);
        auto types = w.tuple({arg->type(), view.result});
        auto enter = w.app(w.app(w.annex(clos::enter(0)), types), {arg, body});
        w.copy_info(lam, to);
        return finish(to, w.app(w.extract(to->var(), uint64_t(1)), enter))->as<Lam>();
    }

    const Def* entry_body(const Lam* lam, const Def* arg_type, const Def* result) {
        auto& w   = world();
        auto base = w.annex(clos::Base(0));
        auto body = w.mut_lam(w.fn(w.sigma({base, arg_type}), w.annex(clos::Done(0))));
        auto args = w.extract(body->var(), uint64_t(0));
        auto arg  = w.extract(args, uint64_t(1));
        auto ret  = finish_with(w.extract(args, uint64_t(0)), result);
        w.copy_info(lam, body);
        return finish(body, w.app(function(lam), {w.tuple({arg, ret}), w.unit()}));
    }

    const Def* finish_with(const Def* base, const Def* result) {
        auto& w  = world();
        auto put = w.mut_lam(w.fn(result, w.annex(clos::Done(0))));
        auto ret = w.extract(put->var(), uint64_t(1));
        auto app = w.app(w.app(w.annex(clos::put(0)), result), {base, w.extract(put->var(), uint64_t(0))});
        finish(put, w.app(ret, app));
        auto types = w.tuple({put->type(), w.cn(result)});
        return w.app(w.app(w.annex(clos::as(0)), types), put);
    }

    Program& program_;
    Holders& holders_;
    std::unordered_map<const Lam*, const Def*> functions_;
};

/// Some function leaves through the return of another one whose block it is not.
bool leaves_past_calls(Program& program, const Snapshot& snapshot) {
    for (auto def : snapshot.nodes()) {
        auto lam = def->isa<Lam>();
        if (!lam || !lam->is_cn() || !lam->is_set()) continue;
        if (!program.is_function(lam) || program.world().is_closed(lam)) continue;
        try {
            program.build(lam);
        } catch (const ProgramError& e) {
            if (e.kind == ProgramError::NonLocal) return true;
        }
    }
    return false;
}

} // namespace

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
static bool may_leave(PhaseContext& context) {
    auto& world   = context.world;
    auto& program = context.program();
    return std::ranges::any_of(program.nodes(), [&](auto def) {
        auto lam = def->template isa<Lam>();
        if (!lam) return is_kept(program, def);
        return lam->is_cn() && !world.is_closed(lam) && view_cn(world, lam->dom(), true).has_ret();
    });
}

bool needs_returns_as_values(PhaseContext& context) {
    if (!may_leave(context)) return false;
    Program program(context.world);
    return leaves_past_calls(program, context.program()) || Holders(context.world, program, context.program()).leaves();
}

bool returns_to_values(PhaseContext& context) {
    auto& world = context.world;
    Program program(world);
    Holders holders(world, program, context.program());
    Copy copy(world, program, holders);
    std::vector<std::pair<Symbol, const Lam*>> made;
    try {
        for (auto& e : world.externals()) made.emplace_back(e.name, copy.external(e.lam));
    } catch (const Unsuitable&) {
        return false;
    } catch (const Error&) {
        return false; // an axiom asks for functions that return
    }
    for (auto [name, lam] : made) world.replace_external(name, const_cast<Lam*>(lam));
    return true;
}

} // namespace mim::plug::clos
