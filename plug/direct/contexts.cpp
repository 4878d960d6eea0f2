// SPDX-License-Identifier: MIT
// What is evaluated where: a context evaluates what all paths through it need, operands first, and hands on to branches. See converter.h.
#include <unordered_set>

#include "converter.h"

namespace mim::plug::direct {

/// Evaluates `def` in the context v, starting in the body of `at`. Without `cont`, def : ⊥ is where control goes; else its value
/// goes to cont.
void Converter::context(uint32_t v, Lam* at, const Def* def, const Def* cont) {
    auto mark  = here();
    auto items = uses_->enter(v);
    std::vector<const Lam*> waiting;
    for (auto i : items)
        if (auto lam = (*uses_)[i].def->isa<Lam>(); lam && (*uses_)[i].kind == Vertex::Function) waiting.push_back(lam);
    for (auto i : items) {
        auto item = (*uses_)[i];
        declare_known(waiting);
        if (item.kind == Vertex::Function) {
            if (auto lam = item.def->isa<Lam>()) {
                if (std::erase(waiting, lam) != 0) declare(lam);
                body(i, lam, functions_[lam]);
            } else {
                fill(i, item.def->as<Pack>());
            }
        } else if (env_.contains(item.def)) {
            continue; // evaluated already
        } else if (item.kind == Vertex::Thunk && item.home == v) {
            define_thunk(i);
        } else {
            bool is_outer = item.kind == Vertex::Thunk;
            if (is_outer) renew(i);
            if (item.def == def) {
                control(i, at, cont);
                return leave(mark);
            }
            auto next = new_lam(world_.cn(rewrite(item.def->type())));
            control(i, at, next);
            bind(item.def, next->var());
            if (world_.debug) name_result(item.def, next);
            at = next;
            if (is_outer && facts_.is_effect(item.def)) ++happened_, renew_functions(v, i);
        }
    }
    if ((*uses_)[v].kind == Vertex::Thunk) return evaluate(v, at, cont), leave(mark);
    auto end = rewrite(def);
    world_.set_body(at, cont ? world_.app(cont, end) : end);
    leave(mark);
}

/// Debuggers show the result of a call by the name that the text gives it.
void Converter::name_result(const Def* call, const Lam* next) {
    auto name = Notes::has_place(call) ? world_.notes.local(call) : nullptr;
    if (!name) return;
    auto here  = *name;
    here.value = next->var();
    world_.notes.add_local(next, here);
}

/// Makes the new form of a function inside of another one.
void Converter::declare(const Lam* lam) {
    auto made = functions_[lam] = stub(lam);
    if (!facts_.has_lazy(lam)) bind(lam, made);
}

/// Declares the functions whose types are known: all that they mention has been evaluated.
void Converter::declare_known(std::vector<const Lam*>& waiting) {
    std::erase_if(waiting, [&](auto lam) {
        bool is_known = is_evaluated(lam->pi());
        if (is_known) declare(lam);
        return is_known;
    });
}

/// Whether no control that the type mentions still waits.
bool Converter::is_evaluated(const Def* type) {
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> todo{type};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (facts_.is_closed(def) || def->isa<Var>() || env_.contains(def) || !seen.insert(def).second) continue;
        if (facts_.is_control(def)) return false;
        todo.insert(todo.end(), def->ops().begin(), def->ops().end());
    }
    return true;
}

/// A pack whose elements contain control or functions that change becomes an array that code fills.
void Converter::fill(uint32_t i, const Pack* pack) {
    auto arity = rewrite(pack->arity());
    auto type  = rewrite(pack->type()->as<Arr>()->body());
    auto code  = new_lam(world_.fn(world_.idx(arity), type));
    auto mark  = here();
    bind(pack->var(), world_.extract(code->var(), uint64_t(0)));
    context(i, code, pack->body(), world_.extract(code->var(), uint64_t(1)));
    leave(mark);
    auto filled = world_.app(world_.app(world_.app(world_.annex(direct::fill(0)), arity), type), code);
    if (auto place = world_.notes.place(pack)) world_.notes.set_place(filled, place);
    bind(pack, filled);
}

/// Lets `at` evaluate the control or outer thunk i and pass its value to cont (null: it is of type ⊥).
void Converter::control(uint32_t i, Lam* at, const Def* cont) {
    auto item = (*uses_)[i];
    if (item.kind == Vertex::Thunk) return world_.set_body(at, world_.app(thunks_[i].lam, cont));
    evaluate(i, at, cont);
}

/// Where a call may keep what it passes on. A call at the end may become a jump to where it comes from: then each turn has its own.
static delay storage(const Def* cont) { return cont && cont->isa<Lam>() ? delay::slot : delay::stack; }

void Converter::evaluate(uint32_t i, Lam* at, const Def* cont) {
    auto item = (*uses_)[i];
    if (auto selection = facts_.selection(item.def)) return select(i, selection, at, cont);
    if (auto match = item.def->isa<Match>()) return branch(i, match, at, cont);
    auto app  = item.def->as<App>();
    auto lam  = app->callee()->isa<Lam>();
    bool lazy = lam && facts_.has_lazy(lam);
    auto call = lazy ? world_.app(worker(lam), {pass(i, lam, app->arg(), storage(cont)), cont})
                     : world_.app(rewrite(app->callee()), {rewrite(app->arg()), cont});
    world_.notes.copy_place(app, call);
    world_.set_body(at, call);
}

/// Inside of an arm, the same choice has the same result. The other arms are not built there: they may use tokens that
/// are gone.
void Converter::select(uint32_t i, const Selection& selection, Lam* at, const Def* cont) {
    auto arms = uses_->arms(i);
    if (auto known = chosen_.find(selection.index); known != chosen_.end()) {
        auto k = known->second.element;
        return context(arms[k], at, selection.elems[k], cont);
    }
    auto index = rewrite(selection.index);
    std::vector<const Def*> conts;
    std::vector<Lam*> lams;
    for (size_t k = 0; k != selection.elems.size(); ++k) {
        lams.push_back(new_lam(world_.cn(world_.unit_type())));
        conts.push_back(lams.back());
    }
    world_.set_body(at, world_.app(world_.extract(world_.tuple(conts), index), world_.unit()));
    for (size_t k = 0; k != lams.size(); ++k) {
        chosen_[selection.index] = {k};
        context(arms[k], lams[k], selection.elems[k], cont);
    }
    chosen_.erase(selection.index);
}

void Converter::branch(uint32_t i, const Match* match, Lam* at, const Def* cont) {
    auto from = match->scrutinee();
    if (auto known = chosen_.find(from); known != chosen_.end()) return arm(i, match, known->second, at, cont);
    auto scrutinee = rewrite(from);
    std::vector<const Def*> conts;
    std::vector<Lam*> lams;
    bool is_labelled = members_.isa_labelled(from->type());
    for (auto arm : match->arms()) {
        auto member = arm->type()->as<Pi>()->dom();
        auto type   = rewrite(member);
        lams.push_back(new_lam(world_.cn(is_labelled ? members_.label(member, type) : type)));
        conts.push_back(lams.back());
    }
    world_.set_body(at, world_.match(scrutinee, conts));
    for (size_t k = 0; k != lams.size(); ++k) {
        auto value    = is_labelled ? members_.value_of(lams[k]->var()) : lams[k]->var();
        auto chosen   = Chosen{k, value};
        chosen_[from] = chosen;
        arm(i, match, chosen, lams[k], cont);
    }
    chosen_.erase(from);
}

/// Lets `at` evaluate the arm of a match that is taken.
void Converter::arm(uint32_t i, const Match* match, Chosen chosen, Lam* at, const Def* cont) {
    auto mark = here();
    auto def  = match->arms()[chosen.element];
    if (auto lam = facts_.isa_inner_arm(def)) {
        bind(lam->var(), chosen.value);
        context(uses_->arms(i)[chosen.element], at, lam->body(), cont);
    } else {
        world_.set_body(at, world_.app(rewrite(def), {chosen.value, cont}));
    }
    leave(mark);
}

} // namespace mim::plug::direct
