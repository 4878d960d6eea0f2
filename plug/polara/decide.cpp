// SPDX-License-Identifier: MIT
// The end of a definition: its context decides the type of a number and of an operation by then, or it is decided here.
// An expression without a type then is an error.
#include <algorithm>
#include <optional>
#include <string>

#include "front/scanner.h"
#include "infer.h"
#include "polara/diagnostics.h"

namespace mim::plug::polara {

/// Operands of `+ - * /` and their result are of one type, `flt` or `nat`, but a sum of indices. False if none of them
/// is known.
bool Inference::settle(Expr* e) {
    auto left  = e->parts[0];
    auto right = e->parts[1];
    auto kinds = {types_.resolve(left->type)->kind, types_.resolve(right->type)->kind, types_.resolve(e->type)->kind};
    auto has   = [&](Type::Kind kind) { return std::ranges::find(kinds, kind) != kinds.end(); };
    auto begin = std::exchange(e->is_settled, true);
    if (begin || has(Type::Broken)) return true;
    for (auto operand : {left, right}) {
        auto type        = types_.resolve(operand->type);
        bool is_no       = type->kind == Type::Fun || type->kind == Type::Pair || type->kind == Type::Array;
        bool is_no_index = type->kind == Type::Fin && e->text != "+";
        if (!is_no && !is_no_index) continue;
        report(diag::bad_operand("`" + std::string(e->text) + "`", is_no ? "numbers" : "`nat` and `flt`", types_.text(type)),
               operand->span);
        types_.unify(e->type, types_.broken());
        return true;
    }
    if (has(Type::Nat) || has(Type::Flt)) {
        auto first  = std::ranges::find_if(kinds, [](auto kind) { return kind == Type::Nat || kind == Type::Flt; });
        auto type   = *first == Type::Flt ? types_.flt() : types_.nat();
        bool is_fit = expect(left, type, because_of(right)) && expect(right, type, because_of(left));
        if (!is_fit) types_.unify(e->type, types_.broken());
        else if (!types_.unify(e->type, type)) report(diag::mismatch(types_.text(type), types_.text(e->type)), e->span);
        return true;
    }
    if (has(Type::Fin) && e->text == "+") return settle_sum(e);
    return e->is_settled = false;
}

bool Inference::settle_sum(Expr* e) {
    auto n = types_.size_meta();
    auto m = types_.size_meta();
    expect(e->parts[0], types_.fin(n));
    expect(e->parts[1], types_.fin(m));
    auto sum = n + m - Polynomial::number(1);
    sums_.push_back(e);
    if (!types_.unify(e->type, types_.fin(sum))) report(diag::mismatch("fin " + types_.text(sum), types_.text(e->type)), e->span);
    return true;
}

/// Goes on with operations, and numbers, some of whose types have become known.
void Inference::settle_woken() {
    while (auto e = types_.take_woken()) {
        if (e->kind == Expr::Infix) settle(e);
        else if (types_.resolve(e->type)->kind == Type::Fin) indices_.push_back(e);
    }
}

/// An index that nothing else is known of is as small as possible. With `any`, also one whose size is known to have to do
/// with other sizes.
bool Inference::default_indices(bool any) {
    std::erase_if(indices_, [&](Expr* e) { return !types_.is_open(e->type); });
    auto is_free = [&](Expr* e) { return any || types_.resolve(types_.resolve(e->type)->size).as_variable(); };
    auto next    = std::ranges::find_if(indices_, is_free);
    if (next == indices_.end()) return false;
    auto n    = front::integer_value((*next)->text).value_or(0);
    auto size = types_.resolve((*next)->type)->size;
    indices_.erase(next);
    return types_.unify(size, Polynomial::number(static_cast<Polynomial::Number>(n)) + Polynomial::number(1));
}

/// Any other number is a `nat`.
bool Inference::default_numbers() {
    for (; next_number_ != numbers_.size(); ++next_number_) {
        auto type = types_.resolve(numbers_[next_number_]->type);
        if (type->kind == Type::Meta) return types_.unify(type, types_.nat());
    }
    return false;
}

/// So is an operand of an operation that nothing is known of.
bool Inference::default_infix() {
    while (next_infix_ != infixes_.size() && infixes_[next_infix_]->is_settled) ++next_infix_;
    return next_infix_ != infixes_.size() && types_.unify(infixes_[next_infix_]->parts[0]->type, types_.nat());
}

/// Some equation between sizes does not hold.
void Inference::check_late() {
    auto late = std::move(late_);
    for (auto& l : late)
        if (!expect(l.expr, l.type, l.because)) return;
    report(diag::mismatch("of one size", "of another size"), current_->body->span);
}

void Inference::decide() {
    while (true) {
        bool is_possible = types_.solve_waiting();
        if (!is_possible) return check_late();
        settle_woken();
        bool has_changed = default_indices(false) || default_numbers() || default_infix() || default_indices(true);
        if (!has_changed) break;
    }
}

void Inference::check_number(const Expr* e) {
    auto type = types_.resolve(e->type);
    auto n    = front::integer_value(e->text);
    auto fail = [&](std::string why) {
        report(diag::out_of_range(std::string(e->text), types_.text(type), std::move(why)), e->span);
    };
    if (type->kind == Type::Flt || type->kind == Type::Broken) return;
    if (!n) return fail("it is 2^64 or more");
    if (type->kind == Type::Nat) return;
    if (type->kind != Type::Fin) return fail("it is a number");
    if (types_.is_open(type)) return; // reported where it is bound
    auto rest    = types_.resolve(type->size) - Polynomial::number(static_cast<Polynomial::Number>(*n));
    auto literal = Polynomial::Number(0);
    bool is_less = true;
    for (auto& [monomial, coefficient] : rest.terms()) {
        if (monomial.empty()) literal = coefficient;
        else is_less &= coefficient > 0;
    }
    if (!is_less || literal <= 0) fail(rest.value() ? "it is too large" : "it may be too large");
}

void Inference::check_binders() {
    if (auto local = types_.find_open(binders_))
        report(diag::open_type(std::string(local->name), types_.text(local->type)), local->span);
}

/// Sizes that follow from others are sizes, too.
void Inference::check_size(const Polynomial& p, Span span) {
    if (auto why = Types::fault(types_.resolve(p))) report(diag::bad_size(types_.text(p), why), span);
}

template<class T>
void Inference::check_sizes(const std::vector<T*>& all) {
    types_.find_any(all, [&](T& x, Type* part) {
        check_size(part->size, x.span);
        return false;
    });
}

/// The sizes of a definition that is used are known.
void Inference::check_uses() {
    for (auto use : uses_) {
        auto is_open = [&](auto& size) { return types_.is_open(size); };
        bool is_bad  = std::ranges::any_of(use->def_sizes, is_open);
        if (is_bad) report(diag::open_type(std::string(use->text), types_.text(use->type)), use->span);
        else
            for (auto& size : use->def_sizes) check_size(size, use->span);
    }
}

/// A type that an error leaves open needs no other error: `errors` were there before the definition.
void Inference::check_later(size_t errors) {
    for (auto& [e, what, may_be_index, may_be_float, operand] : operands_) {
        auto type   = types_.resolve(operand);
        bool is_fit = type->kind == Type::Nat || type->kind == Type::Broken || (type->kind == Type::Fin && may_be_index)
                      || (type->kind == Type::Flt && may_be_float) || type->kind == Type::Meta;
        if (is_fit) continue;
        auto takes = may_be_index ? (may_be_float ? "numbers" : "`nat` and `fin`") : "`nat` and `flt`";
        report(diag::bad_operand(std::string(what), takes, types_.text(type)), e->span);
    }
    for (auto number : numbers_) check_number(number);
    check_sizes(binders_);
    check_sizes(sums_);
    if (c_.diags.num_errors() == errors) check_binders();
    if (c_.diags.num_errors() == errors) check_uses();
    for (auto numbers : {&numbers_, &sums_}) {
        auto open = types_.find_open(*numbers);
        if (!open || c_.diags.num_errors() != errors) continue;
        auto text = c_.text.substr(open->span.begin, open->span.end - open->span.begin);
        report(diag::open_type(std::string(text), types_.text(open->type)), open->span);
    }
    if (c_.diags.num_errors() != errors) return;
    if (types_.is_open(current_->body->type))
        report(diag::open_type(std::string(current_->name), types_.text(current_->body->type)), current_->name_span);
}

} // namespace mim::plug::polara
