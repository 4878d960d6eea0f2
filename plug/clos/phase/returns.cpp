// SPDX-License-Identifier: MIT
// A function that may be left in other ways than by returning to its caller cannot leave a frame on the stack. So it takes what it returns
// to as a value, a closure of what its caller has left to do, and its calls are jumps:
//
//     Cn D  becomes  Cn [D, []]      where the last element of D is a continuation
//
// By its type such a function has no return, so that the back end takes all of D for data. All types of functions that are values change
// alike. A function that is no holder (holders.h) stays as it is; as a value it is called by one of the new type.
//
// Code outside of the program calls functions that return. So an external function waits for its result:
//
//     fun f (a: A): R = return (%clos.enter (a, body)) where
//         fun body (base: %clos.Base, a: A): %clos.Done = f' ((a, k), ()) where
//             fun put (r: R): %clos.Done = return (%clos.put (base, r));
//             let k = %clos.as (Cn R) put;
//
// Since all calls of holders are jumps, `put` returns to `body`'s caller: `enter`, which finds the result.
#include "returns.h"

#include <unordered_map>

#include "analysis/axiom_param.h"
#include "clos/annexes.h"
#include "holders.h"
#include "ir/rewrite.h"
#include "ir/token_types.h"
#include "kit/build.h"
#include "leaving.h"

namespace mim::plug::clos {

namespace {

/// C or an axiom would have to leave a frame as well.
struct Unsuitable {};

class ReturnCopy : public Rewriter {
public:
    ReturnCopy(World& world, Program& program, Holders& holders, const Snapshot& snapshot)
        : Rewriter(world)
        , program_(program)
        , holders_(holders)
        , leaving_(world, program, snapshot) {}

    std::unordered_set<const Lam*> owners; ///< see Returns::owners

    /// A function that C calls.
    const Lam* external(const Lam* lam) {
        if (!holders_.contains(lam)) return lam;
        auto [i, is_new] = externals_.try_emplace(lam);
        if (is_new) i->second = make_external(lam);
        return i->second;
    }

protected:
    const Def* rewrite_imm(const Def* def) override {
        if (def->isa<Axm>()) return def; // keeps its type
        if (auto pi = def->isa<Pi>(); pi && pi->is_cn()) return world().cn(domain(pi->dom()));
        if (auto app = def->isa<App>()) return call(app);
        if (auto match = def->isa<Match>()) return rewrite_match(match);
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
        if (is_plain && keeps_type(lam)) return functions_[lam] = lam;
        bool is_changed = !is_plain && is_function(lam->dom());
        auto to         = world().mut_lam(is_plain ? world().cn(rewrite(lam->dom())) : rewrite(lam->type()));
        functions_[lam] = to;
        if (!is_plain) map(lam, to);
        if (is_changed && program_.owns_memory(lam)) owners.insert(to);
        map(lam->var(), is_changed ? world().extract(to->var(), 0) : to->var());
        world().notes.copy_info(lam, to);
        world().set_filter(to, world().ff());
        world().set_body(to, rewrite(lam->body()));
        copy_names(lam, to);
        close(to);
        return to;
    }

    bool keeps_type(const Lam* plain) {
        auto view = program_.view(plain);
        return is_closed(world(), plain) && !takes_functions(view) && !holds_function(view.result);
    }

    /// A function that returns to its caller, for those who pass what it returns to as a value.
    const Def* as_value(const Lam* lam) {
        auto to = returning(function(lam), rewrite(lam->type()), program_.view(lam));
        world().notes.copy_info(lam, to);
        return to;
    }

    /// A function of this type that calls one which returns to its caller.
    Lam* returning(const Def* plain, const Def* type, const CnView& view) {
        return world().lam(type, [&](auto var) {
            auto ops  = elements(world().extract(var, 0), view.arity);
            auto& ret = ops[size_t(view.ret)];
            ret       = forward(ret);
            return world().app(plain, world().tuple(ops));
        });
    }

    /// Of one element: the value itself.
    DefVec elements(const Def* value, int arity) {
        if (arity == 1) return {value};
        return def_vec(size_t(arity), [&](size_t i) { return world().extract(value, i); });
    }

    const Def* rewrite_match(const Match* match) {
        auto arms = map_defs(match->arms(), [&](auto old) { return arm(old); });
        return world().match(rewrite(match->scrutinee()), arms);
    }

    /// An arm takes a member of the union, whatever its last element is: it is no function that returns.
    const Def* arm(const Def* old) {
        auto dom  = old->type()->as<Pi>()->dom();
        auto call = rewrite(old);
        if (!is_function(dom)) return call;
        return world().con(rewrite(dom), [&](auto var) { return world().app(call, {var, world().unit()}); });
    }

    /// A continuation that calls `value`.
    const Def* forward(const Def* value) {
        return world().lam(value->type(), [&](auto var) { return world().app(value, var); });
    }

    void close(Lam* lam) { world().close(std::span<Lam* const>(&lam, 1)); }

    // --- calls ---

    const Def* call(const App* app) {
        auto callee = app->callee();
        auto pi     = callee->type()->isa<Pi>();
        auto lam    = callee->isa<Lam>();
        if (!pi || !pi->is_cn()) return direct_call(callee, app->arg());
        if (lam && holders_.is_plain(lam)) return world().app(function(lam), argument(pi, app->arg(), !lam->is_set()));
        if (callee->isa<Axm>()) return world().app(callee, argument(pi, app->arg(), true));
        if (is_operation(callee)) return world().app(rewrite(callee), argument(pi, app->arg(), true));
        auto arg = rewrite(app->arg());
        return world().app(rewrite(callee), is_function(pi->dom()) ? world().tuple({arg, world().unit()}) : arg);
    }

    /// Of an axiom, or of a function that only types need.
    const Def* direct_call(const Def* callee, const Def* arg) {
        auto tuple = arg->isa<Tuple>();
        if (!tuple) return world().app(rewrite(callee), asked_for(callee, declared_param(world(), callee), arg));
        auto op  = [&](size_t i) { return asked_for(callee, declared_param(world(), callee, int(i)), tuple->op(i)); };
        auto ops = def_vec(tuple->num_ops(), op);
        return world().app(rewrite(callee), world().tuple(ops));
    }

    /// A function that an axiom itself asks for, as `%direct.delay` and `%direct.call` do, returns to who calls it. `declared` may be null.
    const Def* asked_for(const Def* callee, const Def* declared, const Def* def) {
        auto pi       = def->type()->isa<Pi>();
        bool is_asked = declared && declared->isa<Pi>() && pi && pi->is_cn() && is_function(pi->dom());
        if (!is_asked) return rewrite(def);
        auto lam = def->isa<Lam>();
        if (lam && holders_.is_plain(lam)) return returning_result(lam);
        auto& axiom    = head_axiom(callee)->axiom();
        bool is_waited = axiom.has(Axiom::Local) || axiom.has(Axiom::ByNeed);
        bool may_leave = lam ? !holders_.has_return(lam) || leaving_.may_leave(lam) : leaving_.values_may_leave();
        if (!is_waited || pi->dom()->is_mut() || may_leave) throw Unsuitable();
        return waiting(def, lam ? program_.view(lam) : view_cn(world(), pi->dom(), true));
    }

    /// A holder, or an unknown function, as one that waits until its return is called, as an external function does.
    const Def* waiting(const Def* callee, const CnView& view) {
        auto dom  = callee->type()->as<Pi>()->dom();
        auto call = [&](auto var) {
            auto args = elements(var, view.arity);
            auto ret  = args.back();
            args.pop_back();
            return world().app(ret, world().apply<clos::wait>(rewrite(view.result), waiting_body(callee, args, view)));
        };
        return world().con(world().sigma(result_domain(dom, view)), call, callee->isa<Lam>());
    }

    const Def* waiting_body(const Def* callee, DefVec args, const CnView& view) {
        auto lam  = callee->isa<Lam>();
        auto call = [&](auto var) {
            args.push_back(finish_with(world().extract(var, 0), view.result));
            return world().app(lam ? function(lam) : rewrite(callee), {world().tuple(args), world().unit()});
        };
        return world().lam(world().fn(world().annex(clos::Base(0)), world().annex(clos::Done(0))), call, lam);
    }

    /// The function, where its return takes the result alone. If that is a function, returns in this program take `[]` beside
    /// it, or they would read like functions that return.
    const Def* returning_result(const Lam* lam) {
        auto view  = program_.view(lam);
        auto plain = function(lam);
        if (!is_function(view.result)) return plain;
        auto body = [&](auto var) {
            auto ops  = elements(var, view.arity);
            auto& ret = ops[size_t(view.ret)];
            ret       = taking_unit(ret, rewrite(view.result));
            return world().app(plain, world().tuple(ops));
        };
        return world().con(world().sigma(result_domain(lam->dom(), view)), body, lam);
    }

    /// The types of what such a function takes.
    DefVec result_domain(const Def* dom, const CnView& view) {
        return def_vec(size_t(view.arity), [&](size_t i) {
            return int(i) == view.ret ? world().cn(rewrite(view.result)) : rewrite(element(dom, int(i)));
        });
    }

    /// The type of element i of a domain that does not depend on its own values.
    static const Def* element(const Def* dom, int i) {
        if (auto sigma = dom->isa<Sigma>()) return sigma->op(size_t(i));
        auto arr = dom->isa<Arr>();
        return arr ? arr->body() : dom;
    }

    /// A continuation that takes `[]` beside the result, and passes the result on.
    const Def* taking_unit(const Def* ret, const Def* result) {
        auto pass = [&](auto var) { return world().app(ret, world().extract(var, 0)); };
        return world().con(world().sigma({result, world().unit_type()}), pass);
    }

    /// For a callee that returns to its caller. One outside of the program keeps its type.
    const Def* argument(const Pi* pi, const Def* arg, bool is_outside) {
        auto view = view_cn(world(), pi->dom(), true);
        if (!view.has_ret()) return rewrite(arg);
        auto part = [&](size_t i) {
            auto op = view.arity == 1 ? arg : world().extract(arg, i);
            return int(i) == view.ret ? as_return(op) : is_outside ? operand(op) : rewrite(op);
        };
        return world().tuple(def_vec(size_t(view.arity), part));
    }

    /// The functions that C gets keep their type.
    const Def* operand(const Def* def) {
        if (!holds_function(def->type())) return rewrite(def);
        if (auto tuple = def->isa<Tuple>()) return world().tuple(map_defs(tuple->ops(), [&](auto op) { return operand(op); }));
        auto lam = def->isa<Lam>();
        if (!lam || !is_closed(world(), lam)) throw Unsuitable();
        return external(lam);
    }

    const Def* as_return(const Def* cont) {
        if (auto lam = cont->isa<Lam>()) return function(lam);
        auto owner = program_.isa_ret(cont);
        return owner && !holders_.contains(owner) ? rewrite(cont) : forward(rewrite(cont));
    }

    // --- what C calls ---

    const Lam* make_external(const Lam* lam) {
        auto view = program_.view(lam);
        if (!view.has_ret()) return never_returns(lam, view);
        if (view.ret + 1 != view.arity || holds_function(view.result)) throw Unsuitable();
        return entry(lam, view);
    }

    const Lam* never_returns(const Lam* lam, const CnView& view) {
        if (takes_functions(view)) throw Unsuitable();
        return function(lam)->as<Lam>();
    }

    const Lam* entry(const Lam* lam, const CnView& view) {
        auto& w   = world();
        auto call = [&](auto var) {
            auto args = elements(var, view.arity);
            auto ret  = args.back();
            args.pop_back();
            auto arg  = w.tuple(args);
            auto body = entry_body(lam, arg->type(), view);
            return w.app(ret, w.apply<clos::enter>({arg->type(), view.result}, {arg, body}));
        };
        return w.lam(lam->pi(), call, lam);
    }

    const Def* entry_body(const Lam* lam, const Def* arg_type, const CnView& view) {
        auto& w   = world();
        auto base = w.annex(clos::Base(0));
        auto call = [&](auto var) {
            auto [where, arg] = elems<2>(w, w.extract(var, 0));
            auto ops          = elements(from_c(arg), view.arity - 1);
            ops.push_back(finish_with(where, view.result));
            return w.app(function(lam), {w.tuple(ops), w.unit()});
        };
        return w.lam(w.fn(w.sigma({base, arg_type}), w.annex(clos::Done(0))), call, lam);
    }

    /// The functions that C gives return to who calls them.
    const Def* from_c(const Def* value) {
        auto type = value->type();
        if (!holds_function(type)) return value;
        if (!type->isa<Sigma>()) return call_of_c(value);
        return world().tuple(def_vec(type->num_ops(), [&](size_t i) { return from_c(world().extract(value, i)); }));
    }

    const Def* call_of_c(const Def* function) {
        auto pi   = function->type()->isa<Pi>();
        auto view = pi && pi->is_cn() ? view_cn(world(), pi->dom(), true) : CnView();
        if (!view.has_ret() || holds_function(view.result) || takes_functions(view)) throw Unsuitable();
        return returning(function, rewrite(pi), view);
    }

    /// A continuation that takes the result, of a type of the program as it was.
    const Def* finish_with(const Def* base, const Def* result) {
        auto& w  = world();
        auto put = w.lam(w.fn(domain(result), w.annex(clos::Done(0))), [&](auto var) {
            auto [taken, ret] = elems<2>(w, var);
            auto value        = is_function(result) ? w.extract(taken, 0) : taken;
            return w.app(ret, w.apply<clos::put>(value->type(), {base, value}));
        });
        return w.apply<clos::as>({put->type(), w.cn(domain(result))}, put);
    }

    Program& program_;
    Holders& holders_;
    std::unordered_map<const Lam*, const Def*> functions_;
    std::unordered_map<const Lam*, const Lam*> externals_;
    Leaving leaving_;
};

} // namespace

bool Returns::make_values() {
    auto& world = context_.world;
    ReturnCopy copy(world, program(), holders(), context_.program());
    std::vector<std::pair<Symbol, const Lam*>> made;
    try {
        for (auto& e : world.externals) made.emplace_back(e.name, copy.external(e.lam));
    } catch (const Unsuitable&) {
        return false;
    } catch (const Error&) {
        return false; // an axiom asks for functions that return
    }
    for (auto [name, lam] : made) world.externals.replace(name, const_cast<Lam*>(lam));
    owners_ = std::move(copy.owners);
    return true;
}

} // namespace mim::plug::clos
