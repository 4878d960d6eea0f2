// SPDX-License-Identifier: MIT
#include "algebra.h"

#include <algorithm>

#include "kit/match.h"
#include "mil/annexes.h"
#include "primitives.h"

namespace mim::plug::mil {

namespace {

/// Terms are made of what is at most so far away.
constexpr int kDeepest = 4;

bool is_word_operation(Op op) { return Op::And <= op && op <= Op::Ashr; }
bool is_comparison(Op op) { return Op::Eq <= op && op <= Op::Uge; }
bool takes_flag(Op op) { return op == Op::Bnot || op == Op::FlagToWord; }
bool has_term(Op op) {
    return op <= Op::Bnot ? op != Op::Div && op != Op::Rem : is_comparison(op) || op == Op::FlagToWord || op == Op::WordToFlag;
}

word word_of(Op op) { return static_cast<word>(static_cast<uint32_t>(op) - static_cast<uint32_t>(Op::And)); }
test test_of(Op op) { return static_cast<test>(static_cast<uint32_t>(op) - static_cast<uint32_t>(Op::Eq)); }
Op op_of(word w) { return static_cast<Op>(static_cast<uint32_t>(w) + static_cast<uint32_t>(Op::And)); }
Op op_of(test t) { return static_cast<Op>(static_cast<uint32_t>(t) + static_cast<uint32_t>(Op::Eq)); }

bool is_constant(const Atom& a) { return a.kind == Atom::Word || a.kind == Atom::Flag; }

} // namespace

void Algebra::begin() {
    facts_.clear();
    terms_.clear();
    atoms_.clear();
    leaves_.clear();
}

void Algebra::learn(uint32_t v, const Tail& t) {
    bool is_pure = t.op == Tail::Primitive && p_.primitives[t.target].purity == "pure";
    if (is_pure && has_term(static_cast<Op>(p_.primitives[t.target].code))) facts_.emplace(v, t);
}

const mim::Def* Algebra::term(const Atom& a, bool is_flag) {
    auto size = is_flag ? w.lit_nat(2) : p_.word_bits == 64 ? w.lit_2_64() : w.lit_nat(uint64_t(1) << p_.word_bits);
    if (is_constant(a)) return w.lit_idx(size, a.number);
    auto v = static_cast<uint32_t>(a.number);
    // Equal computations of two blocks are one term, which is simplified once, so leaves have numbers in the order of the block.
    auto name   = a.kind == Atom::Top ? 2 * a.number + 1 : 2 * a.number;
    auto number = [&] { return leaves_.emplace(name, leaves_.size()).first->second; };
    if (a.kind == Atom::Var)
        if (auto known = terms_.find(v); known != terms_.end()) return known->second;
    auto fact     = a.kind == Atom::Var ? facts_.find(v) : facts_.end();
    bool is_known = fact != facts_.end() && depth_ < kDeepest;
    auto result   = is_known ? term(fact->second) : w.app(w.app(w.annex(leaf(0)), size), w.lit_nat(number()));
    atoms_.emplace(result, a);
    bool is_whole = is_known && depth_ <= 1;
    if (is_whole) terms_.emplace(v, result);
    return result;
}

const mim::Def* Algebra::term(const Tail& t) {
    auto op = static_cast<Op>(p_.primitives[t.target].code);
    ++depth_;
    DefVec args;
    for (auto& a : t.args) args.push_back(term(a, takes_flag(op)));
    --depth_;
    auto size = p_.word_bits == 64 ? w.lit_2_64() : w.lit_nat(uint64_t(1) << p_.word_bits);
    switch (op) {
        case Op::Not: return w.call(unary::not_, args[0]);
        case Op::Neg: return w.call(unary::neg, args[0]);
        case Op::Bnot: return w.app(w.annex(bnot(0)), args[0]);
        case Op::FlagToWord: return w.app(w.app(w.annex(of_flag(0)), size), args[0]);
        case Op::WordToFlag: return w.call(to_flag(0), args[0]);
        default: break;
    }
    if (is_word_operation(op)) return w.call(word_of(op), {args[0], args[1]});
    return w.call(test_of(op), {args[0], args[1]});
}

/// Without constants, equal operands and known operands no law holds.
bool Algebra::is_interesting(const Tail& t) const {
    bool is_same  = t.args.size() == 2 && t.args[0] == t.args[1];
    auto has_fact = [&](const Atom& a) {
        return is_constant(a) || (a.kind == Atom::Var && facts_.contains(static_cast<uint32_t>(a.number)));
    };
    return is_same || std::ranges::any_of(t.args, has_fact);
}

std::optional<Atom> Algebra::atom(const mim::Def* def) const {
    if (auto n = value(def)) {
        bool is_flag = def->type() == w.idx(2);
        return Atom{is_flag ? Atom::Flag : Atom::Word, *n};
    }
    auto known = atoms_.find(def);
    return known == atoms_.end() ? std::nullopt : std::optional(known->second);
}

uint32_t Algebra::primitive(uint32_t op, Program& p) const {
    for (uint32_t i = 0; i != p.primitives.size(); ++i)
        if (p.primitives[i].code == op && p.primitives[i].purity == "pure") return i;
    return kNone;
}

/// The primitive that a term applies; nothing if the program does not declare it.
std::optional<Tail> Algebra::operation(const mim::Def* def, const Program& p, std::vector<const mim::Def*>& operands) const {
    operands.clear();
    auto two = [&](Op op, const mim::Def* app) {
        operands = {operand(w, app, 0), operand(w, app, 1)};
        return op;
    };
    auto one = [&](Op op, const mim::Def* app) {
        operands = {arg_of(app)};
        return op;
    };
    std::optional<Op> op;
    if (auto a = match<word>(def)) op = two(op_of(a.sub()), a);
    else if (auto b = match<test>(def)) op = two(op_of(b.sub()), b);
    else if (auto c = match<unary>(def)) op = one(c.sub() == unary::not_ ? Op::Not : Op::Neg, c);
    else if (auto d = match<bnot>(def)) op = one(Op::Bnot, d);
    else if (auto e = match<of_flag>(def)) op = one(Op::FlagToWord, e);
    else if (auto f = match<to_flag>(def)) op = one(Op::WordToFlag, f);
    if (!op) return {};
    Tail t;
    t.op     = Tail::Primitive;
    t.target = primitive(static_cast<uint32_t>(*op), const_cast<Program&>(p));
    if (t.target == kNone) return {};
    return t;
}

std::optional<std::vector<Statement>> Algebra::simplify(const Tail& t, Program& p) {
    bool is_pure = t.op == Tail::Primitive && p_.primitives[t.target].purity == "pure";
    if (!is_pure || !has_term(static_cast<Op>(p_.primitives[t.target].code)) || !is_interesting(t)) return {};
    depth_   = 0;
    auto def = term(t);
    if (auto a = atom(def)) return std::vector<Statement>{{{}, {Tail::Return, kNone, 0, {*a}, t.at, 1}}};
    std::vector<const mim::Def*> operands, inner;
    auto last = operation(def, p, operands);
    if (!last) return {};
    last->at = t.at;
    std::vector<Statement> result;
    for (auto o : operands) {
        if (auto a = atom(o)) {
            last->args.push_back(*a);
            continue;
        }
        auto first = operation(o, p, inner);
        if (!first || !result.empty()) return {};
        for (auto i : inner) {
            auto a = atom(i);
            if (!a) return {};
            first->args.push_back(*a);
        }
        first->at = t.at;
        auto v    = p.variable("w");
        result.push_back({{v}, *first});
        last->args.push_back({Atom::Var, v});
    }
    bool is_same = last->target == t.target && last->args == t.args;
    if (is_same) return {};
    result.push_back({{}, *last});
    return result;
}

} // namespace mim::plug::mil
