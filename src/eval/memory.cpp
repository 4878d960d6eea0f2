// SPDX-License-Identifier: MIT
// Memory: an allocation's content is one Value, which stores refine from Poison to the tuples and scalars that were stored; a
// pointer is a path into it. So there are no bytes: reading memory at another type than it was written is a clean failure of the
// evaluator, while dangling, null and out-of-range accesses and reads of what was never written are undefined behaviour.
// A loaded aggregate shares its object with memory; a store copies what is shared.
#include "eval/machine.h"

namespace mim::eval {

namespace {
constexpr uint64_t max_elems = 1ull << 26; ///< of one array in memory
}

Value Machine::alloc(const Value& type) {
    no_speculation();
    Ref<Allocation> a(heap_.make<Allocation>());
    a->content = Value::poison();
    a->type    = type;
    Ref<PtrObj> p(heap_.make<PtrObj>());
    p->alloc = a;
    return Value(Kind::Ptr, p.get());
}

Value Machine::malloc(const Value& type, uint64_t bytes) {
    auto p      = alloc(type);
    auto v      = view(type);
    auto& count = p.ptr().alloc->count;
    if (v.form == TypeView::Arr && !v.is_empty) {
        auto e = size_of(elem_type(v.type, 0), nullptr);
        if (e != 0) count = bytes / e;
    } else if (size_of(type, nullptr) > bytes) {
        count = 0;
    }
    return p;
}

Value Machine::slot(const Value& type, uint64_t id) {
    no_speculation();
    // the frame of the function: a continuation without a return is one of its basic blocks
    auto is_function = [&](const Def* binder) {
        auto lam = binder ? binder->isa<Lam>() : nullptr;
        if (!lam) return false;
        if (!lam->is_cn()) return true;
        auto returns = [](const Def* d) { return d->isa<Pi>() && d->as<Pi>()->is_cn(); };
        return returns(lam->dom())
               || (lam->dom()->isa<Sigma>() && lam->dom()->num_ops() > 0 && returns(lam->dom()->ops().back()));
    };
    auto frame = env_.get();
    while (frame && !is_function(frame->binder)) frame = frame->parent.get();
    if (!frame) frame = env_.get();
    for (auto& [known, ptr] : frame->slots)
        if (known == id) return ptr;
    auto ptr = alloc(type);
    frame->slots.emplace_back(id, ptr);
    return ptr;
}

PtrObj& Machine::access(const Value& ptr, const Def* where) {
    no_speculation();
    if (!ptr.is(Kind::Ptr)) fail("expected a pointer, got " + show(ptr), where);
    if (!ptr.obj) undefined("access through the null pointer", where);
    auto& p = ptr.ptr();
    if (!p.alloc) undefined("access through a pointer that was made from a number", where);
    if (!p.alloc->live) undefined("access to freed memory", where);
    if ((p.path.empty() ? 0 : p.path[0]) >= p.alloc->count) undefined("access past the end of an allocation", where);
    if (!p.path.empty() && p.alloc->type) {
        auto v = view(p.alloc->type);
        if ((v.form == TypeView::Arr || v.form == TypeView::Sigma) && (v.size != 0 || v.is_empty) && p.path[0] >= v.size)
            undefined("access past the end of an allocation", where);
    }
    return p;
}

void Machine::free(const Value& ptr, const Def* where) {
    auto v = force(ptr);
    no_speculation();
    if (v.is(Kind::Ptr) && !v.obj) return; // as in C
    auto& p = access(v, where);
    if (!p.path.empty()) undefined("free of a pointer into the middle of an allocation", where);
    p.alloc->live    = false;
    p.alloc->content = Value::poison();
}

/// Content as a value of this type: what was never written is written out as uninitialised elements.
Value Machine::pad(const Value& content, const Value& type, unsigned depth) {
    if (!content.is(Kind::Poison) && !content.is(Kind::Tuple)) return content;
    auto v      = view(type);
    bool is_agg = (v.form == TypeView::Arr || v.form == TypeView::Sigma) && depth < 64;
    if (!is_agg || (v.size == 0 && !v.is_empty && v.form == TypeView::Arr)) {
        // a pointer to an aggregate used as one to its first element
        if (content.is(Kind::Tuple) && !is_agg && v.form != TypeView::Other && !content.tuple().elems.empty())
            return pad(content.tuple().elems[0], type, depth);
        return content;
    }
    if (v.size > max_elems) fail("an aggregate that is too large for the evaluator", nullptr);
    Ref<TupleObj> old(content.is(Kind::Tuple) ? &content.tuple() : nullptr);
    if (v.size > 64 && old && old->elems.size() == v.size) return content;
    Ref<TupleObj> t(heap_.make<TupleObj>());
    Value res(Kind::Tuple, t.get());
    heap_.charge(*t, v.size * sizeof(Value));
    if (old) t->elems = old->elems;
    t->elems.resize(v.size, Value::poison());
    for (uint64_t i = 0; i != v.size; ++i) t->elems[i] = pad(t->elems[i], elem_type(v.type, i, res), depth + 1);
    return res;
}

/// What lies at a path in a content; Poison where nothing was stored.
Value Machine::walk(Value v, const std::vector<uint64_t>& path) {
    for (auto i : path) {
        if (v.is(Kind::Poison)) break;
        if (v.is(Kind::Pack)) {
            v = deep(pack_elem(v.pack(), i), nullptr);
        } else if (!v.is(Kind::Tuple)) {
            fail("memory is read at another type than it was written", nullptr);
        } else {
            auto& elems = v.tuple().elems;
            v           = i < elems.size() ? Value(elems[i]) : Value::poison();
        }
    }
    return v;
}

/// The i-th byte behind a C string's pointer: the pointer is to the first byte, alone or in an array.
uint64_t Machine::load_byte(const Value& ptr, uint64_t i) {
    auto& p = access(ptr, nullptr);
    Value v = p.alloc->content;
    auto at = p.path;
    if (at.empty() || walk(v, at).is(Kind::Tuple)) at.push_back(i);
    else at.back() += i;
    auto byte = walk(v, at);
    if (byte.is(Kind::Poison)) undefined("a C string reaches uninitialised memory", nullptr);
    return num(byte);
}

Value Machine::load(const Value& ptr, const Value& type, const Def* where) {
    auto pv = force(ptr);
    auto& p = access(pv, where);
    Value v = walk(p.alloc->content, p.path);
    v       = pad(v, type, 0);
    if (v.is(Kind::Poison)) undefined("load of uninitialised memory", where);
    return v;
}

void Machine::store(const Value& ptr, const Value& value, const Def* where) {
    auto pv = force(ptr);
    auto& p = access(pv, where);
    auto v  = deep(value, where);
    if (!p.alloc->live) undefined("access to freed memory", where);
    Value* cell = &p.alloc->content;
    for (auto i : p.path) {
        if (i >= max_elems) fail("an array in memory that is too large for the evaluator", where);
        if (cell->is(Kind::Pack)) {
            auto n = cell->pack().arity;
            if (n == 0 || n > max_elems) fail("an array in memory that is too large for the evaluator", where);
            Value pack = *cell;
            Ref<TupleObj> t(heap_.make<TupleObj>());
            heap_.charge(*t, n * sizeof(Value));
            for (uint64_t j = 0; j != n; ++j) t->elems.push_back(deep(pack_elem(pack.pack(), j), where));
            *cell = Value(Kind::Tuple, t.get());
        } else if (cell->is(Kind::Poison)) {
            *cell = Value(Kind::Tuple, Ref<TupleObj>(heap_.make<TupleObj>()).get());
        } else if (!cell->is(Kind::Tuple)) {
            fail("memory is written at another type than before", where);
        } else if (cell->obj->refs > 1) {
            Ref<TupleObj> t(heap_.make<TupleObj>());
            t->elems = cell->tuple().elems;
            heap_.charge(*t, t->elems.size() * sizeof(Value));
            *cell = Value(Kind::Tuple, t.get());
        }
        auto& t = cell->tuple();
        if (i >= t.elems.size()) {
            heap_.charge(t, (i + 1 - t.elems.size()) * sizeof(Value));
            t.elems.resize(i + 1, Value::poison());
        }
        cell = &t.elems[i];
    }
    *cell = v;
}

Value Machine::lea(const Value& ptr, uint64_t arity, uint64_t i, const Def* where) {
    auto v = force(ptr);
    if (!v.is(Kind::Ptr)) fail("expected a pointer, got " + show(v), where);
    if (arity != 0 && i >= arity) undefined("index out of range", where);
    if (arity == 1) return v;
    if (!v.obj || !v.ptr().alloc) undefined("address computed from a pointer to nothing", where);
    Ref<PtrObj> p(heap_.make<PtrObj>());
    p->alloc = v.ptr().alloc;
    p->path  = v.ptr().path;
    p->path.push_back(i);
    return Value(Kind::Ptr, p.get());
}

bool Machine::same_ptr(const Value& a, const Value& b) {
    auto x = force(a), y = force(b);
    if (!x.is(Kind::Ptr) || !y.is(Kind::Ptr)) fail("expected a pointer", nullptr);
    if (!x.obj || !y.obj) return x.obj == y.obj;
    auto &p = x.ptr(), &q = y.ptr();
    return p.alloc == q.alloc && p.path == q.path && p.address == q.address;
}

uint64_t Machine::ptr_to_num(const Value& ptr, const Def* where) {
    auto v = force(ptr);
    no_speculation();
    if (!v.is(Kind::Ptr)) fail("expected a pointer, got " + show(v), where);
    if (!v.obj) return 0;
    auto& p = v.ptr();
    if (!p.alloc) return p.address;
    auto& a = *p.alloc;
    if (a.address == 0) {
        a.address     = next_address_;
        next_address_ = (next_address_ + size_of(a.type, where) + 31) / 16 * 16;
    }
    auto address = a.address;
    auto type    = a.type;
    for (auto i : p.path) {
        address += field_offset(type, i, where);
        type = elem_type(type, i);
    }
    exposed_[address] = v;
    return address;
}

Value Machine::num_to_ptr(uint64_t address) {
    if (address == 0) return Value::null_ptr();
    if (auto it = exposed_.find(address); it != exposed_.end()) return it->second;
    Ref<PtrObj> p(heap_.make<PtrObj>());
    p->address = address;
    return Value(Kind::Ptr, p.get());
}

} // namespace mim::eval
