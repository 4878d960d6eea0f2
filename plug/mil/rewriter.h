// SPDX-License-Identifier: MIT
// Rewrites the code of one definition from its first statement to its end, with the facts that hold on the way. Each
// rule is a function that says whether it was used. A walk back from the end removes the results that nobody needs.
#pragma once
#include <unordered_set>

#include "optimize.h"

namespace mim::plug::mil {

using Key = std::vector<uint64_t>;

/// A walk over the code of one definition.
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
    static constexpr size_t kMostInlined = 200; ///< in one definition

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
    bool conversion(Tail&);
    bool same_word(const Statement&, Tail&);
    bool known_closure(Tail&);
    bool known_structure(uint32_t& block, Atoms& args, const Tail& before);
    Shape shape(const Atom&, unsigned depth) const;
    std::vector<Shape> shapes_of(uint32_t block, const Atoms& args, bool with_constants) const;
    /// The value that conversions have made it of; itself if it is of none.
    Atom converted(const Atom&) const;
    bool is_word(const Atom&) const;
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
    std::unordered_map<uint32_t, Atom> conversions_; ///< of a value of another type
    std::map<Key, Atom> known_;                      ///< computations with a name
    std::unordered_set<uint32_t> live_;
};

} // namespace mim::plug::mil
