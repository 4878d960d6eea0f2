// SPDX-License-Identifier: MIT
// Notes at type errors whose two sides read alike.
#include <algorithm>
#include <unordered_set>

#include "sema/hints.h"

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

} // namespace

void hint_alike(Errors& errors, Diagnostic& d, const Def* type, const Def* value) {
    auto expected = type, found = value->type();
    if (auto single = type->isa<Sing>()) expected = single->value(), found = value;
    if (errors.show(expected) != errors.show(found)) return;
    auto a = errors.show_in_full(expected), b = errors.show_in_full(found);
    if (a != b) {
        d.note(Diag::in_full, {}, {a, b});
        return;
    }
    auto [x, y] = find_different(expected, found);
    if (!x || errors.show(x) != errors.show(y)) return;
    note_variable(errors, d, Diag::expected_here, x);
    note_variable(errors, d, Diag::found_here, y);
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
