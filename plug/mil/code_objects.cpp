// SPDX-License-Identifier: MIT
// Objects: a header and slots (runtime/heap.h). The first slot of a closure is its code.
#include "code_maker.h"

namespace mim::plug::mil {

namespace {

/// The table begins with the lists of free cells.
constexpr size_t kLists = 64;

uint64_t header(uint64_t tag, size_t slots, uint64_t first_16) { return tag << 52 | first_16 << 36 | uint64_t(slots) << 28 | 1; }

} // namespace

Held CodeMaker::held(const Atom& a) const {
    if (a.kind == Atom::Var) return a.number < c_.variables.size() ? c_.variables[a.number] : Held::Plain;
    return a.kind == Atom::Top ? c_.tops[a.number] : Held::Plain;
}

const mim::Def* CodeMaker::cell(size_t slots, uint32_t token) {
    bool is_large = slots >= kLists;
    auto size     = number(slots);
    if (token == kNone || is_large)
        call(is_large ? w.annex(large_cell(0)) : w.annex(mil::cell(0)), {w.tuple({mem_, tops_, size})}, 1);
    else call(w.annex(cell_in(0)), {w.tuple({mem_, tops_, size, locals_.at(token)})}, 1);
    return w.extract(now_->var(), 1);
}

/// A new object. The values are the arguments, from the slot `first_value` on.
const mim::Def* CodeMaker::object(const Tail& t, uint64_t tag, Values slots, size_t first_value) {
    auto count = slots.size();
    std::vector<uint64_t> counted(count / 64 + 1);
    for (size_t i = 0; i != t.args.size(); ++i) {
        auto slot = first_value + i;
        if (held(t.args[i]) != Held::Plain) counted[slot / 64] |= uint64_t(1) << slot % 64;
    }
    auto size = slots_for(count);
    for (size_t i = count; i != size; ++i) slots.push_back(number(counted[i - count]));
    auto at = cell(size, t.token);
    store(element(at, 0, size + 1), number(header(tag, size, count <= 16 ? counted[0] : 0)));
    for (size_t i = 0; i != size; ++i) store(element(at, i + 1, size + 1), slots[i]);
    return at;
}

/// Without fields it is an odd number.
const mim::Def* CodeMaker::build(const Tail& t) {
    if (is_bits(p_, t.target)) return row(t);
    auto tag = p_.cons[t.target].tag;
    return t.args.empty() ? number(2 * uint64_t(tag) + 1) : object(t, tag, atoms(t.args), 0);
}

/// The code and what it captures.
const mim::Def* CodeMaker::allocate(const Tail& t) {
    Values slots{w.call<core::bitcast>(word_, closures_[t.target])};
    for (auto v : atoms(t.args)) slots.push_back(v);
    return object(t, 0, std::move(slots), 1);
}

void CodeMaker::effect(const mim::Def* callee, Values args) {
    auto next = block("next");
    finish(w.app(callee, {w.tuple(args), next}));
    go_on(next);
}

void CodeMaker::dup(const mim::Def* value, Held how) {
    if (how != Held::Plain) effect(how == Held::Object ? w.annex(mil::dup(0)) : w.annex(dup_mixed(0)), {mem_, value});
}

void CodeMaker::drop(const mim::Def* value, Held how) {
    if (how != Held::Plain) effect(how == Held::Object ? w.annex(mil::drop(0)) : w.annex(drop_mixed(0)), {mem_, tops_, value});
}

void CodeMaker::free_cell(const mim::Def* cell, size_t slots) {
    if (slots >= kLists) effect(w.annex(free_large(0)), {mem_, tops_, cell});
    else effect(w.annex(mil::free(0)), {mem_, tops_, number(slots), cell});
}

/// The cell of an object whose last reference goes, its fields being somebody's else; 0 if there are others, and then the
/// fields have one more reference.
const mim::Def* CodeMaker::reuse(const mim::Def* object, const Atoms& fields, size_t first) {
    auto header = load(pointer(object, word_));
    auto count  = bits(core::bit2::and_, header, number(0xfffffff));
    auto join   = functions_.lam(returns(1), "opened");
    auto last   = block("last");
    auto others = block("others");
    split(w.call(core::icmp::e, {count, number(1)}), last, others);
    go_on(last);
    finish(w.app(join, {mem_, object}));
    go_on(others);
    for (auto i = first; i != fields.size(); ++i) dup(atom(fields[i]), held(fields[i]));
    effect(w.annex(less(0)), {mem_, object, header});
    finish(w.app(join, {mem_, number(0)}));
    enter(join);
    return w.extract(join->var(), 1);
}

void CodeMaker::change(const Tail& t) {
    auto value = atom(t.args[0]);
    if (t.op == Tail::Dup) dup(value, held(t.args[0]));
    else if (t.op == Tail::Drop) drop(value, held(t.args[0]));
    else free_cell(value, t.index);
}

} // namespace mim::plug::mil
