// SPDX-License-Identifier: MIT
// What is evaluated where: a context evaluates what all paths through it need, operands first, and hands on to branches. See converter.h.
#include <unordered_set>

#include "converter.h"

namespace mim::plug::direct {

/// Evaluates `def` in the context v, starting in the body of `at`. Without `cont`, def : ⊥ is where control goes; else its value
/// goes to cont.
void Converter::context(uint32_t v, Lam* at, const Def* def, const Def* cont) {
    auto mark   = here();
    auto items  = uses_->enter(v); // a copy: arms are entered on the way
    auto shared = shared_indices(items);
    for (auto& i : items) {
        auto item = (*uses_)[i];
        if (item.kind == Vertex::Function) {
            if (auto lam = item.def->isa<Lam>()) {
                declare(lam);
                inner_function(i, lam, def);
            } else {
                fill(i, item.def->as<Pack>());
            }
        } else if (env_.contains(item.def)) {
            continue; // evaluated already
        } else if (item.kind == Vertex::Thunk && item.home == v) {
            define_thunk(i);
        } else {
            if (item.def == def) {
                control(i, at, cont);
                return leave(mark);
            }
            auto index     = shared.empty() ? nullptr : isa_token_choice(i);
            bool is_shared = index && shared.contains(index) && !chosen_.contains(index);
            auto alike     = is_shared ? choices_alike(i, {&i + 1, items.data() + items.size()}) : std::vector<uint32_t>();
            if (alike.size() > 1) {
                at = choose_together(alike, at);
                continue;
            }
            auto next = new_lam(world_.cn(rewrite(item.def->type())));
            control(i, at, next);
            bind(item.def, next->var());
            if (world_.debug) name_result(item.def, next);
            at = next;
        }
    }
    if ((*uses_)[v].kind == Vertex::Thunk) return evaluate(v, at, cont), leave(mark);
    auto end = rewrite(def);
    world_.set_body(at, cont ? world_.app(cont, end) : end);
    leave(mark);
}

/// A function that the end of the context chooses, and nobody else, knows what has been chosen.
void Converter::inner_function(uint32_t v, const Lam* lam, const Def* end) {
    auto k     = uses_->last_arm(end, v);
    auto index = k >= 0 ? end->as<App>()->callee()->as<Extract>()->index() : nullptr;
    bool knows = index && chosen_.try_emplace(index, Chosen{size_t(k)}).second;
    body(v, lam, functions_[lam]);
    if (knows) chosen_.erase(index);
}

/// The index by which a token is chosen; null of all else.
const Def* Converter::isa_token_choice(uint32_t v) {
    auto& item = (*uses_)[v];
    bool any   = item.kind == Vertex::Control && facts_.is_effect(item.def);
    return any ? facts_.selection(item.def).index : nullptr;
}

/// Those by which several tokens are chosen.
std::unordered_set<const Def*> Converter::shared_indices(const std::vector<uint32_t>& items) {
    std::unordered_set<const Def*> seen, shared;
    for (auto i : items)
        if (auto index = isa_token_choice(i); index && !seen.insert(index).second) shared.insert(index);
    return shared;
}

/// The choice i of a token, and those among the later items that the same index chooses and that wait for nothing that comes before. A token may
/// go to one arm of each of them: that each path takes it once only shows if they are made together.
std::vector<uint32_t> Converter::choices_alike(uint32_t i, std::span<const uint32_t> later) {
    std::vector<uint32_t> result{i};
    auto index = isa_token_choice(i);
    std::unordered_set<uint32_t> before{i};
    for (auto j : later) {
        if (env_.contains((*uses_)[j].def)) continue;
        if (isa_token_choice(j) == index && !waits_for(j, before)) result.push_back(j);
        before.insert(j);
    }
    return result;
}

/// Whether evaluating v may ask for one of these.
bool Converter::waits_for(uint32_t v, const std::unordered_set<uint32_t>& others) {
    std::vector<uint32_t> todo{v};
    std::unordered_set<uint32_t> seen;
    while (!todo.empty()) {
        auto u = todo.back();
        todo.pop_back();
        if (others.contains(u)) return true;
        if (env_.contains((*uses_)[u].def) || !seen.insert(u).second) continue;
        todo.insert(todo.end(), (*uses_)[u].succs.begin(), (*uses_)[u].succs.end());
    }
    return false;
}

/// Makes these choices in the arms of one branch, and passes their results on.
Lam* Converter::choose_together(const std::vector<uint32_t>& choices, Lam* at) {
    std::vector<const Def*> types;
    for (auto i : choices) types.push_back(rewrite((*uses_)[i].def->type()));
    auto next  = new_lam(world_.cn(world_.sigma(types)));
    auto index = facts_.selection((*uses_)[choices.front()].def).index;
    auto lams  = branch_on(index, facts_.selection((*uses_)[choices.front()].def).elems.size(), at);
    for (size_t k = 0; k != lams.size(); ++k) {
        chosen_[index] = {k};
        auto mark      = here();
        auto inside    = lams[k];
        std::vector<const Def*> values;
        for (size_t c = 0; c != choices.size(); ++c) {
            auto def   = (*uses_)[choices[c]].def;
            auto value = new_lam(world_.cn(types[c]));
            context(uses_->arms(choices[c])[k], inside, facts_.selection(def).elems[k], value);
            bind(def, value->var());
            values.push_back(value->var());
            inside = value;
        }
        world_.set_body(inside, world_.app(next, world_.tuple(values)));
        leave(mark);
    }
    chosen_.erase(index);
    for (size_t c = 0; c != choices.size(); ++c) bind((*uses_)[choices[c]].def, world_.extract(next->var(), c));
    return next;
}

/// Lets `at` go to one of as many continuations, which it makes.
std::vector<Lam*> Converter::branch_on(const Def* index, size_t size, Lam* at) {
    auto value = rewrite(index);
    std::vector<const Def*> conts;
    std::vector<Lam*> lams;
    for (size_t k = 0; k != size; ++k) {
        lams.push_back(new_lam(world_.cn(world_.unit_type())));
        conts.push_back(lams.back());
    }
    world_.set_body(at, world_.app(world_.extract(world_.tuple(conts), value), world_.unit()));
    return lams;
}

/// Debuggers show the result of a call by the name that the text gives it.
void Converter::name_result(const Def* call, const Lam* next) {
    auto name = Notes::has_place(call) ? world_.notes.local(call) : nullptr;
    if (!name) return;
    auto here  = *name;
    here.value = next->var();
    world_.notes.add_local(next, here);
}

/// The new form of a function inside of another one: made at its turn, or for one before it that mentions it, so that its variable is younger than
/// those around it.
Lam* Converter::declare(const Lam* lam) {
    auto& made = functions_[lam];
    if (!made) made = stub(lam);
    if (!facts_.has_lazy(lam)) bind(lam, made);
    return made;
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
    if (item.kind == Vertex::Thunk) return world_.set_body(at, world_.app(thunks_[i], cont));
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
    auto lams = branch_on(selection.index, selection.elems.size(), at);
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
