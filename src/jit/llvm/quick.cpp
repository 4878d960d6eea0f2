// SPDX-License-Identifier: MIT
// See quick.h. A target machine serves one compilation at a time, so there is a pool of them. The machine makes an object, which the shared session links; names
// are in a library of LLVM's of their own for each object, which goes with the code.
#include "jit/llvm/quick.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "backend/llvm/compile.h"
#include "jit/llvm/runtime.h"
#include "jit/llvm/symbols.h"

namespace mim::backend::llvm {

namespace {

namespace orc = ::llvm::orc;

bool check(Diagnostics& diags, ::llvm::Error error) {
    if (!error) return true;
    diags.report(Diag::llvm_failed, {}, {::llvm::toString(std::move(error))});
    return false;
}

/// The machines that nobody uses, by what they optimize.
class Machines {
public:
    std::unique_ptr<Target> take(Diagnostics& diags, const EmitOptions& options) {
        if (auto target = idle(options.opt)) return target;
        auto target = std::make_unique<Target>();
        return target->create(diags, options, true) ? std::move(target) : nullptr;
    }
    void give(unsigned opt, std::unique_ptr<Target> target) {
        std::lock_guard lock(mutex_);
        if (idle_.size() != max_idle) idle_.emplace_back(opt, std::move(target));
    }

private:
    std::unique_ptr<Target> idle(unsigned opt) {
        std::lock_guard lock(mutex_);
        auto found = std::ranges::find(idle_, opt, &Idle::first);
        if (found == idle_.end()) return nullptr;
        auto target = std::move(found->second);
        idle_.erase(found);
        return target;
    }

    static constexpr size_t max_idle = 4;
    using Idle                       = std::pair<unsigned, std::unique_ptr<Target>>;
    std::mutex mutex_;
    std::vector<Idle> idle_;
};

/// Never destroyed, as all of this: what runs at the end of the process may still use its code.
Machines& machines() {
    static auto& machines = *new Machines;
    return machines;
}

/// What the session said that failed; threads may get what others failed at.
class Log {
public:
    void add(::llvm::Error error) {
        std::lock_guard lock(mutex_);
        text_ += ::llvm::toString(std::move(error));
    }
    std::string take() {
        std::lock_guard lock(mutex_);
        return std::exchange(text_, {});
    }

private:
    std::mutex mutex_;
    std::string text_;
};
Log& log() {
    static auto& log = *new Log;
    return log;
}

/// The session that links; null after a report.
orc::LLJIT* linker(Diagnostics& diags, const Target& target) {
    static std::mutex mutex;
    static orc::LLJIT* jit;
    std::lock_guard lock(mutex);
    if (jit) return jit;
    orc::JITTargetMachineBuilder machine{::llvm::Triple(target.triple())};
    auto made = orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(std::move(machine))
                    .setDataLayout(::llvm::DataLayout(target.layout()))
                    .setPlatformSetUp(orc::setUpInactivePlatform)
                    .create();
    if (!made) return check(diags, made.takeError()), nullptr;
    made->get()->getExecutionSession().setErrorReporter([](::llvm::Error error) { log().add(std::move(error)); });
    return jit = made->release();
}

class QuickCode final : public Code {
public:
    QuickCode(orc::LLJIT& jit, orc::JITDylib& names, const World& world, Outside outside)
        : jit_(jit)
        , names_(names)
        , symbols_(world)
        , outside_(std::move(outside)) {}
    ~QuickCode() override { ::llvm::consumeError(jit_.getExecutionSession().removeJITDylib(names_)); }
    QuickCode(const QuickCode&)            = delete;
    QuickCode& operator=(const QuickCode&) = delete;

    bool add(Diagnostics& diags, LLVMMemoryBufferRef object) {
        return check(diags, jit_.addObjectFile(names_, std::unique_ptr<::llvm::MemoryBuffer>(::llvm::unwrap(object))));
    }
    void* address(Diagnostics& diags, const std::string& symbol) override {
        if (!symbols_.check(diags, symbol)) return nullptr;
        auto address = jit_.lookup(names_, symbol);
        if (address) return address->toPtr<void*>();
        outside_.report(diags, symbol, ::llvm::toString(address.takeError()) + log().take());
        return nullptr;
    }

private:
    orc::LLJIT& jit_;
    orc::JITDylib& names_;
    Symbols symbols_;
    Outside outside_;
};

LLVMMemoryBufferRef make_object(World& world, Diagnostics& diags, const EmitOptions& options, const Target& target,
                                Outside& outside) {
    auto context               = LLVMContextCreate();
    LLVMMemoryBufferRef object = nullptr;
    if (auto module = compile(world, diags, options, target, context, outside)) {
        char* why   = nullptr;
        bool failed = LLVMTargetMachineEmitToMemoryBuffer(target.machine(), module, LLVMObjectFile, &why, &object);
        if (failed) diags.report(Diag::llvm_failed, {}, {take(why)});
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    if (!object || open_libraries(diags, outside)) return object;
    return LLVMDisposeMemoryBuffer(object), nullptr;
}

} // namespace

std::unique_ptr<Code> make_code_quickly(World& world, Diagnostics& diags, const EmitOptions& options) {
    auto target = machines().take(diags, options);
    if (!target) return nullptr;
    Outside outside;
    auto object = make_object(world, diags, options, *target, outside);
    auto jit    = object ? linker(diags, *target) : nullptr;
    machines().give(options.opt, std::move(target));
    if (!jit) return object ? LLVMDisposeMemoryBuffer(object) : void(), nullptr;
    static std::atomic<uint64_t> number = 0;
    auto names                          = jit->createJITDylib("code" + std::to_string(number++));
    if (!names) return LLVMDisposeMemoryBuffer(object), check(diags, names.takeError()), nullptr;
    auto code = std::make_unique<QuickCode>(*jit, *names, world, std::move(outside));
    return code->add(diags, object) ? std::move(code) : nullptr;
}

} // namespace mim::backend::llvm
