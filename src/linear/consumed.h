// SPDX-License-Identifier: MIT
// Tokens that are gone when control enters a call in direct style, because what the call is made from consumes them. The
// judgement, for a token t and a node that is evaluated for the call:
//
//     t is made from the node      ⟹  it consumes nothing
//     an operand is t, or holds t  ⟹  it consumes t
//     t is made from an operand    ⟹  it consumes t: there is no t, as a token is used once
//     an operand consumes t        ⟹  it consumes t
//     a choice                     is made from its index, and consumes t, too, if each alternative is t, is such an
//                                  operand, or consumes t
//     a projection                 consumes what its tuple does, but no other part of the tuple; of a choice, it is the
//                                  choice of these parts
//     a λ                          is made from the tokens that it captures
#pragma once
#include <unordered_map>
#include <vector>

#include "linear/check.h"

namespace mim::linear {

/// Answers a node after those that it is evaluated from; false in a recursion. `parts (node, push)` pushes these;
/// null is none.
template<class Parts, class Answer>
void answer_operands_first(const Def* from, std::unordered_map<const Def*, bool>& answers, Parts parts, Answer answer) {
    std::vector<std::pair<const Def*, bool>> todo{{from, false}};
    while (!todo.empty()) {
        auto [node, is_entered] = todo.back();
        todo.pop_back();
        if (is_entered) {
            answers[node] = answer(node);
            continue;
        }
        if (!answers.try_emplace(node, false).second) continue;
        todo.emplace_back(node, true);
        parts(node, [&](const Def* part) {
            if (part && !is_static(part)) todo.emplace_back(part, false);
        });
    }
}

class Consumed {
public:
    Consumed(Check&, const Def* call);

    /// Whether the token, or what holds it, is consumed, whatever the alternatives are.
    bool contains(const Def* token) const;
    /// Whether each alternative consumes the token, or what makes it. This walks through all that the call is made from.
    bool on_all_paths(const Def* token);

    /// The nodes that a node is evaluated from.
    struct Source {
        std::vector<const Def*> all, one_of; ///< operands, and alternatives
        const Def* projected = nullptr;      ///< of a projection, what it is taken out of: no operand, as the other parts stay

        template<class F>
        void visit(F see) const {
            see(projected);
            for (auto op : all) see(op);
            for (auto op : one_of) see(op);
        }
    };
    Source source_of(const Def*);

private:
    using Answers = std::unordered_map<const Def*, bool>;
    /// A token, and what it is made from whatever the alternatives are; `whole`: what is consumed for it with all its parts.
    struct Origins {
        DefSet all, whole;
    };
    /// One question.
    struct Asked {
        Origins origins;
        Answers answers;
    };
    bool is_evaluated(const App*, const Def* elem, size_t i);
    Origins origins_of(const Def* token, unsigned depth);
    bool is_origin(const Asked&, const Def*);
    bool answer(const Asked&, const Def* node);

    static constexpr unsigned MaxDepth = 6;

    Check& check_;
    const Def* call_;
    DefSet whatever_; ///< these are consumed, whatever the alternatives are
};

} // namespace mim::linear
