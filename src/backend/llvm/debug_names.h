// SPDX-License-Identifier: MIT
// Places and names of values for debuggers (-g). A name is declared as soon as its value is there: that of a
// parameter at the start of its block, that of an operation after it, and that of a projection, a tuple or a literal
// once all that it is made of is there. Nothing is computed for a debugger's sake.
#pragma once
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "backend/llvm/code_builder.h"
#include "backend/llvm/context.h"
#include "backend/llvm/debug.h"
#include "backend/llvm/scope.h"
#include "backend/llvm/signatures.h"

namespace mim::backend::llvm {

class Expressions;

/// Without -g nothing happens.
class DebugNames {
    struct NameSlot {
        DebugInfo::Scope scope;
        LLVMValueRef slot;
    };

public:
    DebugNames(Context&, CodeBuilder&, TypeLowering&, Signatures&, Scope&, Expressions&, const SourceManager&);

    /// What is known of the function that is being emitted.
    struct Function {
        DebugInfo::Frame frame;
        std::unordered_map<const Def*, std::vector<std::pair<Local, unsigned>>> waiting; ///< names, by what must be there first
        std::map<std::tuple<uint32_t, std::string_view, uint32_t, const Def*>, std::vector<NameSlot>>
            slots; ///< by place and type
    };
    /// Another function is emitted meanwhile; gives back what is known of this one.
    Function begin_other();
    /// The function before it goes on.
    void resume(Function);

    /// `fn` is the λ's function, or, if it is artificial, the function by which C calls it.
    void begin(const Lam*, LLVMValueRef fn, bool artificial);
    /// What is emitted from now on comes from the place of `def`, or from the end of the block.
    void at(const Def* def);
    void at_end(const BasicBlock&);
    /// A jump becomes no instruction where the next block follows. Without optimization, debuggers stop at it
    /// nevertheless.
    void stop_here();

    /// Names of the parameters, and what the text of the block's λ calls by a name.
    void name_block(const BasicBlock&);
    /// Names that `def` has, and those that waited for it.
    void name_value(const Def* def);

    /// Whether a debugger is to show the names of values.
    bool are_wanted() const { return info_.has_value(); }
    /// The scope of the block, which those below it in the dominator tree begin with.
    DebugInfo::Scope scope() const { return info_ ? info_->frame.scope : nullptr; }
    void set_scope(DebugInfo::Scope);
    /// When all functions are emitted.
    void finish();

private:
    Place end_of(const BasicBlock&);
    void name_captures();
    bool name(const Local&, unsigned param = 0);
    unsigned param_in_call(const Local&);
    bool is_of_block(const Local&, const Lam*);
    LLVMValueRef& name_slot(const Local&);
    const Def* missing(const Def*);

    Context& ctx_;
    CodeBuilder& build_;
    TypeLowering& types_;
    Signatures& signatures_;
    Scope& scope_;
    Expressions& values_;
    std::optional<DebugInfo> info_;
    Function fn_; ///< but for the frame, which is in info_
};

} // namespace mim::backend::llvm
