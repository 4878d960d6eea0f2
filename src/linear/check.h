// SPDX-License-Identifier: MIT
// The state of one check of tokens (see tokens.h): facts on nodes, summaries of λs, and what uses what.
// Private to check.cpp (facts and summaries), needs.cpp, effects.cpp, escape.cpp, flow.cpp (paths), returns.cpp,
// direct.cpp, ends.cpp, leaving.cpp, stored.cpp, storing.cpp and repeats.cpp.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/token_types.h"
#include "linear/direct.h"
#include "linear/expanded.h"
#include "linear/given_types.h"
#include "linear/needs.h"
#include "linear/repeats.h"
#include "linear/rules.h"
#include "linear/stored.h"
#include "linear/tokens.h"

namespace mim::linear {

using IsSuchType = std::function<bool(const Def* type)>;

/// How a node is used: as a value, as what is called (also as the return of a call), as the result of a curried function, or as a value
/// that is gone when the call that gets it comes back.
enum class Mode : uint8_t { Value, Call, Result, Jump };

struct Key {
    const Def* def;
    Mode mode;
    bool operator==(const Key&) const = default;
};
struct KeyHash {
    size_t operator()(const Key& k) const { return k.def->id() * 4ull + static_cast<size_t>(k.mode); }
};

/// One use of `to.def`: of its element `elem` or, if that is negative, of all of it.
struct Edge {
    Key to;
    int64_t elem = -1;
    /// On which of the user's paths, and how often: in an arm of a branch on `cond`, or a number of times.
    /// A Touch consumes nothing, but makes sure that the operand is looked at. A Return is entered when the call comes back to it, an Exit when
    /// the call leaves through its element `arm`, a Jump when the call does not come back since this function was called, and left through
    /// something around it. ByNeed is evaluated on some paths: an arm that nobody else chooses.
    enum : uint8_t { Times, Arm, Touch, Return, Exit, Jump, ByNeed } kind = Times;
    uint64_t times                                                        = 1;
    const Def* cond                                                       = nullptr;
    uint32_t arm                                                          = 0;
    uint32_t num_arms                                                     = 1;
};

struct ExitHash {
    size_t operator()(const Def* exit) const { return exit ? exit->id() : 0; }
};

/// A λ and what a call of it does with tokens of outer binders.
struct Fn {
    const Lam* lam;
    OrderedSet<Key, KeyHash> keys;    ///< what is evaluated in a call of it
    std::vector<const Def*> captures; ///< tokens of outer binders, and values made from effects there
    DefSet capture_set;
    DefSet touched;           ///< tuples of tokens of outer binders in which a call of it replaces an element
    DefSet own;               ///< effects of outer binders that only happen in a call of it
    uint32_t first_own = ~0u; ///< the least id of these
    std::vector<Fn*> callers;
    std::vector<const Def*> binders; ///< its variable, and those of packs in it
    struct Use {
        const Lam* lam;
        const Def* at;
    };
    std::vector<Use> escaping, results, jumps; ///< λs used as a value; λs that it returns; λs that calls get for a while
    std::vector<const Def*> kept;              ///< functions that got a token and are used as a value: see Check::is_kept
    std::vector<const Def*> end_nodes;         ///< the calls and matches that it ends in
    std::vector<End> ends;
    std::vector<const Def*> direct_calls; ///< calls in direct style that it makes, see direct.h
    /// The parameters, its own and those around it, through which it may leave, in a fixed order; null for something else.
    std::vector<const Def*> exits;
    OrderedSet<const Def*, ExitHash> exit_set;
    mutable const Def* last_param = nullptr; ///< once somebody has asked for it
    uint32_t index                = 0;       ///< among all
    bool leaves_around            = false;   ///< not only through its own
    bool calls_last               = false;   ///< it calls its last parameter and goes on: that is no way out
};

/// What is known of the parameters of λs (returns.cpp): of the last of several, if that is a continuation, and of all.
struct ReturnParams {
    LamSet returns;      ///< it leads back to a caller
    LamSet open;         ///< of λs that others may call than those in `calls`
    LamSet kept;         ///< of λs that use one as a value, through which they may return
    LamSet functions;    ///< they are values, or are called from elsewhere
    LamSet stored;       ///< they use the last one as a value, by itself or with the others
    DefSet return_types; ///< of last parameters that are stored, and that may lead back: see stored.cpp
    std::unordered_map<const Lam*, std::vector<const App*>> calls; ///< of the λ by itself
};

bool is_continuation(const Def* d);

class Check {
public:
    /// `inlined`: phases may have put what a function returned to into functions that leave through it. See `forgets`.
    Check(World& world, bool inlined)
        : world(world)
        , types(world)
        , inlined_(inlined) {}
    std::vector<Violation> run(std::span<const Lam* const> roots);
    /// Whether phases have put functions in place of their calls.
    bool is_inlined() const { return inlined_; }

    World& world;
    TokenTypes types;

    /// @name facts
    ///@{
    bool is_token(const Def* d) { return fact(d).token; }
    /// On a cycle of the graph through this λ.
    bool is_recursive(const Lam* lam) { return fact(lam).cyclic; }
    /// The strongly connected component of the graph that this is in, from 1 to `num_components`; 0 if it was made after the walk.
    uint32_t component(const Def* d) { return fact(d).component; }
    uint32_t num_components() const { return num_components_; }
    size_t num_elems(const Def* token) { return token->type()->node() == Node::Pi ? 0 : types.num_elems(token); }
    ///@}

    /// @name summaries
    ///@{
    Fn* fn(const Lam* lam) const {
        auto it = fns_.find(lam);
        return it == fns_.end() ? nullptr : it->second;
    }
    /// d belongs to a call of this λ: it depends on its variable, or is evaluated anew in each call.
    bool is_expanded(const Fn& f, const Def* d, Mode mode);
    template<class F>
    void edges(const Fn& f, const Key& key, F cb);
    ///@}

    /// Whether this use of a node may consume a token. Most nodes never do: the elements of a table of constants, say.
    bool matters(const Key&);
    /// The functions of rules for an axiom.
    std::vector<const Lam*> rule_functions(const Axiom&) const;
    /// Which calls may come back more than once.
    Repeats& repeats() { return repeats_; }
    /// It, or what it is a projection of, takes a token.
    bool makes_from_token(const Def*);
    /// Calling this may leave through a continuation from around what is called.
    bool may_leave(const Def* callee) const;
    bool may_leave(const Lam*) const;
    /// Unknown functions of this type may.
    bool is_leaving_type(const Def*) const;
    bool any_may_leave(std::span<const Lam* const> lams, const std::vector<const Def*>& others) const;
    /// Control may come back from this call, which a function ends in, through a way out that an aggregate holds: see leaving.cpp.
    bool may_come_back_elsewhere(const App*) const;
    /// The last parameter of a function, which somebody gets as a value and may call: a way back to the caller.
    bool is_return_as_value(const Def*) const;
    /// Whether no memory holds what this λ gets, nor a function that knows it, when it comes back.
    bool keeps_nothing(const Lam*);
    /// Whether the functions that the call passes to what it gets last know nothing of what it got.
    bool returns_only_closed(const App*);
    /// Whether nobody knows the functions that the call gets as values any more when it comes back. Once calls were inlined, λs among
    /// these may leave with tokens that they capture; in a program as it was written, they are values like any other.
    bool forgets(const App*);
    /// Whether element i of the argument is a continuation to which control goes exactly when one of the callees, all of which are known, leaves
    /// through its parameter i. Only once calls were inlined, as for `forgets`.
    bool is_exit_of(const App*, size_t i);
    /// The functions that a call gets as values: λs and what is not known.
    void passed(const App*, std::vector<const Lam*>& lams, std::vector<const Def*>& others) const;
    /// Whether the λ uses a parameter as a value, and may return through its last one when that value is called.
    bool keeps_return(const Lam* lam) const;
    /// What stands for this parameter in the calls of its λ; false if others may call that, or if it is something else.
    bool arguments(const Def* param, std::vector<const Def*>& args) const;
    /// The last parameter of a λ, or its only one.
    const Def* last_param(const Lam*) const;
    const Def* last_param(const Fn&) const;
    const Def* param(const Lam*, size_t i) const;
    /// Whether calling this parameter leaves the token to the continuation that it stands for: so do the calls of the function.
    bool keeps(const Def* param, const Def* token) const {
        auto it = kept_.find(param);
        return it != kept_.end() && it->second.contains(token);
    }
    bool keeps_any(const Def* param) const { return kept_.contains(param); }
    /// Calling this returns its arguments, functions among them, as values.
    bool is_return(const Def* callee) const;
    /// Calling this may lead back to a caller that drops the functions it gets: a return, or a parameter that stands for a function which
    /// may leave elsewhere. A function that comes back through what it gets last is no return, wherever it came from.
    bool leads_back(const Def* callee) const;
    /// As `callees`, also through the parameters of λs that are called by themselves. If there are no `others`, these are all.
    void targets(const Def* callee, std::vector<const Lam*>& lams, std::vector<const Def*>& others) const;

    GivenTypes given_types{*this, postorder_};
    Needs needs{*this};
    DirectCalls direct{*this, postorder_};
    std::vector<Violation> violations;
    std::unordered_set<const Def*> hidden; ///< tokens that violations name already
    /// Whether no continuation in this function that captures the token was reported: what follows a call captures what its end does.
    bool is_first_report(const Lam* lam, const Def* token) { return reported_.emplace(outermost(lam), token).second; }

private:
    enum class Answer : uint8_t { Unknown, No, Yes };
    struct Fact {
        uint32_t order     = 0; ///< of visits; 0: not visited
        uint32_t component = 0; ///< strongly connected component of the graph; 0: not known yet
        bool known         = false;
        bool token         = false;
        bool has_token     = false; ///< made from tokens
        bool anchored      = false; ///< made from λs that are not closed
        bool cyclic        = false;
        Answer forgets     = Answer::Unknown; ///< of a call
    };
    Fact& fact(const Def* d);
    void collect(std::span<const Lam* const> roots);
    void connect(const Def* root);
    void connect_rules();
    void instantiate();
    void instantiate_rules(const App*, std::vector<TokenTypes::Instance>&);
    LamSet uncalled_rules();
    std::unordered_set<const Axiom*> axioms_as_values();
    void classify(const Def*);
    void summarize();
    void visit_all();
    bool is_table(const Key& choice);
    void visit(Fn&, Key);
    void touch(Fn&, const Def*);
    void visit_lam(Fn&, const Lam*, Mode, const Def* at);
    void ask_for(const Def* callee);
    End end(const App*);
    void find_ends(Fn&);
    void capture(Fn&, const Def*);
    bool is_part_of_variable(const Def*);
    std::vector<std::pair<const Def*, bool>> common_effects(const Def* a, const Def* b);
    bool have_common_effects(const Def* a, const Def* b);
    std::vector<const Def*> consumed_tokens(const Def*);
    void share(Fn&, const Def* a, const Def* b);
    bool is_made_inside(Fn&, const Def* made);
    void add_capture(Fn&, const Def*);
    void need(Fn&, const Def*);
    void find_return_params(std::span<const Lam* const> roots);
    void find_exits();
    void find_leaving_types();
    bool is_way_back(const Pi*) const;
    bool is_way_out(const Pi*) const;
    void find_kept();
    /// These say whether something new was found.
    bool keep(const Fn& callee, const Def* token);
    bool keep_as_for(const Fn& callee, const Def* param);
    bool keep_for_returns(const Fn& callee, const End&);
    bool find_forgets(const App*);
    bool find_returns_only_closed(const App*);
    bool knows_only_closed(const Def* value, std::vector<const App*>& returned);
    bool is_returned(const Def* param, std::vector<const App*>& calls);
    bool find_functions_around(const Lam*, std::vector<const Def*>& res);
    void note_uses(const Def* user);
    void note_value(const Def*);
    bool has_leaving_type(const Def*) const;
    void check_node(const Def*);
    void check_assigned(const Def* at, const Def* type, const Def* value);
    void check_token_free(const App*);
    void check_filter(const Lam*);
    void report(const Def* at, Diag, std::vector<Error::Arg>);
    /// Functions that hold a token are used where they are made: see escape.cpp.
    void check_escapes(Fn&);
    bool is_kept(const Def* user, const Edge&);
    const Lam* outermost(const Lam*);
    void drop_consequences();

    bool inlined_;
    std::vector<Fact> facts_;
    std::vector<const Def*> postorder_;
    std::vector<const Lam*> lams_;
    std::unordered_map<const Axiom*, std::vector<RuleFunction>> rules_; ///< those for values of any type, by head
    std::deque<Fn> fn_store_;
    std::unordered_map<const Lam*, Fn*> fns_;
    struct Work {
        Fn* fn;
        Key key;
        bool is_touch = false; ///< it is looked at, and not consumed
    };
    std::vector<Work> work_;
    Repeats repeats_{*this, lams_, postorder_};
    DefSet holders_; ///< calls that functions end in, which get functions inside of aggregates
    struct Uses {
        std::vector<const App*> calls, passed;
        bool is_value = false;
    };
    std::unordered_map<const Def*, Uses> uses_; ///< of λs and of parts of parameters, once somebody asks
    std::unordered_map<const App*, bool> returns_only_closed_;
    DefSet leaving_types_;                          ///< of values that may leave so
    mutable std::unordered_set<const Def*> asking_; ///< axioms that got functions, while these are asked
    ReturnParams return_params_;
    StoredReturns stored_returns_{*this, return_params_};
    LamSet asked_;        ///< of those in `return_params_.calls`: they call their last parameter
    LamSet leading_back_; ///< of these: and what it stands for may leave elsewhere
    /// By last parameter of a function that captures them: the tokens that what it returns to captures as well.
    std::unordered_map<const Def*, DefSet> kept_;
    std::set<std::pair<const Lam*, const Def*>> reported_;
    std::map<std::pair<const Def*, const Def*>, bool> common_; ///< tokens → they are made from one
    uint32_t num_components_ = 0, num_visits_ = 0;
    bool has_tokens_               = false;
    static constexpr int MaxRounds = 8;     ///< of summaries
    bool retracted_                = false; ///< a function was known to capture something that it does not
};

/// Follows the tokens of one λ along all paths and reports what is wrong.
void check_flow(Check&, Fn&);

/// Operands that are evaluated: no types, filters or binders.
Defs value_ops(const Def* d);
bool is_never(const Def* d); ///< d : ⊥, where control goes
/// The values that `d` chooses one of; null if it is no choice.
const Tuple* isa_choice(const Def* d);
/// d : ⊥, and only who made it knows where control goes: it is a parameter, or a part of one.
bool is_unknown_end(const Def* d);
/// The elements of a variable or an argument with more than this are not told apart.
constexpr int64_t MaxElems = 256;

/// The elements of the argument: those of a tuple, or the argument itself.
Defs arg_elems(const App*);
using Elems = SmallVector<const Def*, 8>;
/// Also those of an argument that is passed on as a whole.
Elems call_elems(World&, const App*);
/// Its domain holds a function.
bool takes_continuation(const Pi*);
/// A continuation that takes none itself: calling it leaves for good.
bool is_exit(const Def* d);
/// Elements of the argument through which the call may come back: exits, and the last one, which is the return of a `fun`.
Elems return_elems(World&, const App*);
/// Some element of the argument is one, or the return.
bool has_exit(World&, const App*);
/// Control may come back from this call through something else than the continuations among its arguments and the
/// functions that its callee captures: through a function in an aggregate or behind a pointer, if `holds_way` holds for
/// that type, or one that an axiom got earlier.
bool comes_back_elsewhere(World&, const App*, const IsSuchType& holds_way);
/// The elements of what this was applied to so far that hold functions.
std::vector<const Def*> functions_so_far(const Def* applied);
/// Whether the node is made from `part`; `known` has the answers so far.
bool is_made_from(const Def* def, const Def* part, std::unordered_map<const Def*, bool>& known);
/// The binder of the variable that `d` is a part of; null if it is something else.
const Def* binder_of(const Def* d);
/// The λs and other functions that calling `callee` may enter.
void callees(const Def* callee, std::vector<const Lam*>& lams, std::vector<const Def*>& others);

/// Of a function that waits for more arguments, and got a token: that token; else null.
const Def* token_argument(Check&, const Def* function);
/// That `function`, which holds the token, is used as a value in the body of `around`; its notes say how to write it instead.
Violation token_escape(Check&, const Lam* around, const Def* function, const Def* token);

/// The elements of tuples in tuples, if λs are among them, else `d`.
template<class F>
void visit_parts(const Def* d, F f) {
    if (d->node() != Node::Tuple || !holds_function(d->type())) return f(d);
    for (auto op : d->ops())
        if (!is_static(op)) visit_parts(op, f);
}

/// Calls cb(Edge) for each use that evaluating `key` makes of its operands.
template<class F>
void Check::edges(const Fn& f, const Key& key, F cb) {
    auto d    = key.def;
    auto use  = [&](const Def* op, Mode mode = Mode::Value) { cb(Edge{.to = {op, mode}}); };
    auto arms = [&](Defs ops, const Def* cond, Mode mode) {
        for (uint32_t i = 0; i < ops.size(); ++i)
            cb(Edge{
                .to = {ops[i], mode}, .kind = Edge::Arm, .cond = cond, .arm = i, .num_arms = static_cast<uint32_t>(ops.size())});
    };
    auto element = [&](const Def* tuple, size_t i) {
        if (is_expanded(f, tuple, Mode::Value)) cb(Edge{.to = {tuple, Mode::Value}, .elem = static_cast<int64_t>(i)});
        else use(world.extract(tuple, i));
    };
    // A function that waits for more arguments, as a value, evaluates nothing.
    auto is_called    = [&](const App* app) { return key.mode != Mode::Value || !app->type()->isa<Pi>() || head_axiom(app); };
    auto is_evaluated = [&](const App* app, size_t i) {
        bool matters = !is_never(app) && this->matters({arg_elems(app)[i], Mode::Value});
        return !matters || needs.argument(app, i);
    };
    auto by_need = [&](const Def* op) {
        cb(Edge{.to = {op, Mode::Value}, .kind = Edge::ByNeed, .cond = d->op(0), .num_arms = 2});
    };
    switch (d->node()) {
        case Node::Lam:
            if (auto callee = fn(d->as<Lam>())) {
                for (size_t i = 0; i < callee->captures.size(); ++i) use(callee->captures[i]);
                for (auto token : callee->touched) cb(Edge{.to = {token, Mode::Value}, .kind = Edge::Touch});
            }
            break;
        case Node::App: {
            auto app = d->as<App>();
            use(app->callee(), Mode::Call);
            auto elems = arg_elems(app);
            for (size_t i = 0; i < elems.size(); ++i) {
                bool returns = is_never(d) && i + 1 == elems.size() && is_continuation(elems[i]) && !is_return(app->callee());
                if (returns) cb(Edge{.to = {elems[i], Mode::Call}, .kind = Edge::Return});
                else if (inlined_ && is_exit_of(app, i))
                    cb(Edge{.to = {elems[i], Mode::Call}, .kind = Edge::Exit, .arm = static_cast<uint32_t>(i)});
                else if (forgets(app))
                    visit_parts(elems[i], [&](const Def* part) {
                        if (part->isa<Lam>() && !is_exit(part)) cb(Edge{.to = {part, Mode::Jump}, .kind = Edge::Jump});
                        else use(part);
                    });
                else if (is_called(app) && is_evaluated(app, i)) use(elems[i]);
                else by_need(elems[i]);
            }
            break;
        }
        case Node::Extract: {
            auto ex = d->as<Extract>();
            if (auto lit = isa_lit(ex->index())) {
                if (is_token(ex->tuple()) && num_elems(ex->tuple())) element(ex->tuple(), lit->value());
                else use(ex->tuple());
            } else {
                use(ex->index());
                auto tuple = ex->tuple()->isa<Tuple>();
                if (!tuple) use(ex->tuple());
                else if (!is_table(key)) arms(tuple->ops(), ex->index(), key.mode);
            }
            break;
        }
        case Node::Pack: {
            if (auto array = isa_expanded(world, d)) {
                use(array);
                break;
            }
            auto pack  = d->as<Pack>();
            auto n     = isa_lit(pack->arity());
            auto times = n && !pack->is_mut() ? n->value() : 2;
            if (!is_token(d) && !pack->is_mut()) times = 1;
            use(pack->arity());
            cb(Edge{.to = {pack->body(), Mode::Value}, .times = times});
            break;
        }
        case Node::Insert: {
            auto ins = d->as<Insert>();
            auto lit = isa_lit(ins->index());
            auto n   = lit && is_token(ins->tuple()) ? num_elems(ins->tuple()) : 0;
            for (size_t i = 0; i < n; ++i)
                if (i != lit->value() && types.is_elem_token(ins->tuple(), i)) element(ins->tuple(), i);
            if (n == 0 && ins->tuple()->isa<Tuple>()) by_need(ins->tuple()); // all but the element that is replaced
            else if (n == 0) use(ins->tuple());
            else cb(Edge{.to = {ins->tuple(), Mode::Value}, .kind = Edge::Touch});
            use(ins->index());
            use(ins->value());
            break;
        }
        case Node::Match: {
            auto match = d->as<Match>();
            use(match->scrutinee());
            arms(match->arms(), match->scrutinee(), Mode::Call);
            break;
        }
        case Node::Tuple:
        case Node::Inj:
            for (auto op : d->ops()) use(op);
            break;
        default: break;
    }
}

} // namespace mim::linear
