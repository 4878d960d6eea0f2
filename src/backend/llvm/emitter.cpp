// SPDX-License-Identifier: MIT
// From the World's externals to a module; diagnostics of emission.
#include "backend/llvm/emitter.h"

namespace mim::backend::llvm {

Emitter::Emitter(World& world, Diagnostics& diags, LLVMContextRef ctx, LLVMModuleRef module, const Settings& settings)
    : world_(world)
    , diags_(diags)
    , ctx_(ctx)
    , module_(module)
    , settings_(settings)
    , builder_(LLVMCreateBuilderInContext(ctx))
    , alloca_builder_(LLVMCreateBuilderInContext(ctx)) {
    if (settings.debug) debug_.emplace(*this, ctx, module, settings.data, diags.sources());
}

Emitter::~Emitter() {
    LLVMDisposeBuilder(builder_);
    LLVMDisposeBuilder(alloca_builder_);
}

bool Emitter::run() {
    Program program(world_);
    CTypes c_types(program);
    program_ = &program;
    c_types_ = &c_types;
    for (auto& ext : world_.externals()) {
        try {
            if (!ext.lam->is_cn() && ext.name.view() == "main") fail(ext.lam, Diag::bad_main, {});
            if (!ext.lam->is_cn()) fail(ext.lam, Diag::direct_style_left, {std::string(ext.name.view())});
            state_.place = ext.lam;
            wrap_external(ext.name, ext.lam);
        } catch (const Failed&) {
            state_ = {};
        }
    }
    while (!todo_.empty() && !failed_) {
        auto lam = todo_.back();
        todo_.pop_back();
        define(lam);
    }
    define_undefined();
    end_keeping();
    if (settings_.debug || settings_.checked) keep_frames();
    if (debug_) debug_->finish();
    program_ = nullptr;
    c_types_ = nullptr;
    return !failed_;
}

/// Who looks at the stack, from outside or after a fault, finds all frames. The stack pointer alone does not tell where they are: callees
/// take their arguments off the stack, and for an instruction it is not where it was before the call.
void Emitter::keep_frames() {
    constexpr std::string_view pointer = "frame-pointer", all = "all", table = "uwtable";
    auto keep   = LLVMCreateStringAttribute(ctx_, pointer.data(), pointer.size(), all.data(), all.size());
    auto kind   = LLVMGetEnumAttributeKindForName(table.data(), table.size());
    auto unwind = LLVMCreateEnumAttribute(ctx_, kind, 2); // at every instruction
    for (auto fn = LLVMGetFirstFunction(module_); fn; fn = LLVMGetNextFunction(fn)) {
        if (!LLVMCountBasicBlocks(fn)) continue;
        LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex, keep);
        LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex, unwind);
    }
}

Span Emitter::span_of(const Def* def) {
    if (def)
        if (auto span = world_.span(def)) return span;
    return state_.place ? world_.span(state_.place) : Span();
}

std::string Emitter::name_of(const Def* def) {
    if (auto name = world_.name(def)) return std::string(name.view());
    if (auto extract = def->isa<Extract>())
        if (auto lit = isa_lit(extract->index())) return name_of(extract->tuple()) + "#" + std::to_string(lit->value());
    if (auto app = def->isa<App>()) return name_of(app->callee()) + " …";
    if (auto var = def->isa<Var>()) return "the parameter of " + name_of(var->binder());
    if (auto axm = def->isa<Axm>()) return std::string(axm->axiom().name.view());
    if (auto arr = def->isa<Arr>()) return "«" + name_of(arr->arity()) + "; " + name_of(arr->body()) + "»";
    if (auto lit = isa_lit(def)) return std::to_string(lit->value());
    if (def->isa<Lam>()) return "an anonymous function";
    return std::string(node_name(def->node()));
}

void Emitter::error(const Def* at, Diag id, std::vector<std::string> args) {
    failed_ = true;
    diags_.report(id, span_of(at), std::move(args));
}

void Emitter::error_at_return(const Def* at, Diag id, std::vector<std::string> args) {
    failed_ = true;
    diags_.report(id, span_of(at), std::move(args)).note(Diag::return_to_caller, {});
}

void Emitter::fail(const Def* at, Diag id, std::vector<std::string> args) {
    error(at, id, std::move(args));
    throw Failed();
}

} // namespace mim::backend::llvm
