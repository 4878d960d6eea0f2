// SPDX-License-Identifier: MIT
// Rewrites the code of one definition from its first statement to its end, with the facts that hold on the way. Each
// rule is a function that says whether it was used. A walk back from the end removes the results that nobody needs.
#include <algorithm>
#include <unordered_set>

#include "optimize.h"
#include "primitives.h"

namespace mim::plug::mil {

namespace {

constexpr size_t kMostInlined    = 200; ///< in one definition
constexpr size_t kLongestTail    = 3;   ///< statements behind a call that a derived block takes over
constexpr unsigned kDeepestShape = 3;

using Key = std::vector<uint64_t>;

class Rewriter {
public:
    Rewriter(Optimizer& o, uint32_t block, std::string name)
        : o_(o)
        , p_(o.p)
        , block_(block)
        , name_(std::move(name)) {}

    /// False if nothing has changed.
    bool run(Code&);

private:
    /// @name facts
    ///@{
    const Tail* made(const Atom&) const;
    void learn(const Statement&);
    static Key key(const Tail&);
    bool has_same_type(const Tail&) const;
    ///@}

    /// @name rules on computations
    ///@{
    void improve(Tail&);
    bool selector(Tail&);
    bool common(Tail&);
    bool compute(Tail&);
    bool quotient(Tail&);
    bool known_closure(Tail&);
    bool known_structure(uint32_t& block, Atoms& args, const Tail& before);
    Shape shape(const Atom&, unsigned depth) const;
    ///@}

    /// @name rules on statements
    ///@{
    void statement(Statement);
    bool constant(const Statement&);
    bool assertion(const Statement&);
    bool unreachable(const Statement&);
    bool prefix(const Statement&);
    bool trailing(Statement&);
    bool entered_at_once(Statement&);
    ///@}

    /// @name rules on ends
    ///@{
    bool end();
    bool suffix();
    void tail_call();
    bool known_case();
    bool same_branches();
    const Jump* branch_of(uint32_t con) const;
    void leave(const Jump&);
    void thread(Jump&);
    void pass_by(Tail&);
    ///@}

    /// @name what nobody needs
    ///@{
    void clean();
    bool is_needed(Statement&);
    ///@}

    void note(Rule r, const Tail& before, const std::string& after) {
        o_.report.note(r, p_, name_, before, after);
        changed_ = true;
    }
    void note(Rule r, const Tail& before, const Tail& after) {
        o_.report.note(r, p_, name_, before, after);
        changed_ = true;
    }
    Atom named(const Atom& a) const {
        if (a.kind != Atom::Var) return a;
        auto found = names_.find(static_cast<uint32_t>(a.number));
        return found == names_.end() ? a : found->second;
    }
    void name_all(Atoms& all) const {
        for (auto& a : all) a = named(a);
    }
    bool may_grow(size_t statements) {
        inlined_ += statements + 1;
        return inlined_ < kMostInlined && o_.grow(statements);
    }
    void keep(Statement s) {
        if (s.tail.op != Tail::Assert) s.tail.results = static_cast<uint32_t>(s.binds.size());
        learn(s);
        done_.push_back(std::move(s));
    }

    Optimizer& o_;
    Program& p_;
    uint32_t block_; ///< kNone: the code of another definition
    std::string name_;
    std::vector<Statement> todo_, done_; ///< the next one is the last of `todo_`
    Code end_;                           ///< without statements
    bool is_over_ = false, changed_ = false;
    size_t inlined_ = 0;
    std::unordered_map<uint32_t, Atom> names_; ///< of variables that are another name
    std::unordered_map<uint32_t, Tail> made_;  ///< allocations
    std::unordered_map<uint32_t, uint32_t> cons_;
    std::map<Key, Atom> known_; ///< computations with a name
    std::unordered_set<uint32_t> live_;
};

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
    if (is_made) made_.emplace(v, s.tail);
    else o_.algebra.learn(v, s.tail);
}

// ---- rules on computations
// --------------------------------------------------------------------------------------------------

/// `C i v` where v = C(…)
bool Rewriter::selector(Tail& t) {
    auto object = t.op == Tail::Select ? made(t.args[0]) : nullptr;
    if (!object || object->op != Tail::Build || object->target != t.target) return false;
    Tail after{Tail::Return, kNone, 0, {object->args[t.index]}, t.at};
    note(Rule::Selector, t, after);
    t = std::move(after);
    return true;
}

/// 8: what has a name is not computed again.
bool Rewriter::common(Tail& t) {
    if (!has_same_type(t)) return false;
    auto known = known_.find(key(t));
    if (known == known_.end()) return false;
    Tail after{Tail::Return, kNone, 0, {known->second}, t.at};
    note(Rule::Common, t, after);
    t = std::move(after);
    return true;
}

/// 9 to 15
bool Rewriter::compute(Tail& t) {
    auto better = o_.algebra.simplify(t, p_);
    if (!better) return false;
    note(Rule::Algebra, t, better->back().tail);
    t = better->back().tail;
    better->pop_back();
    for (auto& s : *better) keep(std::move(s));
    return true;
}

/// 9 and 11 of signed division: by a constant other than 0.
bool Rewriter::quotient(Tail& t) {
    auto op      = t.op == Tail::Primitive ? static_cast<Op>(p_.primitives[t.target].code) : Op::Not;
    bool divides = (op == Op::Div || op == Op::Rem) && t.args[1].kind == Atom::Word && t.args[1].number != 0;
    if (!divides) return false;
    auto unused = 64 - p_.word_bits;
    auto sign   = [&](uint64_t v) { return static_cast<int64_t>(v << unused) >> unused; };
    auto by     = sign(t.args[1].number);
    Tail after{Tail::Return, kNone, 0, {}, t.at};
    if (by == 1 && op == Op::Div) {
        after.args = {t.args[0]};
    } else if ((by == 1 || by == -1) && op == Op::Rem) {
        after.args = {{Atom::Word, 0}};
    } else if (t.args[0].kind == Atom::Word) {
        auto a      = t.args[0].number;
        auto result = by == -1 ? 0 - a : static_cast<uint64_t>(op == Op::Div ? sign(a) / by : sign(a) % by);
        after.args  = {{Atom::Word, result & p_.mask()}};
    } else {
        return false;
    }
    note(Rule::Algebra, t, after);
    t = std::move(after);
    return true;
}

/// 17: `f @ a` where f = k{s} is what the closure does.
bool Rewriter::known_closure(Tail& t) {
    auto object = t.op == Tail::Enter ? made(t.args[0]) : nullptr;
    if (!object || object->op != Tail::Closure) return false;
    auto& k      = p_.closures[object->target];
    bool is_fine = k.stored.size() == object->args.size() && k.params.size() + 1 == t.args.size();
    if (!is_fine || !may_grow(0)) return false;
    Renaming names(p_);
    for (size_t i = 0; i != k.stored.size(); ++i) names.set(k.stored[i], object->args[i]);
    for (size_t i = 0; i != k.params.size(); ++i) names.set(k.params[i], t.args[i + 1]);
    auto after    = names(k.tail);
    after.results = t.results;
    note(Rule::KnownClosure, t, after);
    t = std::move(after);
    return true;
}

Shape Rewriter::shape(const Atom& a, unsigned depth) const {
    bool is_known = a.kind == Atom::Flag || (a.kind == Atom::Top && made(a));
    if (is_known) return {Shape::Known, kNone, a};
    auto object = a.kind == Atom::Var && depth != 0 ? made(a) : nullptr;
    if (!object) return {Shape::Unknown, kNone, a};
    Shape result{object->op == Tail::Build ? Shape::Built : Shape::Closed, object->target, a};
    for (auto& part : object->args) result.parts.push_back(shape(part, depth - 1));
    return result;
}

void collect(const Shape& s, Atoms& args) {
    if (s.kind == Shape::Unknown) args.push_back(s.atom);
    for (auto& part : s.parts) collect(part, args);
}

/// 18: a block that looks into an argument is called with what that is made of. Repeated arguments are passed once.
bool Rewriter::known_structure(uint32_t& block, Atoms& args, const Tail& before) {
    std::vector<Shape> shapes;
    bool any = false;
    for (size_t i = 0; i != args.size(); ++i) {
        auto first  = static_cast<size_t>(std::ranges::find(args, args[i]) - args.begin());
        bool is_new = first == i || args[i].kind != Atom::Var;
        if (!is_new) shapes.push_back({Shape::Repeated, static_cast<uint32_t>(first), args[i]});
        else shapes.push_back(o_.inspects(block, i) ? shape(args[i], kDeepestShape) : Shape{Shape::Unknown, kNone, args[i]});
        any |= shapes.back().kind != Shape::Unknown;
    }
    if (!any) return false;
    auto derived = o_.with_shapes(block, shapes);
    if (derived == kNone) return false;
    args.clear();
    for (auto& s : shapes) collect(s, args);
    block = derived;
    note(Rule::KnownStructure, before, o_.report.is_traced ? p_.blocks[derived].name : std::string());
    return true;
}

/// Until no rule is for it.
void Rewriter::improve(Tail& t) {
    for (;;) {
        bool is_better = selector(t) || known_closure(t) || quotient(t) || common(t) || compute(t);
        if (is_better) continue;
        auto before = t;
        if (t.op != Tail::Block || !known_structure(t.target, t.args, before)) return;
    }
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

bool looks_into(const Tail& t, const std::vector<uint32_t>& variables) {
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
    improve(s.tail);
    bool is_done = constant(s) || assertion(s) || unreachable(s) || prefix(s) || trailing(s) || entered_at_once(s);
    if (!is_done) keep(std::move(s));
}

// ---- rules on ends
// ----------------------------------------------------------------------------------------------------------

/// 4: the code of a block in place of its call at the end.
bool Rewriter::suffix() {
    auto& t = end_.tail;
    if (t.op != Tail::Block || t.target == block_ || !o_.may_inline(block_, t.target)) return false;
    auto& def     = p_.blocks[t.target];
    bool is_plain = def.code.statements.empty() && def.code.end == Code::Tailed;
    bool has_room = is_plain || block_ != kNone; // other definitions are one computation
    if (!has_room || !may_grow(def.code.statements.size())) return false;
    Renaming names(p_);
    for (size_t i = 0; i != def.params.size(); ++i) names.set(def.params[i], t.args[i]);
    auto code = names(def.code);
    note(Rule::Suffix, t, std::string("its code"));
    for (auto i = code.statements.rbegin(); i != code.statements.rend(); ++i) todo_.push_back(std::move(*i));
    code.statements.clear();
    code.at = end_.at;
    end_    = std::move(code);
    return true;
}

/// 2: `xs <- t; return xs`
void Rewriter::tail_call() {
    auto& t = end_.tail;
    if (t.op != Tail::Return || done_.empty() || done_.back().tail.op == Tail::Assert) return;
    auto& last = done_.back();
    if (last.binds.size() != t.args.size()) return;
    for (size_t i = 0; i != last.binds.size(); ++i)
        if (last.binds[i] == kNone || t.args[i] != variable_atom(last.binds[i])) return;
    note(Rule::RightMonad, t, last.tail);
    t = std::move(last.tail);
    done_.pop_back();
}

const Jump* Rewriter::branch_of(uint32_t con) const {
    for (auto& arm : end_.arms)
        if (arm.con == con) return &arm.jump;
    return end_.otherwise ? &*end_.otherwise : nullptr;
}

void Rewriter::leave(const Jump& j) {
    Tail t{Tail::Block, j.block, 0, j.args, j.at};
    end_.end  = Code::Tailed;
    end_.tail = std::move(t);
    end_.arms.clear();
    end_.otherwise.reset();
}

/// 16: the branch is known.
bool Rewriter::known_case() {
    if (end_.end == Code::If) {
        if (end_.subject.kind != Atom::Flag) return false;
        auto taken = end_.arms[end_.subject.number ? 0 : 1].jump;
        note(Rule::KnownCase, {}, std::string("one branch"));
        leave(taken);
        return true;
    }
    auto object  = made(end_.subject);
    auto known   = cons_.find(static_cast<uint32_t>(end_.subject.number));
    bool is_said = end_.subject.kind == Atom::Var && known != cons_.end();
    bool is_made = object && object->op == Tail::Build;
    if (!is_said && !is_made) return false;
    note(Rule::KnownCase, {}, std::string("one branch"));
    auto branch = branch_of(is_made ? object->target : known->second);
    if (branch) {
        leave(Jump(*branch));
        return true;
    }
    leave({});
    end_.tail = o_.halt(end_.at);
    return true;
}

/// 16: all branches are the same call, and one of them is taken.
bool Rewriter::same_branches() {
    if (end_.arms.empty() && !end_.otherwise) return false;
    auto& first = end_.arms.empty() ? *end_.otherwise : end_.arms[0].jump;
    bool is_all = end_.end == Code::If || end_.otherwise || is_exhaustive(p_, end_);
    each_jump(end_, [&](auto& j) { is_all &= j.block == first.block && j.args == first.args; });
    if (!is_all) return false;
    note(Rule::KnownCase, {}, std::string("the same in all branches"));
    leave(Jump(first));
    return true;
}

/// A jump to a block that only calls another one.
void Rewriter::thread(Jump& j) {
    for (size_t most = 8; most-- != 0;) {
        if (j.block == block_ || !o_.is_forward(j.block)) return;
        auto& def = p_.blocks[j.block];
        Renaming names(p_);
        for (size_t i = 0; i != def.params.size(); ++i) names.set(def.params[i], j.args[i]);
        auto t = names(def.code.tail);
        note(Rule::Thread, t, std::string("at once"));
        j = {t.target, t.args, j.at};
    }
}

/// True if there are statements to be looked at, or another end.
bool Rewriter::end() {
    if (end_.end == Code::Tailed) {
        name_all(end_.tail.args);
        pass_by(end_.tail);
        improve(end_.tail);
        tail_call(); // what it takes has no name any more, so it is not improved again
        return suffix();
    }
    each_atom(end_, [&](Atom& a) { a = named(a); });
    if (known_case() || same_branches()) return true;
    each_jump(end_, [&](Jump& j) {
        thread(j);
        Tail before{Tail::Block, j.block, 0, j.args, j.at};
        known_structure(j.block, j.args, before);
    });
    return false;
}

// ---- what nobody needs
// ------------------------------------------------------------------------------------------------------

/// 6, 7, and assertions on what nobody looks at.
bool Rewriter::is_needed(Statement& s) {
    bool any = false;
    for (auto& v : s.binds) {
        if (v == kNone) continue;
        if (live_.contains(v)) {
            any = true;
            continue;
        }
        o_.report.note(Rule::Wildcard);
        v        = kNone;
        changed_ = true;
    }
    if (any) return true;
    if (s.tail.op == Tail::Assert) {
        auto& a      = s.tail.args[0];
        bool is_used = a.kind == Atom::Var && live_.contains(static_cast<uint32_t>(a.number));
        if (!is_used) note(Rule::Assertion, s.tail, std::string("nothing"));
        return is_used;
    }
    if (!is_dropped(o_, s.tail)) return true;
    note(Rule::Dead, s.tail, std::string("nothing"));
    return false;
}

void Rewriter::clean() {
    auto use = [&](const Atom& a) {
        if (a.kind == Atom::Var) live_.insert(static_cast<uint32_t>(a.number));
    };
    each_atom(end_, use);
    std::vector<Statement> kept;
    for (auto i = done_.size(); i-- != 0;) {
        auto& s = done_[i];
        if (!is_needed(s)) continue;
        for (auto& a : s.tail.args) use(a);
        kept.push_back(std::move(s));
    }
    std::ranges::reverse(kept);
    done_ = std::move(kept);
}

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

} // namespace

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
