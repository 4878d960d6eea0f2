// SPDX-License-Identifier: MIT
// Lowering: an operation becomes loops that compute an array. An operation that only says where an element comes from is not computed: who wants an
// element takes it from there. What computes its elements is fused into the one who wants them, if that one wants each of them at most once and
// nobody else wants any.
#pragma once
#include "kit/lower.h"
#include "lower/indices.h"
#include "lower/loops.h"
#include "lower/map_reduce.h"
#include "lower/schedule.h"
#include "lower/siblings.h"
#include "tensor.h"

namespace mim::plug::tensor {

/// It only says where an element comes from.
bool is_access(const Def* op);
/// Each element of its result is computed by itself.
bool computes_elements(const Def* op);
/// Only one operation, or a tuple that is a part of only one, has it as an operand.
bool has_one_user(const Snapshot&, const Def*);
/// Of the expression, or of the innermost call around it that is no part of this plugin.
Place place_of(World&, const Def* op);
/// Whether `inner` is evaluated again and again while `outer` is not: it depends on a variable of a function inside of
/// which `outer` need not be.
bool is_deeper(World&, const Def* inner, const Def* outer);

/// A function of an array that is there and another one, element by element.
struct Combine {
    DefVec shape;
    const Def* type; ///< of an element
    std::function<const Def*(Defs index, const Def* here, const Def* other)> element;
};

class Tensors : public Lowering, private Indices {
public:
    explicit Tensors(PhaseContext& c)
        : Lowering(c)
        , Indices(c.world)
        , c_(c)
        , loops_(c.world)
        , siblings_(c.world, program(), questions()) {}

    void lower();

protected:
    const Def* rewrite_imm(const Def*) override;

private:
    /// Whoever wants elements.
    struct Reader {
        const Def* op; ///< the operation that is lowered
        bool once;     ///< it reads each element at most once
    };

    /// @name parts of an operation of the old program, in the new one
    ///@{
    const Def* part(const Def* op, size_t group) { return rewrite(mim::group(op, group)); }
    const Def* part(const Def* op, size_t group, uint64_t i) { return elem(w, part(op, group), i); }
    /// An element of a group, as it was.
    const Def* old(const Def* op, size_t group, uint64_t i) { return elem(w, mim::group(op, group), i); }
    /// The elements of an array whose length is known by now.
    DefVec list(const Def* op, const Def* length, const Def* array);
    /// The same as numbers.
    std::vector<uint64_t> numbers(const Def* op, const Def* length, const Def* array);
    uint64_t known(const Def* op, const Def* number);
    ///@}

    /// @name what is owed
    ///@{
    /// Asked once, before elements are read; a literal if it is known. The numbers are for the message.
    const Def* owed(owe what, const Def* op, const Def* holds, Defs numbers);
    /// The index of the element at this place of a dense array, which there is because `owed` says so.
    DefVec index_at(Defs shape, const Def* place, const Def* owed);
    ///@}

    /// @name elements
    ///@{
    Elements elements(const Def* array, DefVec shape, const Def* type, Reader);
    Elements values(const Def* array, DefVec shape, const Def* type);
    std::optional<Elements> views_of_rows(const Def* array, const DefVec& shape, const Def* type, Reader);
    Elements elements_of_rows(Elements rows, const DefVec& shape, const Def* type);
    Elements elements_of_row(const DefVec& shape, const Def* type);
    bool may_fuse(const Def* producer, Reader);

    Elements source(const Def* op, Reader);
    Elements of_map(const Def* op, Reader);
    Elements of_zip(const Def* op, Reader);
    Elements of_generate(const Def* op);
    Elements of_map_reduce(const Def* op, Reader);
    Elements of_transpose(const Def* op, Reader);
    Elements of_broadcast(const Def* op, Reader);
    Elements of_reshape(const Def* op, Reader);
    Elements of_split(const Def* op, Reader);
    Elements of_join(const Def* op, Reader);
    Elements of_slice(const Def* op, Reader);
    Elements of_reverse(const Def* op, Reader);
    Elements of_window(const Def* op, Reader);
    Elements of_pad(const Def* op, Reader);
    Elements of_concat(const Def* op, Reader);
    Elements of_gather(const Def* op, Reader);
    ///@}

    /// @name operations
    ///@{
    /// The request of a `%tensor.with`; null: there is none.
    struct Request {
        const Def* op;
        Plan schedule;
    };
    using Wanted = const Request*;
    using Maker  = const Def* (Tensors::*)(const Def* op, Wanted);
    static Maker maker_of(const Def* op);
    const Def* made(const Def* op);
    const Def* lower_with(const Def* op);
    /// The application of `%tensor.with` to this operation.
    const Def* scheduled(const Def* op);
    /// The schedule that is wanted, which must fit, or loops in this order.
    Plan chosen(const Def* op, Wanted, Dims usual, const LoopSpace&);

    const Def* computed(const Def* op, Wanted);
    MapReduce map_reduce_of(const Def* op, Reader);
    /// A fold over one dimension.
    MapReduce fold_of(const Def* op, Reader);
    /// The reduction that elements of a `generate` are made of, and that with all around it; none: it is not so.
    std::optional<MapReduce> nest_of(const Def* op);
    const Def* loops_of(const MapReduce&, const Def* op, Wanted);
    const Def* loops_in(const Dims& order, MapReduce, const Def* blank, bool in_blocks);
    const Def* output_of(const MapReduce&, Defs index);
    /// A reduction, step by step.
    struct Reduction {
        DefVec extents;
        const Def *start, *type; ///< the type is that of what is left in the end
        std::function<const Def*(Defs index, const Def* acc)> step;
        std::function<const Def*(const Def*)> end;
    };
    Reduction reduction_of(const Def* op);
    const Def* lower_together(const Group&, const Def* op);
    std::optional<Combine> combine_of(const Def* f, Reader);
    Siblings::Questions questions();
    Elements made_in_turn();
    const Def* lower_get(const Def* op);
    const Def* lower_extract(const Def* extract);
    const Def* lower_set(const Def* op);
    const Def* lower_fold(const Def* op, Wanted);
    const Def* lower_counted(const Lowered&);
    const Def* lower_scan(const Def* op, Wanted);
    const Def* lower_scatter(const Def* op, Wanted);
    const Def* lower_reduce(const Def* op, Wanted);
    ///@}

    /// The element of a group's array that the current turn has made.
    struct Turn {
        const Def* array;
        DefVec extents;
        const Def* type;
        DefVec index;
        const Def* element;
    };

    /// A `map` over rows whose function says where elements of its row are.
    struct Rows {
        const Def *row, *op; ///< what the function gets, and the operation
        DefVec around;       ///< the extents of the dimensions that are not those of a row
        Reader reader;
        DefVec index; ///< of the row that an element is wanted of
    };

    PhaseContext& c_;
    Loops loops_;
    Siblings siblings_;
    std::shared_ptr<Rows> rows_;                        ///< whose function is being looked at
    std::shared_ptr<Turn> turn_;                        ///< of the group whose reductions are being taken apart
    std::unordered_map<const Def*, bool> made_by_rows_; ///< reductions whose elements are reduced side by side
};

} // namespace mim::plug::tensor
