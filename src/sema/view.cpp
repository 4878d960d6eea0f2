// SPDX-License-Identifier: MIT
#include "sema/view.h"

#include <algorithm>
#include <vector>

namespace mim {

size_t Views::Hash::operator()(const View* v) const {
    size_t h = v->names.size();
    auto mix = [&](auto part) { h = (h ^ std::hash<decltype(part)>()(part)) * 0x9e3779b97f4a7c15ull; };
    for (auto name : v->names) mix(name);
    for (auto label : v->labels) mix(label);
    for (auto elem : v->elems) mix(elem);
    mix(v->each), mix(v->inst), mix(v->dom), mix(v->codom), mix(v->is_hint);
    return h ^ h >> 32;
}

bool Views::Equal::operator()(const View* a, const View* b) const {
    return a->each == b->each && a->inst == b->inst && a->dom == b->dom && a->codom == b->codom && a->is_hint == b->is_hint
           && std::ranges::equal(a->names, b->names) && std::ranges::equal(a->labels, b->labels)
           && std::ranges::equal(a->elems, b->elems);
}

const View* Views::make(const View& content) {
    if (auto known = all_.find(&content); known != all_.end()) return *known;
    auto view    = arena_.make<View>(content);
    view->names  = arena_.list(content.names.begin(), content.names.size());
    view->elems  = arena_.list(content.elems.begin(), content.elems.size());
    view->labels = arena_.list(content.labels.begin(), content.labels.size());
    return *all_.insert(view).first;
}

const View* Views::tuple(std::span<const Symbol> names, std::span<const View* const> elems) {
    for (size_t i = 0; i < names.size(); ++i)
        if (names[i]) last_declared_[names[i]] = {i, names.size()};
    View view{.names = {names.data(), names.size()}};
    if (std::ranges::any_of(elems, [](auto elem) { return elem != nullptr; })) view.elems = {elems.data(), elems.size()};
    return make(view);
}

const View* Views::labelled(std::span<const Symbol> labels, std::span<const View* const> payloads) {
    View view{.labels = {labels.data(), labels.size()}};
    if (std::ranges::any_of(payloads, [](auto payload) { return payload != nullptr; }))
        view.elems = {payloads.data(), payloads.size()};
    return make(view);
}

const View* Views::type_of(const View* values) { return values ? make({.inst = values}) : nullptr; }

const Views::Field* Views::last_declared(Symbol field) const {
    auto it = last_declared_.find(field);
    return it == last_declared_.end() ? nullptr : &it->second;
}

const View* Views::hint(const View* view) {
    if (!view || view->is_hint) return view;
    if (auto known = hints_.find(view); known != hints_.end()) return known->second;
    std::vector<const View*> elems;
    for (auto elem : view->elems) elems.push_back(hint(elem));
    View content        = *view;
    content.elems       = {elems.data(), elems.size()};
    content.each        = hint(view->each);
    content.inst        = hint(view->inst);
    content.dom         = hint(view->dom);
    content.codom       = hint(view->codom);
    content.is_hint     = true;
    return hints_[view] = make(content);
}

} // namespace mim
