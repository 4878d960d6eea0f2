// SPDX-License-Identifier: MIT
#include "sema/arms.h"

#include <algorithm>

#include "base/nearest.h"

namespace mim {

static const ast::Pattern* head_of(const ast::Pattern* p) {
    while (auto as = ast::isa<ast::AsPattern>(p)) p = as->pattern;
    return p;
}

const ast::NamePattern* lone_name(const ast::Pattern* p) {
    auto name = ast::isa<ast::NamePattern>(p);
    return name && name->name.name && !name->type ? name : nullptr;
}

const ast::Pattern* payload_pattern(const ast::Pattern* p) {
    static constexpr ast::TypePattern Nothing{{ast::PatternKind::TypePattern, {}}, nullptr};
    auto label = ast::isa<ast::LabelPattern>(head_of(p));
    if (!label) return p;
    return label->payload ? label->payload : &Nothing;
}

Arms::Arms(const Context& context, Patterns& patterns, Constructors& constructors, const Scrutinee& scrutinee)
    : SemaBase(context)
    , patterns_(patterns)
    , constructors_(constructors)
    , scrutinee_(scrutinee)
    , members_(members_of(scrutinee_.type))
    , types_(scrutinee.match->arms.size())
    , arm_of_(members_.size(), None)
    , num_left_(members_.size()) {
    for (size_t i = 0; i < members_.size(); ++i) {
        by_type_.emplace(members_[i], i);
        auto label = label_of(members_[i]);
        auto size  = label ? isa_lit(isa_idx(label->type())) : nullptr;
        if (size && size->value() == members_.size()) by_label_.emplace(label->value(), i);
    }
    auto view = scrutinee_.view;
    if (!view || !view->has_labels() || by_label_.size() != view->labels.size()) return;
    for (uint32_t i = 0; i < view->labels.size(); ++i) label_names_.emplace(view->labels[i], i);
}

bool Arms::find() {
    auto& arms = scrutinee_.match->arms;
    bool ok    = true;
    for (size_t i = 0; i < arms.size(); ++i) ok &= find_own(i);
    ok = ok && find_left();
    if (ok && num_left_) report_missing();
    return ok && !num_left_;
}

/*
 * an arm on its own
 */

/// Whether the pattern states the type of each part.
static bool is_typed(const ast::Pattern* p) {
    switch (p->kind) {
        case ast::PatternKind::NamePattern: return ast::as<ast::NamePattern>(p)->type;
        case ast::PatternKind::AsPattern: return is_typed(ast::as<ast::AsPattern>(p)->pattern);
        case ast::PatternKind::TuplePattern: {
            auto tuple = ast::as<ast::TuplePattern>(p);
            return tuple->type || std::ranges::all_of(tuple->elems, is_typed);
        }
        case ast::PatternKind::LabelPattern: return false;
        case ast::PatternKind::GroupPattern:
        case ast::PatternKind::TypePattern: return true;
    }
    return true;
}

/// Leaves an arm for later that states no type and has no label.
bool Arms::find_own(size_t arm) {
    auto pattern = scrutinee_.match->arms[arm].pattern;
    auto head    = head_of(pattern);
    if (auto label = ast::isa<ast::LabelPattern>(head)) return find_label(arm, label->label, label->payload);
    auto name = ast::isa<ast::NamePattern>(head);
    if (name && !name->type && name->name.name) {
        bool is_label = label_names_.contains(name->name.name) || constructors_.find(name->name.name);
        if (is_label) return find_label(arm, name->name, nullptr);
    }
    if (!is_typed(pattern)) {
        left_arms_.push_back(arm);
        return true;
    }
    auto type = patterns_.type(pattern);
    if (!type) return false;
    auto stated = world_.refresh(type.type);
    auto member = find_member(stated);
    if (member == None) {
        report(Error(Diag::not_a_member, {type.type, scrutinee_.type}), pattern->span);
        return false;
    }
    types_[arm] = {world_.refresh(stated), type.view, false, true};
    return take(arm, member);
}

size_t Arms::find_member(const Def* type) {
    if (auto known = by_type_.find(type); known != by_type_.end()) return known->second;
    auto is_equal = [&](auto member) { return unify(world_, member, type); };
    auto found    = std::ranges::find_if(members_, is_equal);
    return found == members_.end() ? None : static_cast<size_t>(found - members_.begin());
}

/// The arm is for this member, unless another one is.
bool Arms::take(size_t arm, size_t member) {
    auto& first = arm_of_[member];
    if (first == None) {
        first = arm;
        --num_left_;
        return true;
    }
    auto& arms = scrutinee_.match->arms;
    auto text  = label_text(member);
    auto& d    = error(Diag::arms_mismatch, arms[arm].pattern->span,
                       {show(scrutinee_.type), "there are two arms for", text.empty() ? show(members_[member]) : text});
    d.note(Diag::covered_here, arms[first].pattern->span);
    return false;
}

/// By the labels of the value, else by those in scope. `is_own`: the value has such a label.
size_t Arms::member_with_label(const ast::Binder& label, bool& is_own) {
    auto with_number = [&](uint32_t number) {
        auto member = by_label_.find(number);
        return member == by_label_.end() ? None : member->second;
    };
    auto own = label_names_.find(label.name);
    is_own   = own != label_names_.end();
    if (is_own) return with_number(own->second);
    auto constructor = constructors_.find(label.name);
    if (!constructor || constructor->type->constructors.size() != by_label_.size()) return None;
    auto is_type = makes(world_, *constructor->type, scrutinee_.type);
    return is_type ? with_number(constructor->index) : None;
}

bool Arms::find_label(size_t arm, const ast::Binder& label, const ast::Pattern* payload) {
    bool is_own;
    auto member      = member_with_label(label, is_own);
    auto constructor = is_own ? nullptr : constructors_.find(label.name);
    if (constructor && !constructor->type->def) return false; // its declaration had an error
    if (member == None) {
        auto labels = all_labels();
        error(Diag::no_such_label, label.span, {label.name.str(), show(scrutinee_.type), labels.empty() ? "no labels" : labels});
        return false;
    }
    if (!check_payload(label, payload, member)) return false;
    auto number = label_of(members_[member])->value();
    auto view   = scrutinee_.view && scrutinee_.view->has_labels() ? scrutinee_.view : nullptr;
    if (!view) {
        auto constructor = constructors_.find(label.name);
        view             = constructor ? constructors_.view_of_values(*constructor) : nullptr;
    }
    types_[arm] = {members_[member], elem(view, number), true, false};
    return take(arm, member);
}

/// A label has a payload exactly if its pattern has one.
bool Arms::check_payload(const ast::Binder& label, const ast::Pattern* payload, size_t member) {
    auto n = num_payload(members_[member]);
    if ((n != 0) == (payload != nullptr)) return true;
    auto text = label.name.str();
    if (n != 0) text = pattern_text(member, text);
    error(Diag::payload_misfit, payload ? payload->span : label.span,
          {label.name.str(), n ? "has a payload" : "has no payload", text});
    return false;
}

/*
 * arms that the others leave one member to
 */

/// Whether values of the type can be taken apart as the pattern says.
bool Arms::has_shape(const ast::Pattern* p, const Def* type) {
    p          = head_of(p);
    auto tuple = ast::isa<ast::TuplePattern>(p);
    if (!tuple) return true;
    auto n = num_elems(tuple);
    if (n == 1) return tuple->elems.empty() || has_shape(tuple->elems[0], type);
    if (lit_arity(world_, type) != static_cast<int64_t>(n)) return false;
    size_t i = 0;
    for (auto elem : tuple->elems) {
        auto group = ast::isa<ast::GroupPattern>(elem);
        auto part  = type->isa<Sigma>() ? type->op(i) : type->isa<Arr>() ? type->as<Arr>()->body() : nullptr;
        if (!group && part && head_of(elem)->kind == ast::PatternKind::TuplePattern && !has_shape(elem, part)) return false;
        i += group ? group->names.size() : 1;
    }
    return true;
}

/// The only member without an arm that the pattern may be for; None if there are none or several.
size_t Arms::only_left(const ast::Pattern* pattern) {
    bool is_any = head_of(pattern)->kind != ast::PatternKind::TuplePattern;
    if (is_any && num_left_ != 1) return None;
    size_t found = None;
    for (size_t i = 0; i < members_.size(); ++i) {
        bool is_candidate = arm_of_[i] == None && (num_left_ == 1 || has_shape(pattern, members_[i]));
        if (is_candidate && found != None) return None;
        if (is_candidate) found = i;
    }
    return found;
}

/// Each arm that finds its member leaves fewer to the others.
bool Arms::find_left() {
    auto& arms = scrutinee_.match->arms;
    auto open  = left_arms_;
    for (bool changes = true; changes && !open.empty();) {
        changes = false;
        std::vector<size_t> still_open;
        for (auto arm : open) {
            auto member = only_left(arms[arm].pattern);
            if (member == None) {
                still_open.push_back(arm);
                continue;
            }
            types_[arm] = {.type = members_[member]};
            if (lone_name(arms[arm].pattern)) types_[arm].left = label_text(member);
            take(arm, member);
            changes = true;
        }
        open = std::move(still_open);
    }
    for (auto arm : open) report_left(arm);
    return open.empty();
}

void Arms::report_left(size_t arm) {
    auto pattern = scrutinee_.match->arms[arm].pattern;
    if (num_left_ == 0) {
        error(Diag::nothing_left, pattern->span, {show(scrutinee_.type)});
        return;
    }
    bool fits = false;
    for (size_t i = 0; i < members_.size(); ++i) fits |= arm_of_[i] == None && has_shape(pattern, members_[i]);
    if (fits) {
        auto& d = error(Diag::unclear_arm, pattern->span, {left_text()});
        if (auto near = near_label(pattern); !near.empty()) d.note(Diag::did_you_mean, {}, {near});
    } else {
        error(Diag::pattern_arity, pattern->span,
              {std::to_string(num_elems(ast::as<ast::TuplePattern>(head_of(pattern)))), left_text(), "another number"});
    }
}

/// The label without an arm that is spelled nearly like the pattern, which may be a name; empty if there is none.
std::string Arms::near_label(const ast::Pattern* pattern) {
    auto name = lone_name(pattern);
    if (!name || label_names_.empty()) return {};
    Nearest nearest(name->name.name.view());
    for (size_t i = 0; i < members_.size(); ++i) {
        auto label = arm_of_[i] == None ? label_of(members_[i]) : nullptr;
        if (label) nearest.offer(scrutinee_.view->labels[label->value()].view());
    }
    return std::string(nearest.best);
}

/*
 * text for messages
 */

/// ``nil`, `cons``
std::string Arms::all_labels() {
    static constexpr size_t MaxLabels = 8;
    std::string text;
    if (label_names_.empty()) return text;
    auto& labels = scrutinee_.view->labels;
    for (size_t i = 0; i < std::min(labels.size(), MaxLabels); ++i) text += (i ? ", `" : "`") + labels[i].str() + "`";
    return labels.size() > MaxLabels ? text + ", …" : text;
}

/// The name of the member's label, if it is known.
std::string Arms::label_text(size_t member) {
    auto label = label_of(members_[member]);
    if (!label) return {};
    if (!label_names_.empty()) return scrutinee_.view->labels[label->value()].str();
    auto maker = find_maker(world_, shared_.labelled, scrutinee_.type);
    return maker ? maker->constructors[label->value()].label.str() : std::string();
}

/// A pattern that covers the member: `cons (_, _)`, or `(_: Nat, _: Bool)`.
std::string Arms::pattern_text(size_t member) {
    auto label = label_text(member);
    if (!label.empty()) return pattern_text(member, label);
    return "_: " + show(members_[member]);
}

std::string Arms::pattern_text(size_t member, const std::string& label) {
    static constexpr size_t MaxElems = 8;
    auto n                           = num_payload(members_[member]);
    if (n <= 1) return label + (n ? " _" : "");
    std::string elems = "_";
    for (size_t i = 1; i < std::min(n, MaxElems); ++i) elems += ", _";
    return n > MaxElems ? label + " _" : label + " (" + elems + ")";
}

/// The members without an arm.
std::string Arms::left_text() {
    static constexpr size_t MaxMembers = 4;
    std::string text;
    size_t n = 0;
    for (size_t i = 0; i < members_.size(); ++i) {
        if (arm_of_[i] != None) continue;
        if (n++ == MaxMembers) return text + ", …";
        text += (text.empty() ? "`" : n == num_left_ ? " or `" : ", `") + pattern_text(i) + "`";
    }
    return text;
}

void Arms::report_missing() {
    size_t first  = 0;
    uint64_t best = ~uint64_t(0);
    for (size_t i = members_.size(); i-- > 0;) { // the first one as the labels were written
        if (arm_of_[i] != None) continue;
        auto label  = label_of(members_[i]);
        auto number = label ? label->value() : i;
        if (number <= best) best = number, first = i;
    }
    auto label = label_text(first);
    auto text  = pattern_text(first);
    auto& d    = error(Diag::arms_mismatch, scrutinee_.match->span,
                       {show(scrutinee_.type), "there is no arm for", label.empty() ? show(members_[first]) : text});
    d.note(Diag::add_arm, {}, {text});
}

} // namespace mim
