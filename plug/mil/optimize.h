// SPDX-License-Identifier: MIT
// The optimizer on MIL. Definitions are rewritten one after the other, callees first; a definition is looked at again
// where something that it calls has changed. The rules have the numbers of section 5 of the paper.
#pragma once
#include <array>
#include <map>
#include <set>
#include <string>

#include "algebra.h"
#include "program.h"
#include "report.h"
#include "walk.h"

namespace mim::plug::mil {

/// The facts of an argument of a block.
struct Shape {
    enum Kind : uint8_t { Unknown, Built, Closed, Known, Repeated };
    Kind kind       = Unknown;
    uint32_t target = kNone;    ///< Built: a constructor; Closed: a closure; Repeated: the argument that it is
    Atom atom;                  ///< Unknown: what is passed; Known: a constant
    std::vector<Shape> parts{}; ///< of what it is made
};

/// The code behind a computation up to the end of its block, with what it needs from before.
struct Continuation {
    std::vector<uint32_t> binds; ///< results of the computation
    std::vector<Statement> statements;
    Code end; ///< has no statements
    std::vector<uint32_t> free;
};

/// All definitions are rewritten with this.
class Optimizer {
public:
    Optimizer(Program& p, Types& types, World& w, Report& report, bool may_derive);
    void run();

    /// @name what is known of definitions
    ///@{
    /// The allocation, if a top-level value is one of constants.
    const Tail* static_value(uint32_t top) const;
    /// Neither inlined nor derived: types or effects need it as it is.
    bool is_fixed(uint32_t block) const { return block >= fixed_blocks_.size() || fixed_blocks_[block]; }
    bool is_fixed_closure(uint32_t closure) const { return closure >= fixed_closures_.size() || fixed_closures_[closure]; }
    /// It may call itself, by way of others as well, or it is in the component of a caller.
    bool are_together(uint32_t caller, uint32_t callee) const;
    bool is_small(const Code&) const;
    /// It only calls another block, so it may be passed by.
    bool is_forward(uint32_t block) const;
    /// A statement may become its code.
    bool may_inline(uint32_t caller, uint32_t callee) const;
    bool is_called_once(uint32_t block) const { return block < uses_.size() && uses_[block] == 1; }
    bool never_returns(uint32_t block) const { return block < endless_.size() && endless_[block]; }
    bool is_total(uint32_t block) const { return block < total_.size() && total_[block]; }
    /// It looks into this parameter.
    bool inspects(uint32_t block, size_t param) const {
        return block < inspected_.size() && param < inspected_[block].size() && inspected_[block][param];
    }
    /// It takes the bits of this parameter as a word, or those that it calls do.
    bool converts(uint32_t block, size_t param) const {
        return block < converted_.size() && param < converted_[block].size() && converted_[block][param];
    }
    /// It returns something that it has made.
    bool gives_known(uint32_t block) const { return block < gives_.size() && gives_[block]; }
    ///@}

    /// @name derived blocks
    ///@{
    /// A block that begins with the allocations of these shapes; kNone if there are too many.
    uint32_t with_shapes(uint32_t block, const std::vector<Shape>&);
    /// There is such a block.
    bool has_shapes(uint32_t block, const std::vector<Shape>&) const;
    /// A block that goes on with this; kNone if there are too many. The free variables are its last parameters.
    uint32_t with_end(uint32_t block, Continuation&);
    ///@}

    /// So many statements become part of a definition: false if the program has grown too much.
    bool grow(size_t statements);

    /// Derived blocks of these, and those that are these, are not the same any more.
    void forget_derived(const std::vector<bool>& changed);
    void forget_dead();
    /// It changed: it is looked at again, and who calls it.
    void touch(uint32_t block) {
        if (block < is_dirty_.size()) is_dirty_[block] = true;
    }

    /// The code of a halt.
    Tail halt(Span at);

    Program& p;
    Types& types;
    Algebra algebra;
    Report& report;
    std::unordered_set<uint32_t> words; ///< variables of the type Word, as what is done with them says

private:
    /// @name facts of the whole program (known.cpp)
    ///@{
    void look();
    void find_fixed();
    void find_components();
    void find_endless();
    void find_total();
    using Marks = std::vector<std::vector<bool>>; ///< parameters of blocks
    /// Those that `looks` finds in a computation, or that are passed to one of them.
    void find_used(Marks&, bool subjects, bool (*looks)(const Program&, const Tail&));
    void find_inspected();
    void find_words();
    void find_giving();
    ///@}

    bool round();
    bool rewrite_blocks();
    void release_signatures();
    bool open_tops();
    bool open_top(uint32_t);
    void mark_callers();
    uint32_t derive(const std::string& key, uint32_t from, BlockDef);
    void fill_ends();
    void go_on(Code&, Tail, const Continuation&, Renaming&);
    uint32_t called_before(uint32_t block, const Continuation&);
    bool is_general(const Program::Entry&) const;

    bool may_derive_;
    size_t budget_ = 0;
    std::vector<uint32_t> order_; ///< definitions, callees first
    std::vector<uint32_t> components_, uses_;
    std::vector<bool> fixed_blocks_, fixed_closures_, endless_, total_, gives_, recursive_, is_ready_, is_dirty_;
    Marks inspected_, converted_;
    std::map<std::string, uint32_t> derived_;
    std::vector<uint32_t> roots_; ///< of derived blocks: what they are derived from
    std::vector<uint32_t> counts_;
    struct End {
        uint32_t block, from;
        Continuation continuation;
    };
    std::vector<End> ends_; ///< that have no code yet
    uint32_t halt_ = kNone;
};

/// The computation may be left out where nobody needs its results.
bool is_dropped(const Optimizer&, const Tail&);
/// Rewrites the code of a block. False if nothing has changed.
bool rewrite(Optimizer&, uint32_t block);
/// The same of a definition that is one computation; it stays one.
bool rewrite_tail(Optimizer&, const std::string& name, Tail&);
/// Removes parameters and stored fields that nobody needs, and those that are always the same constant.
bool remove_parameters(Optimizer&);
/// Parameters whose bits are taken as a word are passed as words.
bool pass_words(Optimizer&);
/// Allocations of constants become top-level definitions, which are made once.
void make_static(Optimizer&);
/// One definition for equal ones.
bool merge(Optimizer&);
/// The primitive that gives the same bits another type.
bool is_conversion(const Program&, const Tail&);
/// A primitive takes a word at this place, or returns one.
bool takes_word(const Program&, const Tail&, size_t argument);
bool gives_word(const Program&, const Tail&);

} // namespace mim::plug::mil
