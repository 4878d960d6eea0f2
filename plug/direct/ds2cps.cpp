// SPDX-License-Identifier: MIT
// See ds2cps.h. Each function is built again, context by context: the chain of what a context evaluates is a chain of
// continuations, and `env_` says what an old expression has become where we are.
#include "ds2cps.h"

#include <algorithm>
#include <memory>

#include "carry.h"
#include "changes.h"
#include "ir/rewrite.h"
#include "lazy.h"
#include "passing.h"
#include "style.h"
#include "uses.h"

namespace mim::plug::direct {

namespace {

/// Builds one node over new operands.
class Rebuilder : public Rewriter {
public:
    using Rewriter::rebuild;
    using Rewriter::Rewriter;
};

class Converter {
public:
    explicit Converter(World& world)
        : world_(world)
        , facts_(world)
        , rebuilder_(world) {}

    void run() {
        Changes changes(facts_);
        if (changes.changed.empty()) return;
        changed_ = std::move(changes.changed);
        decide_passing(facts_, changes.lams, changes.calls);
        auto externals = world_.externals();
        for (auto& ext : externals)
            if (auto lam = function(ext.lam); lam != ext.lam) world_.replace_external(ext.name, lam->as_mut<Lam>());
        while (!todo_.empty()) {
            auto lam = todo_.back();
            todo_.pop_back();
            convert(lam);
        }
        world_.close(made_);
    }

private:
    using Vertex = Uses::Vertex;

    // --- functions ---

    /// The new form of a closed function, as a value.
    const Def* function(const Lam* lam) {
        if (!changed_.contains(lam)) return lam;
        if (!facts_.has_lazy(lam)) return worker(lam);
        auto& made = wrappers_[lam];
        if (!made) made = wrapper(lam);
        return made;
    }

    /// The new form of a function, as known calls see it: it takes some arguments by need.
    Lam* worker(const Lam* lam) {
        auto& made = functions_[lam];
        if (!made) {
            made = stub(lam);
            todo_.push_back(lam);
        }
        return made;
    }

    /// A function whose arguments are all values, in front of one that takes some by need.
    const Def* wrapper(const Lam* lam) {
        auto made = new_lam(function_type(lam->pi()));
        world_.copy_info(lam, made);
        auto arg  = world_.extract(made->var(), uint64_t(0));
        auto args = assemble(lam, [&](const Leaf& leaf) {
            auto part = facts_.part(arg, leaf);
            return !leaf.is_lazy() ? part : leaf.is_used ? done(leaf, part) : world_.unit();
        });
        world_.set_body(made, world_.app(worker(lam), {args, world_.extract(made->var(), uint64_t(1))}));
        return made;
    }

    /// The new λ of a function or continuation, without a body.
    Lam* stub(const Lam* lam) {
        auto pi   = stays(lam) ? same_type(lam->pi()) : facts_.has_lazy(lam) ? worker_type(lam) : function_type(lam->pi());
        auto made = new_lam(pi);
        world_.copy_info(lam, made);
        return made;
    }

    Lam* new_lam(const Def* pi) {
        auto lam = world_.mut_lam(pi);
        if (here_) world_.set_place(lam, here_);
        world_.set_filter(lam, world_.ff());
        made_.push_back(lam);
        return lam;
    }

    /// Whether the new form of a function takes what it took.
    static bool stays(const Lam* lam) { return lam->is_cn() || Facts::is_type_abstraction(lam->pi()); }

    const Def* same_type(const Pi* pi) { return pi->is_mut() ? Inside(*this).copy(pi) : rewrite(pi); }

    const Def* function_type(const Pi* pi) {
        return pi->is_mut() ? Inside(*this).function(pi) : world_.fn(rewrite(pi->dom()), rewrite(pi->codom()));
    }

    // --- what is passed by need ---

    /// A tuple of what `part` says for each leaf.
    template<class Part>
    const Def* assemble(const Lam* lam, Part part, bool is_type = false) {
        auto& leaves = *facts_.leaves(lam);
        return assemble(leaves, 0, leaves.size(), 0, part, is_type);
    }

    template<class Part>
    const Def* assemble(const std::vector<Leaf>& leaves, size_t from, size_t to, size_t depth, Part& part, bool is_type) {
        if (leaves[from].path.size() == depth) return part(leaves[from]);
        std::vector<const Def*> elems;
        for (size_t next; from != to; from = next) {
            for (next = from + 1; next != to && leaves[next].path[depth] == leaves[from].path[depth];) ++next;
            elems.push_back(assemble(leaves, from, next, depth + 1, part, is_type));
            if (!elems.back()) return nullptr;
        }
        return is_type ? world_.sigma(elems) : world_.tuple(elems);
    }

    const Def* worker_type(const Lam* lam) {
        auto part = [&](const Leaf& leaf) {
            auto type = rewrite(leaf.def->type());
            return !leaf.is_lazy() ? type : leaf.is_used ? make_lazy_type(world_, type) : world_.unit_type();
        };
        return world_.fn(assemble(lam, part, true), rewrite(lam->pi()->codom()));
    }

    const Def* done(const Leaf& leaf, const Def* value) {
        return world_.app(world_.app(world_.annex(direct::done(0)), rewrite(leaf.def->type())), value);
    }

    /// Binds the variable of `lam`, and its leaves, to what `arg`, of the worker's type, holds.
    void bind_leaves(const Lam* lam, const Def* arg) {
        for (auto& leaf : *facts_.leaves(lam)) {
            auto part = facts_.part(arg, leaf);
            if (leaf.is_lazy() && !leaf.is_used) continue;
            if (leaf.is_lazy()) cells_[leaf.def] = part, part = make_force(world_, part);
            bind(leaf.def, part);
        }
        bind_parts(lam->var());
    }

    /// Binds the tuple `def`, a part of a variable, if all its leaves are bound.
    bool bind_parts(const Def* def) {
        if (facts_.isa_leaf(def)) return env_.contains(def);
        std::vector<const Def*> elems;
        for (int64_t i = 0, n = world_.lit_arity(def->type()); i != n; ++i) {
            auto elem = world_.extract(def, uint64_t(i));
            elems.push_back(bind_parts(elem) ? env_[elem] : nullptr);
        }
        if (std::find(elems.begin(), elems.end(), nullptr) != elems.end()) return false;
        bind(def, world_.tuple(elems));
        return true;
    }

    /// What the call, vertex i, of a function that takes some arguments by need passes.
    const Def* pass(uint32_t i, const Lam* callee, const Def* arg, delay where) {
        std::vector<uint32_t> delays;
        for (auto s : (*uses_)[i].succs)
            if ((*uses_)[s].kind == Vertex::Delay) delays.push_back(s);
        auto next = delays.begin();
        return assemble(callee, [&](const Leaf& leaf) {
            if (!leaf.is_lazy()) return rewrite(facts_.part(arg, leaf));
            return leaf.is_used ? suspend(*next++, where) : world_.unit();
        });
    }

    /// Where a call may keep what it passes on. A call at the end may become a jump to where it comes from: then each turn has its own.
    static delay storage(const Def* cont) { return cont && cont->isa<Lam>() ? delay::slot : delay::stack; }

    /// The argument of vertex d as a lazy value.
    const Def* suspend(uint32_t d, delay where) {
        auto expr  = (*uses_)[d].def;
        auto& leaf = *(*uses_)[d].leaf;
        auto type  = rewrite(leaf.def->type());
        if (auto outer = facts_.isa_leaf(expr); outer && outer->is_lazy() && rewrite(expr->type()) == type) return cells_[expr];
        if (is_ready(d)) return done(leaf, rewrite(expr));
        auto code = new_lam(world_.cn(world_.cn(type)));
        context(d, code, expr, code->var());
        return make_delay(world_, where, code);
    }

    /// Whether all that the argument of vertex d must wait for has been evaluated.
    bool is_ready(uint32_t d) {
        for (auto i : uses_->enter(d))
            if ((*uses_)[i].kind != Vertex::Control || !env_.contains((*uses_)[i].def)) return false;
        std::unordered_set<const Def*> seen;
        std::vector<const Def*> todo{(*uses_)[d].def};
        while (!todo.empty()) {
            auto def = todo.back();
            todo.pop_back();
            if (facts_.is_speculatable(def) || facts_.is_effect(def) || !seen.insert(def).second) continue;
            if (cells_.contains(def)) return false;
            if (facts_.is_control(def)) continue;
            if (!facts_.is_cheap(def)) return false;
            run_time_ops(def, todo);
        }
        return true;
    }

    void convert(const Lam* lam) {
        here_ = world_.place(lam);
        env_.clear();
        trail_.clear();
        cells_.clear();
        auto uses = std::make_unique<Uses>(facts_, lam, lam->body());
        while (auto carried = carry_effect(facts_, *uses)) uses = std::make_unique<Uses>(facts_, lam, carried);
        uses_ = uses.get();
        body(0, lam, functions_[lam]);
        uses_ = nullptr;
    }

    /// Fills `made`, the new form of `lam`, whose vertex is `v`.
    void body(uint32_t v, const Lam* lam, Lam* made) {
        auto mark = trail_.size();
        auto body = v == 0 ? uses_->body() : lam->body();
        if (stays(lam)) {
            bind(lam->var(), made->var());
            context(v, made, body, nullptr);
        } else {
            auto arg = world_.extract(made->var(), uint64_t(0));
            if (facts_.has_lazy(lam)) bind_leaves(lam, arg);
            else bind(lam->var(), arg);
            context(v, made, body, world_.extract(made->var(), uint64_t(1)));
        }
        leave(mark);
    }

    void bind(const Def* from, const Def* to) {
        if (env_.emplace(from, to).second) trail_.push_back(from);
    }

    void leave(size_t mark) {
        for (; trail_.size() > mark; trail_.pop_back()) env_.erase(trail_.back());
    }

    // --- contexts ---

    /// Evaluates `def` in the context v, starting in the body of `at`. Without `cont`, def : ⊥ is where control goes; else its value
    /// goes to cont.
    void context(uint32_t v, Lam* at, const Def* def, const Def* cont) {
        auto mark  = trail_.size();
        auto items = uses_->enter(v);
        for (auto i : items)
            if (auto lam = (*uses_)[i].def->isa<Lam>(); lam && (*uses_)[i].kind == Vertex::Function) declare(lam);
        for (auto i : items) {
            auto item = (*uses_)[i];
            if (item.kind == Vertex::Function) {
                if (auto lam = item.def->isa<Lam>()) body(i, lam, functions_[lam]);
                else fill(i, item.def->as<Pack>());
            } else if (env_.contains(item.def)) {
                continue; // evaluated already
            } else if (item.kind == Vertex::Thunk && item.home == v) {
                define_thunk(i);
            } else if (item.def == def) {
                control(i, at, cont);
                return leave(mark);
            } else {
                auto next = new_lam(world_.cn(rewrite(item.def->type())));
                control(i, at, next);
                bind(item.def, next->var());
                at = next;
            }
        }
        if ((*uses_)[v].kind == Vertex::Thunk) return evaluate(v, at, cont), leave(mark);
        auto end = rewrite(def);
        world_.set_body(at, cont ? world_.app(cont, end) : end);
        leave(mark);
    }

    /// Makes the new form of a function inside of another one.
    void declare(const Lam* lam) {
        auto made = functions_[lam] = stub(lam);
        if (!facts_.has_lazy(lam)) bind(lam, made);
    }

    /// A pack whose elements contain control becomes an array that code fills.
    void fill(uint32_t i, const Pack* pack) {
        auto arity = pack->arity();
        auto type  = rewrite(pack->type()->as<Arr>()->body());
        auto code  = new_lam(world_.fn(world_.idx(arity), type));
        auto mark  = trail_.size();
        bind(pack->var(), world_.extract(code->var(), uint64_t(0)));
        context(i, code, pack->body(), world_.extract(code->var(), uint64_t(1)));
        leave(mark);
        bind(pack, world_.app(world_.app(world_.app(world_.annex(direct::fill(0)), arity), type), code));
    }

    /// Lets `at` evaluate the control or outer thunk i and pass its value to cont (null: it is of type ⊥).
    void control(uint32_t i, Lam* at, const Def* cont) {
        auto item = (*uses_)[i];
        if (item.kind == Vertex::Thunk) return world_.set_body(at, world_.app(thunks_[i], cont));
        evaluate(i, at, cont);
    }

    void evaluate(uint32_t i, Lam* at, const Def* cont) {
        auto item = (*uses_)[i];
        if (auto selection = facts_.selection(item.def)) return select(i, selection, at, cont);
        if (auto match = item.def->isa<Match>()) return branch(i, match, at, cont);
        auto app = item.def->as<App>();
        auto lam = app->callee()->isa<Lam>();
        if (lam && facts_.has_lazy(lam))
            world_.set_body(at, world_.app(worker(lam), {pass(i, lam, app->arg(), storage(cont)), cont}));
        else world_.set_body(at, world_.app(rewrite(app->callee()), {rewrite(app->arg()), cont}));
    }

    /// The arms among the successors of i, in order.
    std::vector<uint32_t> arms_of(uint32_t i) {
        std::vector<uint32_t> arms;
        for (auto s : (*uses_)[i].succs)
            if ((*uses_)[s].kind == Vertex::Arm) arms.push_back(s);
        return arms;
    }

    void select(uint32_t i, const Selection& selection, Lam* at, const Def* cont) {
        auto index = rewrite(selection.index);
        std::vector<const Def*> conts;
        std::vector<Lam*> lams;
        for (size_t k = 0; k != selection.elems.size(); ++k) {
            lams.push_back(new_lam(world_.cn(world_.unit_type())));
            conts.push_back(lams.back());
        }
        world_.set_body(at, world_.app(world_.extract(world_.tuple(conts), index), world_.unit()));
        auto arms = arms_of(i);
        for (size_t k = 0; k != lams.size(); ++k) context(arms[k], lams[k], selection.elems[k], cont);
    }

    void branch(uint32_t i, const Match* match, Lam* at, const Def* cont) {
        auto scrutinee = rewrite(match->scrutinee());
        std::vector<const Def*> conts;
        std::vector<Lam*> lams;
        for (auto arm : match->arms()) {
            lams.push_back(new_lam(world_.cn(rewrite(arm->type()->as<Pi>()->dom()))));
            conts.push_back(lams.back());
        }
        world_.set_body(at, world_.match(scrutinee, conts));
        auto arms = arms_of(i);
        for (size_t k = 0; k != lams.size(); ++k) {
            auto mark = trail_.size();
            if (auto lam = facts_.isa_inner_arm(match->arms()[k])) {
                bind(lam->var(), lams[k]->var());
                context(arms[k], lams[k], lam->body(), cont);
            } else {
                auto callee = rewrite(match->arms()[k]);
                world_.set_body(lams[k], world_.app(callee, {lams[k]->var(), cont}));
            }
            leave(mark);
        }
    }

    /// What several paths need, but not all: a local continuation that evaluates it, or a lazy value if one path may ask twice.
    void define_thunk(uint32_t i) {
        auto def   = (*uses_)[i].def;
        auto type  = rewrite(def->type());
        auto thunk = new_lam(world_.cn(world_.cn(type)));
        thunks_[i] = thunk;
        context(i, thunk, def, thunk->var());
        if (facts_.is_effect(def) || !uses_->is_repeated(i)) return;
        cells_[def] = make_delay(world_, uses_->has_delays() ? delay::stack : delay::slot, thunk);
        bind(def, make_force(world_, cells_[def]));
    }

    // --- expressions ---

    const Def* rewrite(const Def* def) {
        if (auto i = env_.find(def); i != env_.end()) return i->second;
        auto result = rewrite_new(def);
        if (!def->isa<Lam>() && !def->isa<Var>()) bind(def, result);
        return result;
    }

    const Def* rewrite_new(const Def* def) {
        switch (def->node()) {
            case Node::Sort:
            case Node::Bot:
            case Node::Top:
            case Node::Nat:
            case Node::Idx:
            case Node::Axm:
            case Node::Var: return def;
            case Node::Lam: {
                auto lam = def->as<Lam>();
                if (facts_.is_closed(lam)) return function(lam);
                return facts_.has_lazy(lam) ? wrapper(lam) : substitute(lam);
            }
            case Node::Pi: return rewrite_pi(def->as<Pi>());
            default: break;
        }
        if (def->is_mut()) return substitute(def);
        if (auto f = isa_restyled(def)) return rewrite(f);
        bool changed = false;
        std::vector<const Def*> ops(def->num_ops());
        for (size_t i = 0; i != ops.size(); ++i) ops[i] = rewrite(def->op(i)), changed |= ops[i] != def->op(i);
        auto type = def->type();
        if (def->isa<Lit>() || def->isa<Inj>()) type = rewrite(type), changed |= type != def->type();
        return changed ? rebuilder_.rebuild(def, type, ops) : def;
    }

    /// Functions that compute values become continuations, wherever they are passed.
    const Def* rewrite_pi(const Pi* pi) {
        if (pi->is_mut()) return is_function(pi) ? function_type(pi) : substitute(pi);
        auto dom = rewrite(pi->dom()), codom = rewrite(pi->codom());
        if (is_function(pi)) return world_.fn(dom, codom);
        return dom == pi->dom() && codom == pi->codom() ? pi : world_.pi(dom, codom, pi->is_implicit());
    }

    static bool is_function(const Pi* pi) {
        auto codom = pi->codom();
        return !pi->is_cn() && !codom->isa<Sort>() && codom->type()->isa<Sort>() && !Facts::is_type_abstraction(pi);
    }

    /// Whether a type mentions functions that become continuations. Functions that compute types are not looked into.
    bool holds_function(const Def* root) {
        if (!root->type() || !root->type()->isa<Sort>()) return false;
        std::vector<const Def*> todo{root}, seen;
        while (!todo.empty()) {
            auto def        = todo.back();
            auto [i, fresh] = holds_.try_emplace(def, false);
            todo.pop_back();
            if (!fresh && !i->second) continue;
            auto pi = def->isa<Pi>();
            if (i->second || (pi && is_function(pi))) {
                for (auto s : seen) holds_.erase(s);
                return holds_[def] = holds_[root] = true;
            }
            seen.push_back(def);
            for (auto op : def->ops())
                if (op && !op->isa<Lam>()) todo.push_back(op);
        }
        return false;
    }

    /// Rewrites a binder in a type or a pack: all variables around it at once, for their types mention one another.
    class Inside : public Rewriter {
    public:
        explicit Inside(Converter& converter)
            : Rewriter(converter.world_)
            , converter_(converter) {}
        const Def* copy(const Def* def) { return copy_mut(def); }
        /// Of a function whose codomain depends on its argument: `[x: T] → U` becomes `Cn [x: T, Cn U]`.
        const Def* function(const Pi* pi) {
            auto type = world().mut_sigma(2);
            world().set(type, 0, rewrite(pi->dom()));
            map(pi->var(), world().extract(type->var(), uint64_t(0)));
            world().set(type, 1, world().cn(rewrite(pi->codom())));
            return world().cn(world().seal(type));
        }

    private:
        const Def* known(const Def* def) {
            auto i = converter_.env_.find(def);
            return i == converter_.env_.end() ? nullptr : i->second;
        }
        bool needs(const Def* def) override { return !converter_.facts_.is_closed(def) || converter_.holds_function(def); }
        const Def* rewrite_var(const Def* var) override {
            auto to = known(var);
            return to ? to : var;
        }
        const Def* rewrite_imm(const Def* def) override {
            if (auto to = known(def)) return to;
            auto pi = def->isa<Pi>();
            return pi && is_function(pi) ? world().fn(rewrite(pi->dom()), rewrite(pi->codom())) : Rewriter::rewrite_imm(def);
        }
        const Def* rewrite_mut(const Def* def) override {
            if (auto to = known(def)) return to;
            auto pi = def->isa<Pi>();
            return pi && is_function(pi) ? function(pi) : Rewriter::rewrite_mut(def);
        }
        Converter& converter_;
    };

    const Def* substitute(const Def* def) { return Inside(*this).rewrite(def); }

    World& world_;
    Facts facts_;
    Rebuilder rebuilder_;
    Uses* uses_ = nullptr;
    Place here_; ///< of what is being evaluated
    std::unordered_set<const Lam*> changed_;
    std::unordered_map<const Lam*, Lam*> functions_;
    std::unordered_map<const Lam*, const Def*> wrappers_; ///< of closed functions
    std::vector<const Lam*> todo_;
    std::vector<Lam*> made_;
    std::unordered_map<uint32_t, const Def*> thunks_;
    std::unordered_map<const Def*, const Def*> cells_; ///< the lazy value of an expression
    std::unordered_map<const Def*, bool> holds_;
    std::unordered_map<const Def*, const Def*> env_;
    std::vector<const Def*> trail_;
};

} // namespace

void to_cps(PhaseContext& context) { Converter(context.world).run(); }

} // namespace mim::plug::direct
