// SPDX-License-Identifier: MIT
// Vectors of C compilers. In memory they are their lanes: numbers one behind the other, which one access reads or writes.
#include "c_terms.h"

namespace mim::plug::dpia {

// ---- types

CScalar CTerms::vector_type(const rise::ArrayType& vector, const Def* type) {
    if (!has_extensions_) throw Refused{Refused::NoCode, "kernels have no vectors yet", {}, type};
    auto n      = mim::value(vector.size);
    auto lane   = scalar(vector.elem);
    auto letter = lane.kind == CScalar::Float ? "f" : lane.kind == CScalar::Signed ? "i" : "u";
    if (!n) throw Refused{Refused::NoCode, "a vector has a literal number of lanes", {}, type};
    auto name      = "vec_" + std::string(letter) + std::to_string(lane.bits) + "x" + std::to_string(*n);
    CScalar result = {CScalar::Vector, lane.bits, name, static_cast<unsigned>(*n), lane.name};
    vectors_.emplace(name, result);
    return result;
}

/// `_a` is in memory where a vector may begin, `_u` where a lane may begin.
std::string CTerms::vector_types() const {
    std::string all;
    for (auto& [name, t] : vectors_) {
        auto bytes = std::to_string(t.lanes * t.bits / 8);
        auto lane  = std::to_string(t.bits / 8);
        all += "typedef " + t.lane + " " + name + " __attribute__((vector_size(" + bytes + ")));\n";
        all += "typedef " + name + " " + name + "_a __attribute__((may_alias));\n";
        all += "typedef " + name + " " + name + "_u __attribute__((aligned(" + lane + "), may_alias));\n";
    }
    return all;
}

// ---- lanes

CRef CTerms::lane(const CScalar& t, CRef vector, uint64_t i) {
    bool is_made = vector->kind == CNode::Call && vector->text.starts_with("(" + t.name + "){");
    if (is_made) return vector->args.at(vector->args.size() == 1 ? 0 : static_cast<size_t>(i));
    return lane_at(t, vector, Polynomial::number(Polynomial::Number(i)));
}

CRef CTerms::lane_at(const CScalar& t, CRef vector, const Polynomial& i) {
    if (auto known = i.value())
        return sizes_.call("$0$[" + std::to_string(static_cast<uint64_t>(*known)) + "]", t.lane, {vector});
    return sizes_.call("$0$[$1$]", t.lane, {vector, sizes_.node(i)});
}

CRef CTerms::made_vector(const CScalar& t, const std::vector<CRef>& lanes) {
    std::string text;
    for (unsigned i = 0; i != t.lanes; ++i) text += (i == 0 ? "$" : ", $") + std::to_string(lanes.size() == 1 ? 0 : i) + "$";
    return sizes_.call("(" + t.name + "){" + text + "}", t.name, lanes);
}

CRef CTerms::vector_at(const CScalar& t, const std::string& type, const std::string& name, const Polynomial& index) {
    return sizes_.infix("*(" + type + "*)&" + name + "[$0$]", t.name, {sizes_.node(index)});
}

CRef CTerms::vector_in_memory(const CScalar& t, const std::vector<CRef>& lanes, const std::string& type) {
    auto first = memory_cells_.find(lanes[0]);
    if (first == memory_cells_.end()) return nullptr;
    auto& [name, index] = first->second;
    for (size_t i = 1; i != lanes.size(); ++i) {
        auto other = memory_cells_.find(lanes[i]);
        if (other == memory_cells_.end() || other->second.name != name) return nullptr;
        bool is_next = other->second.index == index + Polynomial::number(Polynomial::Number(i));
        if (!is_next) return nullptr;
    }
    return vector_at(t, type, name, index);
}

CRef CTerms::vector(const CScalar& t, const std::vector<CRef>& lanes, bool is_aligned) {
    if (auto whole = vector_in_memory(t, lanes, "const " + t.name + (is_aligned ? "_a" : "_u"))) return whole;
    auto from    = lanes[0]->args.empty() ? nullptr : lanes[0]->args[0];
    bool is_from = from && from->type == t.name;
    bool is_same = true;
    for (size_t i = 0; i != lanes.size(); ++i) {
        is_from = is_from && lanes[i] == lane(t, from, i);
        is_same = is_same && lanes[i] == lanes[0];
    }
    if (is_from) return from;
    return made_vector(t, is_same ? std::vector{lanes[0]} : lanes);
}

CRef CTerms::each_lane(const CScalar& result, const std::vector<std::pair<CScalar, CRef>>& args,
                       const std::function<CRef(const std::vector<CRef>&)>& f) {
    std::vector<CRef> lanes;
    for (unsigned i = 0; i != result.lanes; ++i) {
        std::vector<CRef> parts;
        for (auto& [t, x] : args) parts.push_back(lane(t, x, i));
        lanes.push_back(f(parts));
    }
    return vector(result, lanes);
}

// ---- operations

/// Unsigned integers that are as wide as the lanes.
CScalar CTerms::bits_of(const CScalar& t) {
    auto lane = "uint" + std::to_string(t.bits) + "_t";
    auto name = "vec_u" + std::to_string(t.bits) + "x" + std::to_string(t.lanes);
    return vectors_.emplace(name, CScalar{CScalar::Vector, t.bits, name, t.lanes, lane}).first->second;
}

/// gcc and clang have no operators for floats of 16 bits that round after each operation.
static bool has_operators(const CScalar& t) { return t.lane != "_Float16"; }

/// All bits of a lane where the comparison holds, and none where it does not.
CRef CTerms::mask(const CScalar& t, const std::string& test, const std::vector<CRef>& args) {
    auto bits = bits_of(t);
    return sizes_.call("((" + bits.name + ")(" + test + "))", bits.name, args);
}

/// The lanes of `a` where the bits of the mask are, else those of `b`.
CRef CTerms::blended(const CScalar& t, CRef mask, CRef a, CRef b) {
    auto cast = "(" + bits_of(t).name + ")";
    auto text = "((" + t.name + ")(($0$ & " + cast + "$1$) | (~$0$ & " + cast + "$2$)))";
    return sizes_.call(text, t.name, {mask, a, b});
}

/// Truth values are lanes of 8 bits.
CRef CTerms::truth_of(const CScalar& t, CRef mask) {
    CScalar truth{CScalar::Bool, 8, {}, t.lanes};
    auto bytes  = bits_of(truth);
    auto text   = t.bits == 8 ? "(-$0$)" : "__builtin_convertvector(-$0$, " + bytes.name + ")";
    auto result = sizes_.call(text, bytes.name, {mask});
    masks_.emplace(result, mask);
    return result;
}

/// Truth values for lanes of this width.
CRef CTerms::mask_of(const CScalar& t, CRef truth) {
    auto bits  = bits_of(t);
    auto known = masks_.find(truth);
    if (known != masks_.end() && known->second->type == bits.name) return known->second;
    return sizes_.call("(-__builtin_convertvector($0$, " + bits.name + "))", bits.name, {truth});
}

/// As fmin and fmax: a lane that is no number is the other one.
CRef CTerms::vector_extremum(rise::number op, const CScalar& t, bool is_float, CRef a, CRef b) {
    bool is_min = op == rise::number::min;
    if (!is_float)
        return is_min ? blended(t, mask(t, "$0$ < $1$", {a, b}), a, b) : blended(t, mask(t, "$0$ < $1$", {a, b}), b, a);
    return blended(t, mask(t, is_min ? "($0$ < $1$) | ($1$ != $1$)" : "($0$ > $1$) | ($1$ != $1$)", {a, b}), a, b);
}

/// Operators are those of C where they mean the same; integers with a sign are computed without it.
CRef CTerms::vector_number(const Def* term, const CScalar& t, CRef a, CRef b) {
    auto op          = rise::number(sub_of(term));
    auto lane_type   = scalar(rise::isa_vector(w, term->type()).elem);
    const char* text = op == rise::number::add   ? " + "
                       : op == rise::number::sub ? " - "
                       : op == rise::number::mul ? " * "
                                                 : nullptr;
    bool is_float    = lane_type.kind == CScalar::Float;
    bool is_quotient = is_float && op == rise::number::div;
    bool is_extremum = op == rise::number::min || op == rise::number::max;
    if (is_quotient) text = " / ";
    if (is_extremum && has_operators(t)) return vector_extremum(op, t, is_float, a, b);
    if (!text || !has_operators(t))
        return each_lane(t, {{t, a}, {t, b}}, [&](auto& x) { return number_operation(op, lane_type, x[0], x[1]); });
    if (lane_type.kind != CScalar::Signed) return sizes_.infix("$0$" + std::string(text) + "$1$", t.name, {a, b});
    auto cast = "(" + bits_of(t).name + ")";
    return sizes_.call("((" + t.name + ")(" + cast + "$0$" + text + cast + "$1$))", t.name, {a, b});
}

CRef CTerms::vector_unary(const Def* term, const CScalar& t, CRef x) {
    auto op        = rise::unary(sub_of(term));
    auto lane_type = scalar(rise::isa_vector(w, term->type()).elem);
    bool is_float  = lane_type.kind == CScalar::Float;
    bool is_whole  = !is_float && lane_type.kind != CScalar::Bool;
    bool is_here   = op == rise::unary::neg || (op == rise::unary::abs && has_operators(t));
    auto bits      = "(" + bits_of(t).name + ")";
    auto each      = [&](auto& lanes) { return unary_operation(op, lane_type, lanes[0]); };
    if (!is_here || !(is_float || is_whole)) return each_lane(t, {{t, x}}, each);
    if (is_float && op == rise::unary::neg) return sizes_.infix("-$0$", t.name, {x});
    if (is_float) return sizes_.call("((" + t.name + ")(" + bits + "$0$ & ~" + bits + "-(" + t.name + "){0}))", t.name, {x});
    auto negative = sizes_.call("((" + t.name + ")-" + bits + "$0$)", t.name, {x});
    if (op == rise::unary::neg) return negative;
    if (lane_type.kind != CScalar::Signed) return x;
    return blended(t, mask(t, "$0$ < (" + t.name + "){0}", {x}), negative, x);
}

/// Numbers of another type.
CRef CTerms::vector_cast(const Def* term, const CScalar& from, const CScalar& to, CRef x) {
    auto lane_type = scalar(rise::isa_vector(w, term->type()).elem);
    if (x->type == to.name) return x;
    if (!has_operators(from) || !has_operators(to))
        return each_lane(to, {{from, x}}, [&](auto& lanes) { return converted(lane_type, lanes[0]); });
    if (lane_type.kind == CScalar::Bool) return truth_of(from, mask(from, "$0$ != (" + from.name + "){0}", {x}));
    return sizes_.call("__builtin_convertvector($0$, " + to.name + ")", to.name, {x});
}

CValueRef CTerms::vector_term(const Def* term, const ScopeRef& s) {
    if (!rise::isa_vector(w, term->type())) return nullptr;
    auto t    = scalar(term->type());
    auto part = [&](size_t i) { return std::pair(scalar(group(term, i)->type()), node(group(term, i), s)); };
    if (match<rise::number>(term)) return of_scalar(vector_number(term, t, part(1).second, part(2).second));
    if (match<rise::unary>(term)) return of_scalar(vector_unary(term, t, part(1).second));
    auto of = [&](const std::vector<std::pair<CScalar, CRef>>& args, const std::function<CRef(const std::vector<CRef>&)>& f) {
        return of_scalar(each_lane(t, args, f));
    };
    auto lane_type = scalar(rise::isa_vector(w, term->type()).elem);
    if (match<rise::fma>(term)) return of({part(1), part(2), part(3)}, [&](auto& x) { return fused(lane_type, x); });
    if (match<rise::vec_compare>(term)) {
        constexpr const char* ops[] = {"$0$ < $1$", "$0$ <= $1$", "$0$ > $1$", "$0$ >= $1$", "$0$ == $1$", "$0$ != $1$"};
        auto [type, a]              = part(1);
        auto b                      = part(2).second;
        if (has_operators(type)) return of_scalar(truth_of(type, mask(type, ops[sub_of(term)], {a, b})));
        return of({{type, a}, {type, b}}, [&](auto& x) { return sizes_.infix(ops[sub_of(term)], t.lane, x); });
    }
    if (auto logic = match<rise::vec_logic>(term)) {
        auto text = logic.sub() == rise::vec_logic::conj ? "$0$ & $1$" : "$0$ | $1$";
        return of_scalar(sizes_.infix(text, t.name, {part(1).second, part(2).second}));
    }
    if (match<rise::vec_not>(term)) return of_scalar(truth_of(t, mask(t, "$0$ == (" + t.name + "){0}", {part(1).second})));
    if (match<rise::vec_select>(term)) {
        if (has_operators(t)) return of_scalar(blended(t, mask_of(t, part(1).second), part(2).second, part(3).second));
        return of({part(1), part(2), part(3)}, [&](auto& x) { return sizes_.infix("$0$ ? $1$ : $2$", t.lane, x); });
    }
    if (match<rise::cast>(term)) return of_scalar(vector_cast(term, part(1).first, t, part(1).second));
    if (!match<rise::vector_from_scalar>(term)) return nullptr;
    auto x = node(arg_of(term), s);
    return of({}, [&](auto&) { return x; });
}

// ---- views

CValueRef CTerms::vector_view(const Def* term, const ScopeRef& s) {
    if (auto view = match<rise::as_vector>(term)) {
        auto x          = value(arg_of(term), s);
        auto t          = scalar(array(term->type()).elem);
        bool is_aligned = view.sub() == rise::as_vector::aligned;
        return array([=, this](const Polynomial& i) {
            std::vector<CRef> lanes;
            auto first = i * Polynomial::number(Polynomial::Number(t.lanes));
            for (unsigned j = 0; j != t.lanes; ++j)
                lanes.push_back(x->element(first + Polynomial::number(Polynomial::Number(j)))->scalar);
            return of_scalar(vector(t, lanes, is_aligned));
        });
    }
    if (!match<rise::as_scalar>(term)) return nullptr;
    auto x = value(arg_of(term), s);
    auto t = scalar(array(arg_of(term)->type()).elem);
    return array([=, this](const Polynomial& i) {
        auto [row, column] = sizes_.divide(i, Polynomial::number(Polynomial::Number(t.lanes)));
        auto vector        = x->element(row)->scalar;
        auto known         = column.value();
        return of_scalar(known ? lane(t, vector, static_cast<uint64_t>(*known)) : lane_at(t, vector, column));
    });
}

/// For elements that are not said.
CValueRef CTerms::any_value(const Def* type) {
    if (auto parts = pair(type)) return pair(any_value(parts.first), any_value(parts.second));
    if (auto parts = array(type)) return array([=, this](const Polynomial&) { return any_value(parts.elem); });
    return scalar(type).kind == CScalar::Size ? number({}) : of_scalar(any_number(type));
}

CRef CTerms::any_number(const Def* type) {
    auto t = scalar(type);
    return sizes_.call("(" + t.name + (t.kind == CScalar::Vector ? "){0}" : ")0"), t.name, {});
}

} // namespace mim::plug::dpia
