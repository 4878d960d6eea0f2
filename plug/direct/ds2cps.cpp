// SPDX-License-Identifier: MIT
// See ds2cps.h and converter.h. Here: functions. Closed ones are converted one after the other; those inside of others with them.
#include "ds2cps.h"

#include "changes.h"
#include "converter.h"
#include "expand.h"
#include "in_types.h"
#include "never.h"
#include "passing.h"
#include "uncurry.h"
#include "updates.h"

namespace mim::plug::direct {

void Converter::run() {
    Changes changes(facts_);
    if (changes.changed.empty()) return;
    changed_ = std::move(changes.changed);
    members_.label_parts(changes.widened);
    decide_passing(facts_, changes.lams, changes.calls);
    auto externals = world_.externals;
    for (auto& ext : externals)
        if (auto lam = function(ext.lam); lam != ext.lam) world_.externals.replace(ext.name, lam->as_mut<Lam>());
    while (!todo_.empty()) {
        auto lam = todo_.back();
        todo_.pop_back();
        convert(lam);
    }
    world_.close(made_);
}

/// The new form of a closed function, as a value.
const Def* Converter::function(const Lam* lam) {
    if (!changed_.contains(lam)) return lam;
    if (!facts_.has_lazy(lam)) return worker(lam);
    auto& made = wrappers_[lam];
    if (!made) made = wrapper(lam);
    return made;
}

/// The new form of a function, as known calls see it: it takes some arguments by need.
Lam* Converter::worker(const Lam* lam) {
    if (!facts_.is_closed(lam)) return declare(lam);
    auto& made = functions_[lam];
    if (!made) {
        made = stub(lam);
        todo_.push_back(lam);
    }
    return made;
}

/// A function whose arguments are all values, in front of one that takes some by need.
const Def* Converter::wrapper(const Lam* lam) {
    auto made = new_lam(function_type(lam->pi()));
    world_.notes.copy_info(lam, made);
    auto arg  = world_.extract(made->var(), uint64_t(0));
    auto args = assemble(lam, [&](const Leaf& leaf) {
        auto part = facts_.part(arg, leaf);
        return !leaf.is_lazy() ? part : leaf.is_used ? done(leaf, part) : world_.unit();
    });
    world_.set_body(made, world_.app(worker(lam), {args, world_.extract(made->var(), uint64_t(1))}));
    return made;
}

/// The new λ of a function or continuation, without a body.
Lam* Converter::stub(const Lam* lam) {
    auto pi   = stays(lam) ? same_type(lam->pi()) : facts_.has_lazy(lam) ? worker_type(lam) : function_type(lam->pi());
    auto made = new_lam(pi);
    world_.notes.copy_info(lam, made);
    return made;
}

Lam* Converter::new_lam(const Def* pi) {
    auto lam = world_.mut_lam(pi);
    if (here_) world_.notes.set_place(lam, here_);
    world_.set_filter(lam, world_.ff());
    made_.push_back(lam);
    return lam;
}

void Converter::convert(const Lam* lam) {
    here_ = world_.notes.place(lam);
    env_.clear();
    trail_.clear();
    cells_.clear();
    thunks_.clear();
    Uses uses(facts_, lam);
    uses_ = &uses;
    body(0, lam, functions_[lam]);
    uses_ = nullptr;
}

/// Fills `made`, the new form of `lam`, whose vertex is `v`.
void Converter::body(uint32_t v, const Lam* lam, Lam* made) {
    auto mark = here();
    auto body = lam->body();
    if (stays(lam)) {
        bind(lam->var(), made->var());
        context(v, made, body, nullptr);
    } else {
        auto arg = world_.extract(made->var(), uint64_t(0));
        if (facts_.has_lazy(lam)) bind_leaves(lam, arg);
        else bind(lam->var(), arg);
        context(v, made, body, world_.extract(made->var(), uint64_t(1)));
    }
    auto stays_in_place = [](Local&) {};
    if (world_.debug) Subst::copy_locals(world_, lam, made, [&](const Def* value) { return known(value); }, stays_in_place);
    leave(mark);
}

/// The new form of a value that has a name, if the new body needs it anyway; null otherwise.
const Def* Converter::known(const Def* value) {
    if (auto i = env_.find(value); i != env_.end()) return i->second;
    auto element     = value->isa<Extract>();
    bool is_constant = element && element->index()->isa<Lit>();
    auto tuple       = is_constant ? known(element->tuple()) : nullptr;
    return tuple ? world_.extract(tuple, element->index()) : nullptr;
}

void to_cps(PhaseContext& context) {
    if (!check_never(context)) return;
    expand_partial(context);
    expand_updates(context);
    uncurry_tokens(context);
    evaluate_in_types_by_need(context);
    Converter(context.world).run();
}

} // namespace mim::plug::direct
