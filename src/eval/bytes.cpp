// SPDX-License-Identifier: MIT
// The bytes of an allocation. Each was written or not; a pointer or a function is an *object* that covers as many bytes as a pointer
// has and keeps what it is, so that a pointer that is stored and loaded still knows what it points to. Memory is allotted by pages,
// when something is written there.
#include <algorithm>

#include "eval/machine.h"
#include "eval/memory.h"
#include "ir/hook.h"

namespace mim::eval {

Page& Allocation::page(uint64_t offset) {
    auto& p = pages[offset / Page::size];
    if (!p) {
        heap.charge(*this, sizeof(Page));
        p = std::make_unique<Page>();
    }
    return *p;
}

const Page* Allocation::find(uint64_t offset) const {
    auto it = pages.find(offset / Page::size);
    return it == pages.end() ? nullptr : it->second.get();
}

ByteState Allocation::state(uint64_t offset) const {
    auto p = find(offset);
    return p ? p->state[offset % Page::size] : ByteState::Unset;
}

void Allocation::set_state(uint64_t offset, uint64_t n, ByteState s) {
    for (uint64_t i = 0; i != n; ++i) {
        if (s == ByteState::Unset && !find(offset + i)) continue;
        page(offset + i).state[(offset + i) % Page::size] = s;
    }
}

void Allocation::write(uint64_t offset, uint64_t bits, uint64_t n) {
    for (uint64_t i = 0; i != n; ++i) {
        auto at                  = offset + i;
        auto& p                  = page(at);
        p.bytes[at % Page::size] = static_cast<uint8_t>(bits >> 8 * i); // little-endian, as all targets are
        p.state[at % Page::size] = ByteState::Number;
    }
}

uint64_t Allocation::read(uint64_t offset, uint64_t n) const {
    uint64_t bits = 0;
    for (uint64_t i = 0; i != n; ++i) {
        auto p = find(offset + i);
        if (p) bits |= uint64_t(p->bytes[(offset + i) % Page::size]) << 8 * i;
    }
    return bits;
}

bool Allocation::all(uint64_t offset, uint64_t n, ByteState s) const {
    for (uint64_t i = 0; i != n; ++i)
        if (state(offset + i) != s) return false;
    return true;
}

namespace {
/// The bytes of an aggregate are visited one element after the other; no program of reasonable size has more.
constexpr uint64_t max_elems = 1ull << 26;
} // namespace

/// Objects that these bytes overlap become numbers, or nothing if they have none; then all of these bytes are free to be written.
void Memory::break_objects(Allocation& a, uint64_t offset, uint64_t n, bool keep, const Def* where) {
    if (a.objects.empty()) return;
    auto width = m_.world().layout.pointer_size;
    auto it    = a.objects.lower_bound(offset >= width ? offset - width + 1 : 0);
    while (it != a.objects.end() && it->first < offset + n) {
        auto [at, object] = *it;
        bool covered      = at >= offset && at + width <= offset + n;
        it                = a.objects.erase(it);
        if (covered && !keep) a.set_state(at, width, ByteState::Unset);
        else if (object.is(Kind::Ptr)) a.write(at, ptr_to_num(object, where), width);
        else m_.fail("a part of a function in memory is used as a number", where);
    }
}

void Memory::write_object(Allocation& a, uint64_t offset, const Value& v, const Def* where) {
    auto width = m_.world().layout.pointer_size;
    break_objects(a, offset, width, false, where);
    a.set_state(offset, width, ByteState::Object);
    a.objects[offset] = v;
}

/// A number of n bytes; Poison if one of them was never written.
Value Memory::read_number(Allocation& a, uint64_t offset, uint64_t n, const Def* where) {
    if (a.all(offset, n, ByteState::Number)) return Value::num(a.read(offset, n));
    for (uint64_t i = 0; i != n; ++i)
        if (a.state(offset + i) == ByteState::Unset) return Value::poison(where);
    break_objects(a, offset, n, true, where);
    return Value::num(a.read(offset, n));
}

/// A pointer or a function: an object, or the pointer that a number is.
Value Memory::read_object(Allocation& a, uint64_t offset, bool is_pointer, const Def* where) {
    auto width = m_.world().layout.pointer_size;
    if (auto it = a.objects.find(offset); it != a.objects.end()) {
        if (!is_pointer && it->second.is(Kind::Ptr)) m_.fail("a pointer in memory is used as a function", where);
        return it->second;
    }
    auto bits = read_number(a, offset, width, where);
    if (!bits.is(Kind::Num)) return bits;
    if (!is_pointer) m_.fail("a number in memory is used as a function", where);
    return num_to_ptr(bits.bits);
}

/// The shape is the type as far as it is known where the program is compiled: it says where what is.
void Memory::write_value(Allocation& a, uint64_t offset, const Value& type, const Value& shape, const Value& lazy,
                         const Def* where) {
    auto value = m_.copy(lazy);
    auto v     = types_.view(type);
    auto l     = layouts_.of(shape, where);
    auto elem  = [&](uint64_t i, const Value& elem_shape, uint64_t at) {
        write_value(a, at, types_.elem_type(v.type, i, value), elem_shape, m_.extract(value, i, where), where);
    };
    budget_.tick(where);
    if (l.size == 0) return;
    if (value.is(Kind::Poison)) {
        break_objects(a, offset, l.size, false, where);
        return a.set_state(offset, l.size, ByteState::Unset);
    }
    switch (v.form) {
        case TypeView::Arr: {
            if (v.size == 0 || v.size > max_elems) m_.fail("an array in memory that is too large for the evaluator", where);
            auto stride = layouts_.of(types_.elem_shape(shape, 0), where).size;
            for (uint64_t i = 0; i != v.size; ++i) elem(i, types_.elem_shape(shape, i), offset + i * stride);
            return;
        }
        case TypeView::Sigma: {
            break_objects(a, offset, l.size, false, where);
            a.set_state(offset, l.size, ByteState::Unset); // what is between the elements has no content
            uint64_t at = 0;
            for (uint64_t i = 0; i != v.size; ++i) {
                auto part = types_.elem_shape(shape, i);
                auto e    = layouts_.of(part, where);
                at        = round_up(at, e.align);
                elem(i, part, offset + at);
                at += e.size;
            }
            return;
        }
        case TypeView::Union: {
            auto member = types_.member_of(v, value, where);
            break_objects(a, offset, l.size, false, where);
            a.set_state(offset, l.size, ByteState::Unset);
            a.write(offset, member, tag_size(v.size));
            auto payload = offset + layouts_.payload_offset(types_.view(shape), where);
            return write_value(a, payload, types_.elem_type(v.type, member), types_.elem_shape(shape, member), value.inj().value,
                               where);
        }
        default: break;
    }
    if (v.form == TypeView::Axiom && v.axiom->to_bytes) {
        constexpr std::string_view kind = "the bytes of";

        auto app   = types_.reify(v.type, where);
        auto bytes = call_hook(*v.axiom, kind, where, [&] { return v.axiom->to_bytes(m_, app, value); });
        if (bytes.size() != l.size)
            hook_broke(*v.axiom, kind, where, "are " + std::to_string(bytes.size()) + ", and not " + std::to_string(l.size));
        break_objects(a, offset, l.size, false, where);
        for (size_t i = 0; i != bytes.size(); ++i) a.write(offset + i, static_cast<unsigned char>(bytes[i]), 1);
        return;
    }
    if (!value.is(Kind::Num)) {
        if (l.size != m_.world().layout.pointer_size) m_.fail("the evaluator cannot store " + show(value) + " in memory", where);
        return write_object(a, offset, value, where);
    }
    if (l.size > 8) m_.fail("a number of more than 64 bits in memory", where);
    break_objects(a, offset, l.size, false, where);
    a.write(offset, value.bits, l.size);
}

/// What memory holds as a value of this type. Parts that were never written, or hold no value of their type, are Poison.
Value Memory::read_value(Allocation& a, uint64_t offset, const Value& type, const Value& shape, const Def* where) {
    auto v = types_.view(type);
    auto l = layouts_.of(shape, where);
    budget_.tick(where);
    switch (v.form) {
        case TypeView::Nat: return read_number(a, offset, 8, where);
        case TypeView::Idx: {
            if (v.is_empty) return Value::poison(where);
            if (l.size == 0) return Value::num(0);
            auto n = read_number(a, offset, l.size, where);
            return n.is(Kind::Num) && v.size != 0 && n.bits >= v.size ? Value::poison(where) : n;
        }
        case TypeView::Pi: return read_object(a, offset, false, where);
        case TypeView::Axiom: {
            if (v.axiom->has(mim::Axiom::LinearType)) return Value::token();
            if (l.size == 0) break;
            bool is_object = !v.axiom->layout || (!v.axiom->from_bytes && a.objects.contains(offset));
            if (is_object) return read_object(a, offset, true, where);
            if (v.axiom->from_bytes) {
                std::string bytes;
                for (uint64_t i = 0; i != l.size; ++i) {
                    auto byte = read_number(a, offset + i, 1, where);
                    if (!byte.is(Kind::Num)) return byte;
                    bytes += static_cast<char>(byte.bits);
                }
                auto app = types_.reify(v.type, where);
                return call_hook(*v.axiom, "the value from bytes of", where, [&] { return v.axiom->from_bytes(m_, app, bytes); });
            }
            if (l.size > 8) break;
            return read_number(a, offset, l.size, where);
        }
        case TypeView::Sing: return m_.eval(v.type.type().def->op(0), v.type.type().env);
        case TypeView::Arr: {
            if ((v.size == 0 && !v.is_empty) || v.size > max_elems)
                m_.fail("an array in memory that is too large for the evaluator", where);
            auto stride = v.size ? layouts_.of(types_.elem_shape(shape, 0), where).size : 0;
            return read_elems(a, v, shape, where, [&](uint64_t i, const Value&) { return offset + i * stride; });
        }
        case TypeView::Sigma: {
            uint64_t at = offset;
            return read_elems(a, v, shape, where, [&](uint64_t, const Value& elem) {
                auto e     = layouts_.of(elem, where);
                auto begin = offset + round_up(at - offset, e.align);
                at         = begin + e.size;
                return begin;
            });
        }
        case TypeView::Union: {
            auto tag = read_number(a, offset, tag_size(v.size), where);
            if (!tag.is(Kind::Num) || tag.bits >= v.size) return Value::poison(where);
            Ref<InjObj> inj(heap_.make<InjObj>());
            inj->type    = types_.elem_type(v.type, tag.bits);
            auto payload = offset + layouts_.payload_offset(types_.view(shape), where);
            inj->value   = read_value(a, payload, inj->type, types_.elem_shape(shape, tag.bits), where);
            return Value(Kind::Inj, inj.get());
        }
        default: break;
    }
    m_.fail("the evaluator cannot read " + show(v.type) + " from memory", where);
}

Value Memory::read_elems(Allocation& a, const TypeView& v, const Value& shape, const Def* where,
                         const std::function<uint64_t(uint64_t, const Value&)>& place) {
    Ref<TupleObj> t(heap_.make<TupleObj>());
    Value res(Kind::Tuple, t.get());
    heap_.charge(*t, v.size * sizeof(Value));
    for (uint64_t i = 0; i != v.size; ++i) {
        auto type = types_.elem_type(v.type, i, res);
        auto part = types_.elem_shape(shape, i);
        auto at   = place(i, part);
        auto elem = read_value(a, at, type, part, where);
        t->elems.push_back(std::move(elem));
    }
    return res;
}

} // namespace mim::eval
