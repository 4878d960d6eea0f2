// SPDX-License-Identifier: MIT
// How vectors are represented: as vectors of the target, with one element for each lane. Vectors without lanes, or whose lanes hold no
// information, have no value at run time, like everything without information.
#pragma once
#include "emit/lifted.h"
#include "vec.h"

namespace mim::plug::vec {

class Vector {
public:
    /// Of the type `%vec.V (n, T)`; without lanes if there is no code for it.
    Vector(Emit&, const Def* type);

    Emit& e;
    VecType type;
    unsigned n;
    Type elem; ///< of one lane; empty if it holds no information
    Type rep;  ///< of values

    explicit operator bool() const { return bool(rep); }
    bool is_mask() const { return elem && e.bits(elem) == 1; }
    /// Lanes as they lie in memory one behind the other: truth values take a byte.
    Type memory_elem() const { return is_mask() ? e.int_type(8) : elem; }
    Type memory_rep() const { return e.vector_type(memory_elem(), n); }
    Value to_memory(Value v) const { return is_mask() ? e.cast(ZExt, v, memory_rep()) : v; }
    Value from_memory(Value v) const { return is_mask() ? e.cast(Trunc, v, rep) : v; }
    Value get(Value v, unsigned i) const { return e.extract_lane(v, e.i64(i)); }
};

/// Lanes first, …, first + k - 1 of v, of which there are n; what does not exist is anything.
Value slice(Emit&, Value v, unsigned n, unsigned first, unsigned k);
/// Lanes of several vectors of k lanes one behind the other.
Value join(Emit&, std::vector<Value> parts, unsigned k);
/// Table look-up for lanes of 8 bits: see bytes.cpp. `bytes`, if it is there, becomes `at` modulo n; `known`, if it is, are the bytes of the table.
Value look_up_bytes(Emit&, Value table, unsigned n, Value at, unsigned k, Value bytes = {},
                    const std::vector<uint64_t>* known = nullptr);

/// The mask of n lanes of which the first `len`, which is at most n, are true.
Value prefix_mask(Emit&, unsigned n, Value len);

Type emit_type(Emit&, const Def* type);
OpEmitterFn emit_lift, emit_from, emit_to, emit_get, emit_set, emit_select, emit_permute, emit_concat, emit_bitcast, emit_reduce,
    emit_count, emit_first, emit_bits, emit_mask, emit_prefix, emit_load, emit_store, emit_load_if, emit_store_if,
    emit_load_prefix;

} // namespace mim::plug::vec
