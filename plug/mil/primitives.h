// SPDX-License-Identifier: MIT
// The primitives that there are: their names, and how many arguments and results they have.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace mim::plug::mil {

enum class Op : uint32_t {
    Not,
    Neg,
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    Shl,
    Lshr,
    Ashr,
    Div,
    Rem,
    Bnot,
    Eq,
    Neq,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
    FlagToWord,
    WordToFlag,
    Halt,
    Loop,
    PrintWord,
    PrintString,
    ReadChar,
    Ret,
    NoInline,
    As,     ///< the same bits at another type
    Same,   ///< … of a row that is wider than a word; `primSame$n` has types of its own
    Area,   ///< memory of so many bytes, whose address is a multiple of the second number
    Offset, ///< an address, so many bytes on
    Load,   ///< so many bits from an address
    Store,
    NzDiv,
    NzRem,
    Zeros, ///< a row of so many bits; a proxy says how many
    Part,  ///< of a row of so many bits, the word at the third number
    Put,   ///< … it with another word there
    C,     ///< a function of C, which has the name of the primitive

    // Of truth values.
    Band,
    Bor,
    Bxor,
    Beq,
    Blt,
    Ble,
    Bgt,
    Bge,
};

struct PrimitiveInfo {
    std::string_view name;
    Op op;
    uint32_t arguments, results;
};

/// Empty if no primitive has this name. `x$n` is x at a type of its own.
std::optional<PrimitiveInfo> find_primitive(std::string_view name);

} // namespace mim::plug::mil
