// SPDX-License-Identifier: MIT
#include "sema/operators.h"
#include "sema/hints.h"

#include <algorithm>
#include <ranges>
#include <unordered_set>

#include "ir/spine.h"
#include "sema/hints.h"

namespace mim {

/*
 * declarations
 */

/// Operators in front of an operand and between two are told apart. No name of a program is like these.
Symbol Operators::symbol(const ast::Binder& op, bool is_prefix) { return is_prefix ? world_.sym(op.name.str() + "x") : op.name; }

/// Whether a function is made of an axiom that wants a literal.
static bool mentions_by_literal(const Def* fun) {
    static constexpr size_t MaxNodes = 1000;
    std::vector<const Def*> todo{fun};
    std::unordered_set<const Def*> seen{fun};
    while (!todo.empty() && seen.size() < MaxNodes) {
        auto def = todo.back();
        todo.pop_back();
        if (auto axm = def->isa<Axm>(); axm && axm->axiom().has(Axiom::ByLiteral)) return true;
        if (!def->is_set() || is_type(def)) continue;
        for (auto op : def->ops())
            if (seen.insert(op).second) todo.push_back(op);
    }
    return false;
}

void Operators::declare(const ast::Op* e) {
    auto holes = holes_.mark();
    auto fun   = terms_.expr(e->fun);
    if (enclosing_.is_top_level() && !holes_.check(holes)) fun = {};
    if (fun && !is_told(e, fun.def)) fun = {};
    if (fun && mentions_by_literal(fun.def)) shared_.by_literal.insert(fun.def);
    add(e, fun);
}

void Operators::poison(const ast::Op* e) { add(e, {}); }

void Operators::add(const ast::Op* e, Res fun) {
    auto sym       = symbol(e->op, e->is_prefix);
    bool is_global = !shared_.host.owner().empty() && enclosing_.is_outermost();
    if (is_global) shared_.operators[sym].push_back({fun.def, fun.view, e->op.span});
    else names_.push({.sym = sym, .span = e->op.span, .def = fun.def, .view = fun.view});
}

/// Whether the operands tell the implicit arguments; false after a report.
bool Operators::is_told(const ast::Op* e, const Def* fun) {
    OperatorType type(world_, world_.refresh(fun->type()), e->is_prefix);
    if (!type.is_valid()) {
        auto& groups = e->fun->fun.groups;
        auto place   = groups[groups.size() - 1].pattern->span;
        error(Diag::bad_operator, place, {"op " + e->op.name.str(), "its operands are no two values"});
        return false;
    }
    OperandMatch args(world_, type);
    args.match(type.left(), type.left());
    args.match(type.right(), type.right());
    auto unknown = args.unknown();
    if (!unknown) return true;
    auto group = std::ranges::find(type.implicit(), unknown) - type.implicit().begin();
    auto place = e->fun->fun.groups[static_cast<size_t>(group)].pattern->span;
    error(Diag::operator_not_told, place, {"op " + e->op.name.str(), "`" + source_text(place) + "`"});
    return false;
}

/// From the innermost out; those of plugins are outermost, the last one first.
std::vector<Operators::Candidate> Operators::candidates(const ast::Operation* e) {
    std::vector<Candidate> all;
    auto sym = symbol(e->op, !e->left);
    names_.each(sym, [&](uint32_t i) {
        auto fun = names_.force(i);
        all.push_back({fun, names_[i].view, names_[i].span});
    });
    if (auto found = shared_.operators.find(sym); found != shared_.operators.end())
        for (auto& op : found->second | std::views::reverse) all.push_back({op.fun, op.view, op.span});
    return all;
}

/*
 * operations
 */

bool is_bare(const ast::Expr* e) {
    auto number = ast::isa<ast::FloatLit>(e);
    return e->kind == ast::ExprKind::NatLit || (number && !number->type);
}

Operators::Operand Operators::operand(const ast::Expr* e) {
    bool bare = is_bare(e);
    return {e, bare ? Res{} : terms_.expr(e), bare};
}

/// A chain `a + b - c`, or of prefix operators, is read from the inside out, since it may be long.
Res Operators::operation(const ast::Operation* e) {
    std::vector<const ast::Operation*> chain;
    const ast::Expr* inner = e;
    while (auto next = ast::isa<ast::Operation>(inner)) {
        chain.push_back(next);
        inner = next->left ? next->left : next->right;
    }
    auto holes = holes_.mark();
    auto first = operand(inner);
    for (size_t i = chain.size(); i-- > 0;) {
        auto op     = chain[i];
        auto second = op->left ? operand(op->right) : first;
        Res value   = one(op, first, second);
        set_place(world_, value.def, op->span);
        first = {op, value, false};
    }
    if (!first.value) holes_.forget(holes); // reported
    return first.value;
}

/// One operation; of a prefix operator both operands are the same.
Res Operators::one(const ast::Operation* e, Operand left, Operand right) {
    if ((!left.is_bare && !left.value) || (!right.is_bare && !right.value)) return {};
    bool left_decides = !e->left || tells_more(left, right);
    auto& deciding    = left_decides ? left : right;
    if (!instantiate(deciding)) return {};
    if (!e->left) right = left;
    auto type  = deciding.is_bare ? world_.nat() : world_.refresh(deciding.value.def->type());
    auto all   = candidates(e);
    auto found = matches(e, all, type, left_decides);
    if (found.empty()) return report_none(e, all, deciding, type), Res{};
    auto match = most_special(found, left_decides);
    if (!match) return report_ambiguous(e, found, type), Res{};
    if (left.is_bare && right.is_bare && !check_typed(left.text, right.text)) return {};
    if (!give_type(e, left, type) || !give_type(e, right, type)) return {};
    if (e->left && !is_divisible(e, match->candidate.fun)) return {};
    if (!tell_rest(e, *match, left_decides ? right : left, left_decides ? left : right)) return {};
    return call(e, *match, left, right);
}

/// Whether the type of the left operand decides. A bare literal has none of its own, and one like `nil` lacks its arguments.
bool Operators::tells_more(const Operand& left, const Operand& right) {
    auto rank = [&](const Operand& operand) {
        return operand.is_bare ? 0 : expectations_.lacks_arguments(operand.value.def) ? 1 : 2;
    };
    return rank(left) > 0 && rank(left) >= rank(right);
}

/// `nil == xs`: the type of a value that has implicit arguments is that behind them. False after a report.
bool Operators::instantiate(Operand& operand) {
    if (operand.is_bare) return true;
    operand.value = expectations_.instantiate(operand.value, operand.text->span);
    return static_cast<bool>(operand.value);
}

std::vector<Operators::Match> Operators::matches(const ast::Operation* e, std::span<const Candidate> all, const Def* type,
                                                 bool left_decides) {
    std::vector<Match> found;
    for (auto& candidate : all) {
        if (!candidate.fun) continue;
        OperatorType declared(world_, world_.refresh(candidate.fun->type()), !e->left);
        OperandMatch args(world_, declared);
        auto pattern = left_decides ? declared.left() : declared.right();
        if (args.match(pattern, type)) found.push_back({candidate, std::move(declared), std::move(args), left_decides});
    }
    return found;
}

/// Whether each type that `special` takes is one that `general` takes.
bool Operators::takes(const OperatorType& general, const OperatorType& special, bool left_decides) {
    OperandMatch args(world_, general);
    return left_decides ? args.match(general.left(), special.left()) : args.match(general.right(), special.right());
}

/// Null if there is none. Of equally special ones the first is the innermost.
Operators::Match* Operators::most_special(std::vector<Match>& all, bool left_decides) {
    auto best = &all.front();
    for (auto& other : all)
        if (&other != best && !takes(other.type, best->type, left_decides)) best = &other;
    for (auto& other : all)
        if (!takes(other.type, best->type, left_decides)) return nullptr;
    return best;
}

/// Whether none of two literals is a float, whose type nothing tells; false after a report.
bool Operators::check_typed(const ast::Expr* left, const ast::Expr* right) {
    for (auto e : {left, right}) {
        auto number = ast::isa<ast::FloatLit>(e);
        if (!number) continue;
        error(Diag::float_without_type, number->span, {number->text.str()});
        return false;
    }
    return true;
}

/// Gives a bare literal its type; false after a report.
bool Operators::give_type(const ast::Operation* e, Operand& operand, const Def* type) {
    if (!operand.is_bare || operand.value) return true;
    operand.value = literals_.beside(operand.text, type, e->op.name);
    return static_cast<bool>(operand.value);
}

static bool is_literal_but_0(const ast::Expr* e) {
    if (auto nat = ast::isa<ast::NatLit>(e)) return nat->value != 0;
    if (auto index = ast::isa<ast::IdxLit>(e)) return index->value != 0;
    auto ascribed = ast::isa<ast::AscribedLit>(e);
    return ascribed && ascribed->value != 0;
}

/// False: the operator wants a literal as its right operand, and the text has none.
bool Operators::may_divide(const ast::Operation* e, const Def* fun) const {
    return !shared_.by_literal.contains(fun) || is_literal_but_0(e->right);
}

/// The same, after a report.
bool Operators::is_divisible(const ast::Operation* e, const Def* fun) {
    if (may_divide(e, fun)) return true;
    auto op = e->op.name.str();
    auto& d = error(Diag::divisor_not_literal, e->right->span, {op, source_text(e->right->span)});
    d.note(Diag::operator_call, {}, {op, {}, op}); // the driver knows calls
    return false;
}

/// Tells the implicit arguments that only the operand tells which does not decide; false after a report.
bool Operators::tell_rest(const ast::Operation* e, Match& match, Operand& other, const Operand& deciding) {
    if (!match.args.unknown()) return true;
    if (!instantiate(other)) return false;
    bool is_left = other.text == e->left;
    auto pattern = is_left ? match.type.left() : match.type.right();
    auto value   = other.value.def;
    if (match.args.match(pattern, world_.refresh(value->type()))) return true;
    auto& d = report(Error(Diag::not_assignable, {pattern, value, value->type()}), other.text->span);
    note_deciding(d, e, deciding);
    return false;
}

Res Operators::call(const ast::Operation* e, Match& match, Operand left, Operand right) {
    auto view = match.candidate.view;
    effects_.take_over(match.candidate.fun);
    world_.here = e->span;
    try {
        Spine spine(world_, match.candidate.fun);
        for (auto arg : match.args.args()) spine.apply(arg), view = codom(view);
        auto dom = world_.refresh(spine.type())->as<Pi>()->dom();
        if (!fit(e, dom, left, right, match.left_decides)) return {};
        auto operand = e->left ? world_.tuple({left.value.def, right.value.def}) : right.value.def;
        if (auto lam = spine.lam()) effects_.check_passed(lam, operand, e->right);
        spine.apply(operand);
        effects_.take_over(operand);
        auto value = spine.get();
        if (value->is_unstable()) value = world_.refresh(value);
        effects_.make(value, e->span);
        return {value, codom(view)};
    } catch (const Error& err) {
        report(err, e->span);
        return {};
    }
}

/// Whether the operands fit the domain of the declaration; false after a report.
bool Operators::fit(const ast::Operation* e, const Def* dom, Operand& left, Operand& right, bool left_decides) {
    if (!e->left) return fits(e, dom, right, right);
    auto type = [&](uint64_t i) {
        auto pair = world_.tuple({left.value.def, right.value.def});
        return elem_type(world_, dom, pair, world_.lit_idx(2, i));
    };
    return fits(e, type(0), left, left_decides ? left : right) && fits(e, type(1), right, left_decides ? left : right);
}

/// The same of one operand.
bool Operators::fits(const ast::Operation* e, const Def* type, Operand& operand, const Operand& deciding) {
    operand.value = expectations_.fit(type, operand.value, operand.text->span);
    if (!operand.value) return false;
    auto value = operand.value.def;
    if (assignable(world_, type, value)) return true;
    auto& d = report(Error(Diag::not_assignable, {world_.refresh(type), value, value->type()}), operand.text->span);
    note_deciding(d, e, deciding);
    return false;
}

/*
 * reports
 */

void Operators::note_deciding(Diagnostic& d, const ast::Operation* e, const Operand& deciding) {
    auto span = deciding.text->span;
    if (span == d.span) return;
    d.note(Diag::operand_decides, span, {e->op.name.str(), source_text(span), show(deciding.value.def->type())});
}

/// `-x` is not the `-` between two operands.
std::string Operators::shown(const ast::Operation* e) const { return e->op.name.str() + (e->left ? "" : "x"); }

/// The types that the declarations take, for a message; each once.
std::string Operators::shown_types(const ast::Operation* e, std::span<const Candidate> all) {
    static constexpr size_t MaxTypes = 8;
    std::vector<std::string> texts;
    for (auto& candidate : all) {
        OperatorType type(world_, world_.refresh(candidate.fun->type()), !e->left);
        auto text = "`" + show(type.left()) + "`";
        if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
    }
    std::string list;
    for (size_t i = 0; i < texts.size() && i < MaxTypes; ++i) list += (i ? ", " : "") + texts[i];
    return texts.size() > MaxTypes ? list + ", …" : list;
}

/// `return n + 1`: the call binds stronger than the operator.
void Operators::hint_brackets(Diagnostic& d, const ast::Operation* e) {
    auto call = e->left ? ast::isa<ast::App>(e->left) : nullptr;
    if (!call) return;
    auto argument = source_text({e->span.file, call->arg->span.begin, e->span.end});
    d.note(Diag::did_you_mean, {}, {source_text(call->callee->span) + " (" + argument + ")"});
}

/// No declaration takes the operand.
void Operators::report_none(const ast::Operation* e, std::span<const Candidate> all, const Operand& deciding, const Def* type) {
    if (std::ranges::any_of(all, [](auto& candidate) { return !candidate.fun; })) return; // maybe that one
    if (shared_.host.is_missing({})) return; // maybe one of a plugin that could not be loaded
    if (type->has(Def::HasHole)) {
        error(Diag::operand_unknown, deciding.text->span, {source_text(deciding.text->span), shown(e)});
        return;
    }
    auto& d    = error(Diag::no_operator, e->op.span, {shown(e), "`" + show(type) + "`"});
    auto sigma = type->isa<Sigma>();
    if (sigma && sigma->num_ops() == 2 && tokens_.types().contains(sigma->op(0)))
        d.note(Diag::take_apart, {}, {source_text(deciding.text->span)});
    if (type->isa<Bot>()) hint_brackets(d, e);
    auto pi = type->isa<Pi>();
    if (pi && hint_operand(errors_, d, pi, deciding.text->span)) return;
    if (pi) hint_value(errors_, d, world_.nat(), deciding.value.def, deciding.text->span);
    if (!d.notes.empty()) return;
    if (!all.empty()) d.note(Diag::operator_takes, {}, {shown(e), shown_types(e, all)});
    else if (auto plugin = shared_.host.plugin_with_operator(e->op.name.view()); !plugin.empty())
        d.note(Diag::needs_plugin, {}, {plugin});
}

void Operators::report_ambiguous(const ast::Operation* e, std::span<const Match> all, const Def* type) {
    static constexpr size_t MaxNotes = 8;
    auto& d                          = error(Diag::ambiguous_operator, e->op.span, {shown(e), show(type)});
    for (auto& match : all.first(std::min(all.size(), MaxNotes))) {
        std::span one(&match.candidate, 1);
        d.note(Diag::operator_takes, match.candidate.span, {shown(e), shown_types(e, one)});
    }
}

} // namespace mim
