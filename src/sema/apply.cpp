// SPDX-License-Identifier: MIT
// Application spines and implicit arguments. Arguments are read first; an implicit argument is then found by matching the
// domains of the callee's Π-telescope against the types of the arguments. Only when that says nothing are placeholders made.
#include <optional>

#include "sema/elab.h"

#include <algorithm>

namespace mim {

Res Elab::app(const ast::App* e) {
    size_t n              = 1;
    const ast::Expr* head = e->callee;
    for (; head->kind == ast::ExprKind::App; head = ast::as<ast::App>(head)->callee) ++n;
    auto callee = expr(head);
    auto base   = args_.size();
    args_.resize(base + n);
    auto next = e;
    for (size_t i = n; i-- > 0;) {
        args_[base + i] = {next, {}};
        if (i) next = ast::as<ast::App>(next->callee);
    }
    if (callee && head->kind != ast::ExprKind::Hole && is_indexing(callee, args_[base].ast->arg)) {
        hint_callee(error(Diag::not_a_function, head->span, {show(callee.def, head), show(callee.def->type())}), head,
                    args_[base].ast->arg);
        callee          = {};
        args_[base].ast = nullptr;
    }
    bool poison = !callee;
    for (size_t i = base; i < base + n; ++i) {
        if (!args_[i].ast) continue; // what is wrong with it was said
        auto arg = args_[i].ast->arg;
        if (arg->kind == ast::ExprKind::Hole) continue; // typed by the callee
        auto res     = expr(arg);
        args_[i].res = res;
        poison |= !res;
    }
    std::optional<World::Frozen> frozen;
    if (e == frozen_app_) frozen.emplace(world_);
    auto res = poison ? Res{} : apply(callee, head, std::span(args_).subspan(base, n));
    args_.resize(base);
    return res;
}

Res Elab::apply(Res callee, const ast::Expr* head, std::span<Arg> args) {
    auto holes = open_.size();
    auto res   = apply_all(callee, head, args);
    if (!res) open_.resize(holes); // reported
    else if (open_.size() > holes) drop_solved(holes);
    return res;
}

/// A pointer has the names of what is behind it as those of each element; only debuggers look there.
const View* Elab::pointee_view(const Def* type, const View* arg) {
    auto axm = world_.debug && arg ? head_axiom(type) : nullptr;
    if (!axm || !axm->axiom().has(Axiom::Pointer) || !world_.is_type(type)) return nullptr;
    auto pointee = arg->inst ? arg : arg->elem(0); // `%mem.Ptr T`, `%mem.PtrAS (T, a)`
    return inst(pointee) ? inst_view(s_.views.make({.each = pointee->inst})) : nullptr;
}

Res Elab::apply_all(Res callee, const ast::Expr* head, std::span<Arg> args) {
    auto last      = args.back().res.view;
    auto outermost = args.back().ast;
    auto place     = outermost->span;
    take_over(callee.def);
    Call call{Spine(world_, callee.def), callee.view};
    if (world_.debug) call.names.emplace(world_, s_.views, callee.def->type());
    for (; !args.empty(); args = args.subspan(1)) {
        auto& arg          = args.front();
        const Pi* implicit = nullptr;
        if (!arg.ast->explicit_implicit) {
            if (auto pi = call.spine.type()->isa<Pi>(); pi && pi->is_implicit()) implicit = pi;
            if (!apply_implicits(call, head, args)) return {};
        } else {
            auto type = world_.refresh(call.spine.type());
            if (auto pi = type->isa<Pi>(); pi && !pi->is_implicit()) {
                error(Diag::not_implicit, arg.ast->arg->span, {show(call.spine.get()), show(type)});
                return {};
            }
        }
        if (!apply_one(call, head, args, implicit)) return {};
    }
    const Def* res = nullptr;
    try {
        res = call.spine.get();
    } catch (const Error& e) {
        report_call(e, outermost);
        return {};
    }
    res = res->is_unstable() ? world_.refresh(res) : res;
    res = make_at_entry(callee.def, res, place);
    make_effect(res, place);
    if (!call.view) call.view = pointee_view(res, last);
    if (!call.view && call.names) call.view = call.names->result();
    return {res, call.view};
}

/// `a[0]`: a type behind what is no function, but has elements.
bool Elab::is_indexing(Res callee, const ast::Expr* arg) {
    auto type = callee.def->type();
    return arg->kind == ast::ExprKind::Sigma && (type->isa<Arr>() || type->isa<Sigma>());
}

bool Elab::apply_one(Call& call, const ast::Expr* head, std::span<Arg> args, const Pi* implicit) {
    auto& arg = args.front();
    if (!arg.res) { // `_`
        auto pi = world_.refresh(call.spine.type())->isa<Pi>();
        if (!pi) {
            auto callee = call.spine.get();
            error(Diag::not_a_function, head->span, {show(callee), show(callee->type())});
            return false;
        }
        arg.res.def = make_hole(pi->dom(), arg.ast->arg->span, pi, head);
    }
    world_.here = arg.ast->span;
    auto lam    = call.spine.lam();
    try {
        instantiate(call, arg);
        call.apply(arg.res.def, arg.res.view);
        if (lam) check_passed(lam, arg.res.def, arg.ast->arg);
        take_over(arg.res.def);
        return true;
    } catch (const Error& e) {
        report_app(e, call, head, args, implicit);
        return false;
    }
}

/// `f %core.icmp.ul` where f wants a function without implicit arguments: those of the argument are inferred, too.
void Elab::instantiate(Call& call, Arg& arg) {
    auto implicit = [&] {
        auto pi = world_.refresh(arg.res.def->type())->isa<Pi>();
        return pi && pi->is_implicit() ? pi : nullptr;
    };
    if (!implicit()) return;
    auto callee = world_.refresh(call.spine.type())->isa<Pi>();
    auto wanted = callee ? world_.refresh(callee->dom())->isa<Pi>() : nullptr;
    if (!wanted || wanted->is_implicit()) return;
    if (!wanted->has(Def::HasHole) && world_.assignable(wanted, arg.res.def)) return;
    while (auto pi = implicit()) {
        auto span = arg.ast->arg->span;
        arg.res   = {world_.app(arg.res.def, make_hole(pi->dom(), span, pi, arg.ast->arg)), codom(arg.res.view)};
    }
}

/// The element type `Idx ?s` of an array: as an element behind the wrong one tells it.
const Def* Elab::integer_behind(const Def* type, const Def* value, size_t wrong) {
    for (auto i = wrong + 1; isa_idx(type) && type->has(Def::HasHole) && i < static_cast<size_t>(world_.lit_arity(value->type()));
         ++i)
        if (auto later = world_.extract(value, i)->type(); isa_idx(later) && !later->has(Def::HasHole)) return later;
    return type;
}

void Elab::report_app(const Error& e, Call& call, const ast::Expr* head, std::span<Arg> args, const Pi* implicit) {
    auto& arg = args.front();
    if (!e.trace.empty() || (e.id != Diag::not_assignable && e.id != Diag::not_a_function)) return report_call(e, arg.ast);
    if (e.id == Diag::not_a_function) {
        auto place = arg.ast->callee;
        auto def   = [&](size_t i) { return std::get<const Def*>(e.args[i]); };
        auto& d    = error(e.id, place->span, {show(def(0), place), show(def(1))});
        hint_callee(d, arg.ast->callee, arg.ast->arg);
        return;
    }
    auto pi    = world_.refresh(call.spine.type())->as<Pi>();
    auto dom   = pi->dom();
    auto value = arg.res.def;
    auto place = arg.ast->arg;
    if (s_.tokens.hidden(dom, value)) {
        note_declaration(report(Error(Diag::not_assignable, {dom, value, value->type()}), place->span), head);
        return;
    }
    // the innermost element that does not fit
    bool whole = lacks_return(pi, value);
    for (auto tuple = ast::isa<ast::Tuple>(place); tuple && !whole; tuple = ast::isa<ast::Tuple>(place)) {
        if (world_.lit_arity(dom) != static_cast<int64_t>(tuple->elems.size())) break;
        const Def *elem_dom = nullptr, *elem = nullptr;
        auto wrong = tuple->elems.size();
        for (size_t i = 0; i < tuple->elems.size(); ++i) {
            auto d = world_.elem_type(dom, value, world_.lit_idx(tuple->elems.size(), i));
            auto x = world_.extract(value, i);
            if (world_.assignable(d, x)) continue;
            bool size = x == world_.lit_2_64(); // it may be right here
            if (size && elem) continue;
            elem_dom = d, elem = x, wrong = i;
            if (!size) break;
        }
        if (wrong == tuple->elems.size()) break;
        if (dom->isa<Arr>()) elem_dom = integer_behind(elem_dom, value, wrong);
        dom = elem_dom, value = elem, place = tuple->elems[wrong];
    }
    auto expected = place == arg.ast->arg ? show(shown_domain(pi, implicit)) : show(world_.refresh(dom));
    auto& d       = error(misfit(value), place->span, {expected, show(value, place), show(value->type())});
    try {
        if (place == arg.ast->arg) hint_argument(d, pi, implicit, head, args);
        if (d.notes.empty()) hint_value(d, dom, value, place->span);
    } catch (const Error&) {} // no hint, then
    note_declaration(d, head);
}

/*
 * implicit arguments
 */

bool Elab::apply_implicits(Call& call, const ast::Expr* head, std::span<Arg> args) {
    while (true) {
        auto type = call.spine.type();
        if (type->is_unstable()) type = world_.refresh(type);
        auto pi = type->isa<Pi>();
        if (!pi || !pi->is_implicit()) return true;
        bool done = false;
        if (auto arg = match_implicit(pi, args)) {
            try {
                call.apply(arg, nullptr);
                done = true;
            } catch (const Error& e) {
                if (!e.trace.empty()) return report(e, args.front().ast->span), false;
            } // a wrong guess: placeholders find out what the problem is
        }
        if (!done) {
            auto hole = make_hole(pi->dom(), head->span, pi, head);
            if (!at(head->span, [&] { return call.apply(hole, nullptr), world_.unit(); })) return false;
        }
    }
}

namespace {
/// First-order matching of a domain, not instantiated, against the type of an argument: what must the variable be?
class Telescope {
public:
    Telescope(World& world, const Def* var, size_t n)
        : world_(world)
        , var_(var)
        , n_(n)
        , slots_(n <= std::size(few_) ? few_ : (many_.resize(n), many_.data())) {}

    bool solved() const { return found_ == n_; }
    const Def* result() const { return n_ == 1 ? slots_[0] : world_.tuple(Defs(slots_, n_)); }

    /// False: inconclusive, placeholders must decide.
    bool match(const Def* pattern, const Def* type) {
        if (pattern == type || !pattern->has(Def::HasDep)) return true;
        if (pattern == var_) return n_ == 1 && bind(0, type);
        if (pattern->isa<Var>()) return true;
        if (auto ex = pattern->isa<Extract>(); ex && ex->tuple()->isa<Var>()) {
            auto i = isa_lit(ex->index());
            return ex->tuple() != var_ || !i || bind(i->value(), type);
        }
        if (type->is_unstable()) return false;
        if (pattern->isa<Sigma>()) return match_sigma(pattern, type);
        if (auto arr = pattern->isa<Arr>()) return match_array(arr, type);
        if (pattern->node() != type->node() || pattern->num_ops() != type->num_ops() || pattern->isa<Union>()) return false;
        if (pattern->isa<Pi>())
            return match(pattern->op(0), type->op(0)) && (type->is_mut() || match(pattern->op(1), type->op(1)));
        if (pattern->is_mut() || type->is_mut()) return false;
        for (size_t i = 0; i < pattern->num_ops(); ++i)
            if (!match(pattern->op(i), type->op(i))) return false;
        return true;
    }

private:
    /// Its elements mention its variable, which those of most recursive Σs do not.
    bool is_dependent(const Def* type) {
        auto mentions_var = [&](const Def* elem) { return world_.is_free_in(type->var(), elem); };
        return type->is_mut() && std::ranges::any_of(type->ops(), mentions_var);
    }
    /// A recursive pattern says all that it has to say the first time.
    bool is_known(const Def* pattern) {
        if (!pattern->is_mut()) return false;
        if (std::ranges::find(entered_, pattern) != entered_.end()) return true;
        entered_.push_back(pattern);
        return false;
    }
    bool match_sigma(const Def* pattern, const Def* type) {
        if (is_known(pattern)) return true;
        auto arr = type->isa<Arr>();
        if (arr && (arr->is_mut() || world_.lit_arity(arr) != static_cast<int64_t>(pattern->num_ops()))) return false;
        if (!arr && (!type->isa<Sigma>() || type->num_ops() != pattern->num_ops())) return false;
        for (size_t i = 0; i < pattern->num_ops(); ++i) {
            if (i > 0 && is_dependent(type)) return true; // later types may mention its variable
            if (!match(pattern->op(i), arr ? arr->body() : type->op(i))) return false;
        }
        return true;
    }
    /// `«?n; T»`, and `«j: ?n; ?Ts#j»` against the element types; what is no array or tuple has one element.
    bool match_array(const Arr* pattern, const Def* type) {
        auto arr = type->isa<Arr>();
        if (is_dependent(type)) return false;
        auto size = world_.arity(type);
        if (pattern->arity() != size && !pattern->arity()->has(Def::HasDep)) return false;
        if (!match(pattern->arity(), size)) return false;
        if (!pattern->is_mut()) return !type->isa<Sigma>() && match(pattern->body(), arr ? arr->body() : type);
        auto ex = pattern->body()->isa<Extract>();
        if (!ex || ex->index() != pattern->var()) return false;
        auto slot = ex->tuple()->isa<Extract>();
        auto i    = slot && slot->tuple() == var_ ? isa_lit(slot->index()) : nullptr;
        if (!i) return false;
        return bind(i->value(), arr                  ? world_.pack(arr->arity(), arr->body())
                                : type->isa<Sigma>() ? world_.tuple(type->ops())
                                                     : type);
    }
    bool bind(uint64_t i, const Def* def) {
        if (i >= n_ || def->is_unstable()) return false;
        if (slots_[i]) return slots_[i] == def || world_.equal(slots_[i], def);
        slots_[i] = def;
        ++found_;
        return true;
    }

    World& world_;
    const Def* var_;
    size_t n_, found_ = 0;
    const Def* few_[4] = {};
    std::vector<const Def*> many_;
    const Def** slots_;
    std::vector<const Def*> entered_; ///< recursive patterns
};
} // namespace

const Def* Elab::match_implicit(const Pi* pi, std::span<Arg> args) {
    if (!pi->var()) return nullptr;
    auto n = world_.lit_arity(pi->dom());
    Telescope t(world_, pi->var(), n < 1 ? 1 : static_cast<size_t>(n));
    const Def* type = pi->codom();
    for (auto& arg : args) {
        auto p = type->isa<Pi>();
        while (p && p->is_implicit() && !arg.ast->explicit_implicit) p = (type = p->codom())->isa<Pi>();
        if (!p || !arg.res) return nullptr;
        if (!t.match(p->dom(), arg.res.def->type())) return nullptr;
        if (t.solved()) return t.result();
        type = p->codom();
    }
    return nullptr;
}

const Def* Elab::match_first(const Pi* pi, const Def* first) {
    if (!pi->var()) return nullptr;
    auto n = world_.lit_arity(pi->dom());
    Telescope t(world_, pi->var(), n < 1 ? 1 : static_cast<size_t>(n));
    auto p = pi->codom()->isa<Pi>();
    while (p && p->is_implicit()) p = p->codom()->isa<Pi>();
    if (!p || world_.lit_arity(p->dom()) != 2) return nullptr;
    auto dom = p->dom()->isa<Arr>() ? p->dom()->as<Arr>()->body() : p->dom()->op(0);
    return t.match(dom, first->type()) && t.solved() ? t.result() : nullptr;
}

const Def* Elab::make_hole(const Def* type, Span span, const Pi* pi, const ast::Expr* callee) {
    force_all();
    auto hole = world_.hole(type);
    Symbol param;
    if (pi && pi->var()) param = world_.name(pi->var());
    open_.push_back({hole, span, param, callee});
    return hole;
}

void Elab::drop_solved(size_t mark) {
    auto solved = [&](const Open& o) { return !world_.refresh(o.hole)->has(Def::HasHole); };
    open_.erase(std::remove_if(open_.begin() + static_cast<std::ptrdiff_t>(mark), open_.end(), solved), open_.end());
}

bool Elab::check_holes(size_t mark) {
    drop_solved(mark);
    bool ok = open_.size() <= mark;
    for (size_t i = mark; i < open_.size(); ++i) {
        auto& o = open_[i];
        auto& d = error(Diag::cannot_infer, o.span, {o.param ? o.param.str() : "_", show(world_.refresh(o.hole->type()))});
        if (o.callee) note_declaration(d, o.callee);
    }
    open_.resize(std::min(mark, open_.size()));
    return ok;
}

} // namespace mim
