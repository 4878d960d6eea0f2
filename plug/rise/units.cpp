// SPDX-License-Identifier: MIT
// Operators that `reduce` is known to take: those of numbers and truth values, and the same of the parts of pairs and of the elements of arrays.
// The value that it begins with must be their unit.
#include <algorithm>
#include <cstdlib>
#include <functional>

#include "infer.h"
#include "rise/diagnostics.h"

namespace mim::plug::rise {

namespace {

using IsOperand = std::function<bool(const Expr*)>;

const Expr* without_type(const Expr* e) {
    while (e->kind == Expr::Ascribe) e = e->parts[0];
    return e;
}

/// The primitive that is applied to this many values; null if it is not that.
const Primitive* applied(const Expr* e, size_t num_args, std::vector<const Expr*>& args) {
    auto prim = spine(e, args);
    return prim && args.size() == num_args ? prim : nullptr;
}

/// The part of a pair that is an operand.
IsOperand part_of(const IsOperand& pair, bool is_first) {
    return [=](const Expr* e) {
        e = without_type(e);
        if (e->kind == (is_first ? Expr::First : Expr::Second)) return pair(e->parts[0]);
        std::vector<const Expr*> args;
        auto prim = applied(e, 1, args);
        return prim && prim->name == (is_first ? "fst" : "snd") && pair(args[0]);
    };
}

/// A function of two operands, as far as it is known.
struct Reduction {
    std::string_view name;                ///< of numbers or truth values; empty: it is not known
    std::vector<Reduction> of_parts = {}; ///< of a pair: two; of an array: one
};

class UnitReader {
public:
    static Reduction read(const Expr* f) {
        f = without_type(f);
        if (f->prim) return {f->prim->name};
        bool is_two = f->kind == Expr::Fun && f->parts[0]->kind == Expr::Fun;
        if (!is_two) return {};
        auto a = f->binder, b = f->parts[0]->binder;
        return body(f->parts[0]->parts[0], local(a), local(b));
    }

private:
    static IsOperand local(const Local* x) {
        return [x](const Expr* e) { return without_type(e)->local == x; };
    }
    static Reduction body(const Expr* e, const IsOperand& a, const IsOperand& b) {
        e = without_type(e);
        std::vector<const Expr*> args;
        bool is_pair = e->kind == Expr::Pair;
        auto prim    = is_pair ? nullptr : applied(e, 2, args);
        auto is_both = [&](const Expr* x, const Expr* y) { return (a(x) && b(y)) || (b(x) && a(y)); };
        bool makes   = prim && prim->name == "pair";
        if (is_pair) args = {e->parts[0], e->parts[1]};
        if (is_pair || makes)
            return {"pair",
                    {body(args[0], part_of(a, true), part_of(b, true)), body(args[1], part_of(a, false), part_of(b, false))}};
        if (!prim) return {};
        if (is_both(args[0], args[1])) return {prim->name};
        return prim->name.starts_with("map") ? of_elements(args[0], args[1], is_both) : Reduction{};
    }
    /// `map(f)(zip(a)(b))`
    static Reduction of_elements(const Expr* f, const Expr* zipped,
                                 const std::function<bool(const Expr*, const Expr*)>& is_both) {
        std::vector<const Expr*> args;
        auto zip    = applied(without_type(zipped), 2, args);
        bool is_zip = zip && zip->name == "zip" && is_both(args[0], args[1]);
        f           = without_type(f);
        if (!is_zip || f->kind != Expr::Fun) return {};
        auto pair = local(f->binder);
        return {"array", {body(f->parts[0], part_of(pair, true), part_of(pair, false))}};
    }
};

/// An element that is taken twice changes nothing.
bool is_idempotent(const Reduction& op) {
    if (!op.of_parts.empty()) return std::ranges::all_of(op.of_parts, is_idempotent);
    return op.name == "min" || op.name == "max" || op.name == "and" || op.name == "or";
}

/// Something of it is known.
bool is_known(const Reduction& op) {
    if (!op.of_parts.empty()) return std::ranges::any_of(op.of_parts, is_known);
    return !op.name.empty() && op.name != "fst" && op.name != "snd";
}

struct Wrong {
    const Expr* unit = nullptr; ///< null: nothing is
    std::string_view op;
};

std::string_view first_name(const Reduction& op) {
    for (auto& part : op.of_parts)
        if (is_known(part) && !is_idempotent(part)) return first_name(part);
    return op.name;
}

Wrong wrong_unit(const Reduction& op, const Expr* unit);

Wrong wrong_unit_of_array(const Reduction& op, const Expr* unit) {
    std::vector<const Expr*> args;
    auto prim     = applied(unit, 1, args);
    bool is_every = prim && prim->name == "generate" && without_type(args[0])->kind == Expr::Fun;
    if (is_every) return wrong_unit(op.of_parts[0], without_type(args[0])->parts[0]);
    if (unit->kind != Expr::Array) return {unit, first_name(op)};
    for (auto part : unit->parts)
        if (auto wrong = wrong_unit(op.of_parts[0], part); wrong.unit) return wrong;
    return {};
}

Wrong wrong_unit_of_pair(const Reduction& op, const Expr* unit) {
    std::vector<const Expr*> parts;
    bool is_pair = unit->kind == Expr::Pair;
    if (is_pair) parts.assign(unit->parts.begin(), unit->parts.end());
    auto prim = is_pair ? nullptr : applied(unit, 2, parts);
    is_pair |= prim && prim->name == "pair";
    if (!is_pair) return {unit, first_name(op)};
    auto first = wrong_unit(op.of_parts[0], parts[0]);
    return first.unit ? first : wrong_unit(op.of_parts[1], parts[1]);
}

Wrong wrong_unit(const Reduction& op, const Expr* unit) {
    if (!is_known(op) || is_idempotent(op)) return {};
    unit = without_type(unit);
    if (op.of_parts.size() == 2) return wrong_unit_of_pair(op, unit);
    if (op.of_parts.size() == 1) return wrong_unit_of_array(op, unit);
    std::vector<const Expr*> args;
    auto lifted = applied(unit, 1, args); // the unit of vectors is that of each lane
    if (lifted && lifted->name == "vectorFromScalar") unit = args[0];
    bool has_unit  = op.name == "add" || op.name == "mul";
    bool is_number = unit->kind == Expr::Integer || unit->kind == Expr::Float;
    auto value     = is_number ? std::strtod(std::string(unit->text).c_str(), nullptr) : 7;
    bool is_unit   = has_unit && value == (op.name == "add" ? 0 : 1);
    return is_unit ? Wrong{} : Wrong{unit, op.name};
}

} // namespace

/// If the operator is known to be associative or not, the start must be its unit.
void Inference::check_unit(const Expr* e) {
    std::vector<const Expr*> args;
    spine(e, args);
    auto wrong = wrong_unit(UnitReader::read(args[0]), args[1]);
    if (wrong.unit) report(diag::bad_unit(source(wrong.unit), std::string(wrong.op)), e->parts[0]->parts[0]->span);
}

} // namespace mim::plug::rise
