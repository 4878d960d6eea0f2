// SPDX-License-Identifier: MIT
// Which calls leave nobody behind who knows the functions that they got as values. Such a call gets a handler, say, and
// what follows it may then be in the handler, too: phases that inline calls put it there. Nobody knows the handler any
// more if no memory holds it, and if what the call returns with is data, or a closed function.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "linear/nodes.h"

namespace mim::linear {

class Check;

class Forgetting {
public:
    explicit Forgetting(Check& check)
        : c_(check) {}

    /// Whether nobody knows the functions that the call gets as values any more when it comes back, if it does. Once calls were
    /// inlined, λs among these may leave with tokens that they capture; in a program as it was written, they are values
    /// like any other.
    bool forgets(const App*);
    /// Whether element i of the argument is a continuation to which control goes exactly when one of the callees, all
    /// of which are known, leaves through its parameter i. Only once calls were inlined, as for `forgets`.
    bool is_exit_of(const App*, size_t i);
    /// Whether the functions that the call passes to what it gets last know nothing of what it got.
    bool returns_only_closed(const App*);
    /// Whether no memory holds what this λ gets, nor a function that knows it, when it comes back.
    bool keeps_nothing(const Lam*);

private:
    enum class Answer : uint8_t { Unknown, No, Yes };
    struct Uses {
        std::vector<const App*> calls, passed;
        bool is_value = false;
    };
    bool find(const App*);
    bool find_returns_only_closed(const App*);
    template<class F>
    bool each_return(std::vector<const Lam*>& todo, F on_return);
    bool add_callees(const Def* callee, std::vector<const Lam*>& lams);
    const std::vector<const Lam*>* functions_of(const Def* param);
    bool find_returned(const Def* param, std::vector<const Lam*>& res);
    static const Def* element_for(const Def* param, const App* call);
    bool find_functions_around(const Lam*, std::vector<const Def*>& res);
    bool knows_only_closed(const Def* value, std::vector<const App*>& returned);
    bool is_returned(const Def* param, std::vector<const App*>& calls);
    void note_uses(const Def* user);
    void note_value(const Def*);

    Check& c_;
    std::unordered_map<const Def*, Uses> uses_; ///< of λs and of parts of parameters, once somebody asks
    std::unordered_map<const App*, bool> returns_only_closed_;
    std::unordered_map<const Def*, std::optional<std::vector<const Lam*>>> functions_of_; ///< of parameters
    std::vector<Answer> forgets_;                                                         ///< by id
};

} // namespace mim::linear
