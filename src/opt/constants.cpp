// SPDX-License-Identifier: MIT
// Sparse conditional constant propagation (after Wegman and Zadeck) combined with value numbering (after Click and
// Cooper, "Combining Analyses, Combining Optimizations"), between functions. A parameter that gets the same value from
// every call that can happen becomes that value. Values are literals, closed expressions, functions, continuations, and
// variables (so it is copy propagation too). A function whose return continuation is always the same becomes part of
// its caller (contification), one whose function argument is always the same becomes first-order. A parameter that gets
// the same as an earlier one of the same function becomes that one.
//
// It is optimistic: nothing is known to be called and no parameter has a value until a call is found. A parameter goes
// from `unknown` over a value and over earlier parameters of its function to `varies` (itself). The value of an
// operation is the operation of the values of its operands; since equal expressions are one node, congruent operations
// have one value. It follows its operands in both directions, which ends since parameters only fall. Calls are looked
// at when no operation waits: before that, operations that are congruent may have values of different age.
//
// Why an open value v may take the place of a parameter p of f: v is reached only where the binders of its variables
// are entered, so f cannot be around one of them (its first call would have come before v existed), and moves into
// them. A call of f passes either v itself, in the scope of v's variables, or a parameter that is v too, of a function
// that moved with f: the same activation.
#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "analysis/tables.h"
#include "ir/def_set.h"
#include "ir/token_types.h"
#include "opt/congruence.h"
#include "opt/frames.h"
#include "opt/opt.h"
#include "opt/signature.h"

namespace mim::opt {

namespace {

class Constants : public SignatureRewriter {
public:
    explicit Constants(PhaseContext& c)
        : SignatureRewriter(c)
        , tokens_(c.world)
        , congruent_(c.world, tokens_)
        , frames_(frames(c.world, program())) {}

    void analyze() {
        for (auto& e : world().externals) escape(e.lam);
        for (auto def : program().nodes())
            if (auto lam = def->isa<Lam>(); lam && !lam->is_cn()) escape(lam);
        do propagate();
        while (give_up_misfits());
        plan();
    }

protected:
    const Def* callee_of(const App* call) override {
        auto callee = call->callee();
        while (auto choice = isa_choice(callee)) {
            auto index = now(choice->index());
            auto lit   = index ? isa_lit(index) : nullptr;
            if (!lit) return callee;
            callee = choice->tuple()->op(lit->value());
        }
        auto value = now(callee);
        return value ? value : callee;
    }

private:
    enum Flag : uint8_t {
        Visited  = 1,  ///< somebody asked for its value
        Tail     = 2,  ///< the end of a function that can be called
        Observed = 4,  ///< its value gets out of sight
        Escaped  = 8,  ///< λ: it can be called with arguments that nobody sees
        Entered  = 16, ///< λ: it can be called
        Site     = 32, ///< a call that the λ that it calls knows of
        Whole    = 64  ///< it waits for the parameters of the arguments that it reads as a whole
    };
    struct Info {
        const Def* value = nullptr; ///< null: unknown; the node itself: varies
        uint32_t readers = 0;       ///< the first one, beside users; 0: none
        uint8_t flags    = 0;
    };
    struct Reader {
        const Def* def = nullptr; ///< to look at again
        uint32_t next  = 0;
    };

    /// By id, in pages: nearly all nodes of the program get one, and what was made together is in it together.
    class Infos {
    public:
        /// Null if there is none.
        const Info* find(const Def* def) const {
            auto page = def->id() / Size;
            return page < pages_.size() && pages_[page] ? &pages_[page][def->id() % Size] : nullptr;
        }
        /// Made if there is none; it stays where it is.
        Info& at(const Def* def) {
            auto page = def->id() / Size;
            if (page >= pages_.size()) pages_.resize(page + 1);
            if (!pages_[page]) pages_[page] = std::make_unique<Info[]>(Size);
            return pages_[page][def->id() % Size];
        }

    private:
        static constexpr uint32_t Size = 32;
        std::vector<std::unique_ptr<Info[]>> pages_;
    };

    Info& info(const Def* def) { return infos_.at(def); }
    bool has(const Def* def, Flag f) const {
        auto info = infos_.find(def);
        return info && info->flags & f;
    }
    /// Sets the flag; false if it was set.
    bool set(const Def* def, Flag f) {
        auto& flags = info(def).flags;
        if (flags & f) return false;
        flags |= f;
        return true;
    }
    /// Not one from a table of constants, which is an operation like others: no function is in it.
    const Extract* isa_choice(const Def* def) {
        auto extract = def->isa<Extract>();
        return extract && extract->tuple()->isa<Tuple>() && !tables_.contains(extract->tuple()) ? extract : nullptr;
    }
    /// It means the same everywhere. Functions are none, since they can change.
    bool is_constant(const Def* def) {
        if (!def->has(Def::HasDep) && !def->is_mut() && !def->isa<Var>()) return true;
        return is_type(def) && is_closed(world(), def);
    }

    void propagate() {
        while (!operations_.empty() || !ends_.empty()) {
            auto& work = operations_.empty() ? ends_ : operations_;
            auto def   = work.back();
            work.pop_back();
            if (&work == &ends_) control(def);
            else evaluate(def);
        }
    }
    void look_again(const Def* def) { (has(def, Tail) ? ends_ : operations_).push_back(def); }

    /*
     * expressions
     */

    /// Its parameters are known from its calls.
    bool is_tracked(const Lam* lam) const {
        return lam->is_cn() && lam->is_set() && lam->var()->isa<Var>() && program().contains(lam) && !has(lam, Escaped);
    }
    /// The λ of whose argument def is a part, or null.
    const Lam* owner(const Def* def) {
        auto extract = def->isa<Extract>();
        if (extract && !isa_lit(extract->index())) return nullptr;
        auto var = (extract ? extract->tuple() : def)->isa<Var>();
        auto lam = var ? var->binder()->isa<Lam>() : nullptr;
        return lam && (num_parts(world(), lam->pi()) > 1) == (extract != nullptr) ? lam : nullptr;
    }
    /// It is its own value, for ever.
    bool is_leaf(const Def* def) {
        if (def->isa<Var>()) return !owner(def);
        return def->is_mut() || !def->has(Def::HasDep);
    }
    /// What is known of it now.
    const Def* now(const Def* def) {
        if (is_leaf(def)) return def;
        auto info = infos_.find(def);
        return info ? info->value : nullptr;
    }

    void lower(const Def* def, const Def* value) {
        if (is_leaf(def)) return; // its value is known
        auto& known = info(def);
        if (known.value == value) return;
        known.value  = value;
        auto readers = known.readers; // whoever comes later sees the new value
        if (auto lam = value->isa<Lam>(); lam && has(def, Observed)) escape(lam);
        for (auto user : program().users(def))
            if (has(user, Flag(Visited | Tail))) look_again(user);
        for (auto i = readers; i != 0; i = readers_[i].next) look_again(readers_[i].def);
    }

    /// Its value, found out now if nobody asked before.
    const Def* value(const Def* root) {
        if (auto known = now(root)) return known;
        SmallVector<const Def*, 16> stack;
        stack.push_back(root);
        while (!stack.empty()) {
            auto def = stack.back();
            if (!is_leaf(def) && set(def, Visited)) {
                if (!program().contains(def)) // made to look at a part: nobody knows that it uses its operands
                    for (auto op : def->ops()) depends(def, op);
                push_operands(def, stack);
                continue;
            }
            stack.pop_back();
            if (!now(def)) evaluate(def);
        }
        return now(root);
    }

    void push_operands(const Def* def, SmallVector<const Def*, 16>& stack) {
        if (owner(def)) return;
        if (auto choice = isa_choice(def)) return stack.push_back(choice->index());
        stack.append(def->ops().begin(), def->ops().end());
    }

    void evaluate(const Def* def) {
        if (now(def) == def) return;
        if (auto lam = owner(def)) {
            if (!is_tracked(lam)) lower(def, def);
        } else if (auto choice = isa_choice(def)) {
            evaluate_choice(choice);
        } else {
            evaluate_operation(def);
        }
    }

    void evaluate_operation(const Def* def) {
        bool constant = !def->isa<Inj>(), differs = false, functions = false;
        for (auto op : def->ops()) {
            if (op->isa<Var>()) observe(op);
            auto v = operand(def, op);
            if (!v) return;
            auto lam = v->isa<Lam>();
            if (lam) escape(lam);
            functions |= lam != nullptr;
            constant &= is_constant(v);
            differs |= v != op;
        }
        bool numbered = !functions && is_numbered(def);
        set(def, Whole);
        lower(def, differs && (constant || numbered) ? fold(def, numbered) : def);
    }

    /// The known value of an operand. That of an argument as a whole is the tuple of the known values of the
    /// parameters.
    const Def* operand(const Def* user, const Def* op) {
        auto var = op->isa<Var>();
        auto lam = var && !owner(op) ? var->binder()->isa<Lam>() : nullptr;
        if (!lam || !is_tracked(lam) || lam->dom()->is_mut()) return now(op);
        SmallVector<const Def*, 8> values;
        for (auto param : parts_of(lam)) {
            if (!has(user, Whole)) depends(user, param);
            auto v = now(param);
            if (!v) return nullptr;
            values.push_back(v);
        }
        return world().tuple(values);
    }

    /// Operations of the values of its operands may stand for it. Those whose type might change with them are not
    /// built.
    bool is_numbered(const Def* def) {
        auto type = def->type();
        if (def->isa<Inj>() || type->isa<Pi>()) return false;
        return !type->has(Def::HasDep) && !tokens_.contains(type);
    }

    /// The operation of the values of its operands. The operation itself if the result varies and `numbered` is false.
    const Def* fold(const Def* def, bool numbered) {
        SmallVector<const Def*, 8> ops;
        for (auto op : def->ops()) ops.push_back(operand(def, op));
        try {
            auto folded = rebuild(def, def->type(), ops);
            return numbered || is_constant(folded) ? folded : def;
        } catch (const Error&) {
            return def; // it is reported if it is evaluated
        }
    }

    void evaluate_choice(const Extract* choice) {
        auto index = now(choice->index());
        if (!index) return;
        auto lit = isa_lit(index);
        for (size_t i = 0; i < choice->tuple()->num_ops(); ++i)
            if (!lit || lit->value() == i) observe(choice->tuple()->op(i));
        if (!lit) return lower(choice, choice);
        auto chosen = choice->tuple()->op(lit->value());
        depends(choice, chosen);
        if (auto v = now(chosen)) lower(choice, v);
    }

    /// `user` is looked at again when more is known of def, in addition to those that have it as an operand.
    void depends(const Def* user, const Def* def) {
        if (now(def) == def) return;
        auto& first = info(def).readers;
        if (readers_[first].def == user) return;
        readers_.push_back({user, first});
        first = static_cast<uint32_t>(readers_.size() - 1);
    }

    /// Its value gets out of sight. That of a variable as a whole is that of the parameters.
    void observe(const Def* def) {
        auto var          = set(def, Observed) ? def->isa<Var>() : nullptr;
        auto lam_of_parts = var && !owner(var) ? var->binder()->isa<Lam>() : nullptr;
        if (lam_of_parts && is_tracked(lam_of_parts))
            for (auto param : parts_of(lam_of_parts)) observe(param);
        auto v = value(def);
        if (auto lam = v ? v->isa<Lam>() : nullptr) escape(lam);
    }

    /*
     * control
     */

    void escape(const Lam* lam) {
        if (!set(lam, Escaped) || !lam->is_set()) return;
        if (lam->var()->isa<Var>())
            for (auto param : parts_of(lam)) varies(param);
        enter(lam);
    }

    void varies(const Def* param) { fall(param, param); }

    void enter(const Lam* lam) {
        if (!set(lam, Entered)) return;
        observe(lam->filter());
        if (!lam->is_cn()) return observe(lam->body());
        if (set(lam->body(), Tail)) ends_.push_back(lam->body());
    }

    void control(const Def* def) {
        if (auto app = def->isa<App>()) return call(app, app->callee());
        auto choice = isa_choice(def);
        if (!choice) return def->isa<Match>() ? observe_operands(def) : observe(def);
        depends(def, choice->index());
        auto index = value(choice->index());
        if (!index) return;
        auto lit = isa_lit(index);
        for (size_t i = 0; i < choice->tuple()->num_ops(); ++i)
            if (auto op = choice->tuple()->op(i); (!lit || lit->value() == i) && set(op, Tail)) ends_.push_back(op);
    }

    void observe_operands(const Def* def) {
        for (auto op : def->ops()) observe(op);
    }

    void call(const App* app, const Def* callee) {
        if (auto choice = isa_choice(callee)) {
            depends(app, choice->index());
            auto index = value(choice->index());
            if (!index) return;
            if (auto lit = isa_lit(index)) return call(app, choice->tuple()->op(lit->value()));
            observe_operands(choice->tuple()); // functions that are called together keep their parameters
            return observe(app->arg());
        }
        depends(app, callee);
        auto target = value(callee);
        if (!target) return;
        auto lam = target->isa<Lam>();
        if (lam && is_tracked(lam) && has_parts(app->arg(), parts_of(lam).size())) {
            enter(lam);
            return pass(app, lam);
        }
        if (lam) escape(lam);
        observe(app->arg());
    }

    /// Where a function is called by the name of a value, the type of that may be one of which the function's is an instance: its arrays have lengths
    /// that nobody knows.
    bool has_parts(const Def* arg, size_t n) { return n == 1 || lit_arity(world(), arg->type()) == int64_t(n); }

    /// Hands the arguments of a call on to the parameters. All are compared before the first one falls: parameters that
    /// leave a value together may stay equal.
    void pass(const App* site, const Lam* lam) {
        if (set(site, Site)) congruent_.note(site, lam);
        auto params = parts_of(lam);
        SmallVector<const Def*, 8> values;
        for (size_t i = 0; i < params.size(); ++i) values.push_back(join(site, lam, params, values));
        for (size_t i = 0; i < params.size(); ++i)
            if (values[i]) fall(params[i], values[i]);
    }

    /// The value of the parameter behind those that `earlier` has the values of, after a call; null if nothing is
    /// known.
    const Def* join(const App* site, const Lam* lam, Defs params, Defs earlier) {
        auto param = params[earlier.size()];
        auto arg   = argument(site, params, earlier.size());
        if (is_leaf(param)) {
            observe(arg);
            return param;
        }
        if (arg->isa<Var>()) observe(arg); // what is taken out of the parameter is no longer seen as part of it
        depends(site, arg);
        auto v = value(arg), old = info(param).value;
        if (!v) return old;
        auto i      = earlier.size();
        auto leader = position(params.first(i), old);
        auto agreed = leader < i ? now(argument(site, params, leader)) : old;
        if (v == agreed) return old;
        if (leader == i && v == param) return old; // a loop passes on what it got
        if (!old && is_admissible(lam, param, v)) return v;
        if (auto l = v->isa<Lam>()) escape(l);
        return old == param ? old : equal_param(lam, params, earlier, leader < i ? leader + 1 : 0);
    }

    const Def* argument(const App* site, Defs params, size_t i) { return part_of(world(), site->arg(), params.size(), i); }
    static size_t position(Defs params, const Def* def) {
        return static_cast<size_t>(std::ranges::find(params, def) - params.begin());
    }

    /// The first parameter from `first` on that varies and gets the same as the one behind `earlier` from all calls;
    /// that one itself if there is none.
    const Def* equal_param(const Lam* lam, Defs params, Defs earlier, size_t first) {
        auto i = earlier.size();
        for (size_t j = first; j < i; ++j) {
            if (earlier[j] != params[j] || !congruent_.may_equal(lam, params, i, j)) continue;
            if (congruent_.get_the_same(lam, params.size(), i, j, [&](auto arg) { return now(arg); })) return params[j];
        }
        return params[i];
    }

    /// Nothing happens to a parameter that varies: its function may have escaped when another parameter fell.
    void fall(const Def* param, const Def* v) {
        if (is_leaf(param)) return;
        auto old = info(param).value;
        if (old == param) return;
        lower(param, v);
        if (auto lam = old && old != v ? old->isa<Lam>() : nullptr) escape(lam);
    }

    /// Whether v may take the place of a parameter of lam. Tokens must be passed on; what is to be computed stays where
    /// it is.
    bool is_admissible(const Lam* lam, const Def* param, const Def* v) {
        if (tokens_.is_token(param)) return false;
        if (is_constant(v)) return true;
        auto def = v;
        while (def->isa<Extract>() && isa_lit(def->as<Extract>()->index())) def = def->as<Extract>()->tuple();
        if (!def->isa<Var>() && !def->isa<Lam>() && !is_choice_of_functions(def)) return false;
        if (is_cn_type(param->type()) && frames_.contains(lam)) return false;
        return is_outside(lam, v);
    }

    /// No variable of v is that of lam, of a λ in lam, or of a type. The return of a call that is nested deep may
    /// mention the results of all calls around it. A small lam has few variables in it, so v is asked for each of these
    /// instead.
    bool is_outside(const Lam* lam, const Def* v) {
        if (is_free_in(world(), lam->var(), v)) return false;
        auto is_variable_of = [&](const Def* binder) { return is_free_in(world(), binder->var(), v); };
        auto& inner         = inner_binders(lam);
        bool are_few        = !v->isa<Var>() && inner && type_binders().size() <= max_scope;
        if (are_few) return std::ranges::none_of(*inner, is_variable_of) && std::ranges::none_of(type_binders(), is_variable_of);
        for (auto var : free_vars(world(), v))
            if (auto binder = var->as<Var>()->binder(); !binder->isa<Lam>() || is_free_in(world(), lam->var(), binder))
                return false;
        return true;
    }

    using Binders                     = std::vector<const Def*>;
    static constexpr size_t max_scope = 256;

    /// The λs that mention the variable of lam; nothing if many expressions do.
    const std::optional<Binders>& inner_binders(const Lam* lam) {
        auto [place, is_new] = inner_binders_.try_emplace(lam);
        if (is_new) place->second = find_inner_binders(lam);
        return place->second;
    }
    std::optional<Binders> find_inner_binders(const Lam* lam) {
        Binders inner, scope{lam->var()};
        DefSet seen;
        seen.insert(lam);
        for (size_t i = 0; i != scope.size(); ++i) {
            for (auto user : program().users(scope[i]))
                if (seen.insert(user) && is_free_in(world(), lam->var(), user)) scope.push_back(user);
            if (scope.size() > max_scope) return {};
            if (binds(scope[i]) && scope[i]->isa<Lam>()) inner.push_back(scope[i]);
        }
        return inner;
    }
    static bool binds(const Def* def) { return def->is_mut() && def->var() && def->var()->isa<Var>(); }

    /// The binders of variables in the program that are no λs.
    const Binders& type_binders() {
        if (!type_binders_) {
            type_binders_.emplace();
            for (auto def : program().nodes())
                if (!def->isa<Lam>() && binds(def)) type_binders_->push_back(def);
        }
        return *type_binders_;
    }

    /// Nothing is computed but which one it is.
    bool is_choice_of_functions(const Def* def) {
        auto choice = def->type()->isa<Pi>() ? isa_choice(def) : nullptr;
        return choice && std::ranges::all_of(choice->tuple()->ops(), [](auto op) { return op->template isa<Lam>(); });
    }

    /// The values that take the place of lam's parameters, as far as they are known and their types fit.
    Part known_parts(const Lam* lam) {
        auto params = parts_of(lam);
        auto n      = params.size();
        Part whole{n == 1 ? Part::Keep : Part::Split, nullptr, std::vector<Part>(n == 1 ? 0 : n)};
        for (size_t i = 0; i < n; ++i) {
            auto v = now(params[i]);
            if (!v || v == params[i] || (lam->dom()->is_mut() && !is_constant(v) && !v->isa<Lam>())) continue;
            (n == 1 ? whole : whole.parts[i]) = {Part::Drop, v, {}};
        }
        keep_misfits(whole, lam->var());
        return whole;
    }

    bool is_planned(const Def* def) {
        auto lam = def->isa<Lam>();
        return lam && has(lam, Entered) && is_tracked(lam);
    }

    /// A parameter that stays varies, though all calls agree on its value: else a call of the function that it stands
    /// for would be taken for one with arguments of that function's types. Whether there was one; what follows from it
    /// is still to be found out.
    bool give_up_misfits() {
        bool found = false;
        for (auto def : program().nodes()) {
            if (!is_planned(def) || !def->as<Lam>()->dom()->is_mut()) continue;
            auto lam    = def->as<Lam>();
            auto params = parts_of(lam);
            if (params.size() == 1) continue;
            auto whole = known_parts(lam);
            for (size_t i = 0; i < params.size(); ++i) {
                auto v = now(params[i]);
                if (!v || v == params[i] || whole.parts[i].kind == Part::Drop) continue;
                varies(params[i]);
                found = true;
            }
        }
        return found;
    }

    void plan() {
        for (auto def : program().nodes())
            if (is_planned(def))
                if (auto whole = known_parts(def->as<Lam>()); has_drop(whole)) plans_.emplace(def->as<Lam>(), std::move(whole));
    }

    TokenTypes tokens_;
    CongruentParams congruent_;
    Tables tables_;
    std::unordered_set<const Lam*> frames_;
    Infos infos_;
    std::unordered_map<const Lam*, std::optional<Binders>> inner_binders_;
    std::optional<Binders> type_binders_;       ///< nothing: not asked for yet
    std::vector<const Def*> operations_, ends_; ///< to look at again: expressions; calls and branches at ends of functions
    std::vector<Reader> readers_ = std::vector<Reader>(1); ///< lists; the first one stands for none
};

} // namespace

void propagate_constants(PhaseContext& c) {
    Constants constants(c);
    constants.analyze();
    constants.run();
}

} // namespace mim::opt
