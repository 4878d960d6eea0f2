// SPDX-License-Identifier: MIT
// Pointers and what may be accessed through them; bytes.cpp knows the bytes. A slot ends with the activation of its
// function, see activations.cpp.
#include "eval/memory.h"

#include "eval/machine.h"

namespace mim::eval {

Value Memory::allocate(Allocation::Home home, uint64_t size) {
    budget_.before_effect();
    Ref<Allocation> a(heap_.make<Allocation>());
    a->size = size;
    a->home = home;
    Ref<PtrObj> p(heap_.make<PtrObj>());
    p->alloc = a;
    return Value(Kind::Ptr, p.get());
}

Value Memory::alloc(const Value& type, const Def* where) { return allocate(Allocation::Heap, layouts_.size_of(type, where)); }
Value Memory::malloc(uint64_t bytes) { return allocate(Allocation::Heap, bytes); }

/// The bytes that a pointer points to.
PtrObj& Memory::access(const Value& ptr, uint64_t bytes, const Def* where) {
    budget_.before_effect();
    if (!ptr.is(Kind::Ptr)) m_.fail("expected a pointer, got " + show(ptr), where);
    if (!ptr.obj) m_.undefined("access through the null pointer", where);
    auto& p = ptr.ptr();
    if (!p.alloc) m_.undefined("access through a pointer that was made from a number", where);
    switch (p.alloc->life) {
        case Allocation::Live: break;
        case Allocation::Freed: m_.undefined("access to freed memory", where);
        case Allocation::Returned: m_.undefined("access to a slot of a function that has returned", where);
    }
    if (p.offset > p.alloc->size || bytes > p.alloc->size - p.offset) m_.undefined("access past the end of an allocation", where);
    return p;
}

void Memory::free(const Value& ptr, const Def* where) {
    auto v = m_.force(ptr, where);
    budget_.before_effect();
    if (v.is(Kind::Ptr) && !v.obj) return; // as in C
    if (v.is(Kind::Ptr) && v.ptr().alloc && v.ptr().alloc->life == Allocation::Freed)
        m_.undefined("memory is freed twice", where);
    auto& p = access(v, 0, where);
    if (p.alloc->home != Allocation::Heap) m_.undefined("free of memory that is not from the heap", where);
    if (p.offset != 0) m_.undefined("free of a pointer into the middle of an allocation", where);
    p.alloc->end(Allocation::Freed);
}

Value Memory::load(const Value& ptr, const Value& type, const Def* where) {
    auto pv = m_.force(ptr, where);
    auto& p = access(pv, layouts_.size_of(type, where), where);
    auto v  = read_value(*p.alloc, p.offset, type, type, where);
    if (v.is(Kind::Poison) && !loads_unwritten) m_.undefined("load of uninitialised memory", where);
    return v;
}

void Memory::store(const Value& ptr, const Value& type, const Value& value, const Def* where) {
    auto pv = m_.force(ptr, where);
    auto v  = m_.deep(value, where);
    auto& p = access(pv, layouts_.size_of(type, where), where);
    write_value(*p.alloc, p.offset, type, type, v, where);
}

/// The element type of ‹n; T›, without making n of them; None if v is no such pack.
Value Memory::uniform(const Value& v) {
    if (v.is(Kind::Pack)) return v.pack().def->is_mut() ? Value() : m_.force(m_.extract(v, 0, nullptr));
    if (!v.is(Kind::Thunk) || v.thunk().value) return {};
    auto pack = v.thunk().def->isa<Pack>();
    return pack && !pack->is_mut() ? m_.eval(pack->body(), v.thunk().env) : Value();
}

Value Memory::lea(const Value& ptr, const Value& arity, const Value& types, uint64_t i, const Def* where) {
    auto v = m_.force(ptr, where);
    auto n = m_.size(arity);
    if (!v.is(Kind::Ptr)) m_.fail("expected a pointer, got " + show(v), where);
    if (n != 0 && i >= n) m_.undefined("index out of range", where);
    if (n == 1 && i == 0) return v;
    if (!v.obj || !v.ptr().alloc) m_.undefined("address computed from a pointer to nothing", where);
    uint64_t offset = 0;
    if (auto elem = uniform(types)) {
        auto bytes = (unsigned __int128)layouts_.size_of(elem, where) * i;
        if (bytes >> 62) m_.undefined("access past the end of an allocation", where);
        offset = uint64_t(bytes);
    } else {
        auto all = m_.force(types, where);
        for (uint64_t j = 0;; ++j) {
            auto type = m_.force(m_.extract(all, j, where), where);
            offset    = round_up(offset, layouts_.align_of(type, where));
            if (j == i) break;
            offset += layouts_.size_of(type, where);
        }
    }
    return offset_ptr(v.ptr(), offset);
}

Value Memory::offset_ptr(PtrObj& base, uint64_t offset) {
    Ref<PtrObj> p(heap_.make<PtrObj>());
    p->alloc  = base.alloc;
    p->offset = base.offset + offset;
    return Value(Kind::Ptr, p.get());
}

bool Memory::overlap(const Value& a, const Value& a_type, const Value& b, const Value& b_type, const Def* where) {
    if (!a.is(Kind::Ptr) || !b.is(Kind::Ptr) || !a.obj || !b.obj) return false;
    auto &p = a.ptr(), &q = b.ptr();
    if (!p.alloc || p.alloc.get() != q.alloc.get()) return false;
    auto p_size = layouts_.size_of(a_type, where);
    auto q_size = layouts_.size_of(b_type, where);
    if (p_size == 0 || q_size == 0) return false;
    return p.offset < q.offset + q_size && q.offset < p.offset + p_size;
}

uint64_t Memory::ptr_to_num(const Value& ptr, const Def* where) {
    auto v = m_.force(ptr, where);
    budget_.before_effect();
    if (!v.is(Kind::Ptr)) m_.fail("expected a pointer, got " + show(v), where);
    if (!v.obj) return 0;
    auto& p = v.ptr();
    if (!p.alloc) return p.offset;
    if (p.alloc->address == 0) {
        p.alloc->address = next_address_;
        next_address_    = round_up(next_address_ + p.alloc->size + 16, 16);
        exposed_.emplace(p.alloc->address, p.alloc);
    }
    return p.alloc->address + p.offset;
}

Value Memory::num_to_ptr(uint64_t address) {
    if (address == 0) return Value::null_ptr();
    Ref<PtrObj> p(heap_.make<PtrObj>());
    p->offset = address;
    if (auto it = exposed_.upper_bound(address); it != exposed_.begin()) {
        auto& [base, alloc] = *--it;
        if (address - base <= alloc->size) p->alloc = alloc, p->offset = address - base;
    }
    return Value(Kind::Ptr, p.get());
}

Value Memory::reinterpret(const Value& value, const Value& from, const Value& to, const Def* where) {
    if (layouts_.size_of(from, where) != layouts_.size_of(to, where))
        m_.fail("a value is reinterpreted at a type of another size", where);
    Ref<Allocation> a(heap_.make<Allocation>());
    a->size = layouts_.size_of(from, where);
    write_value(*a, 0, from, from, m_.deep(value, where), where);
    return read_value(*a, 0, to, to, where);
}

uint64_t Memory::load_byte(const Value& ptr, uint64_t i) {
    auto v    = m_.force(ptr);
    auto& p   = access(v, i + 1, nullptr);
    auto byte = read_number(*p.alloc, p.offset + i, 1, nullptr);
    if (byte.is(Kind::Poison)) m_.undefined("a C string reaches uninitialised memory", nullptr);
    return byte.bits;
}

Value Memory::c_string(std::string_view text) {
    auto p = allocate(Allocation::Outside, text.size() + 1);
    for (size_t i = 0; i != text.size(); ++i) p.ptr().alloc->write(i, static_cast<unsigned char>(text[i]), 1);
    p.ptr().alloc->write(text.size(), 0, 1);
    return p;
}

Value Memory::c_array(const Values& pointers) {
    auto width = m_.world().layout.pointer_size;
    auto p     = allocate(Allocation::Outside, pointers.size() * width);
    for (size_t i = 0; i != pointers.size(); ++i) write_object(*p.ptr().alloc, i * width, pointers[i], nullptr);
    return p;
}

} // namespace mim::eval
