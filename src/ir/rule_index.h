// SPDX-License-Identifier: MIT
// Private to src/ir: rewrite rules, found by what their left sides say. An axiom may have thousands of rules, as a table of cases has; to try
// all of them at each application would take quadratic time.
//
// A rule is filed under its head axiom, the number of groups, and an *anchor*: a place in the arguments where its left side has a literal or an
// applied axiom, which an instance has there, too. Rules without one are tried at each application.
#pragma once
#include <unordered_map>
#include <vector>

#include "ir/axiom.h"
#include "ir/def.h"
#include "ir/rule.h"

namespace mim {

class RuleIndex {
public:
    void add(RewriteRule*);
    bool empty() const { return heads_.empty(); }
    bool contains(const Axiom* head) const { return heads_.contains(head); }
    /// The rules that may fire at `app`, in the order of their declaration.
    std::vector<RewriteRule*> find(World&, const Def* app) const;

private:
    static constexpr uint32_t Whole = ~uint32_t(0);
    /// A group, counted from the last, or an element of it, or an element of that.
    struct Place {
        uint32_t group = 0, elem = Whole, inner = Whole;
        bool operator==(const Place&) const = default;
    };
    struct Entry {
        size_t number;
        RewriteRule* rule;
    };
    struct Anchored {
        Place place;
        std::unordered_map<const Def*, std::vector<Entry>> rules; ///< by the literal or axiom
    };
    struct Rules {
        size_t num_groups;
        std::vector<Entry> others;
        std::vector<Anchored> anchored; ///< a few: left sides of one axiom have literals in the same places
    };

    static const Def* symbol(const Def*);
    static const Def* anchor(const Def* left, Place&);
    static const Def* at(World&, const Def* app, const Place&);
    Rules& rules(const Axiom* head, size_t num_groups);

    std::unordered_map<const Axiom*, std::vector<Rules>> heads_;
    size_t size_ = 0;
};

} // namespace mim
