// SPDX-License-Identifier: MIT
// The rules on the end of code, and the walk back from it that removes what nobody needs.
#include <algorithm>

#include "rewriter.h"

namespace mim::plug::mil {

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
    end_.tail       = o_.halt(end_.at);
    end_.tail.index = kNoAlternative;
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

} // namespace mim::plug::mil
