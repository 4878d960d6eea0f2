// SPDX-License-Identifier: MIT
// See extremum.h.
#include "lower/extremum.h"

#include <bit>
#include <cmath>

#include "core/annexes.h"
#include "kit/build.h"
#include "kit/match.h"
#include "math/annexes.h"
#include "normal.h"

namespace mim::plug::tensor {

/// Whether it is `%math.extrema.fmax` or `fmin` with nothing permitted.
static bool is_strict_extremum(const Def* c) {
    auto axm = head_axiom(c);
    if (!axm || !is_tag<math::extrema>(axm->axiom()) || num_groups(c) != 2 || !is_value(group(c, 1), 0)) return false;
    auto which = math::extrema(axm->axiom().id.sub);
    return which == math::extrema::fmax || which == math::extrema::fmin;
}

/// The bits of a number of `f32` or `f64`; 0: it has another format.
static unsigned width_of(World& w, const Def* type) {
    auto app   = type->isa<App>();
    auto parts = app ? elements_of(w, w.lit_nat(2), app->arg()) : std::nullopt;
    if (!parts) return 0;
    if (is_value((*parts)[0], 23) && is_value((*parts)[1], 8)) return 32;
    return is_value((*parts)[0], 52) && is_value((*parts)[1], 11) ? 64 : 0;
}

static bool is_nan(uint64_t bits, unsigned width) {
    return width == 32 ? std::isnan(std::bit_cast<float>(uint32_t(bits))) : std::isnan(std::bit_cast<double>(bits));
}

std::optional<Extremum> Extremum::of(World& w, const Def* c, const Def* z) {
    auto lit = isa_lit(z);
    if (!lit || !is_strict_extremum(c)) return {};
    auto width = width_of(w, z->type());
    if (width == 0 || is_nan(lit->value(), width)) return {};
    return Extremum(w, c, z, width);
}

Extremum::Extremum(World& world, const Def* c, const Def* z, unsigned width)
    : world_(&world)
    , format_(group(c, 0))
    , z_(z)
    , is_max_(math::extrema(sub_of(c)) == math::extrema::fmax)
    , width_(width) {}

/// `x`, or `z` for a NaN, which changes nothing.
const Def* Extremum::number(const Def* x) const {
    auto is_nan = world_->apply(math::cmp::u, format_, 0, {x, x});
    return world_->select(is_nan, z_, x);
}

/// `acc` comes last: where the processor's own instruction leaves zeros open, the new number says what becomes of them,
/// which is known before `acc` is.
const Def* Extremum::extreme(std::initializer_list<math::mode> permitted, const Def* acc, const Def* number) const {
    uint64_t mode = 0;
    for (auto permission : permitted) mode += *value(world_->annex(permission));
    return world_->apply(is_max_ ? math::extrema::ieee754max : math::extrema::ieee754min, format_, mode, {number, acc});
}

const Def* Extremum::next(const Def* acc, const Def* x) const { return extreme({math::mode::nnan}, acc, number(x)); }

const Def* Extremum::is_zero(const Def* number) const {
    return world_->apply(math::cmp::e, format_, 0, {number, world_->raw_lit(number->type(), 0)});
}

/// Its bits, if it is a zero; else what leaves the signs of other zeros as they are. A zero is larger than another one if
/// it lacks the sign.
const Def* Extremum::bits_of_zero(const Def* number) const {
    auto type    = world_->idx(width_ == 64 ? world_->lit_2_64() : world_->lit_nat(uint64_t(1) << width_));
    auto bits    = world_->call<core::bitcast>(type, number);
    auto neutral = world_->lit(type, is_max_ ? ~uint64_t(0) >> (64 - width_) : 0);
    return world_->select(is_zero(number), bits, neutral);
}

const Def* Extremum::start() const { return world_->tuple({z_, bits_of_zero(z_)}); }

const Def* Extremum::step(const Def* acc, const Def* x) const {
    auto [last, zeros] = elems<2>(*world_, acc);
    auto n             = number(x);
    auto both          = is_max_ ? core::bit2::and_ : core::bit2::or_;
    return world_->tuple(
        {extreme({math::mode::nnan, math::mode::nsz}, last, n), world_->call(both, 0, {zeros, bits_of_zero(n)})});
}

const Def* Extremum::end(const Def* acc) const {
    auto [last, zeros] = elems<2>(*world_, acc);
    return world_->select(is_zero(last), world_->call<core::bitcast>(last->type(), zeros), last);
}

} // namespace mim::plug::tensor
