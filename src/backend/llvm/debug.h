// SPDX-License-Identifier: MIT
// Debug information (-g): each function with its name, line and type, each instruction with the line and column of the expression from
// which it was made, and names with their values. A call that was reduced is shown as one that was inlined. Values of names are in
// slots of their own: without optimization they are always there, and the optimizer knows how to follow them into registers.
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "backend/llvm/debug_types.h"
#include "base/source.h"

namespace mim::backend::llvm {

class DebugInfo {
public:
    DebugInfo(Emit&, TypeLowering&, LLVMContextRef, LLVMModuleRef, LLVMTargetDataRef, const SourceManager&);
    ~DebugInfo();
    DebugInfo(const DebugInfo&)            = delete;
    DebugInfo& operator=(const DebugInfo&) = delete;

    using Scope = LLVMMetadataRef;

    struct Variable {
        Symbol name;
        Place place;
        const Def* type;
        const FieldNames* fields = nullptr;
        unsigned param           = 0; ///< tells the order of the function's parameters, from 1; 0: none
    };

    /// The function that is being emitted; without a place there is no information about it.
    struct Frame {
        Scope subprogram = nullptr, scope = nullptr;
        Place place;
        std::set<std::pair<Scope, std::string_view>> names;
        std::map<Scope, Scope> around;                                           ///< of scopes
        std::map<uint32_t, LLVMMetadataRef> calls;                               ///< reduced calls: where they stand
        std::map<std::pair<uint32_t, std::string_view>, uint32_t> inlined_names; ///< by call: where the name is
    };
    Frame frame;

    /// What a debugger shows of a function.
    struct Subject {
        std::string_view name;
        Place place;
        const Def* result = nullptr;
        std::vector<const Def*> params;
        bool artificial = false; ///< the user wrote no such function
    };
    void begin(LLVMValueRef fn, const Subject&);
    /// What the builder makes from now on comes from here; nothing: from nowhere.
    void at(LLVMBuilderRef, Place);
    /// A scope within the current one.
    void nest(Place);
    /// What is declared in `scope` is visible in the current one.
    bool encloses(Scope scope) const;
    /// It stands in the function itself, not in a call that was reduced.
    bool is_own(Place) const;
    /// The value of a name from now on: what was stored in this slot by this instruction. False if the debugger has no type for it.
    bool declare(const Variable&, LLVMValueRef slot, LLVMValueRef store);
    bool can_show(const Variable& v) { return frame.subprogram && types_.find(v.type, v.fields); }
    void finish();

private:
    LLVMMetadataRef file(FileId);
    Scope subprogram(const Subject&);
    Scope inlined(const Inlined&);
    Place seen(Place) const;
    Scope scope_of(Place);
    LLVMMetadataRef location(Place);
    LLVMMetadataRef call_location(uint32_t call);
    LLVMMetadataRef variable(const Variable&, Place, LLVMMetadataRef type);
    Variable inlined_variable(Variable, Scope);
    bool hides(const Variable&, Place);
    unsigned line(Span);

    World& world_;
    LLVMContextRef ctx_;
    LLVMModuleRef module_;
    const SourceManager& sources_;
    LLVMDIBuilderRef builder_;
    DebugTypes types_;
    LLVMMetadataRef unit_ = nullptr; ///< made with the first function
    bool finished_        = false;
    std::unordered_map<uint32_t, LLVMMetadataRef> files_;
    std::map<std::pair<uint32_t, uint32_t>, Scope> inlined_; ///< by file and offset of the function's name
    std::map<std::pair<Scope, uint32_t>, Scope> in_file_;    ///< parts of a scope that are in another file
    std::map<std::tuple<Scope, uint32_t, LLVMMetadataRef>, LLVMMetadataRef>
        variables_; ///< of reduced functions, by place and type
    std::set<std::pair<Scope, unsigned>> inlined_params_;
};

} // namespace mim::backend::llvm
