// SPDX-License-Identifier: MIT
// Compile unit, files, functions, scopes, places and variables through LLVM's DIBuilder.
#include "backend/llvm/debug.h"

#include <filesystem>

namespace mim::backend::llvm {

/// gdb looks for the end of a function's prologue in the line table only if the producer is one that it knows; what it finds otherwise
/// is too early, and parameters are shown before they have their values.
static constexpr std::string_view producer = "clang LLVM (mim " MIM_VERSION ")";

DebugInfo::DebugInfo(Emit& emit, TypeLowering& lowering, LLVMContextRef ctx, LLVMModuleRef module, LLVMTargetDataRef data,
                     const SourceManager& sources)
    : world_(emit.world())
    , ctx_(ctx)
    , module_(module)
    , sources_(sources)
    , builder_(LLVMCreateDIBuilder(module))
    , types_(emit, lowering, data, builder_) {}

DebugInfo::~DebugInfo() {
    finish(); // also after an error: LLVM's lists must be complete before they are freed
    LLVMDisposeDIBuilder(builder_);
}

void DebugInfo::finish() {
    if (finished_) return;
    finished_ = true;
    LLVMDIBuilderFinalize(builder_);
    auto version                   = LLVMConstInt(LLVMInt32TypeInContext(ctx_), LLVMDebugMetadataVersion(), false);
    constexpr std::string_view key = "Debug Info Version";
    LLVMAddModuleFlag(module_, LLVMModuleFlagBehaviorWarning, key.data(), key.size(), LLVMValueAsMetadata(version));
}

LLVMMetadataRef DebugInfo::file(FileId id) {
    auto& file = files_[static_cast<uint32_t>(id)];
    if (file) return file;
    std::error_code ignored;
    std::filesystem::path path = sources_.path(id);
    auto folder                = std::filesystem::absolute(path, ignored).parent_path().lexically_normal().string();
    auto name                  = path.filename().string();
    return file                = LLVMDIBuilderCreateFile(builder_, name.data(), name.size(), folder.data(), folder.size());
}

unsigned DebugInfo::line(Span span) { return sources_.line_col(span.file, span.begin).line; }

/*
 * functions and scopes
 */

DebugInfo::Scope DebugInfo::subprogram(const Subject& s) {
    auto source = file(s.place.span.file);
    if (!unit_)
        unit_ = LLVMDIBuilderCreateCompileUnit(builder_, LLVMDWARFSourceLanguageC, source, producer.data(), producer.size(), true,
                                               "", 0, 0, "", 0, LLVMDWARFEmissionFull, 0, false, false, "", 0, "", 0);
    auto flags = s.artificial ? LLVMDIFlagArtificial : LLVMDIFlagZero;
    auto type  = types_.function(source, s.result, s.params);
    auto at    = line(s.place.span);
    return LLVMDIBuilderCreateFunction(builder_, source, s.name.data(), s.name.size(), "", 0, source, at, type, true, true, at,
                                       flags, true);
}

void DebugInfo::begin(LLVMValueRef fn, const Subject& s) {
    frame = {};
    if (!s.place) return;
    frame.place      = s.place;
    frame.subprogram = frame.scope = subprogram(s);
    LLVMSetSubprogram(fn, frame.subprogram);
}

void DebugInfo::nest(Place place) {
    if (!frame.subprogram || !place || !is_own(place)) return;
    auto at     = sources_.line_col(place.span.file, place.span.begin);
    auto outer  = frame.scope;
    frame.scope = LLVMDIBuilderCreateLexicalBlock(builder_, outer, file(place.span.file), at.line, at.col);
    frame.around.emplace(frame.scope, outer);
}

bool DebugInfo::encloses(Scope scope) const {
    auto inner = frame.scope;
    for (auto i = frame.around.find(inner); inner != scope && i != frame.around.end(); i = frame.around.find(inner))
        inner = i->second;
    return inner == scope;
}

/// One function of the text, however many of its calls were reduced.
DebugInfo::Scope DebugInfo::inlined(const Inlined& call) {
    auto& scope = inlined_[{static_cast<uint32_t>(call.callee.file), call.callee.begin}];
    auto name   = call.name ? call.name.view() : "λ";
    return scope ? scope : scope = subprogram({name, {call.callee}, nullptr, {}, false});
}

/// The function itself may be a copy within a call that was reduced.
bool DebugInfo::is_own(Place place) const { return !place.inlined || place.inlined == frame.place.inlined; }

/// What is in a function that has no place is where it was called.
Place DebugInfo::seen(Place place) const {
    while (place && !is_own(place) && !world_.notes.inlined(place.inlined).callee)
        place = world_.notes.inlined(place.inlined).call;
    return place ? place : frame.place;
}

DebugInfo::Scope DebugInfo::scope_of(Place place) {
    bool own   = is_own(place);
    auto scope = own ? frame.scope : inlined(world_.notes.inlined(place.inlined));
    auto home  = own ? frame.place.span.file : world_.notes.inlined(place.inlined).callee.file;
    if (place.span.file == home) return scope;
    auto& part = in_file_[{scope, static_cast<uint32_t>(place.span.file)}];
    return part ? part : part = LLVMDIBuilderCreateLexicalBlockFile(builder_, scope, file(place.span.file), 0);
}

LLVMMetadataRef DebugInfo::location(Place place) {
    place     = seen(place);
    auto call = is_own(place) ? nullptr : call_location(place.inlined);
    auto at   = sources_.line_col(place.span.file, place.span.begin);
    return LLVMDIBuilderCreateDebugLocation(ctx_, at.line, at.col, scope_of(place), call);
}

/// One for all blocks of the function, whatever their scopes: to a debugger they are one call. A call that is said to be at the function's
/// own name is one of several (opt/signature.cpp): it has no line.
LLVMMetadataRef DebugInfo::call_location(uint32_t number) {
    if (auto known = frame.calls.find(number); known != frame.calls.end()) return known->second;
    auto& call = world_.notes.inlined(number);
    if (call.call.span != call.callee) return frame.calls[number] = location(call.call);
    auto around                = seen(call.call);
    auto outer                 = is_own(around) ? nullptr : call_location(around.inlined);
    return frame.calls[number] = LLVMDIBuilderCreateDebugLocation(ctx_, 0, 0, scope_of(around), outer);
}

void DebugInfo::at(LLVMBuilderRef builder, Place place) {
    LLVMSetCurrentDebugLocation2(builder, frame.subprogram && place ? location(place) : nullptr);
}

/*
 * variables
 */

LLVMMetadataRef DebugInfo::variable(const Variable& v, Place place, LLVMMetadataRef type) {
    auto scope = scope_of(place);
    auto name  = v.name.view();
    auto file  = this->file(place.span.file);
    auto at    = line(place.span);
    if (v.param)
        return LLVMDIBuilderCreateParameterVariable(builder_, scope, name.data(), name.size(), v.param, file, at, type, true,
                                                    LLVMDIFlagZero);
    return LLVMDIBuilderCreateAutoVariable(builder_, scope, name.data(), name.size(), file, at, type, true, LLVMDIFlagZero, 0);
}

/// In a call that was reduced there is one scope: the first value of a name is the one that is shown.
bool DebugInfo::hides(const Variable& v, Place place) {
    auto [first, fresh] = frame.inlined_names.try_emplace({place.inlined, v.name.view()}, place.span.begin);
    return first->second != place.span.begin;
}

/// A parameter of a polymorphic function has several types. LLVM takes one variable for each parameter; the others are local variables.
DebugInfo::Variable DebugInfo::inlined_variable(Variable v, Scope scope) {
    if (v.param && !inlined_params_.emplace(scope, v.param).second) v.param = 0;
    return v;
}

bool DebugInfo::declare(const Variable& v, LLVMValueRef slot, LLVMValueRef store) {
    auto type = frame.subprogram ? types_.find(v.type, v.fields) : nullptr;
    if (!type) return false;
    auto place          = seen(v.place);
    LLVMMetadataRef var = nullptr;
    if (is_own(place)) {
        if (!frame.names.emplace(frame.scope, v.name.view()).second) { // it hides what had the name before
            nest(place);
            frame.names.emplace(frame.scope, v.name.view());
        }
        var = variable(v, place, type);
    } else {
        if (hides(v, place)) return false;
        auto scope  = scope_of(place);
        auto& known = variables_[{scope, place.span.begin, type}]; // of all calls of the function
        var         = known ? known : known = variable(inlined_variable(v, scope), place, type);
    }
    auto plain = LLVMDIBuilderCreateExpression(builder_, nullptr, 0);
    LLVMDIBuilderInsertDeclareRecordBefore(builder_, slot, var, plain, location(place), store);
    return true;
}

} // namespace mim::backend::llvm
