// SPDX-License-Identifier: MIT
// How C passes arguments and results: System V x86-64 and AAPCS64 for scalars, pointers and structs of them. LLVM
// passes scalars as C does; structs are broken into registers or passed in memory here, as clang does. Narrow
// integers are zero-extended (c_calls.h).
#pragma once
#include <string_view>
#include <vector>

#include "backend/llvm/context.h"
#include "backend/llvm/types.h"

namespace mim::backend::llvm {

/// How one argument or result travels in C.
struct CArg {
    enum Kind : uint8_t { Direct, Coerced, Memory };
    Kind kind        = Direct;
    LLVMTypeRef type = nullptr;     ///< null: void
    std::vector<LLVMTypeRef> parts; ///< Coerced: the registers' types
    const Def* holder = nullptr;    ///< the Mim type, if values of it have addresses of arrays that C sees as arrays
};

struct CSig {
    std::vector<CArg> args;
    std::vector<unsigned> groups;  ///< for each parameter of the internal form: 0, or how many arguments its elements are
    std::vector<const Def*> types; ///< of these parameters
    CArg result;
    LLVMTypeRef type = nullptr;
    bool returns     = true;
};

class CSignatures {
public:
    CSignatures(Context& ctx, ModuleBuilder& module, TypeLowering& types)
        : ctx_(ctx)
        , module_(module)
        , types_(types) {}

    /// Of the function `name`. What C cannot pass is reported at `at` and throws Failed.
    CSig of(const CnView&, const Def* at, std::string_view name);

private:
    struct Scalar {
        uint64_t offset;
        LLVMTypeRef type;
    };
    /// Those that are left.
    struct Registers {
        unsigned ints, floats;
    };

    void check(const Def* type, const Def* at, std::string_view name);
    bool is_c_group(const CnView&, const CnView::Param&, LLVMTypeRef, const Def* at, std::string_view name);
    CArg pass(const Def* type, bool is_result, Registers&);
    void coerce_arm(CArg&, const std::vector<Scalar>&, bool is_result);
    void coerce_x86(CArg&, const std::vector<Scalar>&, bool is_result, Registers&);
    bool scalars(LLVMTypeRef, uint64_t offset, std::vector<Scalar>& out);

    Context& ctx_;
    ModuleBuilder& module_;
    TypeLowering& types_;
};

} // namespace mim::backend::llvm
