// SPDX-License-Identifier: MIT
// Runs `main` in this process with LLVM's ORC. The program gets a thread with a stack of the ordinary size: the compiler's own is
// much larger and would hide what the executable does.
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm/Config/llvm-config.h>
#include <pthread.h>

#include "backend/llvm/compile.h"
#include "jit/llvm/debugger.h"
#include "jit/llvm/quick.h"
#include "jit/llvm/runtime.h"
#include "jit/llvm/symbols.h"
#include "runtime/crash.h"

namespace mim::backend::llvm {

namespace {

struct Call {
    int (*main)(int, char**);
    std::vector<char*> argv;
    int result;
};

void* call_main(void* data) {
    auto call = static_cast<Call*>(data);
    runtime::use_signal_stack();
    runtime::report_crashes(runtime::Then::Exit);
    call->result = call->main(int(call->argv.size()) - 1, call->argv.data());
    return nullptr;
}

constexpr size_t stack_size = size_t(8) << 20;

int run_on_stack(Call& call) {
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, stack_size);
    pthread_t thread;
    if (pthread_create(&thread, &attr, call_main, &call)) call_main(&call);
    else pthread_join(thread, nullptr);
    pthread_attr_destroy(&attr);
    return call.result & 0xff;
}

bool check(Diagnostics& diags, LLVMErrorRef error) {
    if (!error) return true;
    auto message = LLVMGetErrorMessage(error);
    diags.report(Diag::llvm_failed, {}, {message});
    LLVMDisposeErrorMessage(message);
    return false;
}

/// Keeps what the session has to say, most of all about symbols that nobody defines.
void remember(void* data, LLVMErrorRef error) {
    auto message = LLVMGetErrorMessage(error);
    *static_cast<std::string*>(data) += message;
    LLVMDisposeErrorMessage(message);
}

/// An LLJIT with the symbols of this process, for the target machine's options. `announce`: debuggers are told of the code.
LLVMOrcLLJITRef create_jit(Diagnostics& diags, LLVMTargetMachineRef machine, bool announce) {
    auto builder = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
    LLVMOrcLLJITRef jit = nullptr;
    if (!check(diags, LLVMOrcCreateLLJIT(&jit, builder))) return nullptr;
    LLVMOrcDefinitionGeneratorRef process = nullptr;
    if (!check(diags, LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, LLVMOrcLLJITGetGlobalPrefix(jit), nullptr,
                                                                           nullptr)))
        return nullptr;
    LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), process);
    if (!check(diags, define_runtime(jit))) return nullptr;
    if (announce && !check(diags, tell_debuggers(jit))) return nullptr;
    return jit;
}

/// The code of one LLJIT.
class JitCode final : public Code {
public:
    JitCode(LLVMOrcLLJITRef jit, const World& world, Outside outside)
        : jit_(jit)
        , symbols_(world)
        , outside_(std::move(outside)) {
        LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit), remember, &log_);
    }
    ~JitCode() override {
        if (auto failed = LLVMOrcDisposeLLJIT(jit_)) LLVMConsumeError(failed);
    }
    JitCode(const JitCode&)            = delete;
    JitCode& operator=(const JitCode&) = delete;

    bool add(Diagnostics& diags, LLVMOrcThreadSafeModuleRef unit) {
        return check(diags, LLVMOrcLLJITAddLLVMIRModule(jit_, LLVMOrcLLJITGetMainJITDylib(jit_), unit));
    }
    void* address(Diagnostics& diags, const std::string& symbol) override {
        if (!symbols_.check(diags, symbol)) return nullptr;
        LLVMOrcExecutorAddress address = 0;
        auto error                     = LLVMOrcLLJITLookup(jit_, &address, symbol.c_str());
        if (error && !log_.empty()) {
            LLVMConsumeError(error);
            outside_.report(diags, symbol, log_);
            return nullptr;
        }
        return check(diags, error) ? reinterpret_cast<void*>(address) : nullptr;
    }

private:
    LLVMOrcLLJITRef jit_;
    Symbols symbols_;
    Outside outside_;
    std::string log_;
};

/// A context of LLVM, and what the JIT shares it by. LLVM 21 turned around which of them is made of the other.
std::pair<LLVMContextRef, LLVMOrcThreadSafeContextRef> make_context() {
#if LLVM_VERSION_MAJOR >= 21
    auto context = LLVMContextCreate();
    return {context, LLVMOrcCreateNewThreadSafeContextFromLLVMContext(context)};
#else
    auto shared = LLVMOrcCreateNewThreadSafeContext();
    return {LLVMOrcThreadSafeContextGetContext(shared), shared};
#endif
}

} // namespace

std::unique_ptr<Code> make_code(World& world, Diagnostics& diags, const EmitOptions& options) {
    if (options.quick) return make_code_quickly(world, diags, options);
    Target target, for_jit; // the JIT takes its machine over
    if (!target.create(diags, options, true)) return nullptr;
    auto [context, shared] = make_context();
    Outside outside;
    auto module = compile(world, diags, options, target, context, outside);
    if (!module) return LLVMOrcDisposeThreadSafeContext(shared), nullptr;
    bool are_open = open_libraries(diags, outside);
    auto unit     = LLVMOrcCreateNewThreadSafeModule(module, shared);
    LLVMOrcDisposeThreadSafeContext(shared);

    if (!are_open) return LLVMOrcDisposeThreadSafeModule(unit), nullptr;
    if (!for_jit.create(diags, options, true)) return nullptr;
    auto jit = create_jit(diags, for_jit.release(), options.debug || options.checked);
    if (!jit) return nullptr;
    auto code = std::make_unique<JitCode>(jit, world, std::move(outside));
    return code->add(diags, unit) ? std::move(code) : nullptr;
}

int run_in_memory(World& world, Diagnostics& diags, const EmitOptions& options, const std::vector<std::string>& args) {
    if (!world.externals.find("main")) return diags.report(Diag::no_main, {}, {backend::kMainOfMim}), -1;
    auto code    = make_code(world, diags, options);
    auto address = code ? code->address(diags, "main") : nullptr;
    if (!address) return -1;
    Call call{reinterpret_cast<int (*)(int, char**)>(address), {}, 0};
    std::vector<std::string> copies = args;
    for (auto& arg : copies) call.argv.push_back(arg.data());
    call.argv.push_back(nullptr);
    if (options.before_run) options.before_run();
    return run_on_stack(call);
}

} // namespace mim::backend::llvm
