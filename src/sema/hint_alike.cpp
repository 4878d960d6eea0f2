// SPDX-License-Identifier: MIT
// A note at a type error whose two sides read alike: in which part they differ that the message leaves out, or which declarations of one
// name they mean. See hint_values.cpp.
#include <algorithm>
#include <unordered_set>

#include "sema/elab.h"
#include "sema/reflect.h"

namespace mim {

namespace {

bool is_variable(const Def* def) {
    while (def->isa<Extract>()) def = def->as<Extract>()->tuple();
    return def->isa<Var>();
}

/// Two variables that stand at one place of two expressions of one shape, and differ. Null if there are none.
std::pair<const Def*, const Def*> find_different(const Def* a, const Def* b) {
    static constexpr size_t MaxNodes = 1000;
    std::vector<std::pair<const Def*, const Def*>> todo{{a, b}};
    std::unordered_set<const Def*> seen;
    while (!todo.empty() && seen.size() != MaxNodes) {
        auto [x, y] = todo.back();
        todo.pop_back();
        if (!x || !y || x == y) continue;
        if (is_variable(x) && is_variable(y)) return {x, y};
        if (x->node() != y->node() || x->num_ops() != y->num_ops() || !seen.insert(x).second) continue;
        for (size_t i = x->num_ops(); i-- != 0;) todo.push_back({x->op(i), y->op(i)});
    }
    return {};
}

} // namespace

void Elab::hint_alike(Diagnostic& d, const Def* type, const Def* value) {
    auto expected = type, found = value->type();
    if (auto single = type->isa<Sing>()) expected = single->value(), found = value;
    if (show(expected) != show(found)) return;
    auto name_of = [this](const Def* def) { return name_in_scope(def); };
    auto a = show_in_full(world_, expected, name_of), b = show_in_full(world_, found, name_of);
    if (a != b) {
        d.note(Diag::in_full, {}, {a, b});
        return;
    }
    auto [x, y] = find_different(expected, found);
    if (!x || show(x) != show(y)) return;
    note_variable(d, Diag::expected_here, x);
    note_variable(d, Diag::found_here, y);
}

/// Where the variable is declared, or what it is a part of.
void Elab::note_variable(Diagnostic& d, Diag id, const Def* variable) {
    for (auto whole = variable; whole;) {
        auto binding = first_binding(whole);
        auto place   = binding ? binding->span : world_.span(whole);
        if (place) {
            d.note(id, place, {show(variable)});
            return;
        }
        auto extract = whole->isa<Extract>();
        whole        = extract ? extract->tuple() : nullptr;
    }
}

/// A union is injected into one that has all its members: it must say so.
void Elab::hint_widening(Diagnostic& d, const Def* part, const Def* union_type, Span place) {
    auto some = part->isa<Union>(), all = union_type->isa<Union>();
    if (!some || !all) return;
    for (auto member : some->ops()) {
        auto is_same = [&](const Def* other) { return world_.equal(member, other); };
        if (std::ranges::none_of(all->ops(), is_same)) return;
    }
    auto text = source_text(place);
    auto word = text.find(" inj ");
    if (word == text.npos) return;
    d.note(Diag::widen_by_hand, {}, {text.substr(0, word) + " inj @(" + show(part) + ") " + text.substr(word + 5)});
}

} // namespace mim
