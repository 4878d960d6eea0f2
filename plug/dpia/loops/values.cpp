// SPDX-License-Identifier: MIT
// Nodes of expressions as values of the graph.
#include "affine/annexes.h"
#include "core/annexes.h"
#include "kit/match.h"
#include "loops.h"
#include "math/annexes.h"
#include "mem/annexes.h"

namespace mim::plug::dpia {

// ---- nodes of terms

CRef LoopCode::node_of(const Def* prefix, const Def* type, std::vector<CRef> args, Maker maker) {
    auto node     = sizes_.call("op" + std::to_string(prefix->id()), scalar(type).name, std::move(args));
    makers_[node] = std::move(maker);
    return node;
}

CValueRef LoopCode::value_of(const Def* prefix, const Def* type, std::vector<CRef> args, Maker maker) {
    auto node = node_of(prefix, type, std::move(args), std::move(maker));
    return is_size(type) ? number(sizes_.opaque(node)) : of_scalar(node);
}

CValueRef LoopCode::literal(const Def* type, uint64_t bits) {
    auto t = scalar(type);
    if (t.kind == CScalar::Size) return number(Polynomial::number(Polynomial::Number(bits)));
    if (t.kind == CScalar::Bool) return of_scalar(truth(bits != 0));
    auto node     = sizes_.atom("lit" + std::to_string(bits), t.name);
    auto host     = coder_.scalar_type(type);
    bool is_float = t.kind == CScalar::Float;
    atoms_[node]  = is_float ? w.raw_lit(host, bits) : host == coder_.i64() ? coder_.word(bits) : w.lit_idx(isa_idx(host), bits);
    return of_scalar(node);
}

/// Operations on numbers; those on sizes are as in C.
CValueRef LoopCode::operation(const Def* term, const ScopeRef& s) {
    auto part = [&](size_t i) { return value(group(term, i), s)->scalar; };
    auto type = term->type();
    auto t    = rise::scalar_of(type);
    if (match<rise::number>(term)) {
        if (is_size(type)) return nullptr;
        auto op = sub_of(term);
        return value_of(callee_of(callee_of(term)), type, {part(1), part(2)},
                        [=, this](const DefVec& x) { return arithmetic_.number(op, t, type, x[0], x[1]); });
    }
    if (match<rise::unary>(term)) {
        if (is_size(type)) return nullptr;
        auto op = sub_of(term);
        return value_of(callee_of(term), type, {part(1)},
                        [=, this](const DefVec& x) { return arithmetic_.unary(op, t, type, x[0]); });
    }
    if (match<rise::fma>(term))
        return value_of(callee_of(callee_of(callee_of(term))), type, {part(1), part(2), part(3)},
                        [=, this](const DefVec& x) { return arithmetic_.fma(type, x[0], x[1], x[2]); });
    if (auto compare = match<rise::compare>(term)) {
        auto of       = group(term, 1)->type();
        bool is_order = compare.sub() == rise::compare::lt || compare.sub() == rise::compare::gt;
        if (is_size(of) && is_order) return nullptr;
        auto op = sub_of(term);
        return value_of(callee_of(callee_of(term)), type, {part(1), part(2)},
                        [=, this](const DefVec& x) { return arithmetic_.compare(op, rise::scalar_of(of), of, x[0], x[1]); });
    }
    if (match<rise::cast>(term)) {
        auto from = group(term, 1)->type();
        if (from == type || (is_size(from) && is_size(type))) return nullptr;
        return value_of(callee_of(term), type, {part(1)},
                        [=, this](const DefVec& x) { return arithmetic_.cast(from, type, x[0]); });
    }
    if (auto logic = match<rise::logic>(term)) {
        bool is_and = logic.sub() == rise::logic::conj;
        return value_of(callee_of(callee_of(term)), type, {part(0), part(1)}, [=, this](const DefVec& x) {
            return is_and ? w.select(x[0], x[1], w.ff()) : w.select(x[0], w.tt(), x[1]);
        });
    }
    if (match<rise::not_>(term))
        return value_of(callee_of(term), type, {part(0)}, [this](const DefVec& x) { return w.select(x[0], w.ff(), w.tt()); });
    return nullptr;
}

CValueRef LoopCode::scalar_term(const Def* term, const ScopeRef& s) {
    if (auto result = vector_operation(term, s)) return result;
    if (auto result = operation(term, s)) return result;
    return CTerms::scalar_term(term, s);
}

// ---- values of nodes

const Def* LoopCode::known(CRef node) {
    for (auto scope = known_.rbegin(); scope != known_.rend(); ++scope)
        if (auto found = scope->find(node); found != scope->end()) return found->second;
    return nullptr;
}

const Def* LoopCode::def(CRef node) {
    if (auto found = known(node)) return found;
    return known_.back()[node] = made(node);
}

const Def* LoopCode::made(CRef node) {
    if (auto known = atom(node)) return known;
    bool is_truth = node->type == "uint8_t" && (node->text == "0" || node->text == "1");
    if (is_truth) return node->text == "1" ? w.tt() : w.ff();
    if (auto sum = sizes_.sum_of(node)) return word(*sum);
    if (auto number = std::strtoull(node->text.c_str(), nullptr, 10); node->text == std::to_string(number))
        return coder_.word(number);
    if (auto cell = cells_.find(node); cell != cells_.end()) return load(cell->second);
    if (node->kind == CNode::Select) return chosen(node);
    auto args = map_defs(node->args, [&](auto arg) { return def(arg); });
    if (node->op != SizeOp::None) return size_operation(node->op, args[0], args[1]);
    if (auto maker = makers_.find(node); maker != makers_.end()) return maker->second(args);
    throw Refused{Refused::NoCode, "this has no code but in C", {}, nullptr};
}

const Def* LoopCode::word(const Polynomial& p) {
    const Def *more = nullptr, *less = nullptr;
    for (auto& [monomial, coefficient] : p.terms()) {
        auto size          = static_cast<uint64_t>(coefficient < 0 ? -coefficient : coefficient);
        const Def* product = size == 1 && !monomial.empty() ? nullptr : coder_.word(size);
        for (auto x : monomial) {
            auto factor = def(sizes_.node_of(x));
            product     = product ? coder_.mul(product, factor) : factor;
        }
        auto& sum = coefficient < 0 ? less : more;
        sum       = sum ? coder_.add(sum, product) : product;
    }
    if (!more) more = coder_.word(0);
    return less ? coder_.sub(more, less) : more;
}

const Def* LoopCode::nat(const Polynomial& p) {
    if (auto known = p.value()) return w.lit_nat(static_cast<uint64_t>(*known));
    return w.call<core::bitcast>(w.nat(), word(p));
}

const Def* LoopCode::size_operation(SizeOp op, const Def* a, const Def* b) {
    auto is_less = [&] { return coder_.less(a, b); };
    switch (op) {
        case SizeOp::Less: return is_less();
        case SizeOp::Equal: return w.call(core::icmp::xyglE, {a, b});
        case SizeOp::Quotient: return coder_.div(a, b);
        case SizeOp::Rest: return coder_.rem(a, b);
        case SizeOp::Difference: return w.select(is_less(), coder_.word(0), coder_.sub(a, b));
        case SizeOp::Min: return w.select(is_less(), a, b);
        case SizeOp::Max: return w.select(is_less(), b, a);
        default: break;
    }
    auto step = w.mut_lam(w.pi(w.sigma({w.nat(), coder_.i64()}), coder_.i64()));
    w.set(step, w.tt(), coder_.mul(w.extract(step->var(), 1), a));
    auto times = w.call<core::bitcast>(w.nat(), b);
    return w.apply<affine::fold>({coder_.i64()}, {w.lit_nat(0), times, w.lit_nat(1)}, {w.seal(step)}, {coder_.word(1)});
}

// ---- what conditions guard

bool LoopCode::is_guarded(CRef node) {
    if (known(node)) return false;
    auto cell = cells_.find(node);
    if (cell != cells_.end() && cell->second.index) return true;
    if (auto sum = sizes_.sum_of(node)) {
        for (auto& [monomial, _] : sum->terms())
            for (auto x : monomial)
                if (is_guarded(sizes_.node_of(x))) return true;
        return false;
    }
    return std::ranges::any_of(node->args, [&](auto arg) { return is_guarded(arg); });
}

const Def* LoopCode::chosen(CRef node) {
    auto condition = def(node->args[0]);
    bool is_branch = is_guarded(node->args[1]) || is_guarded(node->args[2]);
    if (!is_branch) {
        auto holds = def(node->args[1]);
        return w.select(condition, holds, def(node->args[2]));
    }
    auto holds = functions_.con(w.unit_type(), "holds"), fails = functions_.con(w.unit_type(), "fails");
    choose_block(condition, holds, fails);
    auto before = mem_;
    auto in_arm = [&](Lam* block, CRef value) {
        here_ = block;
        mem_  = before;
        known_.emplace_back();
        auto result = def(value);
        known_.pop_back();
        return result;
    };
    auto first = in_arm(holds, node->args[1]);
    auto join  = functions_.con(w.sigma({memory_type(), first->type()}), "chosen");
    go(w.app(join, {mem_, first}));
    auto second = in_arm(fails, node->args[2]);
    go(w.app(join, {mem_, second}));
    here_ = join;
    mem_  = w.extract(join->var(), uint64_t(0));
    return w.extract(join->var(), 1);
}

// ---- memory

CRef LoopCode::cell(const Def* type, const Walk& walk) {
    auto name  = scalar(type).name;
    auto text  = walk.name + walk.path;
    auto node  = walk.index ? sizes_.call(text + "[$0$]", name, {sizes_.node(*walk.index)}) : sizes_.atom(text, name);
    auto table = numbers_of_tables_.find(walk.name);
    if (table != numbers_of_tables_.end()) {
        makers_[node] = [this, all = table->second](const DefVec& index) {
            auto n = static_cast<uint64_t>(lit_arity(w, all->type()));
            return n == 1 ? all : w.extract(all, w.call<core::bitcast>(w.idx(n), index[0]));
        };
        return node;
    }
    if (!atom(node)) cells_[node] = {walk.name, walk.index, walk.path, type};
    if (walk.index && walk.path.empty()) memory_cells_[node] = {walk.name, *walk.index};
    return node;
}

const Def* LoopCode::address(const Cell& cell) {
    auto& memory = this->memory(cell.memory);
    auto at      = memory.pointer;
    if (cell.index && memory.count) {
        bool is_one = is_value(memory.count, 1);
        if (!is_one) at = w.call<mem::lea>({at, w.call<core::bitcast>(w.idx(memory.count), word(*cell.index))});
    }
    for (size_t i = 0; i < cell.path.size(); i += 4) // `.fst` or `.snd`
        at = w.call<mem::lea>({at, w.lit_idx(2, cell.path.compare(i, 4, ".fst") == 0 ? 0 : 1)});
    return at;
}

/// The address may be read from memory itself.
const Def* LoopCode::load(const Cell& cell) {
    if (cell.lanes != 0) return load_lanes(cell);
    auto at    = address(cell);
    auto value = effect(w.call<mem::load>({mem_, at}));
    return memory(cell.memory).form == rise::Form::Words ? coder_.from_word(cell.type, value) : value;
}

void LoopCode::store(const Def* address, const Cell& cell, const Def* value) {
    if (cell.lanes != 0) return store_lanes(address, cell, value);
    bool is_word = memory(cell.memory).form == rise::Form::Words;
    mem_         = w.call<mem::store>({mem_, address, is_word ? coder_.to_word(cell.type, value) : value});
}

} // namespace mim::plug::dpia
