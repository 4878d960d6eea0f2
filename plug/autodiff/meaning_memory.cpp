// SPDX-License-Identifier: MIT
// The meaning of %autodiff.reverse for the evaluator. A function over memory has as inputs its numbers and those that its
// pointers point to, and as outputs its value and the same memory at its end. The pullback runs it again from the memory
// that it began with, once for each number of the inputs, and adds up how the outputs change.
#include <map>

#include "ir/questions.h"
#include "meaning.h"
#include "mem/annexes.h"

namespace mim::plug::autodiff {

namespace {

/// A number in memory, and the place of its cotangent.
struct Cell {
    Value type, at, shadow;
};

/// The value in an allocation.
struct Content {
    std::unordered_map<uint64_t, eval::Page> pages;
    std::map<uint64_t, Value> objects;
    eval::Allocation::Life life;
};
using Contents = std::map<eval::Allocation*, Content>;

/// The inputs of a function, as it is called.
struct Inputs {
    Function f;
    Value x; ///< without shadows
    std::vector<Cell> cells;
    Contents begin;
    const Def* where;
};

bool is_pointer(const TypeView& type) { return type.form == TypeView::Axiom && is_tag<mem::PtrAS>(*type.axiom); }

Contents contents_of(const std::vector<Cell>& cells) {
    Contents result;
    for (auto& cell : cells) {
        auto& alloc = *cell.at.ptr().alloc;
        auto& kept  = result[&alloc];
        if (!kept.pages.empty()) continue;
        for (auto& [i, page] : alloc.pages) kept.pages.emplace(i, *page);
        kept.objects = alloc.objects, kept.life = alloc.life;
    }
    return result;
}

void restore(const Contents& contents) {
    for (auto& [alloc, kept] : contents) {
        alloc->pages.clear();
        for (auto& [i, page] : kept.pages) alloc->pages.emplace(i, std::make_unique<eval::Page>(page));
        alloc->objects = kept.objects, alloc->life = kept.life;
    }
}

/// Finds the numbers behind a pointer to a value of this type.
void add_cells(Machine& m, std::vector<Cell>& cells, const Value& type, const Value& at, const Value& shadow, const Def* where) {
    auto view = m.types().view(type);
    if (is_number(view)) {
        bool is_known = std::ranges::any_of(cells, [&](auto& cell) { return same_ptr(cell.at, at); });
        if (!is_known) cells.push_back({type, at, shadow});
        return;
    }
    bool is_aggregate = view.form == TypeView::Arr || view.form == TypeView::Sigma;
    if (view.form == TypeView::Union || is_pointer(view)) m.fail("a derivative over memory that holds unions or pointers", where);
    if (!is_aggregate) return;
    eval::Values types, tangents;
    for (uint64_t i = 0; i != view.size; ++i) {
        types.push_back(m.types().elem_type(view.type, i));
        tangents.push_back(is_number(m.types().view(types.back()))
                               ? types.back()
                               : m.eval(m.world().apply<Tan>(m.types().reify(types.back(), where))));
    }
    auto all = m.tuple(types), all_tangents = m.tuple(tangents);
    for (uint64_t i = 0; i != view.size; ++i) {
        auto n = Value::num(view.size);
        add_cells(m, cells, types[i], m.memory().lea(at, n, all, i, where), m.memory().lea(shadow, n, all_tangents, i, where),
                  where);
    }
}

/// Whether there is a pointer in it.
bool points(Machine& m, const Value& type) {
    auto view = m.types().view(type);
    if (view.form != TypeView::Sigma && view.form != TypeView::Arr) return is_pointer(view);
    for (uint64_t i = 0; i != view.size && (i == 0 || view.form != TypeView::Arr); ++i)
        if (points(m, m.types().elem_type(view.type, i))) return true;
    return false;
}

/// The value without shadows, which have their cells then.
Value without_shadows(Machine& m, std::vector<Cell>& cells, const Value& type, const Value& lazy, const Def* where) {
    auto view = m.types().view(type);
    if (is_pointer(view)) {
        auto [at, shadow] = m.elems<2>(lazy);
        auto value        = m.force(at);
        add_cells(m, cells, m.elem(view.groups[0], 0), value, m.force(shadow), where);
        return value;
    }
    if (view.form != TypeView::Sigma && view.form != TypeView::Arr) return m.force(lazy);
    eval::Values parts;
    for (uint64_t i = 0; i != view.size; ++i)
        parts.push_back(without_shadows(m, cells, m.types().elem_type(view.type, i), m.elem(lazy, i, view.size), where));
    return m.tuple(std::move(parts));
}

/// Poison, if nobody has put anything there.
Value read(Machine& m, const Cell& cell, const Def* where) {
    auto was                   = std::exchange(m.memory().loads_unwritten, true);
    auto result                = m.memory().load(cell.at, cell.type, where);
    m.memory().loads_unwritten = was;
    return result;
}

/// How the outputs change along `s` and the shadows, if one number changes: that of a cell, or the k-th one of x.
Value change_by(Machine& m, const Inputs& in, const Value& s, const eval::Values& shadows, const Cell* changed, uint64_t k,
                const TypeView& to) {
    auto direction = m.new_direction();
    restore(in.begin);
    if (changed) {
        auto unit  = unit_tangent(m, changed->type, Value::num(0), 0);
        auto value = read(m, *changed, in.where);
        if (value.is(Kind::Poison)) return Value::num(0);
        auto dual = with_change(m, changed->type, value, unit, direction);
        m.memory().store(changed->at, changed->type, dual, in.where);
    }
    auto y      = run(m, in.f, in.x, unit_tangent(m, in.f.from, in.x, changed ? ~0ull : k), direction);
    auto change = along(m, in.f.to, m.deep(y), s, direction, to);
    for (size_t i = 0; i != in.cells.size(); ++i) {
        auto& cell = in.cells[i];
        auto value = read(m, cell, in.where);
        if (value.is(Kind::Poison)) continue;
        change = sum(m, to, change, along(m, cell.type, value, shadows[i], direction, to));
    }
    return change ? change : Value::num(0);
}

/// The cotangents of what the function takes, of which those of memory go to the shadows.
Value pulled_back(Machine& m, const Inputs& in, const Value& s) {
    eval::Values shadows, sums;
    for (auto& cell : in.cells) shadows.push_back(m.memory().load(cell.shadow, cell.type, in.where));
    auto now    = contents_of(in.cells);
    uint64_t k  = 0;
    auto result = tangent_with(m, in.f.from, in.x,
                               [&](auto& view, auto&) { return change_by(m, in, s, shadows, nullptr, k++, view); });
    for (auto& cell : in.cells) sums.push_back(change_by(m, in, s, shadows, &cell, 0, m.types().view(cell.type)));
    restore(now);
    for (size_t i = 0; i != in.cells.size(); ++i) m.memory().store(in.cells[i].shadow, in.cells[i].type, sums[i], in.where);
    return result;
}

} // namespace

Value mean_reverse(Machine& m, const Def* app) {
    auto [from, to] = m.elems<2>(m.group(0));
    if (points(m, to)) m.fail("a derivative of what returns pointers", app);
    Function f{from, to, m.force(m.group(1)), true};
    auto [given, k] = m.elems<2>(m.group(2));
    Inputs in{f, {}, {}, {}, app};
    in.x      = without_shadows(m, in.cells, f.from, given, app);
    in.begin  = contents_of(in.cells);
    auto y    = m.deep(m.call_cps(f.code, &in.x));
    auto back = m.host_fn([in](Machine& m, Value arg) {
        auto [s, k] = m.elems<2>(arg);
        return m.go_on(k, pulled_back(m, in, m.deep(s)));
    });
    return m.go_on(k, m.tuple({y, back}));
}

} // namespace mim::plug::autodiff
