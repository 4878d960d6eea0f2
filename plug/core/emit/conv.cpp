// SPDX-License-Identifier: MIT
// Emitters of %core.idx, %core.conv, %core.bitcast and %core.pe.
#include <string>

#include "analysis/pointee.h"
#include "core/diagnostics.h"
#include "emit/greatest.h"
#include "emit/int.h"
#include "ir/layout.h"

namespace mim::plug::core {

/// `Idx 0` is empty: no value of it is made, and none comes from there.
static void check_empty(const Int& n, const Def* size, const Def* app) {
    auto& e = n.e;
    if (!e.checked()) return;
    if (n.kind == Int::None && n.n == 0) e.trap_if(e.i1(true), app, "a value of `Idx 0`");
    if (n.kind == Int::Run && !e.may_be_2_64(size)) e.trap_if(e.cmp(Eq, n.size(), e.i64(0)), app, "a value of `Idx 0`");
}

/// l modulo s.
Value emit_idx(Emit& e, const Def* app) {
    auto size = group(app, 0);
    Int n(e, size);
    EmitMode mode(group(app, 1));
    check_empty(n, size, app);
    if (n.kind == Int::None) return {};
    auto l      = e.emit(arg_of(app));
    bool fits   = n.kind != Int::Run && greatest(arg_of(app)) <= n.greatest();
    auto modulo = [&] { return n.is_native() ? n.out(n.in(l)) : n.narrow(n.reduce(l)); };
    auto r      = fits || mode.nuw ? n.narrow(l) : modulo();
    if (e.checked() && mode.nuw) e.trap_if(e.not_(n.fits(e.resize(l, n.i128()), false)), app, "unsigned overflow");
    if (e.checked() && mode.nsw) e.trap_if(e.not_(n.fits(e.resize(l, n.i128()), true)), app, "signed overflow");
    return mode.nuw ? e.exact(r, l) : r;
}

/// There is no index, so this is never reached, or something is undefined that was evaluated before.
Value emit_absurd(Emit& e, const Def* app) {
    e.emit(arg_of(app)); // traps
    return e.undef(e.type(group(app, 0)));
}

Value emit_conv(Emit& e, const Def* app) {
    auto from_size = group(app, 0), to_size = group(app, 1);
    Int from(e, from_size), to(e, to_size);
    check_empty(from, from_size, app), check_empty(to, to_size, app);
    if (to.kind == Int::None) return {};
    if (from.kind == Int::None) return e.zero(to.rep);
    auto v = e.emit(arg_of(app));
    if (conv(sub_of(app)) == conv::u) {
        bool fits = to.kind != Int::Run && greatest(arg_of(app)) <= to.greatest();
        if (fits) return to.narrow(e.number_of(v));
        return to.is_native() ? to.out(to.in(v)) : to.narrow(to.reduce(to.wide(v)));
    }
    if (!from.is_native() || !to.is_native()) {
        auto wide = from.signed_wide(v);
        return to.is_native() ? to.out(to.in(wide)) : to.narrow(to.reduce_signed(wide));
    }
    auto bits = from.in(v);
    return to.out(e.cast(to.width > from.width ? SExt : Trunc, bits, to.native()));
}

namespace {

const Def* isa_integer(Emit& e, const Def* type) { return type->isa<Nat>() ? e.world().lit_2_64() : isa_idx(type); }

/// The low bits of an integer or an address as a value of `Idx s`.
Value to_integer(Emit& e, const Int& to, Value v, const Def* app) {
    if (to.is_native()) return to.out(e.resize(v, to.native()));
    auto wide = e.resize(v, to.i64());
    if (to.kind == Int::Odd) wide = e.bin(And, wide, to.mask());
    if (e.checked()) e.trap_if(e.not_(to.fits(e.resize(wide, to.i128()), false)), app, "a result outside of its type");
    return to.narrow(wide);
}

/// Both have the same size. Through memory, unless both are numbers.
Value reinterpret(Emit& e, Value v, Type to) {
    auto from      = e.type_of(v);
    auto is_number = [&](Type t) { return e.is_int(t) || e.is_float(t); };
    if (is_number(from) && is_number(to) && e.bits(from) == e.bits(to)) return e.cast(Bit, v, to);
    auto slot = e.alloca_(e.align_of(to) > e.align_of(e.type_of(v)) ? to : e.type_of(v));
    e.store(v, slot);
    return e.load(to, slot);
}

Value bitcast_value(Emit& e, Value v, Type to, const Def* app) {
    auto from = e.type_of(v);
    if (from == to) return v;
    bool from_word = e.is_int(from) || e.is_ptr(from), to_word = e.is_int(to) || e.is_ptr(to);
    if (from_word && to_word) return e.resize(v, to);
    if (e.size_of(from) == e.size_of(to)) return reinterpret(e, v, to);
    e.error(app, diag::bad_bitcast(group(app, 0), group(app, 1)));
    return e.undef(to);
}

/// A large array is an address, whose elements are meant.
Value reinterpret_memory(Emit& e, Value v, const Def* app) {
    auto from_type = group(app, 0), to_type = group(app, 1);
    auto from = layout(e.world(), from_type, true), to = layout(e.world(), to_type, true);
    if (!from || !to || from->size != to->size) {
        e.error(app, diag::bad_bitcast(from_type, to_type));
        return e.undef(e.type(to_type));
    }
    e.reinterpreted(from_type, to_type, v);
    auto memory = e.collected(e.i64(from->size), false);
    e.write(from_type, v, memory);
    return e.read(to_type, memory);
}

} // namespace

Value emit_bitcast(Emit& e, const Def* app) {
    auto from_type = group(app, 0), to_type = group(app, 1);
    for (auto type : {from_type, to_type})
        if (auto s = isa_integer(e, type)) check_empty(Int(e, s), s, app);
    for (auto type : {from_type, to_type}) {
        if (!holds_open_array(type)) continue;
        e.error(app, Diag::run_time_layout, {e.show(type)});
        return e.undef(e.type(to_type));
    }
    auto v = e.emit(arg_of(app));
    if (auto s = isa_integer(e, from_type); s && !v) v = e.i64(0); // the one value of Idx 1
    auto to = e.type(to_type);
    if (!to) return {};
    if (holds_large_array(from_type) || holds_large_array(to_type)) return reinterpret_memory(e, v, app);
    if (!v) return e.zero(to);
    e.reinterpreted(from_type, to_type, v);
    auto word = e.type_of(v);
    if (auto s = isa_integer(e, to_type)) {
        if (e.is_int(word) || e.is_ptr(word)) return to_integer(e, Int(e, s), v, app);
        if (e.size_of(word) <= 8 && e.size_of(word) == e.size_of(to))
            return to_integer(e, Int(e, s), reinterpret(e, v, e.int_type(unsigned(8 * e.size_of(word)))), app);
    }
    return bitcast_value(e, v, to, app);
}

Value emit_pe(Emit& e, const Def* app) { return pe(sub_of(app)) == pe::known ? e.i1(false) : e.emit(arg_of(app)); }

} // namespace mim::plug::core
