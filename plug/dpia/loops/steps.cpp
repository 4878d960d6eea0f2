// SPDX-License-Identifier: MIT
// `iterate`: steps between two buffers, which change places. The first step and the last
// one are written apart, since what they read and write may be views.
#include "core/annexes.h"
#include "kit/match.h"
#include "loops.h"
#include "mem/annexes.h"

namespace mim::plug::dpia {

static Polynomial number_of(uint64_t n) { return Polynomial::number(Polynomial::Number(n)); }

void LoopCode::copy(const Def* type, const CPlaceRef& to, const CValueRef& from) {
    if (auto parts = pair(type)) {
        copy(parts.first, to->first, from->first);
        return copy(parts.second, to->second, from->second);
    }
    if (auto parts = array(type))
        return loop(parts.size, "i", [&](auto& i) { copy(parts.elem, to->element(i), from->element(i)); });
    Parts all;
    collect(to, from, type, all);
    write_all(all, type);
}

/// Without steps, the result is what they would begin with.
void LoopCode::iterate(const Def* c) {
    auto [space, steps]  = elems<2>(w, group(c, 0));
    auto [m, n, element] = elems<3>(w, group(c, 1));
    Steps s{group(c, 2), element, size(steps), size(n), size(m), value(group(c, 3)), place(arg_of(c))};
    if (auto known = s.count.value()) return *known == 1 ? step(s.step, s.last, s.from, s.to) : buffered(s);
    begin_statement();
    auto count = word(s.count);
    auto is    = [&](uint64_t k) { return w.call(core::icmp::xyglE, {count, coder_.word(k)}); };
    auto array = w.apply<rise::Arr>({m, element});
    auto some  = [&] { either(is(1), [&] { step(s.step, s.last, s.from, s.to); }, [&] { buffered(s); }); };
    either(is(0), [&] { copy(array, s.to, s.from); }, some);
}

/// The elements that are left before so many steps.
static Polynomial row(Sizes& sizes, const Polynomial& last, const Polynomial& part, const Polynomial& steps) {
    auto known = steps.value();
    if (!known) return last * sizes.size(SizeOp::Power, {sizes.node(part), sizes.node(steps)});
    auto result = last;
    for (Polynomial::Number i = 0; i != *known; ++i) result = result * part;
    return result;
}

/// At least two steps. The exponent is one that no size makes wrap: it says nothing of other cases, but may be computed
/// in them.
void LoopCode::buffered(const Steps& s) {
    auto known       = s.count.value();
    auto one         = number_of(1);
    auto before_last = known ? s.count - one : sizes_.size(SizeOp::Difference, {sizes_.node(s.count), sizes_.node(one)});
    auto array       = w.apply<rise::Arr>({w.lit_nat(0), s.element}); // its length is not asked for
    auto num_outside = buffers_.size();
    auto first       = row(sizes_, s.last, s.part, before_last);
    auto result      = memory_for(s.element, first, "buffer");
    step(s.step, first, s.from, CCode::store(array, result));
    bool is_one_step = known && *known == 3;
    if (!known || *known > 2) {
        auto two    = number_of(2);
        auto before = known ? s.count - two : sizes_.size(SizeOp::Difference, {sizes_.node(s.count), sizes_.node(two)});
        auto length = row(sizes_, s.last, s.part, before);
        auto other  = memory_for(s.element, length, "buffer");
        if (is_one_step) step(s.step, length, CCode::load(array, result), CCode::store(array, other));
        result = is_one_step ? other : steps_between(s, first, result, other);
    }
    step(s.step, s.last, CCode::load(array, result), s.to);
    free_from(num_outside);
}

/// All but the first step and the last one; the name of the memory that the last of them wrote. If a step leaves
/// nothing, its rows are empty, and are divided by 1.
std::string LoopCode::steps_between(const Steps& s, const Polynomial& first, const std::string& source,
                                    const std::string& other) {
    std::vector<CLeaf> sources, others, from, to;
    add_leaves(sources, s.element, source, {}, true);
    add_leaves(others, s.element, other, {}, true);
    auto src = text_.unique("src"), dst = text_.unique("dst");
    add_leaves(from, s.element, src, {}, true);
    add_leaves(to, s.element, dst, {}, true);

    begin_statement();
    auto bound = nat(s.count);
    auto part  = size_operation(SizeOp::Max, word(s.part), coder_.word(1));
    DefVec start{mem_, w.lit_nat(2), word(first)};
    for (auto& leaf : sources) start.push_back(memory(leaf.name).pointer);
    for (size_t i = 0; i != others.size(); ++i)
        start.push_back(w.call<core::bitcast>(start[3 + i]->type(), memory(others[i].name).pointer));
    auto head = functions_.con(w.sigma(map_defs(start, [](auto x) { return x->type(); })), "steps");
    auto turn = functions_.con(w.unit_type(), "turn");
    auto done = functions_.con(w.unit_type(), "done");
    go(w.app(head, start));
    here_       = head;
    auto vars   = def_vec(start.size(), [&](size_t i) { return w.extract(head->var(), i); });
    auto number = sources.size();
    for (size_t i = 0; i != number; ++i) {
        auto& memory            = this->memory(sources[i].name);
        memories_[from[i].name] = {vars[3 + i], memory.cell, memory.count};
        memories_[to[i].name]   = {vars[3 + number + i], memory.cell, memory.count};
    }
    choose_block(w.call(core::ncmp::l, {vars[1], bound}), turn, done);

    here_                  = turn;
    mem_                   = vars[0];
    auto l                 = sizes_.name(text_.unique("l"));
    auto rest              = coder_.div(vars[2], part);
    atoms_[sizes_.node(l)] = rest;
    auto array             = w.apply<rise::Arr>({w.lit_nat(0), s.element});
    step(s.step, l, CCode::load(array, src), CCode::store(array, dst));
    DefVec next{mem_, w.call(core::nat::add, {vars[1], w.lit_nat(1)}), rest};
    next.insert(next.end(), vars.begin() + 3 + static_cast<std::ptrdiff_t>(number), vars.end());
    next.insert(next.end(), vars.begin() + 3, vars.begin() + 3 + static_cast<std::ptrdiff_t>(number));
    go(w.app(head, next));
    here_ = done;
    mem_  = vars[0];
    return src;
}

} // namespace mim::plug::dpia
