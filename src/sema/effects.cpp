// SPDX-License-Identifier: MIT
// Effects that the text asks for and that are in no graph: a projection such as `(mem, %mem.store (mem, p, 3))#0`, or an operator that
// folds, as in `0 * (f mem)#1`, drops an operand before the check of whole functions (linear/tokens.h) sees it. So this one follows the text: the
// token that an application makes must be taken over by something that is written behind it, or the function still holds the effect.
//
// Taken over is what is an argument, a result, or an alternative. Alternatives are the elements of a tuple that an index chooses from which
// is written as no literal: the others do not happen, also if the index becomes known.
#include "linear/tokens.h"
#include "sema/elab.h"

namespace mim {

/// What is split into elements.
static constexpr int64_t MaxElems = 256;

/// Calls f(node) for what makes each of the tokens in `value`, unless it is a parameter.
template<class F>
void Elab::each_effect(const Def* value, F f) {
    if (!is_token(value)) return;
    auto n = value->type()->isa<Pi>() ? -1 : world_.lit_arity(value->type());
    if (n > 1 && n <= MaxElems) {
        for (int64_t i = 0; i < n; ++i) each_effect(world_.extract(value, static_cast<uint64_t>(i)), f);
        return;
    }
    while (auto ex = value->isa<Extract>()) value = ex->tuple();
    if (value->node() != Node::Var) f(value);
}

void Elab::make_effect(const Def* value, Span place) {
    if (!function_ || !s_.has_tokens()) return;
    each_effect(value, [&](const Def* effect) { effects_.push_back({effect, function_, place}); });
}

void Elab::take_over(const Def* value) {
    if (!function_ || !s_.has_tokens()) return;
    each_effect(value, [&](const Def* effect) { taken_[effect] = effects_.size(); });
}

/// An index that is written as a number or the name of a field projects; any other chooses.
void Elab::take_alternatives(const Def* tuple, const ast::Expr* index, bool is_field) {
    switch (index->kind) {
        case ast::ExprKind::NatLit:
        case ast::ExprKind::IdxLit:
        case ast::ExprKind::AscribedLit:
        case ast::ExprKind::Prim: return;
        default:
            if (!is_field) take_over(tuple);
    }
}

namespace {
/// What the bodies of functions hold; one function after the other is asked for.
class Held {
public:
    explicit Held(const std::unordered_map<const Lam*, const Def*>& read)
        : read_(read) {}

    bool holds(const Lam* function, const Def* d) {
        if (function != function_) collect(function);
        return seen_.contains(d);
    }

private:
    void collect(const Lam* function) {
        function_ = function;
        seen_.clear();
        std::vector<const Def*> work{function->body()};
        if (auto it = read_.find(function); it != read_.end()) work.push_back(it->second);
        while (!work.empty()) {
            auto d = work.back();
            work.pop_back();
            if (!d || is_static(d) || !seen_.insert(d).second || !d->is_set()) continue;
            work.insert(work.end(), d->ops().begin(), d->ops().end());
        }
    }

    const std::unordered_map<const Lam*, const Def*>& read_; ///< bodies as they were read, if they are others now
    const Lam* function_ = nullptr;
    std::unordered_set<const Def*> seen_;
};
} // namespace

void Elab::settle_effects() {
    Held held(read_);
    auto is_taken = [&](size_t i, const Def* d) {
        auto it = taken_.find(d);
        return (it != taken_.end() && it->second > i) || held.holds(effects_[i].function, d);
    };
    for (size_t i = 0; i < effects_.size(); ++i) {
        auto& effect = effects_[i];
        auto taken   = taken_.find(effect.node);
        if (taken != taken_.end() && taken->second > i) continue; // nearly always
        if (!effect.function->is_set() || is_taken(i, effect.node)) continue;
        auto now = effect.node->is_unstable() ? at(effect.place, [&] { return world_.refresh(effect.node); }) : nullptr;
        if (now && is_taken(i, now)) continue;
        if (i && effects_[i - 1].place == effect.place) continue; // another of its tokens
        if (!ends_for_good(world_, effect.function)) error(Diag::token_dropped, effect.place, {token_text(effect.place)});
    }
    effects_.clear();
    taken_.clear();
    read_.clear();
}

} // namespace mim
