// SPDX-License-Identifier: MIT
// See tables.h. That a table is made in front of all loops is seen to by loops.h, as for every invariant.
#include "lower/tables.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/worklist.h"
#include "kit/build.h"
#include "kit/selective.h"
#include "lower/loops.h"
#include "math/annexes.h"
#include "normal.h"
#include "tensor.h"
#include "tensor/diagnostics.h"

namespace mim::plug::tensor {

namespace {

/// A dimension of the loops around an expression, or a function around it that is no loop.
struct Turn {
    const Lam* f;
    const Def* number = nullptr; ///< of a `generate`: what the function gets, or an element of it
    const Def* extent = nullptr; ///< of a `generate`
    bool is_loop      = true;
    bool is_mentioned = false;
};

/// The function that the operation calls for each element; null if it is none or calls one that is not known.
const Lam* function_of(World& w, const Def* op) {
    if (match<generate>(op)) return isa_known(group(op, 3));
    if (match<tensor::map>(op) || match<zip>(op) || match<fold>(op) || match<scan>(op)) return isa_known(group(op, 1));
    return match<map_reduce>(op) ? isa_known(elem(w, group(op, 2), 0)) : nullptr;
}

/// A call of a function of the C library, or as long: roots and quotients are as fast as memory that is not near.
bool is_call(const Def* def) {
    auto axm = saturated_axiom(def) ? head_axiom(def) : nullptr;
    return axm && takes_long(axm->axiom()) && !is_tag<math::arith>(axm->axiom()) && !is_tag<math::rt>(axm->axiom());
}

class Tables : public SelectiveRewriter {
public:
    explicit Tables(PhaseContext& c)
        : SelectiveRewriter(c)
        , w(c.world)
        , diags_(c.diags)
        , loops_(c.world) {}

    void make() {
        for (auto def : program().nodes()) note_function(def);
        for (auto f : generates_) look_into(f);
        if (!elements_.empty()) run();
    }

protected:
    bool wants(const Def* def) override { return elements_.contains(def); }
    const Def* rewrite_imm(const Def* def) override {
        auto element = elements_.find(def);
        return element == elements_.end() ? SelectiveRewriter::rewrite_imm(def) : rewrite(element->second);
    }

private:
    void note_function(const Def* op);
    void look_into(const Lam*);
    bool has_call(const Def*);
    bool is_in_loop(const Def*);
    bool is_plain(const Def*);
    size_t depth(const Lam*);
    std::vector<const Lam*> around(const Def*);
    void add_turns(std::vector<Turn>&, const Lam*, const Def* mentioning);
    std::vector<Turn> turns_around(const Def*);
    bool may_leave(std::span<const Turn> outer, std::span<const Turn> inner);
    const Def* element_for(const Def*);
    const Def* table(const Def*, std::span<const Turn> dims);

    World& w;
    Diagnostics& diags_;
    Loops loops_;
    std::vector<const Lam*> generates_;                      ///< functions, in the order of the program
    std::unordered_map<const Def*, const Def*> generate_of_; ///< the only operation that has this function
    std::unordered_set<const Def*> loops_of_elements_;       ///< functions that are called in each turn of a loop
    std::unordered_map<const Def*, const Def*> elements_;    ///< what is put into a table, and the element there
    std::unordered_map<const Def*, bool> has_call_, is_plain_;
    std::unordered_map<const Def*, size_t> depth_;
};

void Tables::note_function(const Def* op) {
    auto f = op->isa<App>() ? function_of(w, op) : nullptr;
    if (!f || !f->var() || f->filter() != w.tt()) return;
    loops_of_elements_.insert(f);
    if (!match<generate>(op) || program().users(f).size() != 1) return;
    generates_.push_back(f);
    generate_of_.emplace(f, op);
}

bool Tables::has_call(const Def* def) {
    if (def->isa<Lam>() || def->isa<Var>() || !def->type() || is_type(def)) return false;
    auto [known, fresh] = has_call_.try_emplace(def, false);
    if (!fresh) return known->second;
    bool result = is_call(def);
    for (auto op : def->ops()) result = result || (op && has_call(op));
    return has_call_[def] = result;
}

bool Tables::is_in_loop(const Def* def) {
    auto vars = free_vars(w, def);
    return std::ranges::any_of(vars, [&](auto var) { return loops_of_elements_.contains(var->template as<Var>()->binder()); });
}

/// It consists of operations on numbers, and of elements of arrays that no turn of a loop makes.
bool Tables::is_plain(const Def* def) {
    if (def->isa<Lam>() || def->isa<Match>()) return false;
    if (def->isa<Var>() || !def->type() || is_type(def)) return true;
    auto [known, fresh] = is_plain_.try_emplace(def, false);
    if (!fresh) return known->second;
    if (!is_in_loop(def)) return is_plain_[def] = true;
    auto axm    = saturated_axiom(def) ? head_axiom(def) : nullptr;
    bool result = !axm || !is_of_plugin<generate>(axm->axiom());
    for (auto op : def->ops()) result = result && (!op || is_plain(op));
    return is_plain_[def] = result;
}

/// The number of functions around this one: it mentions a variable of each, or one inside of it does.
size_t Tables::depth(const Lam* f) {
    if (auto known = depth_.find(f); known != depth_.end()) return known->second;
    size_t result = 0;
    for (auto var : free_vars(w, f))
        if (auto outer = var->as<Var>()->binder()->isa<Lam>()) result = std::max(result, depth(outer) + 1);
    return depth_[f] = result;
}

/// The functions around the expression, the outermost one first.
std::vector<const Lam*> Tables::around(const Def* def) {
    std::vector<const Lam*> result;
    Worklist<const Def*> todo{def};
    while (auto inner = todo.next()) {
        for (auto var : free_vars(w, inner)) {
            auto f = var->as<Var>()->binder()->isa<Lam>();
            if (f && std::ranges::find(result, f) == result.end()) result.push_back(f), todo.push(f);
        }
    }
    std::ranges::sort(result, {}, [&](auto f) { return depth(f); });
    return result;
}

/// Whether the expression mentions the element of a function's argument that is a dimension of several.
bool mentions(World& w, const Def* def, const Def* number) {
    auto var = number->as<Extract>()->tuple();
    Worklist<const Def*> todo{def};
    while (auto part = todo.next()) {
        if (part == number || part == var) return true;
        if (part->isa<Extract>() && part->as<Extract>()->tuple() == var) continue; // another dimension
        if (is_free_in(w, var, part)) todo.push_all(part->ops());
    }
    return false;
}

void Tables::add_turns(std::vector<Turn>& turns, const Lam* f, const Def* def) {
    bool is_mentioned = is_free_in(w, f->var(), def);
    auto op           = generate_of_.find(f);
    auto extents      = op == generate_of_.end() ? std::nullopt : elements_of(w, group(op->second, 0), group(op->second, 1));
    if (!extents) return turns.push_back({f, nullptr, nullptr, loops_of_elements_.contains(f), is_mentioned});
    for (uint64_t d = 0; d != extents->size(); ++d) {
        auto number = extents->size() == 1 ? f->var() : w.extract(f->var(), d);
        bool is_in  = is_mentioned && (extents->size() == 1 || mentions(w, def, number));
        turns.push_back({f, number, (*extents)[d], true, is_in});
    }
}

std::vector<Turn> Tables::turns_around(const Def* def) {
    std::vector<Turn> turns;
    for (auto f : around(def)) add_turns(turns, f, def);
    return turns;
}

/// Whether a table of the inner dimensions may be made in front of the first of these loops: all functions in between
/// are code of loops, and what it depends on is there.
bool Tables::may_leave(std::span<const Turn> outer, std::span<const Turn> inner) {
    auto& first    = inner.front();
    bool is_inside = std::ranges::any_of(outer, [&](auto& turn) { return turn.f == first.f && turn.is_mentioned; });
    bool repeats   = first.is_loop && !first.is_mentioned && !(first.extent && is_value(first.extent, 1));
    if (is_inside || !repeats) return false;
    auto is_bound = [&](const Def* extent) {
        return std::ranges::any_of(inner, [&](auto& turn) { return is_free_in(w, turn.f->var(), extent); });
    };
    auto fits = [&](const Turn& turn) {
        if (!turn.is_mentioned) return turn.is_loop;
        return turn.extent && !is_bound(turn.extent);
    };
    bool has_any = std::ranges::any_of(inner, &Turn::is_mentioned);
    return has_any && std::ranges::all_of(inner, fits);
}

const Def* Tables::table(const Def* def, std::span<const Turn> dims) {
    auto extents  = map_defs(dims, [](auto& turn) { return turn.extent; });
    auto callee   = w.app(w.annex(generate(0)), w.lit_nat(dims.size()));
    auto op       = w.app(w.app(callee, w.tuple(extents)), def->type());
    auto function = w.mut_lam(op->type()->as<Pi>()->dom());
    auto index    = [&](size_t i) { return dims.size() == 1 ? function->var() : w.extract(function->var(), i); };
    auto body     = def;
    for (size_t i = 0; i != dims.size();) {
        auto var = dims[i].f->var();
        if (dims[i].number == var) {
            body = w.subst(body, var, index(i++));
            continue;
        }
        auto arity   = uint64_t(lit_arity(w, var->type()));
        auto numbers = def_vec(arity, [&](auto d) { return w.extract(var, d); });
        for (; i != dims.size() && dims[i].f->var() == var; ++i) *std::ranges::find(numbers, dims[i].number) = index(i);
        body = w.subst(body, var, w.tuple(var->type(), numbers));
    }
    w.set(function, w.tt(), body);
    auto result = w.app(op, w.seal(function));
    w.notes.copy_info(def, result);
    return result;
}

/// The element of a table that the expression is equal to; null: none is worth it.
const Def* Tables::element_for(const Def* def) {
    bool is_worth_it = has_call(def) && saturated_axiom(def) && is_plain(def) && loops_.is_total(def);
    if (!is_worth_it || def->type()->isa<Arr>() || def->type()->isa<Sigma>()) return nullptr;
    auto turns = turns_around(def);
    for (size_t i = 0; i != turns.size(); ++i) {
        auto outer = std::span(turns).first(i), inner = std::span(turns).subspan(i);
        if (!may_leave(outer, inner)) continue;
        std::vector<Turn> dims;
        std::ranges::copy_if(inner, std::back_inserter(dims), &Turn::is_mentioned);
        auto element = table(def, dims);
        for (auto& dim : dims) element = w.extract(element, dim.number);
        return element;
    }
    return nullptr;
}

std::string name_of_head(const Def* app) { return head_axiom(app)->axiom().name.str(); }

/// Looks for the largest expressions that each of its calls evaluates, and that tables may have.
void Tables::look_into(const Lam* f) {
    std::unordered_set<const Def*> seen;
    Worklist<const Def*> todo{f->body()};
    while (auto def = todo.next()) {
        if (def->isa<Lam>() || !has_call(def) || elements_.contains(def) || !seen.insert(def).second) continue;
        if (auto element = element_for(def)) {
            elements_.emplace(def, element);
            if (diags_.verbose) diags_.report(diag::tabled(name_of_head(def)), w.notes.span(def));
            continue;
        }
        auto extract = def->isa<Extract>();
        bool chooses = extract && extract->tuple()->isa<Tuple>() && !isa_lit(extract->index());
        if (chooses) todo.push(extract->index());
        else todo.push_all(def->ops());
    }
}

} // namespace

void make_tables(PhaseContext& c) { Tables(c).make(); }

} // namespace mim::plug::tensor
