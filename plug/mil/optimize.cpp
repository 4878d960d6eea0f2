// SPDX-License-Identifier: MIT
#include "optimize.h"

#include <algorithm>
#include <stdexcept>

#include "primitives.h"
#include "stages.h"
#include "tree.h"

namespace mim::plug::mil {

namespace {

constexpr size_t kMostRounds = 12;
constexpr size_t kGrowth     = 4;    ///< times the size of the program
constexpr size_t kLeastRoom  = 1000; ///< statements

size_t size_of(const Program& p) {
    size_t size = 0;
    for (auto& e : p.order) {
        if (e.kind == Program::BlockKind) size += p.blocks[e.index].code.statements.size() + 2;
        else size += 1;
    }
    return size;
}

} // namespace

Optimizer::Optimizer(Program& program, Types& all_types, World& w, Report& r, bool may_derive)
    : p(program)
    , types(all_types)
    , algebra(w, program)
    , report(r)
    , may_derive_(may_derive) {
    budget_ = kGrowth * size_of(p) + kLeastRoom;
}

Tail Optimizer::halt(Span at) {
    if (halt_ == kNone) halt_ = find_halt(p, types);
    return {Tail::Primitive, halt_, 0, {}, at};
}

/// Types are found again after the pass. Where a definition calls itself at other types they stay, and those of areas: one
/// of any type would be memory for each type that it is used at. Local variables lose what the text says of them.
void Optimizer::release_signatures() {
    std::vector<Type*> parts;
    auto is_area = [&](const Typing& t) { return t.is_kept && types.is_apply(t.scheme.type, "Ref", parts); };
    auto release = [](Typing& t) { t.is_kept = t.is_claimed = false; };
    p.annotated.clear();
    for (auto& e : p.order) {
        if (e.kind == Program::BlockKind && !p.blocks[e.index].is_kept && !is_general(e)) release(p.blocks[e.index].typing);
        if (e.kind == Program::ClosureKind && !p.closures[e.index].is_kept && !is_general(e)) release(p.closures[e.index].typing);
        bool is_top = e.kind == Program::TopKind && e.index != p.main && !p.tops[e.index].is_kept;
        if (is_top && !is_general(e) && !is_area(p.tops[e.index].typing)) release(p.tops[e.index].typing);
    }
}

bool Optimizer::is_general(const Program::Entry& e) const {
    auto& t = e.kind == Program::BlockKind     ? p.blocks[e.index].typing
              : e.kind == Program::ClosureKind ? p.closures[e.index].typing
                                               : p.tops[e.index].typing;
    return t.is_kept && !t.scheme.variables.empty();
}

/// `x <- b[]`, where b only allocates, becomes top-level definitions of what it allocates.
bool Optimizer::open_top(uint32_t top) {
    auto t = p.tops[top].tail;
    if (t.op != Tail::Block || !t.args.empty() || is_fixed(t.target)) return false;
    auto code      = p.blocks[t.target].code;
    auto allocates = [](const Tail& a) { return a.op == Tail::Build || a.op == Tail::Closure; };
    bool is_open   = code.end == Code::Tailed && allocates(code.tail)
                   && std::ranges::all_of(code.statements, [&](auto& s) { return allocates(s.tail) && s.binds.size() == 1; });
    if (!is_open) return false;
    std::unordered_map<uint64_t, Atom> meanings;
    auto closed = [&](Tail a) {
        for (auto& arg : a.args)
            if (arg.kind == Atom::Var) arg = meanings.at(arg.number);
        return a;
    };
    auto place = std::ranges::find_if(p.order, [&](auto& e) { return e.kind == Program::TopKind && e.index == top; });
    for (auto& s : code.statements) {
        TopDef def{p.tops[top].name, s.tail.at, closed(s.tail), true};
        auto made = add(p.tops, std::move(def));
        place     = std::next(p.order.insert(place, {Program::TopKind, made}));
        if (s.binds[0] != kNone) meanings[s.binds[0]] = {Atom::Top, made};
    }
    p.tops[top].tail = closed(code.tail);
    return true;
}

/// Whoever names one of them is looked at again. False if there is none.
bool Optimizer::open_tops() {
    std::vector<bool> opened(p.tops.size());
    bool any = false;
    for (auto& e : std::vector(p.order)) {
        if (e.kind != Program::TopKind || !open_top(e.index)) continue;
        opened[e.index] = any = true;
    }
    if (!any) return false;
    for (auto& e : p.order) {
        if (e.kind != Program::BlockKind) continue;
        each_atom(p.blocks[e.index].code, [&](const Atom& a) {
            bool is_opened = a.kind == Atom::Top && a.number < opened.size() && opened[a.number];
            if (is_opened) touch(e.index);
        });
    }
    return true;
}

void Optimizer::forget_derived(const std::vector<bool>& changed) {
    auto is_changed = [&](uint32_t b) { return b < changed.size() && changed[b]; };
    std::erase_if(derived_, [&](auto& entry) {
        auto from = static_cast<uint32_t>(std::stoul(entry.first.substr(1)));
        return is_changed(from) || is_changed(entry.second);
    });
}

/// Those that the program does not have any more.
void Optimizer::forget_dead() {
    std::vector<bool> dead(p.blocks.size(), true);
    for (auto& e : p.order)
        if (e.kind == Program::BlockKind) dead[e.index] = false;
    forget_derived(dead);
}

/// The callers of a block that has changed are looked at again.
void Optimizer::mark_callers() {
    auto changed = is_dirty_;
    for (auto& e : p.order) {
        if (e.kind != Program::BlockKind) continue;
        each_callee(p.blocks[e.index].code, [&](Program::Kind kind, uint32_t i) {
            bool calls = kind == Program::BlockKind && i < changed.size() && changed[i];
            if (calls) is_dirty_[e.index] = true;
        });
    }
}

bool Optimizer::rewrite_blocks() {
    bool changes = false;
    auto next    = std::move(is_dirty_);
    is_dirty_.assign(p.blocks.size(), false);
    auto visit = [&](uint32_t b) {
        bool changed = rewrite(*this, b);
        fill_ends();
        is_dirty_.resize(p.blocks.size(), false);
        is_dirty_[b] = is_dirty_[b] || changed;
        changes |= changed;
    };
    auto first_new = static_cast<uint32_t>(p.blocks.size());
    for (auto b : order_)
        if (b < next.size() && next[b]) visit(b);
    for (auto b = first_new; b != p.blocks.size(); ++b) {
        visit(b);
        is_dirty_[b] = true;
    }
    for (auto& e : std::vector(p.order)) {
        if (e.kind == Program::ClosureKind) {
            auto t = p.closures[e.index].tail;
            changes |= rewrite_tail(*this, p.closures[e.index].name, t);
            p.closures[e.index].tail = t;
        } else if (e.kind == Program::TopKind) {
            auto t = p.tops[e.index].tail;
            changes |= rewrite_tail(*this, p.tops[e.index].name, t);
            p.tops[e.index].tail = t;
        }
    }
    fill_ends();
    is_dirty_.resize(p.blocks.size(), true);
    return changes;
}

bool Optimizer::round() {
    shake(p);
    forget_dead();
    bool changes = open_tops();
    look();
    counts_.resize(p.blocks.size());
    for (auto b = roots_.size(); b < p.blocks.size(); ++b) roots_.push_back(static_cast<uint32_t>(b));
    mark_callers();
    changes |= rewrite_blocks();
    shake(p);
    forget_dead();
    look();
    changes |= pass_words(*this);
    changes |= remove_parameters(*this);
    changes |= merge(*this);
    return changes;
}

void Optimizer::run() {
    find_components();
    release_signatures();
    is_dirty_.assign(p.blocks.size(), true);
    for (size_t i = 0; i != kMostRounds; ++i)
        if (!round()) break;
    shake(p);
    look();
    make_static(*this);
    shake(p);
    declare_primitives(p);
}

} // namespace mim::plug::mil
