// SPDX-License-Identifier: MIT
// Vectors, of which vector_text.h knows the text. In memory they are their lanes: numbers one behind the other, which
// one access reads or writes.
#include "c_terms.h"

namespace mim::plug::dpia {

// ---- types

CScalar CTerms::vector_type(const rise::ArrayType& vector, const Def* type) {
    auto n = mim::value(vector.size);
    if (!n) throw Refused{Refused::NoCode, "a vector has a literal number of lanes", {}, type};
    return vectors_->vector(scalar(vector.elem), static_cast<unsigned>(*n));
}

// ---- lanes

CRef CTerms::lane(const CScalar& t, CRef vector, uint64_t i) {
    bool is_one  = vector->args.size() == 1 && vector->text == vectors_->made(t, true);
    bool is_made = vector->args.size() == t.lanes && vector->text == vectors_->made(t, false);
    if (is_one || is_made) return vector->args.at(is_one ? 0 : static_cast<size_t>(i));
    return lane_at(t, vector, Polynomial::number(Polynomial::Number(i)));
}

CRef CTerms::lane_at(const CScalar& t, CRef vector, const Polynomial& i) {
    if (auto known = i.value()) return sizes_.call(vectors_->lane(t, static_cast<unsigned>(*known)), t.lane, {vector});
    return sizes_.call(vectors_->any_lane(t), t.lane, {vector, sizes_.node(i)});
}

CRef CTerms::made_vector(const CScalar& t, const std::vector<CRef>& lanes) {
    return sizes_.call(vectors_->made(t, lanes.size() == 1), t.name, lanes);
}

CRef CTerms::vector_at(const CScalar& t, VectorUse use, const std::string& name, const Polynomial& index) {
    auto place = "&" + name + "[$0$]";
    auto text  = use == VectorUse::Store ? vectors_->store(t, place) : vectors_->load(t, place, use == VectorUse::AlignedLoad);
    return sizes_.infix(text, t.name, {sizes_.node(index)});
}

CRef CTerms::vector_in_memory(const CScalar& t, const std::vector<CRef>& lanes, VectorUse use) {
    auto first = memory_cells_.find(lanes[0]);
    if (first == memory_cells_.end()) return nullptr;
    auto& [name, index] = first->second;
    for (size_t i = 1; i != lanes.size(); ++i) {
        auto other = memory_cells_.find(lanes[i]);
        if (other == memory_cells_.end() || other->second.name != name) return nullptr;
        bool is_next = other->second.index == index + Polynomial::number(Polynomial::Number(i));
        if (!is_next) return nullptr;
    }
    auto result = vector_at(t, use, name, index);
    note_vector(result, t.lanes, [&](unsigned i) { return lanes[i]; });
    return result;
}

CRef CTerms::vector(const CScalar& t, const std::vector<CRef>& lanes, bool is_aligned) {
    if (auto whole = vector_in_memory(t, lanes, is_aligned ? VectorUse::AlignedLoad : VectorUse::Load)) return whole;
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

/// Floats of 16 bits have no operators that round after each operation.
static bool has_operators(const CScalar& t) { return t.lane != "_Float16" && t.lane != kHalfBits; }

/// As fmin and fmax: a lane that is no number is the other one.
CRef CTerms::vector_extremum(rise::number op, const CScalar& t, bool is_float, CRef a, CRef b) {
    bool is_min = op == rise::number::min;
    if (!is_float)
        return is_min ? masks_.blended(t, masks_.mask(t, "$0$ < $1$", {a, b}), a, b)
                      : masks_.blended(t, masks_.mask(t, "$0$ < $1$", {a, b}), b, a);
    return masks_.blended(t, masks_.mask(t, is_min ? "($0$ < $1$) | ($1$ != $1$)" : "($0$ > $1$) | ($1$ != $1$)", {a, b}), a, b);
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
    if (lane_type.kind != CScalar::Signed) return masks_.operation(t, "$0$" + std::string(text) + "$1$", {a, b}, CNode::Infix);
    auto bits = vectors_->bits_of(t);
    auto both = vectors_->bits_as(bits, "$0$") + text + vectors_->bits_as(bits, "$1$");
    return masks_.operation(t, vectors_->bits_as(t, both), {a, b});
}

CRef CTerms::vector_unary(const Def* term, const CScalar& t, CRef x) {
    auto op          = rise::unary(sub_of(term));
    auto lane_type   = scalar(rise::isa_vector(w, term->type()).elem);
    bool is_float    = lane_type.kind == CScalar::Float;
    bool is_whole    = !is_float && lane_type.kind != CScalar::Bool;
    bool is_function = is_float && vectors_->has_functions() && has_operators(t);
    bool is_here     = op == rise::unary::neg || (op == rise::unary::abs && has_operators(t));
    auto bits        = vectors_->bits_of(t);
    auto each        = [&](auto& lanes) { return unary_operation(op, lane_type, lanes[0]); };
    if (t.lane == kHalfBits) return each_lane(t, {{t, x}}, each);
    if (is_float && op == rise::unary::neg) return masks_.operation(t, "-$0$", {x}, CNode::Infix);
    if (is_function) return vector_function(op, t, x);
    if (!is_here || !(is_float || is_whole)) return each_lane(t, {{t, x}}, each);
    if (is_float) {
        auto sign = vectors_->bits_as(bits, "-" + vectors_->zero(t));
        return masks_.operation(t, vectors_->bits_as(t, vectors_->bits_as(bits, "$0$") + " & ~" + sign), {x});
    }
    auto negative = masks_.operation(t, vectors_->bits_as(t, "-" + vectors_->bits_as(bits, "$0$")), {x});
    if (op == rise::unary::neg) return negative;
    if (lane_type.kind != CScalar::Signed) return x;
    return masks_.blended(t, masks_.mask(t, "$0$ < " + vectors_->zero(t), {x}), negative, x);
}

/// The text of the function of a number.
CRef CTerms::vector_function(rise::unary op, const CScalar& t, CRef x) {
    auto name = unary_name(op, {CScalar::Float, t.bits, t.lane});
    auto root = masks_.operation(t, name + "($0$)", {x});
    if (op != rise::unary::rsqrt) return root;
    auto one = made_vector(t, {sizes_.atom(t.bits == 64 ? "1.0" : "1.0f", t.lane)});
    return masks_.operation(t, "$0$ / $1$", {one, root}, CNode::Infix);
}

/// Numbers of another type.
CRef CTerms::vector_cast(const Def* term, const CScalar& from, const CScalar& to, CRef x) {
    auto lane_type = scalar(rise::isa_vector(w, term->type()).elem);
    if (x->type == to.name) return x;
    if (!has_operators(from) || !has_operators(to))
        return each_lane(to, {{from, x}}, [&](auto& lanes) { return converted(lane_type, lanes[0]); });
    if (lane_type.kind == CScalar::Bool) return masks_.truth_of(from, masks_.mask(from, "$0$ != " + vectors_->zero(from), {x}));
    return masks_.operation(to, vectors_->converted(to, "$0$"), {x});
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
    auto lane_type   = scalar(rise::isa_vector(w, term->type()).elem);
    bool is_function = match<rise::fma>(term) && vectors_->has_functions() && has_operators(t);
    if (is_function)
        return of_scalar(masks_.operation(t, "fma($0$, $1$, $2$)", {part(1).second, part(2).second, part(3).second}));
    if (match<rise::fma>(term)) return of({part(1), part(2), part(3)}, [&](auto& x) { return fused(lane_type, x); });
    if (match<rise::vec_compare>(term)) {
        constexpr const char* ops[] = {"$0$ < $1$", "$0$ <= $1$", "$0$ > $1$", "$0$ >= $1$", "$0$ == $1$", "$0$ != $1$"};
        auto [type, a]              = part(1);
        auto b                      = part(2).second;
        if (has_operators(type)) return of_scalar(masks_.truth_of(type, masks_.mask(type, ops[sub_of(term)], {a, b})));
        return of({{type, a}, {type, b}},
                  [&](auto& x) { return sizes_.infix(ops[sub_of(term)], t.lane, {as_number(x[0]), as_number(x[1])}); });
    }
    if (auto logic = match<rise::vec_logic>(term)) {
        auto text = logic.sub() == rise::vec_logic::conj ? "$0$ & $1$" : "$0$ | $1$";
        return of_scalar(masks_.operation(t, text, {part(1).second, part(2).second}, CNode::Infix));
    }
    if (match<rise::vec_not>(term))
        return of_scalar(masks_.truth_of(t, masks_.mask(t, "$0$ == " + vectors_->zero(t), {part(1).second})));
    if (match<rise::vec_select>(term)) {
        if (has_operators(t))
            return of_scalar(masks_.blended(t, masks_.mask_of(t, part(1).second), part(2).second, part(3).second));
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
    return sizes_.call(t.kind == CScalar::Vector ? vectors_->any(t) : "(" + t.name + ")0", t.name, {});
}

} // namespace mim::plug::dpia
