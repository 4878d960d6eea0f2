// SPDX-License-Identifier: MIT
// The facts that hold at a statement, and the rules on statements.
#include <algorithm>

#include "rewriter.h"

namespace mim::plug::mil {

static constexpr size_t kLongestTail = 3; ///< statements behind a call that a derived block takes over

// ---- facts
// ------------------------------------------------------------------------------------------------------------------

const Tail* Rewriter::made(const Atom& a) const {
    if (a.kind == Atom::Top) return o_.static_value(static_cast<uint32_t>(a.number));
    if (a.kind != Atom::Var) return nullptr;
    auto found = made_.find(static_cast<uint32_t>(a.number));
    return found == made_.end() ? nullptr : &found->second;
}

Key Rewriter::key(const Tail& t) {
    Key result{t.op, t.target, t.index};
    for (auto& a : t.args) {
        result.push_back(a.kind | uint64_t(a.width) << 8);
        result.push_back(a.number);
    }
    return result;
}

/// Equal computations have equal types, but for constructors and closures, which may leave a part of the type open.
bool Rewriter::has_same_type(const Tail& t) const {
    if (t.op == Tail::Select) return true;
    if (t.op == Tail::Primitive) return p_.primitives[t.target].purity == "pure";
    return t.op == Tail::Build && p_.datas[p_.cons[t.target].data].parameters.empty();
}

void Rewriter::learn(const Statement& s) {
    if (s.tail.op == Tail::Assert && s.tail.args[0].kind == Atom::Var)
        cons_[static_cast<uint32_t>(s.tail.args[0].number)] = s.tail.target;
    if (s.binds.size() != 1 || s.binds[0] == kNone) return;
    auto v = s.binds[0];
    if (has_same_type(s.tail)) known_.emplace(key(s.tail), variable_atom(v));
    bool is_made = s.tail.op == Tail::Build || s.tail.op == Tail::Closure;
    if (is_conversion(p_, s.tail)) conversions_.emplace(v, s.tail.args[0]);
    if (gives_word(p_, s.tail)) o_.words.insert(v);
    if (is_made) made_.emplace(v, s.tail);
    else o_.algebra.learn(v, s.tail);
}

// ---- rules on statements
// ----------------------------------------------------------------------------------------------------

/// 1: another name for what has one.
bool Rewriter::constant(const Statement& s) {
    if (s.tail.op != Tail::Return) return false;
    note(Rule::LeftMonad, s.tail, std::string("is that"));
    for (size_t i = 0; i != s.binds.size(); ++i)
        if (s.binds[i] != kNone) names_[s.binds[i]] = s.tail.args[i];
    return true;
}

/// A constructor that is known already.
bool Rewriter::assertion(const Statement& s) {
    if (s.tail.op != Tail::Assert) return false;
    auto object  = made(s.tail.args[0]);
    auto known   = cons_.find(static_cast<uint32_t>(s.tail.args[0].number));
    bool is_same = s.tail.args[0].kind == Atom::Var && known != cons_.end() && known->second == s.tail.target;
    bool is_made = object && object->op == Tail::Build && object->target == s.tail.target;
    if (!is_same && !is_made) return false;
    note(Rule::Assertion, s.tail, std::string("nothing"));
    return true;
}

/// 5: what stands behind a computation that never returns.
bool Rewriter::unreachable(const Statement& s) {
    bool is_primitive = s.tail.op == Tail::Primitive && p_.primitives[s.tail.target].purity == "doesntReturn";
    bool is_block     = s.tail.op == Tail::Block && o_.never_returns(s.tail.target);
    if (!is_primitive && !is_block) return false;
    note(Rule::Unreachable, s.tail, std::string("is the end"));
    if (is_block) keep({std::vector<uint32_t>(s.binds.size(), kNone), s.tail});
    end_.end  = Code::Tailed;
    end_.tail = is_block ? o_.halt(s.tail.at) : s.tail;
    end_.arms.clear();
    end_.otherwise.reset();
    is_over_ = true;
    return true;
}

/// 3: a small block without branches, or one that is called once.
bool Rewriter::prefix(const Statement& s) {
    if (s.tail.op != Tail::Block || !o_.may_inline(block_, s.tail.target)) return false;
    auto& def = p_.blocks[s.tail.target];
    if (def.code.end != Code::Tailed || !may_grow(def.code.statements.size())) return false;
    Renaming names(p_);
    for (size_t i = 0; i != def.params.size(); ++i) names.set(def.params[i], s.tail.args[i]);
    auto code = names(def.code);
    note(Rule::Prefix, s.tail, std::string("its code"));
    auto results      = s.tail.results;
    code.tail.results = results;
    todo_.push_back({s.binds, std::move(code.tail)});
    for (auto i = code.statements.rbegin(); i != code.statements.rend(); ++i) todo_.push_back(std::move(*i));
    return true;
}

static bool looks_into(const Tail& t, const std::vector<uint32_t>& variables) {
    bool looks = t.op == Tail::Select || t.op == Tail::Enter || t.op == Tail::Assert;
    return looks && t.args[0].kind == Atom::Var && std::ranges::count(variables, static_cast<uint32_t>(t.args[0].number));
}

/// 19, 20: what is done with the result of a block at once is done by a block of its own.
bool Rewriter::trailing(Statement& s) {
    bool is_call = s.tail.op == Tail::Block && s.binds.size() == 1 && s.binds[0] != kNone && todo_.size() <= kLongestTail;
    if (!is_call || !o_.gives_known(s.tail.target)) return false;
    Continuation k;
    k.binds = s.binds;
    for (auto next = todo_.rbegin(); next != todo_.rend(); ++next) {
        k.statements.push_back(*next);
        name_all(k.statements.back().tail.args);
    }
    k.end = end_;
    each_atom(k.end, [&](Atom& a) { a = named(a); });
    bool is_subject = end_.end != Code::Tailed && k.end.subject == variable_atom(s.binds[0]);
    bool is_entered = k.statements.empty() ? k.end.end == Code::Tailed && looks_into(k.end.tail, s.binds)
                                           : looks_into(k.statements[0].tail, s.binds);
    if (!is_subject && !is_entered) return false;
    auto derived = o_.with_end(s.tail.target, k);
    if (derived == kNone) return false;
    auto rule = is_subject ? Rule::TrailingCase : Rule::TrailingEnter;
    note(rule, s.tail, o_.report.is_traced ? p_.blocks[derived].name : std::string());
    Tail t{Tail::Block, derived, 0, s.tail.args, s.tail.at};
    for (auto v : k.free) t.args.push_back(variable_atom(v));
    end_.end  = Code::Tailed;
    end_.tail = std::move(t);
    end_.arms.clear();
    end_.otherwise.reset();
    todo_.clear();
    return true;
}

/// 19 in the middle of code: `f <- b[x]; r <- f @ a`, and f is not needed any more.
bool Rewriter::entered_at_once(Statement& s) {
    bool is_call = s.tail.op == Tail::Block && s.binds.size() == 1 && s.binds[0] != kNone && !todo_.empty();
    if (!is_call || !o_.gives_known(s.tail.target)) return false;
    Continuation k;
    k.binds      = s.binds;
    auto holds   = s.binds;
    auto next    = todo_.size();
    auto current = [&] {
        auto t = todo_[next - 1];
        name_all(t.tail.args);
        return t;
    };
    auto first = current();
    bool opens = first.tail.op == Tail::Select && looks_into(first.tail, holds) && first.binds[0] != kNone && next > 1;
    if (opens) {
        holds.push_back(first.binds[0]);
        k.statements.push_back(first);
        --next;
    }
    auto enter = current();
    if (enter.tail.op != Tail::Enter || !looks_into(enter.tail, holds)) return false;
    --next;
    auto is_held = [&](const Atom& a) {
        auto b = named(a);
        return b.kind == Atom::Var && std::ranges::count(holds, static_cast<uint32_t>(b.number)) != 0;
    };
    bool is_needed = false;
    for (size_t i = 0; i != next; ++i) is_needed |= std::ranges::any_of(todo_[i].tail.args, is_held);
    each_atom(end_, [&](const Atom& a) { is_needed |= is_held(a); });
    if (is_needed) return false;
    k.end.tail   = enter.tail;
    auto derived = o_.with_end(s.tail.target, k);
    if (derived == kNone) return false;
    note(Rule::TrailingEnter, s.tail, o_.report.is_traced ? p_.blocks[derived].name : std::string());
    Tail t{Tail::Block, derived, 0, s.tail.args, s.tail.at, enter.tail.results};
    for (auto v : k.free) t.args.push_back(variable_atom(v));
    todo_.resize(next);
    todo_.push_back({enter.binds, std::move(t)});
    return true;
}

void Rewriter::pass_by(Tail& t) {
    if (t.op != Tail::Block) return;
    Jump j{t.target, t.args, t.at};
    thread(j);
    t.target = j.block;
    t.args   = std::move(j.args);
}

void Rewriter::statement(Statement s) {
    name_all(s.tail.args);
    pass_by(s.tail);
    same_word(s, s.tail);
    improve(s.tail);
    bool is_done = constant(s) || assertion(s) || unreachable(s) || prefix(s) || trailing(s) || entered_at_once(s);
    if (!is_done) keep(std::move(s));
}

// ---- a definition
// ----------------------------------------------------------------------------------------------------------

bool Rewriter::run(Code& code) {
    o_.algebra.begin();
    end_ = code;
    todo_.assign(end_.statements.rbegin(), end_.statements.rend());
    end_.statements.clear();
    do {
        while (!todo_.empty() && !is_over_) {
            auto next = std::move(todo_.back());
            todo_.pop_back();
            statement(std::move(next));
        }
        if (is_over_) break;
    } while (end());
    clean();
    code            = std::move(end_);
    code.statements = std::move(done_);
    return changed_;
}

bool rewrite(Optimizer& o, uint32_t block) {
    auto code    = o.p.blocks[block].code; // derived blocks move the list
    bool changed = Rewriter(o, block, o.p.blocks[block].name).run(code);

    o.p.blocks[block].code = std::move(code);
    return changed;
}

bool rewrite_tail(Optimizer& o, const std::string& name, Tail& t) {
    Code code;
    code.tail = t;
    Rewriter(o, kNone, name).run(code);
    bool is_plain = code.statements.empty() && code.end == Code::Tailed;
    bool is_same  = is_plain && code.tail.op == t.op && code.tail.target == t.target && code.tail.args == t.args;
    if (!is_plain || is_same) return false;
    t = std::move(code.tail);
    return true;
}

} // namespace mim::plug::mil
