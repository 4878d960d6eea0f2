// SPDX-License-Identifier: MIT
// See debug_names.h.
#include "backend/llvm/debug_names.h"

#include <utility>

#include "backend/llvm/expressions.h"
#include "ir/large_arrays.h"

namespace mim::backend::llvm {

/// Values of more scalars than this are not kept: each costs a store.
static constexpr unsigned max_leaves = 64;

DebugNames::DebugNames(Context& ctx, CodeBuilder& build, TypeLowering& types, Signatures& signatures, Scope& scope,
                       Expressions& values, const SourceManager& sources)
    : ctx_(ctx)
    , build_(build)
    , types_(types)
    , signatures_(signatures)
    , scope_(scope)
    , values_(values) {
    if (build.settings().debug) info_.emplace(build, types, build.context(), build.module(), build.data(), sources);
}

DebugNames::Function DebugNames::begin_other() {
    auto before = std::exchange(fn_, {});
    if (info_) before.frame = std::exchange(info_->frame, {});
    return before;
}

void DebugNames::resume(Function fn) {
    if (info_) info_->frame = std::move(fn.frame);
    fn_ = std::move(fn);
}

void DebugNames::begin(const Lam* lam, LLVMValueRef fn, bool artificial) {
    if (!info_) return;
    fn_       = {};
    auto view = ctx_.program.view(lam);
    DebugInfo::Subject subject{{}, ctx_.world.notes.place(lam), view.result, {}, artificial};
    auto name    = artificial ? "C entry of " + ctx_.reports.name_of(lam) : ctx_.reports.name_of(lam);
    subject.name = name;
    for (auto& p : view.params) subject.params.push_back(p.type);
    info_->begin(fn, subject);
    info_->at(build_.ref(), artificial ? subject.place : Place());
}

void DebugNames::at(const Def* def) {
    if (!info_) return;
    if (auto place = ctx_.world.notes.place(def)) info_->at(build_.ref(), place);
}

Place DebugNames::end_of(const BasicBlock& block) {
    auto place = block.end ? ctx_.world.notes.place(block.end) : Place();
    auto lam   = block.place ? block.place->isa<Lam>() : nullptr;
    if (!place && lam) place = {ctx_.world.notes.end(lam), ctx_.world.notes.place(lam).inlined};
    return place;
}

void DebugNames::at_end(const BasicBlock& block) {
    if (!info_) return;
    if (auto place = end_of(block)) info_->at(build_.ref(), place);
}

void DebugNames::stop_here() {
    if (!info_ || build_.settings().optimize || !LLVMGetCurrentDebugLocation2(build_.ref())) return;
    auto type = LLVMFunctionType(LLVMVoidTypeInContext(build_.context()), nullptr, 0, false);
    auto nop  = LLVMGetInlineAsm(type, "nop", 3, "", 0, true, false, LLVMInlineAsmDialectATT, false);
    LLVMBuildCall2(build_.ref(), type, nop, nullptr, 0, "");
}

/// What must be there before `def` can be had for nothing; null if it can be had now.
const Def* DebugNames::missing(const Def* def) {
    if (scope_.contains(def) || def->isa<Lit>()) return nullptr;
    if (auto extract = def->isa<Extract>(); extract && isa_lit(extract->index()) && !extract->tuple()->isa<Var>())
        return missing(extract->tuple());
    auto tuple = def->isa<Tuple>();
    if (!tuple) return def;
    for (auto op : tuple->ops())
        if (auto m = missing(op)) return m;
    return nullptr;
}

/// Where the value of the name is kept; null if none is in scope yet. A copy of a block shares it with the original.
LLVMValueRef& DebugNames::name_slot(const Local& local) {
    auto& slots = fn_.slots[{local.place.inlined, local.name.view(), local.place.span.begin, local.value->type()}];
    bool is_own = info_->is_own(local.place);
    for (auto& s : slots)
        if (!is_own || info_->encloses(s.scope)) return s.slot;
    slots.push_back({info_->frame.scope, nullptr});
    return slots.back().slot;
}

/// A parameter of a function that was reduced: its distance from the function's name tells it from the others, in
/// their order.
unsigned DebugNames::param_in_call(const Local& local) {
    static constexpr uint32_t max = 0xffff; // of LLVM
    auto callee                   = ctx_.world.notes.inlined(local.place.inlined).callee;
    if (!local.is_param || callee.file != local.place.span.file || local.place.span.begin <= callee.begin) return 0;
    auto distance = local.place.span.begin - callee.begin;
    return distance <= max ? distance : 0;
}

/// Declares the name, or lets it wait. False if its value is nothing that a debugger shows.
bool DebugNames::name(const Local& local, unsigned param) {
    auto type = local.value->type();
    if (ctx_.program.isa_ret(local.value)) return false;
    if (!info_->is_own(local.place)) param = param_in_call(local);
    DebugInfo::Variable v{local.name, local.place, type, local.fields, param};
    if (holds_large_array(type) || !info_->can_show(v) || build_.leaves(types_.lower(type)) > max_leaves) return false;
    if (auto m = missing(local.value)) {
        if (!m->isa<Lam>()) fn_.waiting[m].emplace_back(local, param);
        return true;
    }
    auto place = LLVMGetCurrentDebugLocation2(build_.ref());
    auto value = values_.emit(local.value);
    LLVMSetCurrentDebugLocation2(build_.ref(), nullptr); // no step on its own
    auto& slot = name_slot(local);
    bool fresh = !slot;
    if (fresh) slot = unwrap(build_.alloca_(build_.type_of(value)));
    auto store = LLVMBuildStore(build_.ref(), unwrap(value), slot);
    if (fresh) info_->declare(v, slot, store);
    LLVMSetCurrentDebugLocation2(build_.ref(), place);
    return true;
}

/// It is in a reduced call and belongs to a block of the function that is called: what `ret` binds is no parameter of
/// that function.
bool DebugNames::is_of_block(const Local& local, const Lam* lam) {
    auto place = ctx_.world.notes.place(lam);
    return local.place.inlined && local.place.inlined == place.inlined
           && ctx_.world.notes.inlined(place.inlined).callee != place.span;
}

void DebugNames::name_block(const BasicBlock& block) {
    if (!info_) return;
    bool is_entry = block.number == 0;
    auto locals   = block.lam ? ctx_.world.notes.locals(block.lam) : nullptr;
    if (is_entry) {
        info_->at(build_.ref(), {});
        name_captures();
    } else {
        auto place = block.lam ? ctx_.world.notes.place(block.lam) : Place();
        if (!place) place = end_of(block); // phases make blocks, and arms have no name
        info_->at(build_.ref(), place ? place : info_->frame.place);
        if (locals) info_->nest(place);
    }
    unsigned param = 0;
    if (locals)
        for (auto local : *locals) {
            local.is_param = local.is_param && !is_of_block(local, block.lam);
            bool is_param  = is_entry && local.is_param && info_->is_own(local.place);
            if (name(local, is_param ? param + 1 : 0)) param += is_param;
        }
    if (is_entry) info_->at(build_.ref(), info_->frame.place);
}

/// Variables of the functions around this one.
void DebugNames::name_captures() {
    for (auto def : ctx_.frame.fn->captures)
        for (auto& p : signatures_.captured(def)) {
            if (auto symbol = ctx_.world.notes.name(p)) name({symbol, {}, p});
        }
}

void DebugNames::name_value(const Def* def) {
    if (!info_) return;
    if (auto local = ctx_.world.notes.local(def)) name(*local);
    auto waiting = fn_.waiting.find(def);
    if (waiting == fn_.waiting.end()) return;
    auto names = std::move(waiting->second);
    fn_.waiting.erase(waiting);
    for (auto& [local, param] : names) name(local, param);
}

void DebugNames::set_scope(DebugInfo::Scope scope) {
    if (info_) info_->frame.scope = scope;
}

void DebugNames::finish() {
    if (info_) info_->finish();
}

} // namespace mim::backend::llvm
