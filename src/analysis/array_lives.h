// SPDX-License-Identifier: MIT
// The arrays of run-time length of a scheduled function: where each begins, who looks at it, and how long it is
// needed. From these facts in_place.h and array_memory.h decide which arrays share memory, and where that is.
#pragma once
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/pointee.h"
#include "analysis/program.h"

namespace mim {

class ArrayLives {
public:
    /// In the order of evaluation: before the block is 0, operation k is k + 1, and its end comes last.
    struct Place {
        uint32_t block, step;
        bool operator==(const Place&) const = default;
    };
    struct Use {
        Place at;
        bool is_shared; ///< somebody else may refer to the array from here on
    };
    /// A parameter, a new array, or an update.
    struct Value {
        const Def* def;
        Place at;
        bool is_param;
        std::vector<Use> uses;
        std::unordered_set<uint32_t> live_in; ///< blocks at whose beginning it will be needed
    };
    /// An effect that reads an array.
    struct Load {
        const Def* op;
        Value array;
    };
    /// `to` gets the array `from`, or is an update of it.
    struct Edge {
        static constexpr uint32_t unknown = ~0u;
        uint32_t from; ///< unknown: an array whose memory may be anybody's
        uint32_t to;
        Place at;
        const Def* array; ///< what `from` is
        bool is_cut;      ///< `to` does not have the memory of `from`
    };
    /// An array that is none of these is looked at.
    struct OuterUse {
        const Def* array;
        Place at;
    };
    /// An effect, or a call that may have one, of which the axiom is null.
    struct Event {
        const Axm* axm;
        Place at;
    };

    ArrayLives(Program& program, Function& fn)
        : program_(program)
        , fn_(fn) {}

    /// A row that is a value, of a literal length, and where one of its elements is read.
    struct RowRead {
        const Extract* row;
        Place at;
    };

    /// Fills what is below. False if there is nothing to decide, or too much: each array is copied then.
    bool collect();

    /// @name found
    ///@{
    std::vector<Value> values;
    std::vector<Load> loads;
    std::vector<Edge> edges;
    std::vector<OuterUse> outer_uses;
    std::vector<Event> events;
    DefSet row_views; ///< rows that are values, of which each element can be read where its array lies
    ///@}

    Value* find(const Def* def);
    bool is_live_after(const Value&, Place) const;
    /// A value that begins later in the block of the place is there before only if it comes from another turn of a
    /// loop.
    bool is_live_across(const Value&, Place) const;
    /// The place of an operation that is evaluated once in the function; null of others.
    const Place* place_of(const Def* op) const;
    bool is_operation(const Def* def) const { return is_operation_.contains(def); }
    const Load* load_of(const Def* array) const;
    /// The array that `def` is a row of, or `def` itself.
    const Def* array_of(const Def* def);
    /// Of an array that is no value: whether somebody else may have its memory.
    bool may_be_anybodys(const Def* def);

    /// @name lines: values that have one memory, since no edge between them is cut
    ///@{
    void make_lines();
    uint32_t line_of(uint32_t value);
    uint32_t line_of(const Value& value) { return line_of(uint32_t(&value - values.data())); }
    const std::vector<uint32_t>& members(uint32_t line) const { return members_[line]; }
    ///@}

    /// Whether the block ends in a call that cannot have an effect, and comes back or ends the program.
    bool is_pure_end(const BasicBlock& block) const { return pure_ends_.contains(block.number); }

    /// A parameter, or an element of one at known places.
    static bool is_of_variable(const Def*);
    static bool is_update(const Def* def) { return def->isa<Insert>() && is_by_address(def->type()); }
    static bool is_new(const Def*); ///< an array that is made, or updated

private:
    /// An expression, and whether what is made of it may refer to its arrays: else it is looked at, or copied.
    struct Item {
        const Def* def;
        bool is_shared;
    };

    bool has_arrays();
    void operands(const Def* def, std::vector<const Def*>& ops);
    const Def* loaded(const Def* def);
    void operations_of(const Def* def, const std::unordered_map<const Def*, size_t>& step, std::vector<size_t>& out);
    void sink_updates(BasicBlock&);
    void find_values();
    void add_value(const Def* def, Place at, bool is_param);
    void add_load(const Def* op, const Def* array, Place at);
    void add_params(const BasicBlock&);
    void find_uses(BasicBlock&);
    std::vector<const Def*> call_uses(const BasicBlock& block, const Lam* lam);
    void pass(const BasicBlock&, const BasicBlock& target, Place end);
    void add_edge(const Def* from, uint32_t to, Place at);
    void use_operands(const Def* def, Place at);
    void evaluate_operands(const Def* def, Place at);
    void push_operands(const Def* def, std::vector<Item>& out);
    void evaluate(std::vector<Item> todo, Place at);
    void use(const Def* def, Place at, bool is_shared);
    bool has_pure_end(const BasicBlock&);
    bool captures_code(const Lam*);
    void use_params(const Def* def, Place at, bool is_shared);
    void use_whole(const Def* def, Place at);
    void find_live(Value&);
    bool reads_element(const Extract*, Place at);
    bool is_small_row(const Def*);
    const Def* array_around(const Def* row);
    bool is_there(const Def* array, Place at);
    void find_row_views();

    Program& program_;
    Function& fn_;
    std::unordered_map<const Def*, uint32_t> load_of_; ///< by the operation, and by its array
    std::unordered_map<const Def*, uint32_t> number_;
    std::unordered_map<const Def*, const Def*> view_of_; ///< a row → its array
    std::unordered_set<const Def*> is_operation_;        ///< evaluated where the schedule has it
    std::vector<RowRead> row_reads_;                     ///< each row behind the rows that it is one of
    std::unordered_set<const Def*> whole_rows_;          ///< needed as values
    std::unordered_set<uint32_t> pure_ends_;             ///< numbers of blocks
    std::unordered_map<const Def*, Place> places_;       ///< of those that are evaluated once
    std::vector<uint32_t> line_;
    std::vector<std::vector<uint32_t>> members_;                            ///< of each line
    std::unordered_map<const Lam*, std::vector<const Def*>> captured_uses_; ///< by function that is called
};

} // namespace mim
