// SPDX-License-Identifier: MIT
// Operations on numbers. Integers wrap: those with a sign are computed without it.
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "c_terms.h"

namespace mim::plug::dpia {

CScalar CTerms::scalar(const Def* type) {
    if (auto vector = rise::isa_vector(w, type)) return vector_type(vector, type);
    auto t     = rise::scalar_of(type);
    auto whole = [&](CScalar::Kind kind, const char* name) {
        return CScalar{kind, t.bits, name + std::to_string(t.bits) + "_t"};
    };
    switch (t.kind) {
        case rise::ScalarType::Bool: return {CScalar::Bool, 8, "uint8_t"};
        case rise::ScalarType::Signed: return whole(CScalar::Signed, "int");
        case rise::ScalarType::Unsigned: return whole(CScalar::Unsigned, "uint");
        case rise::ScalarType::Nat:
        case rise::ScalarType::Index: return {CScalar::Size, 64, "uint64_t"};
        case rise::ScalarType::Float: break;
        default: throw Refused{Refused::NoCode, "this is no number", {}, type};
    }
    if (t.bits == 16) return {CScalar::Float, 16, has_extensions_ ? "_Float16" : kHalfBits};
    return {CScalar::Float, t.bits, t.bits == 32 ? "float" : "double"};
}

static std::string float_text(uint64_t bits, unsigned width) {
    char text[64];
    double wide;
    if (width != 64) {
        auto x = width == 16 ? rise::half_value(bits) : std::bit_cast<float>(static_cast<uint32_t>(bits));
        wide   = x;
        *std::to_chars(text, text + sizeof text - 1, x).ptr = 0;
    } else {
        std::memcpy(&wide, &bits, sizeof wide);
        *std::to_chars(text, text + sizeof text - 1, wide).ptr = 0;
    }
    if (std::isnan(wide)) return "NAN";
    if (std::isinf(wide)) return wide < 0 ? "(-INFINITY)" : "INFINITY";
    std::string result = text;
    if (result.find_first_of(".e") == result.npos) result += ".0";
    if (width == 32) result += "f";
    if (width == 16) return "((_Float16)" + result + "f)";
    return result[0] == '-' ? "(" + result + ")" : result;
}

static std::string hexadecimal(uint64_t bits) {
    char text[20];
    *std::to_chars(text, text + sizeof text - 1, bits, 16).ptr = 0;
    return "0x" + std::string(text);
}

CValueRef CTerms::literal(const Def* type, uint64_t bits) {
    auto t = scalar(type);
    if (t.kind == CScalar::Size) return number(Polynomial::number(Polynomial::Number(bits)));
    if (t.name == kHalfBits) return of_scalar(sizes_.atom(hexadecimal(bits), t.name));
    if (t.kind == CScalar::Float) return of_scalar(sizes_.atom(float_text(bits, t.bits), t.name));
    if (t.kind != CScalar::Signed) {
        auto suffix = t.bits == 64 ? "u" : "";
        return of_scalar(sizes_.atom(std::to_string(bits) + (t.kind == CScalar::Bool ? "" : suffix), t.name));
    }
    auto shift  = 64 - t.bits;
    auto number = static_cast<int64_t>(bits << shift) >> shift;
    auto text   = std::to_string(number);
    if (number == INT64_MIN) text = "INT64_MIN";
    else if (number == INT32_MIN && t.bits == 32) text = "INT32_MIN";
    else if (number < 0) text = "(" + text + ")";
    return of_scalar(sizes_.atom(text, t.name));
}

/// Narrow numbers are computed in 32 bits.
CRef CTerms::wrapped(const CScalar& t, const std::string& op, CRef a, CRef b) {
    bool is_half = t.kind == CScalar::Float && t.bits == 16;
    if (is_half) return sizes_.call("(_Float16)($0$" + op + "$1$)", t.name, {a, b});
    if (t.kind == CScalar::Float) return sizes_.infix("$0$" + op + "$1$", t.name, {a, b});
    auto wide = t.bits == 64 ? "uint64_t" : "uint32_t";
    bool fits = t.kind != CScalar::Signed && t.bits >= 32;
    if (fits) return sizes_.infix("$0$" + op + "$1$", t.name, {a, b});
    auto cast = std::string("(") + wide + ")";
    return sizes_.call("(" + t.name + ")(" + cast + "$0$" + op + cast + "$1$)", t.name, {a, b});
}

CRef CTerms::less_or_first(const char* text, const CScalar& t, CRef a, CRef b) { return sizes_.infix(text, t.name, {a, b}); }

CValueRef CTerms::size_operation(rise::number op, const CValueRef& a, const CValueRef& b) {
    auto both   = std::vector{a->scalar, b->scalar};
    auto opaque = [&](SizeOp what) { return number(sizes_.size(what, both)); };
    switch (op) {
        case rise::number::add: return number(*a->size + *b->size);
        case rise::number::mul: return number(*a->size * *b->size);
        case rise::number::sub: return opaque(SizeOp::Difference);
        case rise::number::div: return opaque(SizeOp::Quotient);
        case rise::number::mod: return opaque(SizeOp::Rest);
        case rise::number::min: return opaque(SizeOp::Min);
        default: return opaque(SizeOp::Max);
    }
}

CValueRef CTerms::binary(const Def* term, const ScopeRef& s) {
    auto op    = rise::number(sub_of(term));
    auto left  = value(group(term, 1), s);
    auto right = value(group(term, 2), s);
    auto t     = scalar(term->type());
    if (t.kind == CScalar::Size) return size_operation(op, left, right);
    return of_scalar(number_operation(op, t, left->scalar, right->scalar));
}

/// A number as what is computed with: halves of OpenCL are bits.
CRef CTerms::as_number(CRef x) { return x->type == kHalfBits ? sizes_.call("float_of($0$)", "float", {x}) : x; }

static const CScalar kSingle{CScalar::Float, 32, "float"};

CRef CTerms::half_of(CRef x) {
    auto function = x->type == "double" ? "f16_of_double" : "f16_of";
    return sizes_.call(function + std::string("($0$)"), kHalfBits, {x});
}

CRef CTerms::number_operation(rise::number op, const CScalar& t, CRef a, CRef b) {
    if (t.name == kHalfBits) return half_of(number_operation(op, kSingle, as_number(a), as_number(b)));
    bool is_float = t.kind == CScalar::Float;
    auto extremum = [&](const char* name) { return sizes_.call(function(name, t) + "($0$, $1$)", t.name, {a, b}); };
    auto divided  = [&](const char* text) {
        if (t.bits >= 32) return sizes_.infix(text, t.name, {a, b});
        return sizes_.call("(" + t.name + ")(" + text + ")", t.name, {a, b});
    };
    switch (op) {
        case rise::number::add: return wrapped(t, " + ", a, b);
        case rise::number::sub: return wrapped(t, " - ", a, b);
        case rise::number::mul: return wrapped(t, " * ", a, b);
        case rise::number::div: return divided("$0$ / $1$");
        case rise::number::mod: return divided("$0$ % $1$");
        case rise::number::min: return is_float ? extremum("fmin") : less_or_first("$0$ < $1$ ? $0$ : $1$", t, a, b);
        default: return is_float ? extremum("fmax") : less_or_first("$0$ < $1$ ? $1$ : $0$", t, a, b);
    }
}

CValueRef CTerms::unary(const Def* term, const ScopeRef& s) {
    auto op  = rise::unary(sub_of(term));
    auto arg = value(arg_of(term), s);
    auto t   = scalar(term->type());
    if (t.kind == CScalar::Size) return op == rise::unary::neg ? number({}) : arg;
    return of_scalar(unary_operation(op, t, arg->scalar));
}

/// The function of C; a reciprocal root is that of a root.
std::string CTerms::unary_name(rise::unary op, const CScalar& t) {
    constexpr const char* names[] = {"", "fabs", "floor", "sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "sqrt"};
    return function(names[static_cast<size_t>(op)], t);
}

CRef CTerms::unary_operation(rise::unary op, const CScalar& t, CRef x) {
    if (t.name == kHalfBits && op == rise::unary::rsqrt) {
        auto one = sizes_.atom("0x3c00", kHalfBits);
        return number_operation(rise::number::div, t, one, unary_operation(rise::unary::sqrt, t, x));
    }
    if (t.name == kHalfBits) return half_of(unary_operation(op, kSingle, as_number(x)));
    if (t.kind != CScalar::Float) {
        auto negative = wrapped(t, " - ", sizes_.atom("0", t.name), x);
        if (op == rise::unary::neg) return negative;
        if (t.kind != CScalar::Signed) return x;
        return sizes_.infix("$0$ < 0 ? $1$ : $0$", t.name, {x, negative});
    }
    if (op == rise::unary::neg) return sizes_.infix("-$0$", t.name, {x});
    auto result = sizes_.call(unary_name(op, t) + "($0$)", t.name, {x});
    if (op != rise::unary::rsqrt) return result;
    auto one = t.bits == 64 ? "1.0" : "1.0f";
    return number_operation(rise::number::div, t, sizes_.atom(one, t.name), result);
}

/// Rounded once; in double precision where C has no such function.
CRef CTerms::fused(const CScalar& t, const std::vector<CRef>& args) {
    if (t.name == kHalfBits) {
        std::vector<CRef> wide;
        for (auto x : args) wide.push_back(sizes_.call("(double)$0$", "double", {as_number(x)}));
        return half_of(sizes_.call("fma($0$, $1$, $2$)", "double", wide));
    }
    auto name = t.bits == 16 ? "(_Float16)fma" : t.bits == 32 ? function("fma", t) : "fma";
    return sizes_.call(name + std::string("($0$, $1$, $2$)"), t.name, args);
}

CValueRef CTerms::compare(const Def* term, const ScopeRef& s) {
    constexpr const char* ops[] = {"$0$ < $1$", "$0$ <= $1$", "$0$ > $1$", "$0$ >= $1$", "$0$ == $1$", "$0$ != $1$"};
    auto op                     = rise::compare(sub_of(term));
    auto left = value(group(term, 1), s), right = value(group(term, 2), s);
    bool is_size = left->size && right->size;
    if (is_size && op == rise::compare::lt) return of_scalar(less(*left->size, *right->size));
    if (is_size && op == rise::compare::gt) return of_scalar(less(*right->size, *left->size));
    bool is_always = is_size
                     && ((op == rise::compare::ge && right->size->terms().empty())
                         || (op == rise::compare::le && left->size->terms().empty()));
    if (is_always) return of_scalar(truth(true));
    return of_scalar(sizes_.infix(ops[sub_of(term)], "uint8_t", {as_number(left->scalar), as_number(right->scalar)}));
}

CValueRef CTerms::cast(const Def* term, const ScopeRef& s) {
    auto from = value(arg_of(term), s);
    auto t    = scalar(term->type());
    auto x    = from->scalar;
    if (x->type == t.name && t.kind != CScalar::Size) return from;
    if (from->size && t.kind == CScalar::Size) return from;
    auto node = converted(t, x);
    return t.kind == CScalar::Size ? number(sizes_.opaque(node)) : of_scalar(node);
}

CRef CTerms::converted(const CScalar& to, CRef x) {
    if (x->type == to.name) return x;
    x = as_number(x);
    if (x->type == to.name) return x;
    if (to.name == kHalfBits) return half_of(x->type == "double" ? x : converted(kSingle, x));
    if (to.kind == CScalar::Bool) return sizes_.infix("$0$ != 0", to.name, {x});
    return sizes_.call("(" + to.name + ")$0$", to.name, {x});
}

CValueRef CTerms::scalar_term(const Def* term, const ScopeRef& s) {
    if (auto result = vector_term(term, s)) return result;
    if (match<rise::fma>(term))
        return of_scalar(
            fused(scalar(term->type()), {node(group(term, 1), s), node(group(term, 2), s), node(group(term, 3), s)}));
    if (match<rise::number>(term)) return binary(term, s);
    if (match<rise::unary>(term)) return unary(term, s);
    if (match<rise::compare>(term)) return compare(term, s);
    if (match<rise::cast>(term)) return cast(term, s);
    if (auto logic = match<rise::logic>(term)) {
        auto text = logic.sub() == rise::logic::conj ? "$0$ && $1$" : "$0$ || $1$";
        return of_scalar(sizes_.infix(text, "uint8_t", {node(group(term, 0), s), node(group(term, 1), s)}));
    }
    if (match<rise::not_>(term)) return of_scalar(sizes_.infix("!$0$", "uint8_t", {node(arg_of(term), s)}));
    if (match<rise::unsigned_>(term)) return literal(term->type(), *mim::value(w, arg_of(term), 1));
    if (match<rise::index_as_nat>(term)) return value(arg_of(term), s);
    if (match<dpia::index>(term)) return value(arg_of(term), s);
    if (match<rise::lidx>(term)) return number(size(elem(w, arg_of(term), 0), s));
    if (!match<rise::nat_as_index>(term)) return nullptr;
    return number(sizes_.divide(*value(arg_of(term), s)->size, size(group(term, 0), s)).second);
}

} // namespace mim::plug::dpia
