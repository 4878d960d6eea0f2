// SPDX-License-Identifier: MIT
// See compile.h.
#include "backend/llvm/compile.h"

#include <llvm-c/Analysis.h>

#include <algorithm>

#include "backend/llvm/emitter.h"
#include "backend/llvm/passes.h"
#include "ir/error.h"

namespace mim::backend::llvm {

static bool verify(Diagnostics& diags, LLVMModuleRef module) {
    char* why = nullptr;
    if (!LLVMVerifyModule(module, LLVMReturnStatusAction, &why)) {
        LLVMDisposeMessage(why);
        return true;
    }
    diags.report(Diag::llvm_failed, {}, {take(why)});
    return false;
}

/// The World's layout must be what LLVM uses; sizes in types were computed from it.
static bool check_layout(World& world, Diagnostics& diags, const Target& target) {
    auto pointer = LLVMPointerSize(target.data());
    auto actual  = target.layout();
    bool same    = world.layout.text.empty() || world.layout.text == actual;
    if (same && pointer == world.layout.pointer_size) return true;
    diags.report(Diag::layout_differs, {}, {world.layout.text.empty() ? "of the host" : world.layout.text, actual});
    return false;
}

/// What is linked elsewhere gets no library of ours.
static bool has_runtime(const EmitOptions& options) {
    auto is_program = [](const EmitOptions::File& file) { return file.kind == Output::Exe || file.kind == Output::Header; };
    if (options.files.empty()) return true; // in this process
    return options.triple.empty() && std::all_of(options.files.begin(), options.files.end(), is_program)
           && !runtime_library().empty();
}

static bool is_defined(LLVMModuleRef module, const std::string& name) {
    return !LLVMIsDeclaration(LLVMGetNamedFunction(module, name.c_str()));
}

LLVMModuleRef compile(World& world, Diagnostics& diags, const EmitOptions& options, const Target& target, LLVMContextRef ctx,
                      Outside& outside) {
    if (!check_layout(world, diags, target)) return nullptr;
    auto module = LLVMModuleCreateWithNameInContext("mim", ctx);
    LLVMSetTarget(module, target.triple().c_str());
    LLVMSetModuleDataLayout(module, target.data());

    world.emitting = true;
    bool ok        = false;
    try {
        Emitter emitter(world, diags, module,
                        {target.data(), options.checked, target.triple(), options.debug, options.opt != 0,
                         options.checked && has_runtime(options), options.show, features(target.machine())});
        ok                  = emitter.run();
        outside.libraries   = emitter.program().libraries();
        outside.c_functions = emitter.c_functions();
        std::erase_if(outside.c_functions, [&](auto& named) { return is_defined(module, named.first); });
    } catch (const Error& e) {
        if (e.id == Diag::plugin_fault) diags.report(e.id, e.node ? world.notes.span(e.node) : Span(), e.texts());
        else diags.report(Diag::llvm_failed, {}, {e.what()});
    }
    world.emitting = false;
    if (ok && verify(diags, module)) {
        run_passes(module, target.machine(), options.opt, options.quick);
        return module;
    }
    LLVMDisposeModule(module);
    return nullptr;
}

} // namespace mim::backend::llvm
