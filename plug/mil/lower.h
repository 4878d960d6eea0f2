// SPDX-License-Identifier: MIT
// Code of MIL that is made one statement after the other. Blocks and closures get the variables that they capture at
// the end, when all code is there (doc/adr/0032).
#pragma once
#include <string>
#include <vector>

#include "front/chars.h"
#include "tree.h"

namespace mim::plug::mil {

class CodeBuilder {
public:
    explicit CodeBuilder(Program& program);
    /// Blocks from this one on may capture variables.
    CodeBuilder(Program& program, uint32_t first_block);

    Program& program;

    /// @name definitions
    ///@{
    uint32_t block(const std::string& base, std::vector<uint32_t> params, Span);
    uint32_t closure(const std::string& base, std::vector<uint32_t> params, Tail, Span);
    uint32_t top(const std::string& base, Tail, Span);
    /// A function value for a block: takes one parameter after the other. The tail of it goes to the end of the code.
    Tail function(const std::string& base, uint32_t block, const std::vector<uint32_t>& params, Span);
    /// Gives each block and closure what it captures, and passes that wherever it is called.
    void capture();
    ///@}

    /// @name the code of the block that is being made
    ///@{
    uint32_t at = kNone;
    Code& code() { return program.blocks[at].code; }
    Atom emit(Tail, const std::string& name);
    /// The results are not needed.
    void discard(Tail);
    void finish(Tail);
    ///@}

private:
    uint32_t first_block_, first_closure_;
};

inline Atom variable(uint32_t v) { return {Atom::Var, v}; }
inline Tail tail(Tail::Op op, uint32_t target, Atoms args, Span at) { return {op, target, 0, std::move(args), at}; }

} // namespace mim::plug::mil
