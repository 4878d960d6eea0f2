// SPDX-License-Identifier: MIT
// MIL to functions of the World. Blocks and closures are functions in continuation-passing style that take the state
// of memory, the address of the run time's table (runtime/heap.h), and their arguments; all values have 64 bits. The
// host finds loops, and inlines.
#pragma once
#include <unordered_map>

#include "code_words.h"
#include "count.h"
#include "mil/annexes.h"
#include "stages.h"

namespace mim::plug::mil {

using Values = DefVec;

class CodeMaker : WordMaker {
public:
    CodeMaker(World& world, const CountedProgram& counted, CFunctions& c_functions, bool is_checked)
        : WordMaker(world, counted.program)
        , c_(counted)
        , c_functions_(c_functions)
        , is_checked_(is_checked)
        , functions_(world)
        , memory_(w.app(w.annex(mem::MAS(0)), w.lit_nat(0))) {}

    void run();

private:
    void body(Lam*, const BlockDef&);
    void closure(uint32_t);
    void start_tops();
    void set_field(uint32_t top, size_t argument, const mim::Def* value);
    const mim::Def* compute(const Tail&);
    Lam* initializer();
    Lam* start(Lam* init);
    void make_main(Lam* init);
    void make_table(Lam* init);
    void entry(uint32_t block, Lam* init);
    void code(const Code&);
    void statement(const Statement&);
    void end(const Tail&);
    void jump(const Jump&);
    void split(const mim::Def* condition, Lam* yes, Lam* no);
    void test(const mim::Def* subject, const Con&, Lam* yes, Lam* no);
    void branch(const Code&);
    void give_nothing();
    /// Calls a function that takes and returns memory.
    void effect(const mim::Def* callee, Values args);
    void call(const mim::Def* callee, Values args, size_t results);
    const mim::Def* callee(const Tail&, Values& args);
    Values simple(const Tail&);
    Values primitive(const Tail&);
    Values c_function(const Primitive&, const Values& args);
    Values mim_function(uint32_t index, const Values& args);
    /// @name objects
    ///@{
    const mim::Def* build(const Tail&);
    const mim::Def* allocate(const Tail&);
    const mim::Def* object(const Tail&, uint64_t tag, Values slots, size_t first_value);
    const mim::Def* cell(size_t slots, uint32_t token);
    const mim::Def* reuse(const mim::Def* object, const Atoms& fields, size_t first);
    void change(const Tail&);
    void free_cell(const mim::Def* cell, size_t slots);
    void drop(const mim::Def* value, Held);
    void dup(const mim::Def* value, Held);
    Held held(const Atom&) const;
    ///@}
    /// @name rows of bits: values of `bitdata`
    ///@{
    const mim::Def* row(const Tail&);
    const mim::Def* field_of(const Tail&);
    const mim::Def* is_row_of(const Con&, const mim::Def* value);
    const mim::Def* holds(const Con&, const mim::Def* value, uint32_t place);
    const mim::Def* holds(const Region&, const mim::Def* value, uint32_t place);
    const mim::Def* all_of(const mim::Def* a, const mim::Def* b) { return !a ? b : b ? bits(core::bit2::and_, a, b) : a; }
    const mim::Def* shifted(const mim::Def* value, int places);
    const mim::Def* part_of_row(const Tail&, const Values& args);
    ///@}
    void stop(const mim::Def* why);
    void loop_for_ever();

    const mim::Def* returns(size_t results) {
        DefVec dom{memory_};
        dom.resize(results + 1, word_);
        return w.cn(w.sigma(dom));
    }
    /// Of a function that takes memory, the address of the top-level values and so many words.
    const mim::Def* function_type(size_t words, size_t results) {
        DefVec dom{memory_, word_};
        dom.resize(words + 2, word_);
        dom.push_back(returns(results));
        return w.cn(w.sigma(dom));
    }
    const mim::Def* atom(const Atom&);
    Values atoms(const Atoms& all) {
        return map_defs(all, [&](auto& a) { return atom(a); });
    }
    const mim::Def* load(const mim::Def* pointer) {
        auto loaded = w.call<mem::load>({mem_, pointer});
        mem_        = w.extract(loaded, 0);
        return w.extract(loaded, 1);
    }
    void store(const mim::Def* pointer, const mim::Def* value) { mem_ = w.call<mem::store>({mem_, pointer, value}); }
    const mim::Def* element(const mim::Def* address, size_t i, size_t size) {
        return w.call<mem::lea>({pointer(address, w.arr(size, word_)), w.lit_idx(size, i)});
    }
    /// The place of a top-level value, or of a text, in the table.
    const mim::Def* static_value(size_t i) {
        constexpr size_t kLists = 64;
        return element(tops_, kLists + i, kLists + p_.tops.size() + p_.texts.size());
    }
    void finish(const mim::Def* body) { w.set_body(now_, body); }
    /// Code goes on here.
    void enter(Lam* lam) {
        now_ = lam;
        mem_ = w.extract(lam->var(), 0);
    }
    /// Takes the memory.
    Lam* block(const char* name) { return functions_.con(memory_, name); }
    void go_on(Lam* block) {
        now_ = block;
        mem_ = block->var();
    }

    const CountedProgram& c_;
    CFunctions& c_functions_;
    bool is_checked_; ///< at the end there are no objects
    Functions functions_;
    const mim::Def* memory_;
    std::vector<Lam*> blocks_, closures_;

    /// @name the function that is being made
    ///@{
    Lam* now_               = nullptr;
    const mim::Def* mem_    = nullptr;
    const mim::Def* tops_   = nullptr; ///< the table
    const mim::Def* return_ = nullptr;
    uint32_t results_       = 1; ///< of the function
    std::unordered_map<uint32_t, const mim::Def*> locals_;
    ///@}
};

} // namespace mim::plug::mil
