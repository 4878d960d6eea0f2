// SPDX-License-Identifier: MIT
// The optimizer knows of definitions: who calls whom, who never returns, who has no effects, which parameters
// are looked into.
#include <algorithm>

#include "base/components.h"
#include "optimize.h"
#include "primitives.h"
#include "tree.h"

namespace mim::plug::mil {

namespace {

constexpr size_t kSmall = 6;

bool is_droppable(const Program& p, const Tail& t) {
    if (t.op != Tail::Primitive) return t.op != Tail::Block && t.op != Tail::Enter;
    auto& primitive = p.primitives[t.target];
    auto op         = static_cast<Op>(primitive.code);
    bool is_exact   = (op == Op::Div || op == Op::Rem) && t.args[1].kind == Atom::Word && t.args[1].number != 0;
    return is_exact || primitive.purity == "pure" || primitive.purity == "observer" || primitive.purity == "volatile";
}

bool is_complete(const Program& p, const Code& c) { return c.end != Code::Case || c.otherwise || is_exhaustive(p, c); }

} // namespace

bool is_conversion(const Program& p, const Tail& t) {
    return t.op == Tail::Primitive && static_cast<Op>(p.primitives[t.target].code) == Op::As;
}

/// Nobody has written down the types of functions of C.
static bool is_word_type(const TypeExpr* t) { return t && t->kind == TypeExpr::Con && t->name == "Word"; }

bool takes_word(const Program& p, const Tail& t, size_t argument) {
    if (t.op != Tail::Primitive) return false;
    auto& domain = p.primitives[t.target].domain;
    return argument < domain.size() && is_word_type(domain[argument]);
}

bool gives_word(const Program& p, const Tail& t) {
    if (t.op != Tail::Primitive) return false;
    auto& range = p.primitives[t.target].range;
    return range.size() == 1 && is_word_type(range[0]);
}

bool is_dropped(const Optimizer& o, const Tail& t) { return t.op == Tail::Block ? o.is_total(t.target) : is_droppable(o.p, t); }

bool Optimizer::is_small(const Code& c) const { return c.statements.size() + c.arms.size() + (c.otherwise ? 1 : 0) <= kSmall; }

bool Optimizer::are_together(uint32_t caller, uint32_t callee) const {
    bool is_new = caller >= components_.size() || callee >= components_.size();
    return is_new || components_[caller] == components_[callee];
}

bool Optimizer::is_forward(uint32_t block) const {
    auto& c = p.blocks[block].code;
    return !is_fixed(block) && c.statements.empty() && c.end == Code::Tailed && c.tail.op == Tail::Block
           && c.tail.target != block;
}

bool Optimizer::may_inline(uint32_t caller, uint32_t callee) const {
    if (callee >= fixed_blocks_.size() || fixed_blocks_[callee]) return false;
    bool is_cycle = recursive_[callee] || (caller != kNone && are_together(caller, callee));
    bool is_once  = is_called_once(callee) && callee != caller;
    if (is_cycle) return is_once && caller < components_.size() && callee < components_.size(); // it goes away
    return is_once || is_small(p.blocks[callee].code);
}

/// Nodes are blocks, closures behind them, and top-level definitions.
void Optimizer::find_components() {
    auto blocks = p.blocks.size(), closures = p.closures.size();
    std::vector<std::vector<uint32_t>> edges(blocks + closures);
    uses_.assign(blocks, 0);
    auto gather = [&](std::vector<uint32_t>* out, auto& code) {
        each_callee(code, [&](Program::Kind kind, uint32_t i) {
            if (kind == Program::BlockKind) ++uses_[i];
            if (out) out->push_back(kind == Program::BlockKind ? i : static_cast<uint32_t>(blocks + i));
        });
    };
    for (auto& e : p.order) {
        if (e.kind == Program::BlockKind) {
            gather(&edges[e.index], p.blocks[e.index].code);
            uses_[e.index] += p.blocks[e.index].is_kept;
        }
        if (e.kind == Program::ClosureKind) gather(&edges[blocks + e.index], p.closures[e.index].tail);
        if (e.kind == Program::TopKind) gather(nullptr, p.tops[e.index].tail);
    }
    components_ = ComponentSearch(edges.size(), [&](uint32_t v) -> const std::vector<uint32_t>& { return edges[v]; }).run();
    order_.clear();
    for (auto& e : p.order)
        if (e.kind == Program::BlockKind) order_.push_back(e.index);
    std::ranges::stable_sort(order_, {}, [&](uint32_t b) { return components_[b]; });
    std::vector<uint32_t> sizes(edges.size());
    for (auto c : components_) ++sizes[c];
    recursive_.assign(blocks, false);
    for (auto b : order_) recursive_[b] = sizes[components_[b]] > 1 || std::ranges::find(edges[b], b) != edges[b].end();
}

/// Definitions that call themselves at other types keep their types, and all that is around them.
void Optimizer::find_fixed() {
    auto blocks = p.blocks.size();
    std::set<uint32_t> components;
    auto is_general = [](const Typing& t) { return t.is_kept && !t.scheme.variables.empty(); };
    for (auto& e : p.order) {
        if (e.kind == Program::BlockKind && is_general(p.blocks[e.index].typing) && recursive_[e.index])
            components.insert(components_[e.index]);
        if (e.kind == Program::ClosureKind && is_general(p.closures[e.index].typing))
            components.insert(components_[blocks + e.index]);
    }
    fixed_blocks_.assign(blocks, false);
    fixed_closures_.assign(p.closures.size(), false);
    for (size_t k = 0; k != p.closures.size(); ++k) fixed_closures_[k] = components.contains(components_[blocks + k]);
    for (auto b : order_) {
        bool is_fixed = components.contains(components_[b]);
        each_tail(p.blocks[b].code, [&](auto& t) {
            is_fixed |= t.op == Tail::Primitive && static_cast<Op>(p.primitives[t.target].code) == Op::NoInline;
        });
        fixed_blocks_[b] = is_fixed;
    }
}

/// The greatest set of blocks each of which ends in one of them, or in what never returns.
void Optimizer::find_endless() {
    endless_.assign(p.blocks.size(), true);
    auto is_endless = [&](const Tail& t) {
        if (t.op == Tail::Block) return static_cast<bool>(endless_[t.target]);
        return t.op == Tail::Primitive && p.primitives[t.target].purity == "doesntReturn";
    };
    auto holds = [&](const Code& c) {
        for (auto& s : c.statements)
            if (is_endless(s.tail)) return true;
        if (c.end == Code::Tailed) return is_endless(c.tail);
        bool all = true;
        each_jump(c, [&](auto& j) { all &= static_cast<bool>(endless_[j.block]); });
        return all;
    };
    for (bool changes = true; changes;) {
        changes = false;
        for (auto b : order_) {
            if (!endless_[b] || holds(p.blocks[b].code)) continue;
            endless_[b] = false;
            changes     = true;
        }
    }
}

void Optimizer::find_total() {
    total_.assign(p.blocks.size(), false);
    for (auto b : order_) {
        auto& c   = p.blocks[b].code;
        bool all  = !recursive_[b] && !fixed_blocks_[b] && is_complete(p, c);
        auto know = [&](const Tail& t) { all &= is_dropped(*this, t); };
        if (all) each_tail(c, know);
        each_jump(c, [&](auto& j) { all &= static_cast<bool>(total_[j.block]); });
        total_[b] = all;
    }
}

void Optimizer::find_used(Marks& marks, bool subjects, bool (*looks)(const Program&, const Tail&)) {
    marks.assign(p.blocks.size(), {});
    for (auto b : order_) marks[b].resize(p.blocks[b].params.size());
    auto visit = [&](uint32_t b) {
        auto& def = p.blocks[b];
        std::unordered_map<uint32_t, size_t> places;
        for (size_t i = 0; i != def.params.size(); ++i) places[def.params[i]] = i;
        bool changes = false;
        auto mark    = [&](const Atom& a) {
            auto place = a.kind == Atom::Var ? places.find(static_cast<uint32_t>(a.number)) : places.end();
            if (place == places.end() || marks[b][place->second]) return;
            marks[b][place->second] = true;
            changes                 = true;
        };
        auto call = [&](uint32_t callee, const Atoms& args) {
            for (size_t i = 0; i != args.size(); ++i)
                if (i < marks[callee].size() && marks[callee][i]) mark(args[i]);
        };
        each_tail(def.code, [&](auto& t) {
            if (t.op == Tail::Block) call(t.target, t.args);
            if (looks(p, t)) mark(t.args[0]);
        });
        each_jump(def.code, [&](auto& j) { call(j.block, j.args); });
        if (subjects && def.code.end != Code::Tailed) mark(def.code.subject);
        return changes;
    };
    for (bool changes = true; changes;) {
        changes = false;
        for (auto b : order_) changes |= visit(b);
    }
}

void Optimizer::find_inspected() {
    find_used(inspected_, true,
              [](const Program&, const Tail& t) { return t.op == Tail::Select || t.op == Tail::Enter || t.op == Tail::Assert; });
    find_used(converted_, false, is_conversion);
}

/// A variable has one type: what takes a word says it, and so does a definition that it is passed to.
void Optimizer::find_words() {
    bool changes = true;
    auto mark    = [&](const Atom& a) {
        if (a.kind == Atom::Var) changes |= words.insert(static_cast<uint32_t>(a.number)).second;
    };
    auto pass = [&](const Atoms& args, const std::vector<uint32_t>& params) {
        for (size_t i = 0; i != std::min(args.size(), params.size()); ++i)
            if (words.contains(params[i])) mark(args[i]);
    };
    auto visit = [&](const Tail& t) {
        if (t.op == Tail::Block) pass(t.args, p.blocks[t.target].params);
        if (t.op == Tail::Closure) pass(t.args, p.closures[t.target].stored);
        for (size_t i = 0; i != t.args.size(); ++i)
            if (takes_word(p, t, i)) mark(t.args[i]);
    };
    while (std::exchange(changes, false))
        for (auto& e : p.order) {
            if (e.kind == Program::ClosureKind) visit(p.closures[e.index].tail);
            if (e.kind != Program::BlockKind) continue;
            auto& code = p.blocks[e.index].code;
            each_tail(code, visit);
            each_jump(code, [&](auto& j) { pass(j.args, p.blocks[j.block].params); });
            for (auto& s : code.statements)
                if (s.binds.size() == 1 && s.binds[0] != kNone && gives_word(p, s.tail)) words.insert(s.binds[0]);
        }
}

/// Blocks at whose end something is made that a `case` or an entry behind them would look into.
void Optimizer::find_giving() {
    gives_.assign(p.blocks.size(), false);
    auto is_made = [](const Tail& t) { return t.op == Tail::Build || t.op == Tail::Closure; };
    auto holds   = [&](const Code& c) {
        bool any = false;
        each_jump(c, [&](auto& j) { any |= static_cast<bool>(gives_[j.block]); });
        if (c.end != Code::Tailed) return any;
        if (is_made(c.tail)) return true;
        if (c.tail.op == Tail::Block) return static_cast<bool>(gives_[c.tail.target]);
        if (c.tail.op != Tail::Return) return false;
        for (auto& a : c.tail.args) {
            bool is_constant = a.kind == Atom::Flag || (a.kind == Atom::Top && static_value(static_cast<uint32_t>(a.number)));
            if (is_constant) return true;
            for (auto& s : c.statements)
                if (a.kind == Atom::Var && s.binds == std::vector{static_cast<uint32_t>(a.number)} && is_made(s.tail))
                    return true;
        }
        return false;
    };
    for (bool changes = true; changes;) {
        changes = false;
        for (auto b : order_) {
            if (gives_[b] || !holds(p.blocks[b].code)) continue;
            gives_[b] = changes = true;
        }
    }
}

const Tail* Optimizer::static_value(uint32_t top) const {
    auto& t      = p.tops[top].tail;
    bool is_made = t.op == Tail::Build || t.op == Tail::Closure;
    bool is_open = std::ranges::any_of(t.args, [](auto& a) { return a.kind == Atom::Var; });
    return is_made && !is_open ? &t : nullptr;
}

void Optimizer::look() {
    find_components();
    find_fixed();
    find_endless();
    find_total();
    find_inspected();
    find_words();
    find_giving();
}

} // namespace mim::plug::mil
