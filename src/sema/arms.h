// SPDX-License-Identifier: MIT
// Which member of a union each arm of a `match` is for. A pattern states its type, or begins with a label. One that does neither is for
// the only member that the other arms leave to it and that has its shape.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "sema/constructors.h"
#include "sema/labels.h"

namespace mim {

/// The type of an arm; poison if its pattern had an error.
struct ArmType {
    const Def* type  = nullptr;
    const View* view = nullptr; ///< of the value; behind a label, of the payload
    bool is_label    = false;   ///< the pattern is that of the payload
    bool is_stated   = false;   ///< the pattern states the type, and needs no check
    /// Of a name that is no label: the one that the other arms leave to it; empty if the member has none.
    std::string left = {};
    explicit operator bool() const { return type; }
};

/// The rest of a pattern, without the label in front and the names behind it; of a label alone an empty pattern.
const ast::Pattern* payload_pattern(const ast::Pattern*);

/// The pattern, if it is a name without a type; else null.
const ast::NamePattern* lone_name(const ast::Pattern*);

class Arms : SemaBase {
public:
    struct Scrutinee {
        const ast::Match* match;
        const Def* type;
        const View* view;
    };
    Arms(const Context& context, Patterns& patterns, Constructors& constructors, const Scrutinee& scrutinee);

    /// Finds the types of all arms, and whether each member has one. False after a report.
    bool find();
    const ArmType& operator[](size_t i) const { return types_[i]; }

private:
    static constexpr size_t None = ~size_t(0);

    /// @name an arm on its own
    ///@{
    bool find_own(size_t arm);
    bool find_label(size_t arm, const ast::Binder& label, const ast::Pattern* payload);
    size_t member_with_label(const ast::Binder& label, bool& is_own);
    bool check_payload(const ast::Binder& label, const ast::Pattern* payload, size_t member);
    bool take(size_t arm, size_t member);
    size_t find_member(const Def* type);
    ///@}

    /// @name arms that the others leave one member to
    ///@{
    bool find_left();
    size_t only_left(const ast::Pattern*);
    bool has_shape(const ast::Pattern*, const Def* type);
    void report_left(size_t arm);
    std::string near_label(const ast::Pattern*);
    ///@}

    /// @name text for messages
    ///@{
    std::string all_labels();
    std::string label_text(size_t member);
    std::string pattern_text(size_t member);
    std::string pattern_text(size_t member, const std::string& label);
    std::string left_text();
    void report_missing();
    ///@}

    Patterns& patterns_;
    Constructors& constructors_;
    Scrutinee scrutinee_;
    Defs members_;
    std::unordered_map<uint64_t, size_t> by_label_;    ///< the members by the number of their label
    std::unordered_map<Symbol, uint32_t> label_names_; ///< of the view
    std::unordered_map<const Def*, size_t> by_type_;
    std::vector<ArmType> types_;    ///< by arm
    std::vector<size_t> arm_of_;    ///< by member, or None
    std::vector<size_t> left_arms_; ///< that neither state their type nor have a label
    size_t num_left_ = 0;           ///< members without an arm
};

} // namespace mim
