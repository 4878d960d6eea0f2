// SPDX-License-Identifier: MIT
// Typed closure conversion. A function that is used as a value and refers to variables around it becomes closed code, and the value
// `%clos.make (env, code)#i`, where env is what it refers to. All else stays as it is: a function that is only called, that is a return, or
// that an axiom itself asks for is no value. Functions that refer to each other share an environment.
//
// The program is copied, code by code: a Copy is the inside of one closure's code, or the outside of all. What the code
// takes from outside is mapped to elements of its environment, the functions of the group to the code's other
// parameter; a local function that is called both inside and outside is copied for each, if that copies no closures
// (shared.h). A large closure that several codes mention is made before them (mentions.h).
#include "convert.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "base/worklist.h"
#include "captures.h"
#include "clos/annexes.h"
#include "direct/annexes.h"
#include "ir/rewrite.h"
#include "kit/build.h"
#include "mentions.h"
#include "returns.h"
#include "roles.h"
#include "shared.h"

namespace mim::plug::clos {

namespace {

/// The user's error was reported.
struct Reported {};
/// A closure leaves through the return of a function around it.
struct ReturnEscapes {};

class Copy : public Rewriter {
public:
    Copy(PhaseContext& context, const Roles& roles, const Shared& shared, const Mentions& mentions, Copy* around)
        : Rewriter(context.world)
        , context_(context)
        , roles_(roles)
        , shared_(shared)
        , mentions_(mentions)
        , around_(around)
        , root_(around ? around->root_ : *this) {}

    /// A function in the role of a function.
    const Def* function(const Lam* lam) {
        if (&root_ != this && is_closed(world(), lam)) return root_.function(lam);
        if (auto i = functions_.find(lam); i != functions_.end()) return i->second;
        if (auto i = bound_.find(lam); i != bound_.end()) return i->second; // called by its value: its environment is not here
        if (shared_.contains(lam)) return rewrite(lam);
        return lam->is_set() ? copy(lam) : lam;
    }

    bool is_quiet   = false; ///< of the outermost: no error is reported
    bool may_retry  = false; ///< of the outermost: returns may become values, if closures leave through them
    bool holds_lazy = false; ///< of the outermost: a suspended evaluation is in some environment

protected:
    const Def* rewrite_imm(const Def* def) override {
        if (&root_ != this && is_closed(world(), def)) return root_.rewrite(def);
        if (auto app = def->isa<App>()) {
            auto called = callee(app->callee());
            return world().app(called, argument(app->callee(), app->arg()));
        }
        if (auto match = def->isa<Match>()) return rewrite_match(match);
        return Rewriter::rewrite_imm(def);
    }

    const Def* rewrite_mut(const Def* def) override {
        if (&root_ != this && is_closed(world(), def)) return root_.rewrite(def);
        auto lam = def->isa<Lam>();
        if (!lam) return is_term(def) ? Rewriter::rewrite_mut(def) : rewrite_type(def);
        if (is_closed(world(), lam) || !lam->is_cn() || !lam->is_set()) return function(lam);
        make(lam);
        return values_.at(lam);
    }

private:
    const Def* rewrite_type(const Def* def) { return is_closed(world(), def) ? def : Rewriter::rewrite_mut(def); }

    /// Here, or outside of the code that this is the inside of.
    bool has_value(const Lam* lam) {
        if (values_.contains(lam)) return true;
        return around_ && !is_in_copy(lam) && around_->has_value(lam);
    }

    /// Refers to variables of functions that are copied here: its values elsewhere refer to the variables of other copies.
    bool is_in_copy(const Lam* lam) {
        return std::ranges::any_of(free_vars(world(), lam), [&](auto var) {
            auto binder = var->template as<Var>()->binder()->template isa<Lam>();
            return binder && functions_.contains(binder);
        });
    }

    // --- functions in the role of functions ---

    const Def* callee(const Def* def) {
        if (auto lam = def->isa<Lam>()) return function(lam);
        auto extract = def->isa<Extract>();
        auto tuple   = extract ? extract->tuple()->isa<Tuple>() : nullptr;
        if (!tuple || roles_.isa_ret(def)) return rewrite(def);
        auto index = rewrite(extract->index());
        return world().extract(called(tuple), index);
    }

    const Def* called(const Tuple* tuple) {
        return world().tuple(map_defs(tuple->ops(), [&](auto op) { return callee(op); }));
    }

    const Def* argument(const Def* callee, const Def* arg) {
        auto in_role = [&](const Def* def, bool is_called) {
            auto lam = is_called ? def->isa<Lam>() : nullptr;
            return lam ? as_return(lam) : rewrite(def);
        };
        auto pack = arg->isa<Pack>(); // of equal elements
        auto n    = pack && !arg->var() ? lit_arity(world(), arg->type()) : arg->isa<Tuple>() ? int64_t(arg->num_ops()) : -1;
        if (n < 0 || n > max_flat_params) return in_role(arg, roles_.is_called(callee));
        auto op = [&](size_t i) { return in_role(world().extract(arg, i), roles_.is_called(callee, i)); };
        return world().tuple(def_vec(size_t(n), op));
    }

    /// Who is returned to has no return itself, but a function that is a value may: then both need a function of their own.
    const Def* as_return(const Lam* lam) {
        auto fn    = function(lam);
        auto known = fn->isa<Lam>();
        if (!known || !codes_.contains(known) || !view_cn(world(), known->dom(), true).has_ret()) return fn;
        return world().lam(known->pi(), [&](auto var) { return world().app(known, var); }, lam);
    }

    const Def* rewrite_match(const Match* match) {
        auto scrutinee = rewrite(match->scrutinee());
        return world().match(scrutinee, map_defs(match->arms(), [&](auto arm) { return callee(arm); }));
    }

    const Def* copy(const Lam* old) {
        auto lam = world().mut_lam(rewrite(old->type()));
        fill(old, lam);
        return lam;
    }

    void fill(const Lam* old, Lam* lam) {
        functions_[old] = lam;
        map(old->var(), lam->var());
        world().notes.copy_info(old, lam);
        world().set_filter(lam, rewrite(old->filter()));
        world().set_body(lam, old->is_cn() ? rewrite(old->body()) : result(old->body()));
        if (world().debug) world().notes.copy_locals(old, lam, [&](const Def* def) { return known(def); });
        world().close(std::span<Lam* const>(&lam, 1));
    }

    /// What a function in direct style returns is the code of closures, if it is functions.
    const Def* result(const Def* def) {
        auto tuple = def->isa<Tuple>();
        return tuple ? called(tuple) : callee(def);
    }

    // --- functions in the role of values ---

    /// Functions with the same free variables that refer to each other; `lam` is one.
    std::vector<const Lam*> group_of(const Lam* lam) {
        auto vars = free_vars(world(), lam);
        std::vector<const Lam*> group;
        for (auto other : mentioned(lam, vars))
            if (other == lam || (other->is_cn() && has_same(other, vars) && mentions(other, lam, vars))) group.push_back(other);
        std::ranges::sort(group, {}, [](auto l) { return l->id(); });
        return group;
    }

    bool is_value(const Lam* lam) { return roles_.is_value(lam) || shared_.contains(lam); }
    bool has_same(const Lam* lam, Defs vars) { return std::ranges::equal(free_vars(world(), lam), vars); }

    /// The open functions in `lam` that depend on nothing else than it does.
    std::vector<const Lam*> mentioned(const Lam* lam, Defs vars) {
        std::vector<const Lam*> result{lam};
        Worklist<const Def*> todo{lam->body()};
        while (auto def = todo.next()) {
            if (def == lam || is_closed(world(), def) || has_value_around(def)) continue;
            auto inner = def->isa<Lam>();
            if (inner && std::ranges::find(vars, inner->var()) != vars.end()) continue; // around it
            if (inner && inner->is_set() && is_value(inner) && has_same(inner, vars)) result.push_back(inner);
            if (!def->isa<Var>()) todo.push_all(def->ops());
        }
        return result;
    }

    bool has_value_around(const Def* def) {
        auto lam = def->isa<Lam>();
        return lam && has_value(lam);
    }

    bool mentions(const Lam* lam, const Lam* what, Defs vars) {
        auto all = mentioned(lam, vars);
        return std::ranges::find(all, what) != all.end();
    }

    /// Of the functions of a group.
    struct Taken {
        DefVec captures;
        std::vector<const Lam*> inner; ///< the functions that become part of its code
    };

    Taken taken_by(const std::vector<const Lam*>& group) {
        Captures find(world(), *context_.snapshot, [&](const Lam* l) { return has_value(l); });
        auto captures = find(group);
        return {std::move(captures), find.inner()};
    }

    /// Sets the values of `lam` and of its group.
    void make(const Lam* lam) {
        auto group = group_of(lam);
        auto taken = taken_by(group);
        if (make_shared(group, taken.inner, taken.captures)) taken = taken_by(group);
        if (!values_.contains(lam)) make(group, taken.captures);
    }

    /// The values in the code of a group that others mention too (mentions.h). `around`: what the outermost of the
    /// closures that wait for them takes from outside. False if there were none.
    bool make_shared(const std::vector<const Lam*>& group, const std::vector<const Lam*>& inner, const DefVec& around) {
        bool is_any = false;
        for (auto lam : inner)
            if (is_shared(lam, group)) is_any |= make_before(lam, around);
        return is_any;
    }

    bool is_shared(const Lam* lam, const std::vector<const Lam*>& group) {
        if (!lam->is_cn() || !is_value(lam) || has_value(lam) || is_asked_for(lam)) return false;
        auto vars      = free_vars(world(), group.front());
        auto is_around = [&](auto var) { return std::ranges::find(vars, var) != vars.end(); };
        return std::ranges::all_of(free_vars(world(), lam), is_around) && mentions_.is_shared(lam, group);
    }

    /// Some call takes it for a function, as a suspended evaluation does: it needs no closure there.
    bool is_asked_for(const Lam* lam) {
        auto& program = *context_.snapshot;
        return std::ranges::any_of(program.users(lam), [&](auto user) {
            if (auto app = user->template isa<App>()) return app->arg() == lam && roles_.is_called(app->callee());
            auto tuple = user->template isa<Tuple>();
            return tuple && std::ranges::any_of(program.users(tuple), [&](auto call) { return is_asked_for(lam, tuple, call); });
        });
    }

    bool is_asked_for(const Lam* lam, const Tuple* arg, const Def* user) {
        auto app = user->isa<App>();
        if (!app || app->arg() != arg) return false;
        for (size_t i = 0; i != arg->num_ops(); ++i)
            if (arg->op(i) == lam && roles_.is_called(app->callee(), i)) return true;
        return false;
    }

    /// Unless an effect had to happen for it that may be one of the code.
    bool make_before(const Lam* lam, const DefVec& around) {
        if (!tried_.insert(lam).second) return false;
        auto group  = group_of(lam);
        auto taken  = taken_by(group);
        bool is_any = make_shared(group, taken.inner, around);
        if (is_any) taken = taken_by(group);
        if (has_value(lam)) return true;
        auto is_known = [&](auto def) { return def->template isa<Lam>() || is_part_of_var(def) || contains(around, def); };
        if (!std::ranges::all_of(taken.captures, is_known)) return is_any;
        make(group, taken.captures);
        return true;
    }

    static bool is_part_of_var(const Def* def) {
        while (auto extract = def->isa<Extract>()) def = extract->tuple();
        return def->isa<Var>();
    }
    static bool contains(const DefVec& defs, const Def* def) { return std::ranges::find(defs, def) != defs.end(); }

    void make(const std::vector<const Lam*>& group, const DefVec& captures) {
        check(group.front(), captures);
        auto n     = world().lit_nat(group.size());
        auto types = env_type(captures);
        auto maker = world().apply<clos::make>({types.env, n, domains(group, captures, types)});
        auto dom   = maker->type()->as<Pi>()->dom();
        auto code  = world().mut_lam(elem_decl(world(), dom, 1)->as<Pi>());

        Copy inside(context_, roles_, shared_, mentions_, this);
        inside.enter(group, captures, code);
        auto env  = world().tuple(map_defs(captures, [&](auto def) { return rewrite(def); }));
        auto made = world().app(maker, {env, code});
        for (size_t i = 0; i != group.size(); ++i) values_[group[i]] = world().extract(made, i);
    }

    /// This is the inside of `code`.
    void enter(const std::vector<const Lam*>& group, const DefVec& captures, Lam* code) {
        auto& w  = world();
        auto env = w.extract(code->var(), 0), functions = w.extract(code->var(), 1);
        for (size_t i = 0; i != captures.size(); ++i) bind(captures[i], captures.size() == 1 ? env : w.extract(env, i));
        for (size_t i = 0; i != group.size(); ++i) bind(group[i], group.size() == 1 ? functions : w.extract(functions, i));
        DefVec made;
        for (auto lam : group) {
            auto fn         = w.mut_lam(rewrite(lam->type())->as<Pi>());
            functions_[lam] = fn;
            codes_.insert(fn);
            made.push_back(fn);
        }
        for (auto lam : group) fill(lam, functions_[lam]->as_mut<Lam>());
        if (w.debug)
            for (auto lam : group) name_captures(captures, functions_[lam]->as_mut<Lam>());
        w.notes.copy_info(group.front(), code);
        w.set_filter(code, w.ff());
        w.set_body(code, w.tuple(made));
        w.close(std::span<Lam* const>(&code, 1));
    }

    /// Debuggers show in a closure what it takes from outside, by its name there.
    void name_captures(const DefVec& captures, const Lam* code) {
        for (auto capture : captures) {
            auto name = name_outside(capture);
            if (!name) continue;
            auto here     = *name;
            here.value    = rewrite(capture);
            here.is_param = false;
            world().notes.add_local(code, here);
        }
    }

    const Local* name_outside(const Def* capture) {
        if (auto local = Notes::has_place(capture) ? world().notes.local(capture) : nullptr) return local;
        auto root = capture;
        while (auto extract = root->isa<Extract>()) root = extract->tuple();
        auto binder = root->isa<Var>() ? root->as<Var>()->binder()->isa<Lam>() : nullptr;
        auto names  = binder ? world().notes.locals(binder) : nullptr;
        if (!names) return nullptr;
        auto found = std::ranges::find(*names, capture, &Local::value);
        return found == names->end() ? nullptr : &*found;
    }

    void bind(const Def* outer, const Def* inner) {
        map(outer, inner);
        if (auto lam = outer->isa<Lam>()) values_[lam] = bound_[lam] = inner;
    }

    void check(const Lam* lam, const DefVec& captures) {
        auto report = [&](Diag id, std::vector<std::string> args) {
            if (root_.is_quiet) throw Reported{};
            auto& d = context_.diags.report(id, world().notes.span(lam), std::move(args));
            if (id == Diag::return_escapes) d.note(Diag::return_to_caller, {});
            throw Reported{};
        };
        auto name = [&](const Def* def) {
            auto symbol = world().notes.name(def);
            return symbol.empty() ? std::string("an anonymous function") : std::string(symbol.view());
        };
        for (auto def : captures) {
            if (auto owner = returns_from(def)) {
                if (root_.may_retry) throw ReturnEscapes();
                report(Diag::return_escapes, {name(lam), name(owner)});
            }
            if (!def->isa<Lam>() && !is_term(def)) report(Diag::run_time_layout, {name(def)});
            root_.holds_lazy |= is_lazy(def->type());
        }
    }

    /// The function whose return is in a value.
    const Lam* returns_from(const Def* def) {
        if (auto lam = roles_.isa_ret(def)) return lam;
        auto var = def->isa<Var>();
        auto n   = var ? lit_arity(world(), var->type()) : 0;
        return n > 1 ? roles_.isa_ret(world().extract(def, uint64_t(n - 1))) : nullptr;
    }

    bool is_lazy(const Def* type) {
        if (match<direct::Lazy>(type)) return true;
        return !type->is_mut() && !type->isa<Var>() && std::ranges::any_of(type->ops(), [&](auto op) { return is_lazy(op); });
    }

    // --- types ---

    /// A type that mentions values before it, or that is without them, as a function of the environment.
    struct EnvType {
        const Def* env;
        Sigma* sigma; ///< null: no type in it mentions a value
    };

    EnvType env_type(const DefVec& captures) {
        auto& w      = world();
        auto types   = map_defs(captures, [&](auto def) { return rewrite(def->type()); });
        auto depends = [&](auto type) { return std::ranges::any_of(captures, [&](auto c) { return mentions_part(type, c); }); };
        if (std::ranges::none_of(captures, [&](auto c) { return depends(c->type()); })) return {w.sigma(types), nullptr};
        auto sigma = w.mut_sigma(captures.size());
        Copy inside(context_, roles_, shared_, mentions_, around_);
        for (size_t i = 0; i != captures.size(); ++i) {
            w.set(sigma, i, inside.rewrite(captures[i]->type()));
            inside.map(captures[i], w.extract(sigma->var(), i));
        }
        return {w.seal(sigma), sigma};
    }

    bool mentions_part(const Def* type, const Def* capture) {
        for (auto var : free_vars(world(), capture))
            if (is_free_in(world(), var, type)) return true;
        return false;
    }

    /// The domains of the functions, given the environment.
    const Def* domains(const std::vector<const Lam*>& group, const DefVec& captures, const EnvType& types) {
        auto& w = world();
        auto fn = w.mut_lam(w.pi(types.env, w.arr(w.lit_nat(group.size()), w.star())));
        Copy inside(context_, roles_, shared_, mentions_, around_);
        for (size_t i = 0; i != captures.size(); ++i)
            inside.map(captures[i], captures.size() == 1 ? fn->var() : w.extract(fn->var(), i));
        w.set_filter(fn, w.tt());
        w.set_body(fn, w.tuple(map_defs(group, [&](auto lam) { return inside.rewrite(lam->dom()); })));
        w.close(std::span<Lam* const>(&fn, 1));
        return fn;
    }

    PhaseContext& context_;
    const Roles& roles_;
    const Shared& shared_;
    const Mentions& mentions_;
    Copy* around_;
    Copy& root_;
    std::unordered_map<const Lam*, const Def*> functions_, values_, bound_; ///< bound: values from outside
    std::unordered_set<const Lam*> codes_;                                  ///< the functions that closures call
    std::unordered_set<const Lam*> tried_;                                  ///< to be made before closures that mention them
};

/// What an environment refers to must live as long: every suspended evaluation moves to the heap.
class MoveToHeap : public Rewriter {
public:
    using Rewriter::Rewriter;

protected:
    const Def* rewrite_imm(const Def* def) override {
        auto now = Rewriter::rewrite_imm(def);
        if (auto delay = match<direct::delay>(now); delay && delay.sub() != direct::delay::heap)
            return world().call(direct::delay::heap, delay.arg());
        if (auto once = match<direct::once>(now); once && once.sub() != direct::once::heap)
            return world().call(direct::once::heap, once.arg());
        return now;
    }
};

/// If `copy` throws, nothing is replaced.
void replace_externals(World& world, const std::function<const Def*(const Lam*)>& copy) {
    std::vector<std::pair<Symbol, Lam*>> made;
    for (auto& e : world.externals) made.emplace_back(e.name, copy(e.lam)->as_mut<Lam>());
    for (auto [name, lam] : made) world.externals.replace(name, lam);
}

} // namespace

/// What is done about a closure that leaves through the return of a function around it.
enum class Escape : uint8_t { Throw, Report, Fail };

/// False after an error. `Fail` reports none. The functions in `closures` become closures if they have variables.
static bool convert(PhaseContext& context, Escape mode, const std::unordered_set<const Lam*>& closures = {}) {
    auto& snapshot = context.program();
    auto escapes   = [&](const Def* def) {
        auto lam = def->isa<Lam>();
        return lam && lam->is_cn() && may_escape(context.world, snapshot, lam) && !is_closed(context.world, lam);
    };
    if (std::ranges::none_of(snapshot.nodes(), escapes)) return true;
    Program program(context.world);
    if (std::ranges::none_of(snapshot.nodes(),
                             [&](auto def) { return escapes(def) && program.is_escaping(def->template as<Lam>()); }))
        return true;
    Roles roles(program);
    Shared shared(context.world, roles, snapshot, closures);
    Mentions mentions(context.world, snapshot);
    Copy copy(context, roles, shared, mentions, nullptr);
    copy.may_retry = mode == Escape::Throw;
    copy.is_quiet  = mode == Escape::Fail;
    try {
        replace_externals(context.world, [&](const Lam* lam) { return copy.function(lam); });
    } catch (const Reported&) {
        return false;
    }
    if (!copy.holds_lazy) return true;
    MoveToHeap move(context.world);
    replace_externals(context.world, [&](const Lam* lam) { return move.rewrite(lam); });
    return true;
}

/// Returns become values, and then closures; or nothing happens.
static bool convert_returns(PhaseContext& context, Returns& returns) {
    auto& world = context.world;
    std::vector<External> before(world.externals.begin(), world.externals.end());
    if (!returns.make_values()) return false;
    if (convert(context, Escape::Fail, returns.owners())) return true;
    for (auto& e : before) world.externals.replace(e.name, e.lam);
    return false;
}

void convert_closures(PhaseContext& context) {
    Returns returns(context);
    if (returns.need_values() && convert_returns(context, returns)) return;
    try {
        convert(context, Escape::Throw);
    } catch (const ReturnEscapes&) {
        if (!convert_returns(context, returns)) convert(context, Escape::Report);
    }
}

} // namespace mim::plug::clos
