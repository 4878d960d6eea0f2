// SPDX-License-Identifier: MIT
// Notes at calls whose argument does not fit, or which call no function.
#include <algorithm>
#include <ranges>

#include "ir/token_types.h"
#include "sema/hints.h"

namespace mim {

/// The text of an expression as an argument: in brackets if it needs them.
static std::string argument_text(const Errors& errors, const ast::Expr* e) {
    bool atom = e->kind != ast::ExprKind::App && e->kind != ast::ExprKind::Inj && e->kind != ast::ExprKind::Lam
                && e->kind != ast::ExprKind::Operation;
    auto text = errors.source_text(e->span);
    return atom ? text : "(" + text + ")";
}

/// The text of all elements as arguments.
static std::string arguments_text(const Errors& errors, const ast::Tuple* tuple) {
    std::string text;
    for (auto e : tuple->elems) text += " " + argument_text(errors, e);
    return text;
}

/// The arguments of a call one by one, those in tuples too.
static void add_elems(std::vector<const ast::Expr*>& all, const ast::Expr* arg) {
    auto tuple = ast::isa<ast::Tuple>(arg);
    if (!tuple) return all.push_back(arg);
    for (auto elem : tuple->elems) add_elems(all, elem);
}

/// `f (a, b, return)` and `f (a, b) return` where f takes `((a, b), return)`, and the other way round: what to write; empty if the number of
/// arguments is another one, or the last one is no continuation.
static std::string regrouped(Errors& errors, const Pi* pi, std::span<Arg> args) {
    auto& world  = errors.world();
    auto dom     = pi->is_cn() ? pi->dom()->isa<Sigma>() : nullptr;
    auto is_cont = [&](const Def* type) {
        auto function = type->isa<Pi>();
        return function && function->is_cn();
    };
    bool has_parts = dom && dom->num_ops() != 0;
    if (!has_parts || args.empty() || !is_cont(dom->ops().back())) return {};
    auto last = args.back().res.def;
    if (!last) return {};
    auto n = lit_arity(world, last->type());
    if (n > 1) last = world.extract(last, static_cast<uint64_t>(n) - 1);
    if (!is_cont(world.refresh(last->type()))) return {};
    std::vector<const ast::Expr*> all;
    for (auto& arg : args) add_elems(all, arg.ast->arg);
    bool is_pair = dom->num_ops() == 2;
    auto before  = is_pair ? lit_arity(world, dom->op(0)) : static_cast<int64_t>(dom->num_ops()) - 1;
    if (before < 2 || static_cast<int64_t>(all.size()) != before + 1) return {};
    std::string text;
    for (auto elem : all) {
        if (elem == all.back()) text += is_pair ? "), " : ", ";
        else if (elem != all.front()) text += ", ";
        text += errors.source_text(elem->span);
    }
    return errors.source_text(args.front().ast->callee->span) + (is_pair ? " ((" : " (") + text + ")";
}

bool lacks_return(World& world, const Pi* pi, const Def* arg) {
    auto dom = pi->dom()->isa<Sigma>();
    if (!pi->is_cn() || !dom || dom->var() || dom->num_ops() != 2) return false;
    auto ret = dom->op(1)->isa<Pi>();
    try {
        return ret && ret->is_cn() && assignable(world, dom->op(0), arg);
    } catch (const Error&) {
        return false;
    }
}

/// A computation in a type, as in `«n + 1; T»`, of which an operand is not known.
static const Def* find_computation(const Def* type) {
    static constexpr size_t MaxNodes = 200;
    std::vector<const Def*> todo{type};
    for (size_t i = 0; i < todo.size() && i < MaxNodes; ++i) {
        auto d = todo[i];
        if (d->isa<App>() && head_axiom(d) && !is_type(d)) return d;
        todo.insert(todo.end(), d->ops().begin(), d->ops().end());
    }
    return nullptr;
}

/// The variables in it, each once, in the order in which they stand there; of a large one, those of a part.
static std::string variables_text(Errors& errors, const Def* computation) {
    static constexpr size_t MaxNodes = 200;
    std::vector<const Def*> todo{computation};
    std::vector<std::string> names;
    for (size_t nodes = 0; !todo.empty() && nodes < MaxNodes; ++nodes) {
        auto d = todo.back();
        todo.pop_back();
        auto whole = d;
        while (whole->isa<Extract>()) whole = whole->as<Extract>()->tuple();
        if (!whole->isa<Var>()) {
            for (size_t i = d->num_ops(); i-- > 0;) todo.push_back(d->op(i));
            continue;
        }
        auto name = "`" + errors.show(d) + "`";
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) text += (!i ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

/// `tail (1, 2)` where it takes an `«n + 1; T»`: the length does not tell what `n` is.
static void hint_computation(Errors& errors, Diagnostic& d, const Def* domain, const Def* type) {
    if (domain->node() != type->node()) return;
    auto computation = find_computation(domain);
    if (!computation || !computation->has(Def::HasDep)) return;
    auto names = variables_text(errors, computation);
    if (!names.empty()) d.note(Diag::not_inferred, {}, {names});
}

/// `f (x, T)` and `f (T, x)` where f takes a type first and the rest behind it: `f T x`; empty if the mistake is another one.
static std::string with_type_first(Errors& errors, const std::string& fun, const ast::Tuple* tuple, const Def* value) {
    auto& world = errors.world();
    std::vector<const ast::Expr*> types, others;
    for (size_t i = 0; i < tuple->elems.size(); ++i) {
        auto elem = tuple->elems[i];
        (is_type(world.extract(value, i)) ? types : others).push_back(elem);
    }
    if (types.size() != 1 || others.empty()) return {};
    auto rest = argument_text(errors, others.front());
    if (others.size() > 1) {
        rest = "(" + errors.source_text(others.front()->span);
        for (auto other : others | std::views::drop(1)) rest += ", " + errors.source_text(other->span);
        rest += ")";
    }
    return fun + " " + argument_text(errors, types.front()) + " " + rest;
}

/// Whether a value of this type may be an element of the domain, as far as both say without their variables.
static bool takes(const Def* domain, const Def* type);

/// Whether the first argument was left out: this one is for the next group, or a value where a type is wanted.
static bool is_for_next(World& world, const Def* domain, const Pi* next, const Arg& arg) {
    auto value     = arg.res.def;
    bool is_tuple  = arg.ast->arg->kind == ast::ExprKind::Tuple;
    bool is_a_type = is_type(value);
    if (next->is_implicit() || is_tuple || is_a_type || world.refresh(value->type())->has(Def::HasHole)) return false;
    return domain->isa<Sort>() || (!takes(domain, value->type()) && takes(world.refresh(next->dom()), value->type()));
}

void hint_argument(Errors& errors, Diagnostic& d, const MisfitCall& call) {
    auto& world                                      = errors.world();
    auto [pi, implicit, domain, head, args, is_told] = call;
    auto& arg                                        = args.front();
    auto value                                       = arg.res.def;
    auto fun                                         = errors.source_text(head->span);
    auto text                                        = errors.source_text(arg.ast->arg->span);
    auto tuple                                       = ast::isa<ast::Tuple>(arg.ast->arg);
    auto dom                                         = world.refresh(pi->dom());
    auto n                                           = lit_arity(world, dom);
    auto k                                           = tuple ? static_cast<int64_t>(tuple->elems.size()) : 1;
    auto note                                        = [&](Diag id, DiagArgs more) {
        more.insert(more.begin(), fun);
        d.note(id, {}, std::move(more));
    };
    const Def* first = n > 1 && !dom->var() ? (dom->isa<Arr>() ? dom->as<Arr>()->body() : dom->op(0)) : nullptr;
    if (implicit && (args.size() > 1 || is_static(value)) && assignable(world, implicit->dom(), value))
        return note(Diag::inferred, {text});
    if (auto right = regrouped(errors, pi, args); !right.empty()) return d.note(Diag::takes_a_tuple, {}, {fun, right}), void();
    if (lacks_return(world, pi, value)) return note(Diag::call_with_ret, {text});
    bool is_first = first && takes(first, value->type());
    if (n > 1 && k == 1 && static_cast<size_t>(n) == args.size() && (is_first || dom->var())) {
        std::string all;
        for (auto& a : args) all += (all.empty() ? "" : ", ") + errors.source_text(a.ast->arg->span);
        return d.note(Diag::takes_a_tuple, {}, {fun, fun + " (" + all + ")"}), void();
    }
    auto next = pi->codom()->isa<Pi>();
    if (tuple && k != n && next && !next->is_implicit() && assignable(world, dom, world.extract(value, 0)))
        return note(Diag::takes_one_by_one, {fun + arguments_text(errors, tuple)});
    bool is_type_first = tuple && next && dom->isa<Sort>() && k == lit_arity(world, value->type());
    auto right         = is_type_first ? with_type_first(errors, fun, tuple, value) : std::string();
    if (!right.empty()) return note(Diag::takes_one_by_one, {right});
    auto& tokens = world.token_types();
    if (first && k < n && tokens.contains(first) && !(k == 1 && tokens.contains(value->type()))) {
        auto declared = domain->isa<Sigma>();
        return d.note(Diag::token_missing, {}, {errors.show(declared ? declared->op(0) : first)}), void();
    }
    if (next && is_for_next(world, dom, next, arg)) return note(Diag::argument_before, {errors.show(dom)});
    if (next && k != n && k == lit_arity(world, next->dom())) return note(Diag::argument_before, {errors.show(dom)});
    auto given   = tuple ? k : std::max<int64_t>(1, lit_arity(world, value->type()));
    bool is_list = !tuple && is_told && dom->has(Def::HasHole) && value->type()->isa<Arr>(); // of another length
    if (n > 1 && given != n && !is_list) return note(Diag::number_of_arguments, {std::to_string(n), std::to_string(given)});
    if (pi->dom()->has(Def::HasHole) && !is_told) hint_computation(errors, d, domain, value->type());
}

/// Whether a value of this type may be an element of the domain, as far as both say without their variables.
static bool takes(const Def* domain, const Def* type) {
    if (domain == type || (isa_idx(domain) && isa_idx(type))) return true;
    if (auto arr = domain->isa<Arr>()) return takes(arr->body(), type);
    if (domain->isa<Sigma>()) return std::ranges::any_of(domain->ops(), [&](auto op) { return takes(op, type); });
    auto axm = head_axiom(domain);
    return axm && axm == head_axiom(type);
}

/// The last domain of a function, and its result.
static std::pair<const Def*, const Def*> last_group(const Def* type) {
    static constexpr size_t MaxGroups = 16; // a recursive type has no last one
    const Def* domain                 = nullptr;
    for (size_t groups = 0; groups < MaxGroups; ++groups) {
        auto pi = type->isa<Pi>();
        if (!pi) break;
        domain = pi->dom();
        type   = pi->codom();
    }
    return {domain, type};
}

namespace {

/// How well an annex may stand for another one: by the same last word, as `%p.q.add` for `%p.r.add`, or by a word that is the end of the
/// other, as `l` of `ul`, if both have the same result. What gives a fixed type, as a comparison does, stands for nothing else.
enum class Likeness { None, End, Same };

Likeness likeness(std::string_view a, const Def* a_type, std::string_view b, const Def* b_type) {
    auto last = [](std::string_view name) { return name.substr(name.rfind('.') + 1); };
    a = last(a), b = last(b);
    auto [a_domain, a_result] = last_group(a_type);
    auto [b_domain, b_result] = last_group(b_type);
    bool is_fixed             = a_domain && b_domain && !takes(a_domain, a_result),
         is_other_fixed       = a_domain && b_domain && !takes(b_domain, b_result);
    if ((is_fixed || is_other_fixed) && a_result != b_result) return Likeness::None;
    if (a == b) return Likeness::Same;
    bool is_end = (a.ends_with(b) || b.ends_with(a)) && !a_result->has(Def::HasDep) && a_result == b_result;
    return is_end ? Likeness::End : Likeness::None;
}

} // namespace

void hint_other_annex(Errors& errors, Diagnostic& d, const ast::Expr* head, const Def* domain, const Def* type) {
    auto annex    = ast::isa<ast::Annex>(head);
    auto declared = annex ? errors.annexes().find(annex->sym) : nullptr;
    if (!declared || !declared->def || takes(domain, type)) return;
    std::string_view best;
    auto most = Likeness::None;
    for (auto& [name, other] : errors.annexes()) {
        if (!other.def || name == annex->sym) continue;
        auto like = likeness(annex->sym.view(), declared->def->type(), name.view(), other.def->type());
        auto dom  = last_group(other.def->type()).first;
        if (like == Likeness::None || like < most || !dom || !takes(dom, type)) continue;
        bool is_first = std::pair(name.view().size(), name.view()) < std::pair(best.size(), best);
        if (like > most || is_first) best = name.view(), most = like;
    }
    if (!best.empty()) d.note(Diag::works_on, {}, {errors.show(type), std::string(best)});
}

/// `f $ (mem "x")` and `f $ mem 3`: a comma is missing, and brackets may be. Elsewhere, a value beside another one may be any mistake.
static bool hint_comma(Errors& errors, Diagnostic& d, const ast::Expr* callee, const ast::Expr* arg) {
    auto& sources = errors.diags().sources();
    auto before   = sources.text({callee->span.file, 0, callee->span.begin});
    auto last     = before.find_last_not_of(" \t");
    auto sign     = last == before.npos ? '\0' : before[last];
    bool is_name  = callee->kind == ast::ExprKind::Name;
    bool is_line  = sources.text({callee->span.file, callee->span.end, arg->span.begin}).find('\n') == std::string_view::npos;
    if (!is_name || !is_line || (sign != '(' && sign != '$')) return false;
    d.note(Diag::did_you_mean, {}, {"(" + errors.source_text(callee->span) + ", " + errors.source_text(arg->span) + ")"});
    return true;
}

void hint_callee(Errors& errors, Diagnostic& d, const ast::Expr* callee, const ast::Expr* arg) {
    auto prim   = ast::isa<ast::Prim>(arg);
    auto number = ast::isa<ast::NatLit>(callee);
    if (number && prim && prim->prim >= ast::PrimKind::I1 && prim->prim <= ast::PrimKind::I64) {
        auto literal = errors.source_text(callee->span) + errors.source_text(arg->span);
        d.note(Diag::literal_of_type, {}, {literal});
        return;
    }
    if (callee->kind == ast::ExprKind::Prim && (prim || arg->kind == ast::ExprKind::Sigma)) {
        auto all = errors.source_text(callee->span) + ", " + errors.source_text(arg->span);
        d.note(Diag::no_such_word, {}, {"A B", "the type of several values is written `[" + all + "]`"});
        return;
    }
    auto type = ast::isa<ast::Prim>(callee);
    if (type && type->prim >= ast::PrimKind::I1 && type->prim <= ast::PrimKind::I64) {
        auto cast = errors.source_text(callee->span) + " " + errors.source_text(arg->span);
        return (void)d.note(Diag::no_such_word, {},
                            {cast, "a type converts nothing: functions of plugins make another value of one"});
    }
    if (arg->kind == ast::ExprKind::Sigma) {
        d.note(Diag::element_syntax, {}, {errors.source_text(callee->span)});
        return;
    }
    if (prim && prim->prim == ast::PrimKind::Star)
        return (void)d.note(Diag::no_such_word, {}, {"a ** b", "a power is a product, or a function of a plugin"});
    if (hint_comma(errors, d, callee, arg)) return;
    Span end{callee->span.file, callee->span.end, callee->span.end};
    auto between = errors.diags().sources().text({end.file, end.end, arg->span.begin});
    if (between.find('\n') != between.npos) d.note(Diag::maybe_unended, end);
}

} // namespace mim
