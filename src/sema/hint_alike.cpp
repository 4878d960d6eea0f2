// SPDX-License-Identifier: MIT
// Notes at type errors whose two sides read alike.
#include <algorithm>
#include <unordered_set>

#include "sema/hints.h"

namespace mim {

namespace {

/// Functions of one name.
bool are_namesakes(World& world, const Def* a, const Def* b) {
    auto name = a->isa<Lam>() && b->isa<Lam>() ? world.notes.name(a) : Symbol();
    return name && name == world.notes.name(b);
}

/// Two variables, or functions of one name, that stand at one place of two expressions of one shape, and differ. Null
/// if there are none.
std::pair<const Def*, const Def*> find_different(World& world, const Def* a, const Def* b) {
    static constexpr size_t MaxNodes = 1000;
    std::vector<std::pair<const Def*, const Def*>> todo{{a, b}};
    std::unordered_set<const Def*> seen;
    while (!todo.empty() && seen.size() != MaxNodes) {
        auto [x, y] = todo.back();
        todo.pop_back();
        if (!x || !y || x == y) continue;
        if ((is_variable(x) && is_variable(y)) || are_namesakes(world, x, y)) return {x, y};
        if (x->node() != y->node() || x->num_ops() != y->num_ops() || !seen.insert(x).second) continue;
        for (size_t i = x->num_ops(); i-- != 0;) todo.push_back({x->op(i), y->op(i)});
    }
    return {};
}

/// Where the variable is declared, or what it is a part of.
void note_variable(Errors& errors, Diagnostic& d, Diag id, const Def* variable) {
    for (auto whole = variable; whole;) {
        auto binding = errors.names().first_binding(whole);
        auto place   = binding ? binding->span : errors.world().notes.span(whole);
        if (place) {
            d.note(id, place, {errors.show(variable)});
            return;
        }
        auto extract = whole->isa<Extract>();
        whole        = extract ? extract->tuple() : nullptr;
    }
}

/// A name and which one of that name it is; an element has that behind its first word.
std::string marked(std::string name, const char* mark) { return name.insert(std::min(name.size(), name.find('#')), mark); }

/// Shows an expression in which one part has another name, unless it is cut off before that part.
void show_marked(Errors& errors, std::string& text, const Def* def, const Def* part, const std::string& name) {
    auto shown = errors.show_with(def, part, name);
    if (shown.find(name) != shown.npos) text = std::move(shown);
}

/// Writes the two variables or functions of one name with a number each, that of the earlier declaration first.
void tell_variables_apart(Errors& errors, Diagnostic& d, const Def* type, const Def* value) {
    auto single = value->isa<Lam>() ? type->isa<Sing>() : nullptr;
    auto other  = single ? value : value->type();
    auto [x, y] = find_different(errors.world(), single ? single->value() : type, other);
    if (!x || errors.show(x) != errors.show(y)) return;
    auto name = errors.show(x);
    note_variable(errors, d, Diag::expected_here, x);
    note_variable(errors, d, Diag::found_here, y);
    if (d.notes.size() < 2) return;
    auto& in_type  = d.notes[d.notes.size() - 2];
    auto& in_value = d.notes.back();
    bool is_later  = in_type.span.begin > in_value.span.begin;
    in_type.args   = {marked(name, is_later ? "₂" : "₁")};
    in_value.args  = {marked(name, is_later ? "₁" : "₂")};
    show_marked(errors, d.args[0], type, x, in_type.args[0]);
    show_marked(errors, d.args[single ? 1 : 2], other, y, in_value.args[0]);
}

} // namespace

void tell_apart(Errors& errors, Diagnostic& d, const Def* type, const Def* value) {
    if (d.args.size() < 3 || d.id != Diag::not_assignable) return;
    if (auto single = type->isa<Sing>(); single && errors.show(single->value()) == errors.show(value)) {
        auto a = errors.show_in_full(single->value()), b = errors.show_in_full(value);
        if (a != b) d.note(Diag::in_full, {}, {a, b});
        else if (value->isa<Lam>()) return tell_variables_apart(errors, d, type, value);
    }
    if (d.args[0] != d.args[2]) return;
    auto a = errors.show_in_full(type), b = errors.show_in_full(value->type());
    if (a == b) return tell_variables_apart(errors, d, type, value);
    d.args[0] = a;
    d.args[2] = b;
}

/// It must say so.
void hint_widening(Errors& errors, Diagnostic& d, const Def* part, const Def* union_type, Span place) {
    auto some = part->isa<Union>(), all = union_type->isa<Union>();
    if (!some || !all) return;
    for (auto member : some->ops()) {
        auto is_same = [&](const Def* other) { return equal(errors.world(), member, other); };
        if (std::ranges::none_of(all->ops(), is_same)) return;
    }
    auto text = errors.source_text(place);
    auto word = text.find(" inj ");
    if (word == text.npos) return;
    auto member = errors.show(part);
    d.note(Diag::widen_by_hand, {}, {text.substr(0, word) + " inj @(" + member + ") " + text.substr(word + 5)});
}

} // namespace mim
