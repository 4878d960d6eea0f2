// SPDX-License-Identifier: MIT
// Places and names of values for debuggers (-g). A name is declared as soon as its value is there: that of a parameter at the start of
// its block, that of an operation after it, and that of a projection, a tuple or a literal once all that it is made of is there.
// Nothing is computed for a debugger's sake.
#include "backend/llvm/emitter.h"

namespace mim::backend::llvm {

/// Values of more scalars than this are not kept: each costs a store.
static constexpr unsigned max_leaves = 64;

void Emitter::begin_debug(const Lam* lam, LLVMValueRef fn, bool artificial) {
    if (!debug_) return;
    auto view = program_->view(lam);
    DebugInfo::Subject subject{{}, world_.place(lam), view.result, {}, artificial};
    auto name    = artificial ? "C entry of " + name_of(lam) : name_of(lam);
    subject.name = name;
    for (auto& p : view.params) subject.params.push_back(p.type);
    debug_->begin(fn, subject);
    debug_->at(builder_, artificial ? subject.place : Place());
}

void Emitter::at(const Def* def) {
    if (!debug_) return;
    if (auto place = world_.place(def)) debug_->at(builder_, place);
}

Place Emitter::end_of(const BasicBlock& block) {
    auto place = block.end ? world_.place(block.end) : Place();
    auto lam   = block.place ? block.place->isa<Lam>() : nullptr;
    if (!place && lam) place = {world_.end(lam), world_.place(lam).inlined};
    return place;
}

void Emitter::at_end(const BasicBlock& block) {
    if (!debug_) return;
    if (auto place = end_of(block)) debug_->at(builder_, place);
}

/// A jump becomes no instruction where the next block follows. Without optimization, debuggers stop at it nevertheless.
void Emitter::stop_here() {
    if (!debug_ || settings_.optimize || !LLVMGetCurrentDebugLocation2(builder_)) return;
    auto type = LLVMFunctionType(LLVMVoidTypeInContext(ctx_), nullptr, 0, false);
    auto nop  = LLVMGetInlineAsm(type, "nop", 3, "", 0, true, false, LLVMInlineAsmDialectATT, false);
    LLVMBuildCall2(builder_, type, nop, nullptr, 0, "");
}

/// What must be there before `def` can be had for nothing; null if it can be had now.
const Def* Emitter::missing(const Def* def) {
    if (env_.contains(def) || def->isa<Lit>()) return nullptr;
    if (auto extract = def->isa<Extract>(); extract && isa_lit(extract->index()) && !extract->tuple()->isa<Var>())
        return missing(extract->tuple());
    auto tuple = def->isa<Tuple>();
    if (!tuple) return def;
    for (auto op : tuple->ops())
        if (auto m = missing(op)) return m;
    return nullptr;
}

/// Where the value of the name is kept; null if none is in scope yet. A copy of a block shares it with the original.
LLVMValueRef& Emitter::name_slot(const Local& local) {
    auto& slots = state_.slots[{local.place.inlined, local.name.view(), local.place.span.begin, local.value->type()}];
    bool is_own = debug_->is_own(local.place);
    for (auto& s : slots)
        if (!is_own || debug_->encloses(s.scope)) return s.slot;
    return slots.push_back({debug_->frame.scope, nullptr}), slots.back().slot;
}

/// A parameter of a function that was reduced: its distance from the function's name tells it from the others, in their order.
unsigned Emitter::param_in_call(const Local& local) {
    static constexpr uint32_t max = 0xffff; // of LLVM
    auto callee                   = world_.inlined(local.place.inlined).callee;
    if (!local.is_param || callee.file != local.place.span.file || local.place.span.begin <= callee.begin) return 0;
    auto distance = local.place.span.begin - callee.begin;
    return distance <= max ? distance : 0;
}

/// Declares the name, or lets it wait. False if its value is nothing that a debugger shows.
bool Emitter::name(const Local& local, unsigned param) {
    auto type = local.value->type();
    if (program_->isa_ret(local.value)) return false;
    if (!debug_->is_own(local.place)) param = param_in_call(local);
    DebugInfo::Variable v{local.name, local.place, type, local.fields, param};
    if (!debug_->can_show(v) || leaves(lower(type)) > max_leaves) return false;
    if (auto m = missing(local.value)) {
        if (!m->isa<Lam>()) state_.waiting[m].emplace_back(local, param);
        return true;
    }
    auto place = LLVMGetCurrentDebugLocation2(builder_);
    auto value = emit(local.value);
    LLVMSetCurrentDebugLocation2(builder_, nullptr); // no step on its own
    auto& slot = name_slot(local);
    bool fresh = !slot;
    if (fresh) slot = unwrap(alloca_(type_of(value)));
    auto store = LLVMBuildStore(builder_, unwrap(value), slot);
    if (fresh) debug_->declare(v, slot, store);
    LLVMSetCurrentDebugLocation2(builder_, place);
    return true;
}

/// It is in a reduced call and belongs to a block of the function that is called: what `ret` binds is no parameter of that function.
bool Emitter::is_of_block(const Local& local, const Lam* lam) {
    auto place = world_.place(lam);
    return local.place.inlined && local.place.inlined == place.inlined && world_.inlined(place.inlined).callee != place.span;
}

/// Parameters, and what the text of the block's λ calls by a name.
void Emitter::name_block(const BasicBlock& block) {
    if (!debug_) return;
    bool is_entry = block.number == 0;
    auto locals   = block.lam ? world_.locals(block.lam) : nullptr;
    if (is_entry) {
        debug_->at(builder_, {});
        name_captures();
    } else {
        auto place = block.lam ? world_.place(block.lam) : Place();
        if (!place) place = end_of(block); // phases make blocks, and arms have no name
        debug_->at(builder_, place ? place : debug_->frame.place);
        if (locals) debug_->nest(place);
    }
    unsigned param = 0;
    if (locals)
        for (auto local : *locals) {
            local.is_param = local.is_param && !is_of_block(local, block.lam);
            bool is_param  = is_entry && local.is_param && debug_->is_own(local.place);
            if (name(local, is_param ? param + 1 : 0)) param += is_param;
        }
    if (is_entry) debug_->at(builder_, debug_->frame.place);
}

/// Variables of the functions around this one.
void Emitter::name_captures() {
    for (auto def : state_.fn->captures)
        for (auto& p : captured(def)) {
            if (auto symbol = world_.name(p)) name({symbol, {}, p});
        }
}

void Emitter::name_value(const Def* def) {
    if (!debug_) return;
    if (auto local = world_.local(def)) name(*local);
    auto waiting = state_.waiting.find(def);
    if (waiting == state_.waiting.end()) return;
    auto names = std::move(waiting->second);
    state_.waiting.erase(waiting);
    for (auto& [local, param] : names) name(local, param);
}

} // namespace mim::backend::llvm
