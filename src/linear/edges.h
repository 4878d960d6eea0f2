// SPDX-License-Identifier: MIT
// Which uses evaluating a node makes of its operands. The summaries of λs and the paths through them go along the same
// edges.
#pragma once
#include <cstdint>

#include "linear/check.h"
#include "linear/expanded.h"

namespace mim::linear {

/// One use of `to.def`: of its element `elem` or, if that is negative, of all of it.
struct Edge {
    Key to;
    int64_t elem = -1;
    /// On which of the user's paths, and how often: in an arm of a branch on `cond`, or a number of times. A Touch
    /// consumes nothing, but makes sure that the operand is looked at. A Return is entered when the call comes back to
    /// it, an Exit when the call leaves through its element `arm`, a Jump when the call does not come back since this
    /// function was called, and left through something around it. ByNeed is evaluated on some paths: an arm that nobody
    /// else chooses.
    enum : uint8_t { Times, Arm, Touch, Return, Exit, Jump, ByNeed } kind = Times;
    uint64_t times                                                        = 1;
    const Def* cond                                                       = nullptr;
    uint32_t arm                                                          = 0;
    uint32_t num_arms                                                     = 1;
};

/// Passes each use that a node makes of its operands to `cb`, as an Edge.
template<class F>
class Edges {
public:
    Edges(Check& check, const Fn& fn, const Key& key, F& cb)
        : c_(check)
        , fn_(fn)
        , key_(key)
        , cb_(cb) {}

    void run() {
        auto d = key_.def;
        for (auto value : c_.facts.type_values(d)) use(value);
        switch (d->node()) {
            case Node::Lam: return of_lam(d->as<Lam>());
            case Node::App: return of_app(d->as<App>());
            case Node::Extract: return of_extract(d->as<Extract>());
            case Node::Pack: return of_pack(d->as<Pack>());
            case Node::Insert: return of_insert(d->as<Insert>());
            case Node::Match: {
                auto match = d->as<Match>();
                use(match->scrutinee());
                return arms(match->arms(), match->scrutinee(), Mode::Call);
            }
            case Node::Tuple:
            case Node::Inj:
                for (auto op : d->ops()) use(op);
                return;
            default: return;
        }
    }

private:
    void use(const Def* op, Mode mode = Mode::Value) { cb_(Edge{.to = {op, mode}}); }
    void touch(const Def* op) { cb_(Edge{.to = {op, Mode::Value}, .kind = Edge::Touch}); }
    void by_need(const Def* op) {
        cb_(Edge{.to = {op, Mode::Value}, .kind = Edge::ByNeed, .cond = key_.def->op(0), .num_arms = 2});
    }
    void arms(Defs ops, const Def* cond, Mode mode) {
        auto n = static_cast<uint32_t>(ops.size());
        for (uint32_t i = 0; i < n; ++i)
            cb_(Edge{.to = {ops[i], mode}, .kind = Edge::Arm, .cond = cond, .arm = i, .num_arms = n});
    }
    void element(const Def* tuple, size_t i) {
        if (c_.summaries.is_expanded(fn_, tuple, Mode::Value))
            cb_(Edge{.to = {tuple, Mode::Value}, .elem = static_cast<int64_t>(i)});
        else use(c_.world.extract(tuple, i));
    }

    void of_lam(const Lam* lam) {
        auto callee = c_.summaries.fn(lam);
        if (!callee) return;
        for (size_t i = 0; i < callee->captures.size(); ++i) use(callee->captures[i]); // more may come
        for (auto token : callee->touched) touch(token);
    }

    void of_app(const App* app) {
        use(app->callee(), Mode::Call);
        auto elems = arg_elems(app);
        for (size_t i = 0; i < elems.size(); ++i) of_arg(app, elems, i);
    }

    void of_arg(const App* app, Defs elems, size_t i) {
        auto elem    = elems[i];
        bool is_last = i + 1 == elems.size();
        bool returns = is_never(app) && is_last && is_continuation(elem) && !c_.returns.is_return(app->callee());
        if (returns) cb_(Edge{.to = {elem, Mode::Call}, .kind = Edge::Return});
        else if (c_.is_inlined() && elem->isa<Lam>() && c_.forgetting.is_exit_of(app, i))
            cb_(Edge{.to = {elem, Mode::Call}, .kind = Edge::Exit, .arm = static_cast<uint32_t>(i)});
        else if (c_.forgetting.forgets(app)) visit_parts(elem, [&](const Def* part) { jump_or_use(part); });
        else if (is_called(app) && is_evaluated(app, elem, i)) use(elem);
        else by_need(elem);
    }

    void jump_or_use(const Def* part) {
        if (part->isa<Lam>() && !is_exit(part)) cb_(Edge{.to = {part, Mode::Jump}, .kind = Edge::Jump});
        else use(part);
    }

    /// A function that waits for more arguments, as a value, evaluates nothing.
    bool is_called(const App* app) { return key_.mode != Mode::Value || !app->type()->isa<Pi>() || head_axiom(app); }

    bool is_evaluated(const App* app, const Def* elem, size_t i) {
        bool matters = !is_never(app) && c_.facts.matters({elem, Mode::Value});
        return !matters || c_.needs.argument(app, i);
    }

    void of_extract(const Extract* ex) {
        auto tuple = ex->tuple();
        if (auto lit = isa_lit(ex->index())) {
            bool is_apart = c_.facts.is_token(tuple) && c_.facts.num_elems(tuple);
            return is_apart ? element(tuple, lit->value()) : use(tuple);
        }
        use(ex->index());
        auto choice = tuple->isa<Tuple>();
        if (!choice) use(tuple);
        else if (!c_.facts.is_table(key_)) arms(choice->ops(), ex->index(), key_.mode);
    }

    void of_pack(const Pack* pack) {
        if (auto array = isa_expanded(c_.world, pack)) return use(array);
        auto n     = isa_lit(pack->arity());
        auto times = n && !pack->is_mut() ? n->value() : 2;
        if (!c_.facts.is_token(pack) && !pack->is_mut()) times = 1;
        use(pack->arity());
        cb_(Edge{.to = {pack->body(), Mode::Value}, .times = times});
    }

    void of_insert(const Insert* ins) {
        auto tuple = ins->tuple();
        auto lit   = isa_lit(ins->index());
        auto n     = lit && c_.facts.is_token(tuple) ? c_.facts.num_elems(tuple) : 0;
        for (size_t i = 0; i < n; ++i)
            if (i != lit->value() && c_.types.is_elem_token(tuple, i)) element(tuple, i);
        if (n == 0 && tuple->isa<Tuple>()) by_need(tuple); // all but the element that is replaced
        else if (n == 0) use(tuple);
        else touch(tuple);
        use(ins->index());
        use(ins->value());
    }

    Check& c_;
    const Fn& fn_;
    Key key_;
    F& cb_;
};

/// Calls cb(Edge) for each use that evaluating `key` in a call of `fn` makes of its operands.
template<class F>
void edges(Check& check, const Fn& fn, const Key& key, F cb) {
    Edges<F>(check, fn, key, cb).run();
}

} // namespace mim::linear
