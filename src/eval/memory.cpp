// SPDX-License-Identifier: MIT
// Memory: a pointer is an allocation and an offset in bytes. What is null, dangling, foreign, out of range or freed twice is undefined
// behaviour, and so is reading what was never written or is no value of its type. Memory may be read at another type than it was
// written: bytes.cpp knows the bytes. A slot ends with the activation of its function, see activation.cpp.
#include "eval/machine.h"

namespace mim::eval {

Value Machine::allocate(Allocation::Home home, uint64_t size) {
    no_speculation();
    Ref<Allocation> a(heap_.make<Allocation>());
    a->size = size;
    a->home = home;
    Ref<PtrObj> p(heap_.make<PtrObj>());
    p->alloc = a;
    return Value(Kind::Ptr, p.get());
}

Value Machine::alloc(const Value& type, const Def* where) { return allocate(Allocation::Heap, size_of(type, where)); }
Value Machine::malloc(uint64_t bytes) { return allocate(Allocation::Heap, bytes); }

/// The bytes that a pointer points to.
PtrObj& Machine::access(const Value& ptr, uint64_t bytes, const Def* where) {
    no_speculation();
    if (!ptr.is(Kind::Ptr)) fail("expected a pointer, got " + show(ptr), where);
    if (!ptr.obj) undefined("access through the null pointer", where);
    auto& p = ptr.ptr();
    if (!p.alloc) undefined("access through a pointer that was made from a number", where);
    switch (p.alloc->life) {
        case Allocation::Live: break;
        case Allocation::Freed: undefined("access to freed memory", where);
        case Allocation::Returned: undefined("access to a slot of a function that has returned", where);
    }
    if (p.offset > p.alloc->size || bytes > p.alloc->size - p.offset) undefined("access past the end of an allocation", where);
    return p;
}

void Machine::free(const Value& ptr, const Def* where) {
    auto v = force(ptr, where);
    no_speculation();
    if (v.is(Kind::Ptr) && !v.obj) return; // as in C
    if (v.is(Kind::Ptr) && v.ptr().alloc && v.ptr().alloc->life == Allocation::Freed) undefined("memory is freed twice", where);
    auto& p = access(v, 0, where);
    if (p.alloc->home != Allocation::Heap) undefined("free of memory that is not from the heap", where);
    if (p.offset != 0) undefined("free of a pointer into the middle of an allocation", where);
    p.alloc->end(Allocation::Freed);
}

Value Machine::load(const Value& ptr, const Value& type, const Def* where) {
    auto pv = force(ptr, where);
    auto& p = access(pv, size_of(type, where), where);
    auto v  = read_value(*p.alloc, p.offset, type, type, where);
    if (v.is(Kind::Poison) && !loads_unwritten) undefined("load of uninitialised memory", where);
    return v;
}

void Machine::store(const Value& ptr, const Value& type, const Value& value, const Def* where) {
    auto pv = force(ptr, where);
    auto v  = deep(value, where);
    auto& p = access(pv, size_of(type, where), where);
    write_value(*p.alloc, p.offset, type, type, v, where);
}

/// The element type of ‹n; T›, without making n of them; None if v is no such pack.
Value Machine::uniform(const Value& v) {
    if (v.is(Kind::Pack)) return v.pack().def->is_mut() ? Value() : force(pack_elem(v.pack(), 0));
    if (!v.is(Kind::Thunk) || v.thunk().value) return {};
    auto pack = v.thunk().def->isa<Pack>();
    return pack && !pack->is_mut() ? eval(pack->body(), v.thunk().env) : Value();
}

Value Machine::lea(const Value& ptr, const Value& arity, const Value& types, uint64_t i, const Def* where) {
    auto v = force(ptr, where);
    auto n = size(arity);
    if (!v.is(Kind::Ptr)) fail("expected a pointer, got " + show(v), where);
    if (n != 0 && i >= n) undefined("index out of range", where);
    if (n == 1 && i == 0) return v;
    if (!v.obj || !v.ptr().alloc) undefined("address computed from a pointer to nothing", where);
    uint64_t offset = 0;
    if (auto elem = uniform(types)) {
        auto bytes = (unsigned __int128)size_of(elem, where) * i;
        if (bytes >> 62) undefined("access past the end of an allocation", where);
        offset = uint64_t(bytes);
    } else {
        auto all = force(types, where);
        for (uint64_t j = 0;; ++j) {
            auto type = force(extract(all, j, where), where);
            offset    = round_up(offset, align_of(type, where));
            if (j == i) break;
            offset += size_of(type, where);
        }
    }
    return offset_ptr(v.ptr(), offset);
}

Value Machine::offset_ptr(PtrObj& base, uint64_t offset) {
    Ref<PtrObj> p(heap_.make<PtrObj>());
    p->alloc  = base.alloc;
    p->offset = base.offset + offset;
    return Value(Kind::Ptr, p.get());
}

bool Machine::same_ptr(const Value& a, const Value& b) {
    auto x = force(a), y = force(b);
    if (!x.is(Kind::Ptr) || !y.is(Kind::Ptr)) fail("expected a pointer", nullptr);
    if (!x.obj || !y.obj) return x.obj == y.obj;
    return x.ptr().alloc == y.ptr().alloc && x.ptr().offset == y.ptr().offset;
}

uint64_t Machine::ptr_to_num(const Value& ptr, const Def* where) {
    auto v = force(ptr, where);
    no_speculation();
    if (!v.is(Kind::Ptr)) fail("expected a pointer, got " + show(v), where);
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

Value Machine::num_to_ptr(uint64_t address) {
    if (address == 0) return Value::null_ptr();
    Ref<PtrObj> p(heap_.make<PtrObj>());
    p->offset = address;
    if (auto it = exposed_.upper_bound(address); it != exposed_.begin()) {
        auto& [base, alloc] = *--it;
        if (address - base <= alloc->size) p->alloc = alloc, p->offset = address - base;
    }
    return Value(Kind::Ptr, p.get());
}

/// The bits of a value of one type as a value of another of the same size.
Value Machine::reinterpret(const Value& value, const Value& from, const Value& to, const Def* where) {
    if (size_of(from, where) != size_of(to, where)) fail("a value is reinterpreted at a type of another size", where);
    Ref<Allocation> a(heap_.make<Allocation>());
    a->size = size_of(from, where);
    write_value(*a, 0, from, from, deep(value, where), where);
    return read_value(*a, 0, to, to, where);
}

/// The i-th byte behind a C string's pointer.
uint64_t Machine::load_byte(const Value& ptr, uint64_t i) {
    auto v    = force(ptr);
    auto& p   = access(v, i + 1, nullptr);
    auto byte = read_number(*p.alloc, p.offset + i, 1, nullptr);
    if (byte.is(Kind::Poison)) undefined("a C string reaches uninitialised memory", nullptr);
    return byte.bits;
}

Value Machine::c_string(std::string_view text) {
    auto p = allocate(Allocation::Outside, text.size() + 1);
    for (size_t i = 0; i != text.size(); ++i) p.ptr().alloc->write(i, static_cast<unsigned char>(text[i]), 1);
    p.ptr().alloc->write(text.size(), 0, 1);
    return p;
}

Value Machine::c_array(const Values& pointers) {
    auto width = world_.layout.pointer_size;
    auto p     = allocate(Allocation::Outside, pointers.size() * width);
    for (size_t i = 0; i != pointers.size(); ++i) write_object(*p.ptr().alloc, i * width, pointers[i], nullptr);
    return p;
}

} // namespace mim::eval
