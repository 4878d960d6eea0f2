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

/// Operands of `+ - * /` and their result are of one type, `flt` or `nat`, but a sum of indices. Whether something was
/// decided.
bool Inference::settle_infixes(bool is_last) {
    bool has_changed = false;
    std::erase_if(infixes_, [&](Expr* e) {
        auto left   = e->parts[0];
        auto right  = e->parts[1];
        auto kinds  = {types_.resolve(left->type)->kind, types_.resolve(right->type)->kind, types_.resolve(e->type)->kind};
        auto has    = [&](Type::Kind kind) { return std::ranges::find(kinds, kind) != kinds.end(); };
        auto begin  = has_changed;
        has_changed = true;
        if (has(Type::Broken)) return true;
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
            auto type    = has(Type::Flt) ? types_.flt() : types_.nat();
            bool is_left = expect(left, type, because_of(right));
            if (is_left) expect(right, type, because_of(left));
            if (!types_.unify(e->type, type)) report(diag::mismatch(types_.text(type), types_.text(e->type)), e->span);
            return true;
        }
        if (has(Type::Fin) && e->text == "+") {
            auto n = types_.size_meta();
            auto m = types_.size_meta();
            expect(left, types_.fin(n));
            expect(right, types_.fin(m));
            auto sum = n + m - Polynomial::number(1);
            sums_.push_back(e);
            if (!types_.unify(e->type, types_.fin(sum)))
                report(diag::mismatch("fin " + types_.text(sum), types_.text(e->type)), e->span);
            return true;
        }
        has_changed = begin;
        if (!is_last) return false;
        types_.unify(left->type, types_.nat());
        has_changed = true;
        return false;
    });
    return has_changed;
}

/// An index that nothing else is known of is as small as possible, any other number is a `nat`.
bool Inference::default_numbers() {
    for (auto e : numbers_) {
        auto type = types_.resolve(e->type);
        auto n    = front::integer_value(e->text);
        if (type->kind != Type::Fin || !types_.is_open(type) || !n) continue;
        if (!types_.resolve(type->size).as_variable()) continue;
        types_.unify(type->size, Polynomial::number(static_cast<Polynomial::Number>(*n)) + Polynomial::number(1));
        return true;
    }
    for (auto e : numbers_) {
        if (types_.resolve(e->type)->kind != Type::Meta) continue;
        types_.unify(e->type, types_.nat());
        return true;
    }
    return false;
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
        if (settle_infixes(false)) continue;
        if (default_numbers()) continue;
        if (!settle_infixes(true)) break;
    }
}

void Inference::check_numbers() {
    for (auto e : numbers_) {
        auto type = types_.resolve(e->type);
        auto n    = front::integer_value(e->text);
        auto fail = [&](std::string why) {
            report(diag::out_of_range(std::string(e->text), types_.text(type), std::move(why)), e->span);
        };
        if (type->kind == Type::Flt || type->kind == Type::Broken) continue;
        if (!n) {
            fail("it is 2^64 or more");
            continue;
        }
        if (type->kind == Type::Nat) continue;
        if (type->kind != Type::Fin) {
            report(diag::mismatch("a number", types_.text(type)), e->span);
            continue;
        }
        auto rest    = types_.resolve(type->size) - Polynomial::number(static_cast<Polynomial::Number>(*n));
        auto literal = Polynomial::Number(0);
        bool is_less = true;
        for (auto& [monomial, coefficient] : rest.terms()) {
            if (monomial.empty()) literal = coefficient;
            else is_less &= coefficient > 0;
        }
        if (types_.is_open(type)) continue; // reported where it is bound
        if (!is_less || literal <= 0) fail(rest.value() ? "it is too large" : "it may be too large");
    }
}

void Inference::check_binders() {
    for (auto local : binders_) {
        if (!types_.is_open(local->type)) continue;
        auto name = std::string(local->name);
        report(diag::open_type(name, types_.text(local->type)), local->span);
        return;
    }
}

/// Sizes that follow from others are sizes, too.
void Inference::check_size(const Polynomial& p, Span span) {
    if (auto why = Types::fault(types_.resolve(p))) report(diag::bad_size(types_.text(p), why), span);
}

void Inference::check_sizes(Type* t, Span span) {
    t = types_.resolve(t);
    check_size(t->size, span);
    if (t->first) check_sizes(t->first, span);
    if (t->second) check_sizes(t->second, span);
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
    check_numbers();
    for (auto local : binders_) check_sizes(local->type, local->span);
    for (auto sum : sums_) check_sizes(sum->type, sum->span);
    if (c_.diags.num_errors() == errors) check_binders();
    if (c_.diags.num_errors() == errors) check_uses();
    if (c_.diags.num_errors() != errors) return;
    if (types_.is_open(current_->body->type))
        report(diag::open_type(std::string(current_->name), types_.text(current_->body->type)), current_->name_span);
}

} // namespace mim::plug::polara
