// SPDX-License-Identifier: MIT
#include "primitives.h"

#include <algorithm>
#include <iterator>

namespace mim::plug::mil {

static constexpr PrimitiveInfo kPrimitives[] = {
    {"not", Op::Not, 1, 1},
    {"neg", Op::Neg, 1, 1},
    {"and", Op::And, 2, 1},
    {"or", Op::Or, 2, 1},
    {"xor", Op::Xor, 2, 1},
    {"add", Op::Add, 2, 1},
    {"sub", Op::Sub, 2, 1},
    {"mul", Op::Mul, 2, 1},
    {"shl", Op::Shl, 2, 1},
    {"lshr", Op::Lshr, 2, 1},
    {"ashr", Op::Ashr, 2, 1},
    {"div", Op::Div, 2, 1},
    {"rem", Op::Rem, 2, 1},
    {"bnot", Op::Bnot, 1, 1},
    {"band", Op::Band, 2, 1},
    {"bor", Op::Bor, 2, 1},
    {"bxor", Op::Bxor, 2, 1},
    {"beq", Op::Beq, 2, 1},
    {"blt", Op::Blt, 2, 1},
    {"ble", Op::Ble, 2, 1},
    {"bgt", Op::Bgt, 2, 1},
    {"bge", Op::Bge, 2, 1},
    {"primEq", Op::Eq, 2, 1},
    {"primNeq", Op::Neq, 2, 1},
    {"primSlt", Op::Slt, 2, 1},
    {"primSle", Op::Sle, 2, 1},
    {"primSgt", Op::Sgt, 2, 1},
    {"primSge", Op::Sge, 2, 1},
    {"primUlt", Op::Ult, 2, 1},
    {"primUle", Op::Ule, 2, 1},
    {"primUgt", Op::Ugt, 2, 1},
    {"primUge", Op::Uge, 2, 1},
    {"flagToWord", Op::FlagToWord, 1, 1},
    {"wordToFlag", Op::WordToFlag, 1, 1},
    {"halt", Op::Halt, 0, 0},
    {"loop", Op::Loop, 0, 0},
    {"printWord", Op::PrintWord, 1, 0},
    {"printString", Op::PrintString, 1, 0},
    {"readChar", Op::ReadChar, 0, 1},
    {"primRet", Op::Ret, 1, 1},
    {"noinline", Op::NoInline, 0, 0},
    {"primAs", Op::As, 1, 1},
    {"primSame", Op::Same, 1, 1},
    {"primArea", Op::Area, 2, 1},
    {"primOffset", Op::Offset, 2, 1},
    {"primLoad", Op::Load, 2, 1},
    {"primFetch", Op::Load, 2, 1}, // of memory that others may change
    {"primStore", Op::Store, 3, 0},
    {"primZeros", Op::Zeros, 1, 1},
    {"primPart", Op::Part, 3, 1},
    {"primPut", Op::Put, 4, 1},
    {"nzdiv", Op::NzDiv, 2, 1},
    {"nzrem", Op::NzRem, 2, 1},
};

std::optional<PrimitiveInfo> find_primitive(std::string_view name) {
    auto found = std::ranges::find(kPrimitives, name.substr(0, name.find('$')), &PrimitiveInfo::name);
    return found == std::end(kPrimitives) ? std::nullopt : std::optional(*found);
}

} // namespace mim::plug::mil
