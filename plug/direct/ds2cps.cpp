// SPDX-License-Identifier: MIT
// See ds2cps.h. Each function is built again, context by context: the chain of what a context evaluates is a chain of
// continuations, and `env_` says what an old expression has become where we are.
#include "ds2cps.h"

#include "ir/rewrite.h"
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
        find_dirty();
        if (dirty_.empty()) return;
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

    // --- which functions change ---

    /// A function changes if it is direct or contains control, and so does whoever mentions it.
    void find_dirty() {
        std::vector<const Lam*> lams;
        std::unordered_map<const Lam*, std::vector<const Lam*>> users;
        std::unordered_set<const Lam*> seen;
        auto found = [&](const Lam* lam) {
            if (facts_.is_run_time(lam) && seen.insert(lam).second) lams.push_back(lam);
        };
        for (auto& ext : world_.externals()) found(ext.lam);
        std::vector<const Lam*> changed;
        std::vector<const Def*> todo, ops;
        for (size_t i = 0; i != lams.size(); ++i) {
            auto lam   = lams[i];
            bool dirty = !lam->is_cn();
            std::unordered_set<const Def*> visited;
            todo = {lam->body()};
            while (!todo.empty()) {
                auto def = todo.back();
                todo.pop_back();
                if (!visited.insert(def).second) continue;
                if (auto l = def->isa<Lam>()) {
                    found(l);
                    users[l].push_back(lam);
                    continue;
                }
                dirty = dirty || facts_.is_call(def) || (!def->type()->isa<Bot>() && facts_.is_control(def));
                ops.clear();
                run_time_ops(def, ops);
                todo.insert(todo.end(), ops.begin(), ops.end());
            }
            if (dirty && dirty_.insert(lam).second) changed.push_back(lam);
        }
        while (!changed.empty()) {
            auto lam = changed.back();
            changed.pop_back();
            for (auto user : users[lam])
                if (dirty_.insert(user).second) changed.push_back(user);
        }
    }

    // --- functions ---

    const Def* function(const Lam* lam) {
        if (!dirty_.contains(lam)) return lam;
        auto& made = functions_[lam];
        if (!made) {
            made = stub(lam);
            todo_.push_back(lam);
        }
        return made;
    }

    /// The new λ of a function or continuation, without a body.
    Lam* stub(const Lam* lam) {
        auto pi   = lam->is_cn() ? rewrite(lam->type()) : function_type(lam->pi());
        auto made = new_lam(pi);
        world_.copy_info(lam, made);
        return made;
    }

    Lam* new_lam(const Def* pi) {
        auto lam = world_.mut_lam(pi);
        world_.set_filter(lam, world_.ff());
        made_.push_back(lam);
        return lam;
    }

    const Def* function_type(const Pi* pi) {
        if (!pi->is_mut()) return world_.fn(rewrite(pi->dom()), rewrite(pi->codom()));
        auto type = world_.mut_sigma(2);
        world_.set(type, 0, rewrite(pi->dom()));
        auto arg = world_.extract(type->var(), uint64_t(0));
        world_.set(type, 1, world_.cn(rewrite(world_.subst(pi->codom(), pi->var(), arg))));
        return world_.cn(world_.seal(type));
    }

    void convert(const Lam* lam) {
        env_.clear();
        trail_.clear();
        Uses uses(facts_, lam);
        uses_ = &uses;
        body(0, lam, functions_[lam]);
        uses_ = nullptr;
    }

    /// Fills `made`, the new form of `lam`, whose vertex is `v`.
    void body(uint32_t v, const Lam* lam, Lam* made) {
        auto mark = trail_.size();
        if (lam->is_cn()) {
            bind(lam->var(), made->var());
            context(v, made, lam->body(), nullptr);
        } else {
            bind(lam->var(), world_.extract(made->var(), uint64_t(0)));
            context(v, made, lam->body(), world_.extract(made->var(), uint64_t(1)));
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
        def        = facts_.distributed(def);
        auto mark  = trail_.size();
        auto items = uses_->enter(v);
        for (auto i : items)
            if ((*uses_)[i].kind == Vertex::Function) bind((*uses_)[i].def, stub((*uses_)[i].def->as<Lam>()));
        for (auto i : items) {
            auto item = (*uses_)[i];
            if (item.kind == Vertex::Function) {
                body(i, item.def->as<Lam>(), const_cast<Lam*>(env_[item.def]->as<Lam>()));
            } else if (item.kind == Vertex::Thunk && item.home == v) {
                define_thunk(i);
            } else if (item.def == def) {
                control(i, at, cont);
                return leave(mark);
            } else if (!env_.contains(item.def)) {
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

    /// Lets `at` evaluate the control or outer thunk i and pass its value to cont (null: it is of type ⊥).
    void control(uint32_t i, Lam* at, const Def* cont) {
        auto item = (*uses_)[i];
        if (item.kind == Vertex::Thunk) return world_.set_body(at, world_.app(thunks_[i], cont));
        evaluate(i, at, cont);
    }

    void evaluate(uint32_t i, Lam* at, const Def* cont) {
        auto item = (*uses_)[i];
        if (auto selection = facts_.isa_selection(item.def)) return select(i, selection, at, cont);
        if (auto match = item.def->isa<Match>()) return branch(i, match, at, cont);
        auto app = item.def->as<App>();
        world_.set_body(at, world_.app(rewrite(app->callee()), {rewrite(app->arg()), cont}));
    }

    /// The arms among the successors of i, in order.
    std::vector<uint32_t> arms_of(uint32_t i) {
        std::vector<uint32_t> arms;
        for (auto s : (*uses_)[i].succs)
            if ((*uses_)[s].kind == Vertex::Arm) arms.push_back(s);
        return arms;
    }

    void select(uint32_t i, const Extract* selection, Lam* at, const Def* cont) {
        auto index = rewrite(selection->index());
        std::vector<const Def*> conts;
        std::vector<Lam*> lams;
        for (size_t k = 0; k != selection->tuple()->num_ops(); ++k) {
            lams.push_back(new_lam(world_.cn(world_.unit_type())));
            conts.push_back(lams.back());
        }
        world_.set_body(at, world_.app(world_.extract(world_.tuple(conts), index), world_.unit()));
        auto arms = arms_of(i);
        for (size_t k = 0; k != lams.size(); ++k) context(arms[k], lams[k], selection->tuple()->op(k), cont);
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
            if (auto lam = match->arms()[k]->isa<Lam>()) {
                bind(lam->var(), lams[k]->var());
                context(arms[k], lams[k], lam->body(), cont);
            } else {
                auto callee = rewrite(match->arms()[k]);
                world_.set_body(lams[k], world_.app(callee, {lams[k]->var(), cont}));
            }
            leave(mark);
        }
    }

    /// A local continuation that evaluates what several paths need, but not all.
    void define_thunk(uint32_t i) {
        auto item  = (*uses_)[i];
        auto thunk = new_lam(world_.cn(world_.cn(rewrite(item.def->type()))));
        thunks_[i] = thunk;
        context(i, thunk, item.def, thunk->var());
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
            case Node::Lam: return facts_.is_closed(def) ? function(def->as<Lam>()) : substitute(def);
            case Node::Pi: return rewrite_pi(def->as<Pi>());
            default: break;
        }
        if (def->is_mut()) return substitute(def);
        bool changed = false;
        std::vector<const Def*> ops(def->num_ops());
        for (size_t i = 0; i != ops.size(); ++i) ops[i] = rewrite(def->op(i)), changed |= ops[i] != def->op(i);
        auto type = def->type();
        if (def->isa<Lit>() || def->isa<Inj>()) type = rewrite(type), changed |= type != def->type();
        return changed ? rebuilder_.rebuild(def, type, ops) : def;
    }

    /// Functions that compute values become continuations, wherever they are passed.
    const Def* rewrite_pi(const Pi* pi) {
        if (pi->is_mut()) return substitute(pi);
        auto dom = rewrite(pi->dom()), codom = rewrite(pi->codom());
        if (!pi->is_cn() && !pi->is_implicit() && !codom->isa<Sort>() && codom->type()->isa<Sort>() && !mentions_types(pi->dom()))
            return world_.fn(dom, codom);
        return dom == pi->dom() && codom == pi->codom() ? pi : world_.pi(dom, codom, pi->is_implicit());
    }

    static bool mentions_types(const Def* dom) {
        if (dom->isa<Sort>()) return true;
        if (dom->isa<Sigma>())
            for (auto op : dom->ops())
                if (op->isa<Sort>()) return true;
        return false;
    }

    /// A binder inside of a type or a pack: only the variables in it change.
    const Def* substitute(const Def* def) {
        for (auto var : world_.free_vars(def))
            if (auto to = rewrite(var); to != var) def = world_.subst(def, var, to);
        return def;
    }

    World& world_;
    Facts facts_;
    Rebuilder rebuilder_;
    Uses* uses_ = nullptr;
    std::unordered_set<const Lam*> dirty_;
    std::unordered_map<const Lam*, Lam*> functions_;
    std::vector<const Lam*> todo_;
    std::vector<Lam*> made_;
    std::unordered_map<uint32_t, const Def*> thunks_;
    std::unordered_map<const Def*, const Def*> env_;
    std::vector<const Def*> trail_;
};

} // namespace

void to_cps(PhaseContext& context) { Converter(context.world).run(); }

} // namespace mim::plug::direct
