// SPDX-License-Identifier: MIT
// Loops over memory in reverse mode. Memory that a turn has read may have changed since, so a turn is not computed again
// on the way back: what its pullback refers to is a record, and the tape of the loop is the array of these.
//
//     from (k, acc) = { let (acc, record) = turn (k, acc); tape#k := record; from (k + 1, acc) }
//     back (j, s)   = back (j + 1, pullback (tape#(n - 1 - j)) s)
#include "autodiff.h"
#include "calls.h"
#include "core/annexes.h"
#include "ir/questions.h"
#include "ir/rewrite.h"
#include "kit/lower.h"
#include "math/annexes.h"
#include "mem/annexes.h"

namespace mim::plug::autodiff {

namespace {

/// The token of a value that is one, or begins with one.
const Def* first_token(World& w, const Def* value) { return match<mem::MAS>(value->type()) ? value : w.extract(value, 0); }

const Def* with_first_token(World& w, const Def* value, const Def* token) {
    if (match<mem::MAS>(value->type())) return token;
    return w.tuple(def_vec(value->type()->as<Sigma>()->num_ops(), [&](auto i) { return i == 0 ? token : w.extract(value, i); }));
}

/// The values of a turn that its pullback refers to: those which are read from memory, and numbers. An index or a place in
/// memory is computed again.
class Record {
public:
    Record(World& w, const Def* var, const Def* pullback)
        : w_(w)
        , var_(var)
        , k_(w.extract(var, 0)) {
        find(pullback);
        if (fits_) return;
        kept_.assign(1, pullback); // as a closure
    }

    const Def* type() {
        return w_.sigma(map_defs(values(), [](auto value) { return value->type(); }));
    }
    const Def* value() { return w_.tuple(values()); }
    bool is_empty() const { return kept_.empty(); }

    /// The pullback of turn k by its record.
    const Def* restored(const Def* pullback, const Def* k, const Def* record) {
        Rewriter at(w_);
        at.map(k_, k);
        for (size_t i = 0; i != kept_.size(); ++i) {
            auto value = part_of(w_, record, i, kept_.size());
            at.map(kept_[i], is_erased(kept_[i]) ? w_.call<core::bitcast>(at.rewrite(kept_[i]->type()), value) : value);
        }
        return at.rewrite(pullback);
    }

private:
    bool is_erased(const Def* value) { return is_free_in(w_, var_, value->type()); }

    /// The type of a record is that of all turns, so it does not say how large a tape of an inner loop is.
    DefVec values() {
        auto bytes = w_.apply<mem::PtrAS>({w_.unit_type(), w_.lit_nat(0)});
        return map_defs(kept_, [&](auto value) { return is_erased(value) ? w_.call<core::bitcast>(bytes, value) : value; });
    }

    void find(const Def* pullback) {
        work_.push_back(pullback);
        while (!work_.empty() && fits_) {
            auto def = work_.back();
            work_.pop_back();
            bool is_known = def == k_ || !is_free_in(w_, var_, def);
            if (!is_known && visited_.insert(def).second) visit(def);
        }
    }

    void visit(const Def* def) {
        if (auto lam = def->isa<Lam>()) {
            inner_.insert(lam->var());
            work_.push_back(lam->body());
            return;
        }
        bool is_inside = std::ranges::any_of(free_vars(w_, def), [&](auto var) { return inner_.contains(var); });
        if (is_inside || is_computed_again(def)) {
            for (auto op : def->ops())
                if (op) work_.push_back(op);
            return;
        }
        bool is_pointer = match<mem::PtrAS>(def->type());
        fits_           = !holds_token(w_, def->type()) && (is_pointer || !is_erased(def));
        kept_.push_back(def);
    }

    bool is_computed_again(const Def* def) {
        if (is_type(def) || def->isa<Tuple>() || def->isa<Inj>()) return true;
        if (match<math::F>(def->type()) || def->isa<Var>()) return false;
        if (auto extract = def->isa<Extract>()) {
            auto tuple = extract->tuple();
            while (auto outer = tuple->isa<Extract>()) tuple = outer->tuple();
            return tuple->isa<Tuple>() || tuple->isa<Pack>();
        }
        return def->isa<App>() && head_axiom(def) && !is_memory_operation(def);
    }

    World& w_;
    const Def* var_;
    const Def* k_;
    DefVec kept_, work_;
    std::unordered_set<const Def*> visited_, inner_;
    bool fits_ = true;
};

/// Unfolds the calls in a turn, since the pullback of a call refers to values that the record is made of. Calls of functions
/// that call themselves stay, and so do those beyond a limit.
class Inlined : public Rewriter {
public:
    using Rewriter::Rewriter;

private:
    const Def* rewrite_imm(const Def* def) override {
        auto app  = def->isa<App>();
        auto lam  = app ? isa_known(app->callee()) : nullptr;
        bool fits = lam && returns_pullback(lam) && left_ != 0 && !refers_to(world(), lam->body(), lam);
        if (!fits) return Rewriter::rewrite_imm(def);
        --left_;
        return rewrite(world().beta(lam, rewrite(app->arg())));
    }

    bool returns_pullback(const Lam* lam) {
        auto pair = lam->pi()->codom()->isa<Sigma>();
        auto back = pair && pair->num_ops() == 2 ? pair->op(1)->isa<Pi>() : nullptr;
        return back && !back->is_cn() && holds_token(world(), pair->op(0));
    }

    size_t left_ = 64;
};

/// acc after `step (k, acc)` for each k below n.
template<class F>
const Def* repeat(World& w, const Def* n, const Def* acc, F step) {
    Functions f(w);
    auto from   = f.lam(w.pi(w.sigma({w.nat(), acc->type()}), acc->type()));
    auto [k, x] = elems<2>(w, from->var());
    auto arm    = w.pi(w.unit_type(), acc->type());
    auto done = f.lam(arm), more = f.lam(arm);
    w.set_body(done, x);
    w.set_body(more, w.app(from, {w.call(core::nat::add, {k, w.lit_nat(1)}), step(k, x)}));
    w.set_body(from, w.app(w.select(w.call(core::ncmp::l, {k, n}), more, done), w.unit()));
    f.close();
    return w.app(from, {w.lit_nat(0), acc});
}

class Loop {
public:
    Loop(World& w, Applied applied, const Def* n, const Def* turn, const Def* acc, const Pi* back)
        : w_(w)
        , applied_(applied)
        , n_(n)
        , turn_(turn)
        , acc_(acc)
        , back_(back) {}

    /// The last accumulator, and the pullback.
    const Def* made() {
        auto step   = w_.mut_lam(w_.pi(w_.sigma({w_.nat(), acc_->type()}), acc_->type()));
        auto pair   = Inlined(w_).rewrite(w_.beta(turn_, step->var()));
        auto pulled = w_.extract(pair, 1);
        Record record(w_, step->var(), pulled);
        auto start = acc_;
        auto last  = w_.extract(pair, 0);
        if (!record.is_empty()) {
            auto made = w_.apply<mem::alloc>(w_.arr(n_, record.type()), w_.lit_nat(0), first_token(w_, acc_));
            tape_     = w_.extract(made, 1);
            start     = with_first_token(w_, acc_, w_.extract(made, 0));
            auto kept = w_.call<mem::store>({first_token(w_, last), place(w_.extract(step->var(), 0)), record.value()});
            last      = with_first_token(w_, last, kept);
        }
        w_.set(step, w_.tt(), last);
        w_.seal(step);
        auto value = repeat(w_, n_, start, [&](auto k, auto x) { return w_.app(step, {k, x}); });
        return w_.tuple({value, back(record, pulled)});
    }

private:
    const Def* place(const Def* k) { return w_.call<mem::lea>({tape_, w_.call<core::bitcast>(w_.idx(n_), k)}); }

    /// λ s = the cotangents of the first accumulator and of what the turns refer to
    const Def* back(Record& record, const Def* pulled) {
        auto made  = w_.mut_lam(back_);
        auto all   = back_->codom()->isa<Sigma>();
        auto count = pulled->type()->as<Pi>()->codom()->as<Sigma>()->num_ops();
        bool is_in = all && is_with_captures(pulled);
        DefVec sums{made->var()};
        for (size_t i = 1; is_in && i != count; ++i) sums.push_back(zero_of(w_, all->op(i)));
        auto step = [&](auto j, auto sums) {
            auto k    = w_.call(core::nat::sub, {n_, w_.call(core::nat::add, {j, w_.lit_nat(1)})});
            auto s    = is_in ? w_.extract(sums, 0) : sums;
            auto kept = w_.unit();
            if (tape_) {
                auto load = w_.call<mem::load>({first_token(w_, s), place(k)});
                s         = with_first_token(w_, s, w_.extract(load, 0));
                kept      = w_.extract(load, 1);
            }
            auto z = w_.app(record.restored(pulled, k, kept), s);
            if (!is_in) return w_.extract(z, 1); // [], and the accumulator's
            DefVec next{w_.extract(w_.extract(z, 0), 1)};
            for (size_t i = 1; i != count; ++i) next.push_back(sum_of(w_, all->op(i), w_.extract(sums, i), w_.extract(z, i)));
            return w_.tuple(next);
        };
        auto result = repeat(w_, n_, w_.tuple(sums), step);
        if (tape_ && applied_ == Applied::Once) result = freed(result, is_in);
        w_.set(made, w_.ff(), result);
        return w_.seal(made);
    }

    /// [[[], S], C…], and not [[], S]
    bool is_with_captures(const Def* pulled) { return pulled->type()->as<Pi>()->codom()->op(0) != w_.unit_type(); }

    const Def* freed(const Def* result, bool is_in) {
        auto s    = is_in ? w_.extract(result, 0) : result;
        auto left = with_first_token(w_, s, w_.call<mem::free>({first_token(w_, s), tape_}));
        if (!is_in) return left;
        auto n = result->type()->as<Sigma>()->num_ops();
        return w_.tuple(def_vec(n, [&](auto i) { return i == 0 ? left : w_.extract(result, i); }));
    }

    World& w_;
    const Applied applied_;
    const Def* n_;
    const Def* turn_;
    const Def* acc_;
    const Pi* back_;
    const Def* tape_ = nullptr; ///< null: the pullbacks of turns refer to nothing of them
};

} // namespace

bool is_loop_over_memory(const Def* type) {
    if (match<mem::MAS>(type)) return true;
    auto tuple = type->isa<Sigma>();
    return tuple && !tuple->is_mut() && match<mem::MAS>(tuple->op(0));
}

const Def* lower_taped(const Lowered& old) {
    auto& w                    = old.world();
    auto [types, n, turn, acc] = old.groups<4>();
    auto applied               = value(elem(w, n, 0)) == 1 ? Applied::Once : Applied::Often;
    auto result                = elem(w, types, 2);
    return Loop(w, applied, elem(w, n, 1), turn, acc, result->op(1)->as<Pi>()).made();
}

} // namespace mim::plug::autodiff
