// SPDX-License-Identifier: MIT
#include <algorithm>

#include "parser.h"

namespace mim::plug::polara {

static bool is_type(std::string_view word) { return word == "nat" || word == "flt" || word == "bool" || word == "fin"; }

bool TypeParser::names_size(std::string_view word) const {
    return std::ranges::any_of(sizes_, [&](auto& size) { return size.name == word; });
}

/// Whether an arrow says that the unknown name that is next is one of a size.
bool TypeParser::has_arrow_behind_size() const {
    for (uint32_t i = 1;; ++i) {
        switch (tok(i)) {
            case front::Name:
            case front::Integer:
            case Plus:
            case Minus:
            case Star:
            case Times: break;
            default: return tok(i) == DoubleArrow;
        }
    }
}

/// Whether a size is next, and with it the type of an array. One in brackets has no word of types.
bool TypeParser::at_size_of_array() const {
    if (at(front::Integer)) return true;
    auto word = cursor_.word();
    if (at(front::Name)) return !is_type(word) && (names_size(word) || has_arrow_behind_size());
    auto partner = cursor_.token().extra;
    if (!at(LParen) || partner == front::kNone) return false;
    for (uint32_t i = 1; cursor_.pos() + i < partner; ++i) {
        auto kind     = cursor_.token(i).tok;
        bool is_other = kind == Arrow || kind == DoubleArrow || (kind == front::Name && is_type(cursor_.word(i)));
        if (is_other) return false;
    }
    return true;
}

Type* TypeParser::type() {
    front::Nesting::Level nest(nesting_);
    if (too_deep()) return types_.broken();
    if (at_size_of_array()) {
        auto length = size();
        expect(DoubleArrow);
        return types_.array(length, type());
    }
    auto first = product();
    return accept(Arrow) ? types_.fun(first, type()) : first;
}

Type* TypeParser::product() {
    front::Nesting::Level nest(nesting_);
    auto first = atomic_type();
    if (too_deep() || (!accept(Star) && !accept(Times))) return first;
    return types_.pair(first, product());
}

Type* TypeParser::atomic_type() {
    if (accept(LParen)) return in_brackets([&] { return type(); });
    if (!at(front::Name)) {
        expected("a type");
        return types_.broken();
    }
    auto word = cursor_.word();
    if (!is_type(word)) return unknown_type();
    next();
    if (word == "nat") return types_.nat();
    if (word == "flt") return types_.flt();
    return word == "bool" ? types_.boolean() : types_.fin(size_of(&TypeParser::size_atom));
}

/// Reports a name that is none of a type, which keeps nothing else from being read and checked.
Type* TypeParser::unknown_type() {
    auto why = "types are `nat`, `flt`, `bool`, `fin n`, and what `->`, `*` and `=>` make of them";
    diags_.report(diag::not_bound(std::string(cursor_.word()), why), cursor_.span());
    ++mild_errors_;
    next();
    return types_.broken();
}

/// Reports an expression that is no size, whatever its names stand for.
Polynomial TypeParser::size_of(Polynomial (TypeParser::*part)()) {
    auto begin  = cursor_.begin();
    auto result = (this->*part)();
    auto why    = Types::fault(result);
    if (!why) return result;
    auto span = from(begin);
    return no_size(diag::bad_size(std::string(text_.substr(span.begin, span.end - span.begin)), why), span);
}

Polynomial TypeParser::size_sum() {
    auto sum = size_product();
    while (at(Plus) || at(Minus)) {
        bool is_plus = at(Plus);
        next();
        auto right = size_product();
        sum        = is_plus ? sum + right : sum - right;
    }
    return sum;
}

Polynomial TypeParser::size_product() {
    auto product = size_atom();
    while (accept(Star) || accept(Times)) product = product * size_atom();
    return product;
}

Polynomial TypeParser::size_atom() {
    front::Nesting::Level nest(nesting_);
    auto span = cursor_.span();
    auto word = cursor_.word();
    if (too_deep()) return types_.size_meta();
    if (accept(front::Integer)) return size_number(word, span);
    if (accept(front::Name)) return size_name(word, span);
    if (accept(LParen)) return in_brackets([&] { return size_sum(); });
    expected("a size");
    return types_.size_meta();
}

Polynomial TypeParser::size_number(std::string_view word, Span span) {
    auto n = front::integer_value(word);
    if (n) return Polynomial::number(static_cast<Polynomial::Number>(*n));
    return no_size(diag::bad_size(std::string(word), "it is 2^64 or more"), span);
}

Polynomial TypeParser::size_name(std::string_view word, Span span) {
    for (auto& size : sizes_)
        if (size.name == word) return Polynomial::variable(size.var);
    return no_size(diag::not_bound(std::string(word), "sizes are numbers and the names in the braces of the definition"), span);
}

} // namespace mim::plug::polara
