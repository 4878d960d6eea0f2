// SPDX-License-Identifier: MIT
// Where control goes at the ends of one λ, by path. A call of a λ that may leave through several parameters is a branch, each of them an
// arm; so is a call that gets, as a value, a function which may leave through something around it.
#pragma once
#include <utility>
#include <vector>

#include "linear/check.h"
#include "linear/path_sets.h"

namespace mim::linear {

class Exits {
public:
    using Set = PathSets::Set;

    Exits(Check& check, PathSets& sets)
        : c_(check)
        , sets_(sets) {}

    /// The paths on which a call in tail position comes back through the last element of its argument.
    Set comes_back(const App*);
    /// Those on which it leaves through element i, see Forgetting::is_exit_of.
    Set leaves_through(const App*, size_t i);
    /// The paths on which a call does not come back, for it has called this λ, which it gets as a value, and which left elsewhere.
    Set jump(const App*, const Lam*);
    /// The paths on which a call of `fn` consumes a token that it captures.
    Set consumes(const Fn& fn, const Def* token);
    /// The paths on which the token is left to who is returned to; all ends must have been passed to `leave`.
    Set kept(const Def* token);

    /// Control goes there at the end of these paths. Returns those on which it never returns.
    Set leave(const Def* end, Set paths);

    /// A function, and a token of another λ that it holds.
    struct Holder {
        const Def* function = nullptr;
        const Def* token    = nullptr;
        explicit operator bool() const { return token; }
    };
    /// What `app` may come back to last, if that holds a token, and the call may drop or repeat it in a way that no path shows.
    Holder mishandled(const App* app);

private:
    template<class F>
    void each_target(const Def* callee, Set paths, F f);
    Set through(const Fn&, const Def* exit);
    bool calls_last(const Fn&);
    void find_jumpers(const App*);
    Set may_jump(const App*, const Lam*);
    Set jumps(const App*);
    Set taken(const App*, const Def* elem);
    Set leave_by_jump(const App*, Set paths);
    void leave_for(const App*, Set paths);
    Set leave(const App*, Set paths);
    Set leave(const Match*, Set paths);
    void go(const Def* to, Set paths);
    void go_through_exits(const Fn&, Set paths);
    bool never(const Lam*);
    Set never(const Def* callee, bool continues);
    Set never_continues(const App*);
    const Def* captured_token(const Fn&);
    Holder holder(const Def* elem);
    bool stands_for_leaving(const Def* callee, const std::vector<const Lam*>& targets);
    bool may_drop_return(const App*, bool hands_back);
    bool gets_way_out(const App*);

    Check& c_;
    PathSets& sets_;
    const App* jumps_of_ = nullptr;                 ///< of which these are known:
    std::vector<const Lam*> jumpers_;               ///< λs that it gets as values, and that may leave elsewhere
    bool unknown_jumps_ = false;                    ///< something else that it gets may do so
    std::vector<std::pair<const Def*, Set>> exits_; ///< parameters that keep tokens, and paths on which they are called
};

} // namespace mim::linear
