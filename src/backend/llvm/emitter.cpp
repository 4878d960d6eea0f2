// SPDX-License-Identifier: MIT
// From the World's externals to a module.
#include "backend/llvm/emitter.h"

#include "backend/llvm/attributes.h"

namespace mim::backend::llvm {

Emitter::Emitter(World& world, Diagnostics& diags, LLVMModuleRef module, const Settings& settings)
    : CodeBuilder(world, module, settings)
    , reports_(world, diags, settings.show, frame_)
    , program_(world)
    , c_types_(program_)
    , ctx_{world, program_, c_types_, reports_, frame_}
    , types_(*this, reports_)
    , signatures_(ctx_, *this, types_)
    , scope_(types_)
    , spills_(*this)
    , heap_(ctx_, *this, types_)
    , keeper_(ctx_, *this, heap_, spills_)
    , slots_(ctx_, *this, types_, heap_)
    , activation_memory_(ctx_, *this)
    , checks_(ctx_, *this)
    , addresses_(*this, types_, reports_, values_)
    , arrays_(ctx_, *this, types_, scope_, heap_, activation_memory_, spills_, addresses_, conversions_, values_)
    , unions_(ctx_, *this, types_, spills_, conversions_)
    , conversions_(ctx_, *this, types_, unions_, arrays_, values_)
    , values_(ctx_, *this, types_, scope_, spills_, addresses_, arrays_, conversions_, unions_, function_values_)
    , names_(ctx_, *this, types_, signatures_, scope_, values_, diags.sources())
    , functions_(world, *this, signatures_)
    , c_signatures_(ctx_, *this, types_)
    , c_calls_(ctx_, *this, heap_, arrays_, conversions_)
    , entries_(ctx_, *this, signatures_, c_signatures_, c_calls_, functions_, heap_, names_)
    , value_calls_(ctx_, *this, names_, types_, signatures_, conversions_)
    , function_values_(ctx_, *this, signatures_, c_signatures_, c_calls_, entries_, functions_, value_calls_)
    , closures_(ctx_, *this, types_, signatures_, functions_, heap_, values_)
    , escaping_(ctx_, *this, types_, signatures_, functions_, heap_, conversions_, value_calls_)
    , calls_(ctx_, *this, types_, signatures_, c_signatures_, c_calls_, functions_, function_values_, values_, conversions_,
             spills_)
    , ends_(ctx_, *this, types_, signatures_, calls_, values_, arrays_, conversions_, unions_, spills_, names_)
    , bodies_(ctx_, *this, types_, signatures_, scope_, values_, spills_, addresses_, slots_, activation_memory_, names_, ends_) {
}

bool Emitter::run() {
    emit_externals();
    while (!reports_.failed()) {
        auto lam = functions_.next();
        if (!lam) break;
        bodies_.define(lam, functions_.of(lam));
    }
    checks_.finish();
    keeper_.finish();
    if (settings().debug || settings().checked) keep_frames();
    names_.finish();
    return !reports_.failed();
}

void Emitter::emit_externals() {
    for (auto& ext : world().externals) {
        try {
            if (!ext.lam->is_cn() && ext.name.view() == "main") reports_.fail(ext.lam, Diag::bad_main, {});
            if (!ext.lam->is_cn()) reports_.fail(ext.lam, Diag::direct_style_left, {std::string(ext.name.view())});
            frame_.place = ext.lam;
            entries_.external(ext.name, ext.lam);
        } catch (const Failed&) {
            frame_ = {};
        }
    }
}

/// Who looks at the stack, from outside or after a fault, finds all frames. The stack pointer alone does not tell
/// where they are: callees take their arguments off the stack, and for an instruction it is not where it was before
/// the call.
void Emitter::keep_frames() {
    constexpr unsigned at_every_instruction = 2;
    for (auto fn = LLVMGetFirstFunction(module()); fn; fn = LLVMGetNextFunction(fn)) {
        if (!LLVMCountBasicBlocks(fn)) continue;
        add_text_attribute(fn, "frame-pointer", "all");
        add_attribute(fn, LLVMAttributeFunctionIndex, "uwtable", at_every_instruction);
    }
}

} // namespace mim::backend::llvm
