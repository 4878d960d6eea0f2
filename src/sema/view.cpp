// SPDX-License-Identifier: MIT
#include "sema/view.h"

#include <algorithm>

namespace mim {

size_t Views::Hash::operator()(const View* v) const {
    size_t h = v->names.size();
    auto mix = [&](auto part) { h = (h ^ std::hash<decltype(part)>()(part)) * 0x9e3779b97f4a7c15ull; };
    for (auto name : v->names) mix(name);
    for (auto elem : v->elems) mix(elem);
    mix(v->each), mix(v->inst), mix(v->dom), mix(v->codom);
    return h ^ h >> 32;
}

bool Views::Equal::operator()(const View* a, const View* b) const {
    return a->each == b->each && a->inst == b->inst && a->dom == b->dom && a->codom == b->codom
           && std::ranges::equal(a->names, b->names) && std::ranges::equal(a->elems, b->elems);
}

const View* Views::make(const View& content) {
    if (auto known = all_.find(&content); known != all_.end()) return *known;
    auto view   = arena_.make<View>(content);
    view->names = arena_.list(content.names.begin(), content.names.size());
    view->elems = arena_.list(content.elems.begin(), content.elems.size());
    return *all_.insert(view).first;
}

} // namespace mim
