// SPDX-License-Identifier: MIT
// The interpreter of strategies. It acts on occurrences: a term is reached on a way from the root, and what changes is built again along that
// way. Below a function it works with the variable of that function, so nothing is copied until a result is closed.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "diag/diag.h"
#include "failure.h"
#include "open.h"
#include "rules.h"

namespace mim::plug::elevate {

class Interpreter {
public:
    struct Options {
        uint64_t budget; ///< of firings; a hundred times as many terms may be visited
        bool trace;
        Span place;                   ///< of the application of the strategy
        const Words* words = nullptr; ///< null: those of Mim
        /// Rules in C++ that ask for nothing but the type of the term, and put something in front of it.
        DefVec by_type = {};
    };
    Interpreter(World&, Diagnostics&, Options);

    /// The term that the strategy makes; null if it fails, and then `why` says so. Throws Error if the strategy is wrong or does not end.
    const Def* run(const Def* strategy, const Def* term, std::string& why);

private:
    /// A term, or why there is none, and what decided that.
    struct Result {
        const Def* term                  = nullptr;
        const Failure* why               = nullptr;
        Reach reach                      = Reach::all();
        std::shared_ptr<const Open> open = {}; ///< the term, as long as it is not asked for
        explicit operator bool() const { return term || open; }
        Result with(Reach other) const { return {term, why, other, open}; }
    };
    using Handler = Result (Interpreter::*)(const Def* strategy, const Def* term);
    /// The result of a traversal at a term; nothing: it goes on below.
    using Visit = std::function<std::optional<Result>(const Def*)>;
    struct Fired {
        std::string rule, way;
        const Def *before, *after;
    };
    /// A failure that is remembered.
    struct Known {
        const Failure* why;
        Reach reach;
    };
    /// Terms that `normalize` is below of, where the strategy failed.
    struct Asked {
        const Asked* around;
        size_t depth;
        size_t until; ///< it looked at terms down to this depth
        size_t most;  ///< the deepest of these, also for the terms around
    };
    /// The term where the strategy fails everywhere, but if it has to be asked again further up.
    struct Normal {
        const Def* term;
        std::optional<size_t> again = {}; ///< the depth of the term
        bool is_over                = false;
    };
    struct PairHash {
        size_t operator()(const std::pair<const Def*, const Def*>& p) const {
            return uint64_t(p.first->id()) << 32 | p.second->id();
        }
    };

    template<class Enum>
    void on(Handler);
    Result apply(const Def* strategy, const Def* term);
    Result dispatch(const Def* strategy, const Def* term);
    Result at_child(const Def* strategy, const Def* term, const Below&, size_t child);
    Result in_child(const std::string& name, const Def* strategy, const Def* term, bool is_function);
    const Def* closed(const Result& result) { return result.term ? result.term : close(w_, *result.open); }
    /// Calls `f` below the term.
    template<class F>
    auto within(const Def* term, size_t child, F f);
    std::optional<Result> walk(const Def* term, const Visit&);
    /// The strategy s of `topDown s`; null if this is something else.
    const Def* repeated_top_down(const Def* strategy);
    Normal normal(const Def* s, const Def* term, const Asked* around);
    Normal normal_below(const Def* s, const Def* term, const Asked& here);
    bool is_rebuilt_plainly(const Def* term) const;
    Result every_below(const Def* p, const Def* s, const Def* term, uint64_t& count);
    /// Runs without leaving a trace.
    Result attempt(const Def* strategy, const Def* term);
    bool holds_in(const Def* x, const Def* term);

    Result rule(const Def*, const Def*), native(const Def*, const Def*);
    Result seq(const Def*, const Def*), choice(const Def*, const Def*), fix(const Def*, const Def*),
        repeat(const Def*, const Def*);
    Result apply_n(const Def*, const Def*), fails(const Def*, const Def*), cond(const Def*, const Def*);
    Result one(const Def*, const Def*), some(const Def*, const Def*), all(const Def*, const Def*);
    Result child(const Def*, const Def*), argument(const Def*, const Def*), function(const Def*, const Def*);
    Result body(const Def*, const Def*);
    Result is(const Def*, const Def*), is_lambda(const Def*, const Def*), is_apply(const Def*, const Def*);
    Result is_named(const Def*, const Def*);
    Result equals(const Def*, const Def*), contains(const Def*, const Def*), peek(const Def*, const Def*);
    Result position(const Def*, const Def*), skip(const Def*, const Def*), every(const Def*, const Def*);

    const Def* unfolded(const Def* fix);
    bool says(const Def* strategy);
    Result said(std::string name, const Def* term, Reason);
    /// It is decided by the term itself: by what it is, and its type.
    static Result at_root(Result result) { return {result.term, result.why, Reach(0)}; }
    Result failed_below(const Def* term, size_t child, const Failure* why);
    Result failed(std::vector<const Failure*> parts);
    Result fired(const std::string& rule, const Def* before, const Def* after);
    void place_at(const Def* before, const Def* after);
    DefVec list(const Def* strategy);
    uint64_t number(const Def* strategy, const Def* def);
    void visit();
    std::string in_words(const Def* def) const { return term_text(w_, def, words_); }
    [[noreturn]] void fail_budget(const std::string& what);
    const Failure* keep(Failure failure) { return &failures_.emplace_back(std::move(failure)); }

    World& w_;
    Diagnostics& diags_;
    Options options_;
    const Words& words_;
    Rules rules_;
    const char* begin_ = nullptr;                    ///< of the stack
    std::unordered_map<uint16_t, Handler> handlers_; ///< by the tag of the axiom
    std::vector<Step> way_;
    Entered entered_;
    std::deque<Failure> failures_;
    std::unordered_map<std::pair<const Def*, const Def*>, Known, PairHash> known_failures_;
    std::unordered_set<std::pair<const Def*, const Def*>, PairHash> normal_; ///< strategies that fail in terms and all below
    std::unordered_set<std::pair<const Def*, const Def*>, PairHash> active_; ///< recursive strategies, and where they are
    std::unordered_map<const Def*, const Def*> unfolded_;                    ///< of recursive strategies
    std::unordered_map<const Def*, bool> says_; ///< strategies that show terms: they are run each time
    std::vector<Fired> trace_;
    std::map<std::string, uint64_t> firings_;
    uint64_t num_fired_ = 0, num_visited_ = 0;
};

} // namespace mim::plug::elevate
