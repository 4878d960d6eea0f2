// SPDX-License-Identifier: MIT
// Builders and normalizers of lazy values: `force (done x) ▷ x` and `done (force l) ▷ l`; both only ever evaluate less.
#include "lazy.h"

#include "ir/layout.h"
#include "kit/match.h"

namespace mim::plug::direct {

const Def* make_lazy_type(World& w, const Def* type) { return w.app(w.annex(Lazy(0)), type); }
const Def* make_done(World& w, const Def* value) { return w.call<direct::done>(value); }
const Def* make_force(World& w, const Def* lazy) { return w.call<direct::force>(lazy); }
const Def* make_fill(World& w, const Def* code) { return w.call<direct::fill>(code); }
const Def* make_delay(World& w, delay where, const Def* code) { return w.call(where, code); }
const Def* make_once(World& w, once where, const Def* code) { return w.call(where, code); }

const Def* normalize_done(const Redex& redex) { return cancel<direct::force>(redex); }
const Def* normalize_force(const Redex& redex) { return cancel<direct::done>(redex); }

namespace {

/// A pointer and a value.
bool layout_of(World& w, const Def* app, uint64_t& size, uint64_t& align) {
    auto value = mim::value_layout(w, app->as<App>()->arg());
    if (!value) return false;
    auto pointer = w.layout.pointer_size;
    auto round   = [](uint64_t n, uint64_t to) { return (n + to - 1) / to * to; };
    align        = std::max<uint64_t>(w.layout.pointer_align, value->align);
    size         = round(round(pointer, value->align) + value->size, align);
    return true;
}

} // namespace

void register_lazy(PluginBuilder& p) {
    p.axiom("%direct.done").speculatable();
    p.axiom("%direct.fill").local();
    p.axiom("%direct.delay").local().speculatable().token_free(); // its type does not show that it knows functions
    p.axiom("%direct.once").internal().local().speculatable().suspends();
    p.axiom("%direct.Lazy").layout(layout_of);
}

} // namespace mim::plug::direct
