// SPDX-License-Identifier: MIT
#include "sema/effects.h"

#include <algorithm>
#include <unordered_set>

#include "linear/tokens.h"

namespace mim {

/// A value or argument with more elements than this is not split into them.
static constexpr int64_t MaxSplit = 256;

/// Calls f(node) for the maker of each of the tokens in `value`, unless that is a parameter.
template<class F>
void Effects::each_effect(const Def* value, F f) {
    if (!tokens_.is_token(value)) return;
    auto n = value->type()->isa<Pi>() ? -1 : lit_arity(world_, value->type());
    if (n > 1 && n <= MaxSplit) {
        for (int64_t i = 0; i < n; ++i) each_effect(world_.extract(value, static_cast<uint64_t>(i)), f);
        return;
    }
    while (auto ex = value->isa<Extract>()) value = ex->tuple();
    if (value->node() != Node::Var) f(value);
}

void Effects::make(const Def* value, Span place) {
    auto function = enclosing_.function();
    if (!function || !tokens_.exist()) return;
    each_effect(value, [&](const Def* effect) { effects_.push_back({effect, function, place}); });
}

void Effects::take_over(const Def* value) {
    if (!enclosing_.function() || !tokens_.exist()) return;
    each_effect(value, [&](const Def* effect) { taken_[effect] = effects_.size(); });
}

void Effects::take_alternatives(const Def* tuple, const ast::Expr* index, bool is_field) {
    switch (index->kind) {
        case ast::ExprKind::NatLit:
        case ast::ExprKind::IdxLit:
        case ast::ExprKind::AscribedLit:
        case ast::ExprKind::Prim: return;
        default:
            if (!is_field) take_over(tuple);
    }
}

/*
 * tokens that nobody mentions
 */

/// How a token without a name is called: by its maker.
std::string Effects::token_text(Span maker) const {
    static constexpr size_t MaxText = 60;
    auto text                       = errors_.source_text(maker);
    return text.size() <= MaxText && text.find('\n') == text.npos ? text : "_";
}

void Effects::drop(const Def* value, Span place, std::string token) {
    take_over(value); // said once
    if (auto function = enclosing_.function()) drops_.push_back({value, function, place, std::move(token)});
    else errors_.error(Diag::token_dropped, place, {std::move(token)});
}

void Effects::drop_ignored(const ast::Let* let, const Def* value) {
    auto drop_it = [&](const Def* token, Symbol name, Span place) {
        if (!name) drop(token, place, token_text(let->value->span));
    };
    tokens_.each(let->pattern, value, drop_it, [&](const Def* part) { return tokens_.is_token(part); });
    auto name       = ast::isa<ast::NamePattern>(let->pattern);
    bool is_ignored = name && !name->name.name;
    if (is_ignored && value && !tokens_.is_token(value) && tokens_.is_lost_with(value, let->value))
        drop(value, let->pattern->span, token_text(let->value->span));
}

void Effects::check_passed(const Lam* lam, const Def* arg, const ast::Expr* place) {
    if (!tokens_.is_token(arg) || !lam->is_set() || !lam->var()->isa<Var>()) return;
    auto check = [&](const Def* value, const Def* leaf, const ast::Expr* e) {
        if (!tokens_.is_token(value) || tokens_.types().is_token(leaf) || tokens_.mentions(lam, leaf)) return;
        auto& error = errors_.error(Diag::token_dropped, e->span, {token_text(e->span)});
        error.note(Diag::declared_here, world_.notes.span(lam), {errors_.show(lam)});
    };
    auto n       = lit_arity(world_, lam->dom());
    bool is_list = n > 1 && n <= MaxSplit && n == lit_arity(world_, arg->type());
    if (!is_list) return check(arg, lam->var(), place);
    auto tuple = ast::isa<ast::Tuple>(place);
    for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
        auto written = tuple && tuple->elems.size() == static_cast<size_t>(n) ? tuple->elems[i] : place;
        check(world_.extract(arg, i), world_.extract(lam->var(), i), written);
    }
}

/*
 * at the end of outermost functions
 */

const Def* Effects::as_read(const Lam* lam) const {
    auto it = as_read_.find(lam);
    return it == as_read_.end() ? nullptr : it->second;
}

/// The nodes in the bodies of functions; the body that was asked for last is kept.
class Effects::Held {
public:
    explicit Held(const Effects& effects)
        : effects_(effects) {}

    bool holds(const Lam* function, const Def* d) {
        if (function != function_) collect(function);
        return seen_.contains(d);
    }

private:
    void collect(const Lam* function) {
        function_ = function;
        seen_.clear();
        std::vector<const Def*> work{function->body()};
        if (auto body = effects_.as_read(function)) work.push_back(body);
        while (!work.empty()) {
            auto d = work.back();
            work.pop_back();
            if (!d || is_static(d) || !seen_.insert(d).second || !d->is_set()) continue;
            work.insert(work.end(), d->ops().begin(), d->ops().end());
        }
    }

    const Effects& effects_;
    const Lam* function_ = nullptr;
    std::unordered_set<const Def*> seen_;
};

/// The tokens that an effect consumes, as far as its argument shows them.
std::vector<const Def*> Effects::consumed_by(const Def* effect) {
    auto call = effect->isa<App>();
    if (!call) return {};
    std::vector<const Def*> consumed;
    auto arg  = call->arg();
    auto n    = lit_arity(world_, arg->type());
    bool many = n > 1 && n <= MaxSplit;
    for (int64_t i = 0; i < (many ? n : 1); ++i) {
        auto elem = many ? world_.extract(arg, static_cast<uint64_t>(i)) : arg;
        if (tokens_.is_token(elem)) consumed.push_back(elem);
    }
    return consumed;
}

/// Whether another effect of the function consumes a token that this one does. Then that is the mistake, at the later of the two.
bool Effects::report_twice(const Lam* function, const Def* effect) {
    auto consumed = consumed_by(effect);
    for (auto token : consumed) {
        const Effect* first = nullptr;
        for (auto& other : effects_) {
            if (other.function != function) continue;
            auto others = consumed_by(other.node);
            if (std::ranges::find(others, token) == others.end()) continue;
            if (!first) first = &other;
            bool is_behind = first->place.file == other.place.file && first->place.end <= other.place.begin;
            if (!is_behind) continue; // one is an argument of the other
            auto maker = token;
            while (auto ex = maker->isa<Extract>()) maker = ex->tuple();
            auto made_by = std::ranges::find(effects_, maker, &Effect::node);
            auto text    = made_by == effects_.end() ? errors_.show(token) : token_text(made_by->place);
            auto& d      = errors_.error(Diag::token_used_twice, other.place, {text});
            d.note(Diag::token_first_use, first->place);
            return true;
        }
    }
    return false;
}

void Effects::report_lost(const Lam* function, const Def* value, Span place, std::string token) {
    auto effect = value;
    while (auto ex = effect->isa<Extract>()) effect = ex->tuple();
    if (!report_twice(function, effect)) errors_.error(Diag::token_dropped, place, {std::move(token)});
}

void Effects::settle() {
    settle_drops();
    settle_effects();
}

void Effects::settle_drops() {
    for (auto& d : drops_)
        if (!ends_for_good(world_, d.function)) report_lost(d.function, d.value, d.place, std::move(d.token));
    drops_.clear();
}

void Effects::settle_effects() {
    Held held(*this);
    auto is_taken_later = [&](size_t i, const Def* d) {
        auto it = taken_.find(d);
        return it != taken_.end() && it->second > i;
    };
    auto is_taken = [&](size_t i, const Def* d) { return is_taken_later(i, d) || held.holds(effects_[i].function, d); };
    for (size_t i = 0; i < effects_.size(); ++i) {
        auto& effect = effects_[i];
        if (is_taken_later(i, effect.node)) continue; // nearly always
        if (!effect.function->is_set() || is_taken(i, effect.node)) continue;
        auto refresh = [&] { return world_.refresh(effect.node); };
        auto now     = effect.node->is_unstable() ? errors_.at(effect.place, refresh) : nullptr;
        if (now && is_taken(i, now)) continue;
        if (i && effects_[i - 1].place == effect.place) continue; // another of its tokens
        if (ends_for_good(world_, effect.function)) continue;
        report_lost(effect.function, effect.node, effect.place, token_text(effect.place));
    }
    effects_.clear();
    taken_.clear();
    as_read_.clear();
}

} // namespace mim
