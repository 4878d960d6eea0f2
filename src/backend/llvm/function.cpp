// SPDX-License-Identifier: MIT
// Functions: a λ's blocks become basic blocks, their parameters phis, and the ends of blocks jumps, calls and returns.
#include "analysis/schedule.h"
#include "backend/llvm/emitter.h"

namespace mim::backend::llvm {

static constexpr unsigned tailcc = 18; // llvm::CallingConv::Tail

LLVMValueRef Emitter::declare(const Lam* lam, std::string_view name) {
    auto sig = signature(program_->view(lam), program_->captures(lam));
    auto fn  = LLVMAddFunction(module_, ("mim." + std::string(name)).c_str(), sig.type);
    LLVMSetFunctionCallConv(fn, tailcc);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    auto kind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(ctx_, kind, 0));
    return fn;
}

LLVMValueRef Emitter::function(const Lam* lam) {
    auto& fn = functions_[lam];
    if (fn) return fn;
    auto name = world_.name(lam);
    fn        = declare(lam, name.empty() ? "lam" : name.view());
    todo_.push_back(lam);
    return fn;
}

LLVMValueRef Emitter::pointer_to(const Lam* lam) {
    if (!world_.is_closed(lam)) fail(state_.place, Diag::needs_closure, {name_of(lam)});
    if (!lam->is_cn()) {
        direct_style_left(lam, state_.place);
        throw Failed();
    }
    if (c_types_->contains(lam->type())) return c_callback(lam);
    return as_value(function(lam), signature(program_->view(lam), {}));
}

void Emitter::define(const Lam* lam) {
    state_       = {};
    state_.place = lam;
    state_.llvm  = functions_[lam];
    env_.clear();
    trail_.clear();
    if (!lam->is_set()) return;
    if (!lam->is_cn()) return direct_style_left(lam, lam);
    begin_debug(lam, state_.llvm, false);
    try {
        auto fn = program_->build(lam);
        if (!schedule(*program_, *fn)) {
            fn = program_->build(lam, true);
            schedule(*program_, *fn);
        }
        state_.fn  = fn.get();
        state_.sig = signature(fn->view, fn->captures);
        emit_blocks(*fn);
        finish_tail_calls();
        leave_slots();
        bring_to_memory(state_.llvm, settings_.data, state_.places);
    } catch (const ProgramError& e) {
        switch (e.kind) {
            case ProgramError::NonLocal: error_at_return(e.at, Diag::leaves_past_calls, {name_of(lam), name_of(e.what)}); break;
            case ProgramError::Direct: direct_style_left(e.what, e.at); break;
        }
    } catch (const Failed&) {}
    state_.fn = nullptr;
}

/// Blocks in pre-order of the dominator tree: whatever is in scope has been emitted, and is forgotten when its subtree ends.
void Emitter::emit_blocks(Function& fn) {
    state_.entry = LLVMAppendBasicBlockInContext(ctx_, state_.llvm, "entry");
    LLVMPositionBuilderAtEnd(alloca_builder_, state_.entry);
    state_.blocks.resize(fn.blocks.size());
    state_.phis.resize(fn.blocks.size());
    for (auto& block : fn.blocks) {
        auto name                    = block->lam ? std::string(world_.name(block->lam).view()) : std::string();
        state_.blocks[block->number] = LLVMAppendBasicBlockInContext(ctx_, state_.llvm, name.empty() ? "bb" : name.c_str());
    }
    for (auto& block : fn.blocks) start_block(*block);
    bind_entry();

    struct Item {
        uint32_t number;
        size_t mark; ///< to go back to before it
        DebugInfo::Scope scope;
    };
    std::vector<Item> stack{{0, trail_.size(), debug_ ? debug_->frame.scope : nullptr}};
    while (!stack.empty()) {
        auto [number, mark, scope] = stack.back();
        stack.pop_back();
        for (; trail_.size() > mark; trail_.pop_back()) env_.erase(trail_.back());
        if (debug_) debug_->frame.scope = scope;
        emit_block(*fn.blocks[number]);
        if (debug_) scope = debug_->frame.scope;
        auto& children = fn.doms->children(number);
        for (size_t i = children.size(); i-- != 0;) stack.push_back({children[i], trail_.size(), scope});
    }
    LLVMBuildBr(alloca_builder_, state_.blocks[0]);
}

/// Creates the phis of a block's parameters, then those of effects whose values meet in it.
void Emitter::start_block(BasicBlock& block) {
    if (!block.lam) return;
    LLVMPositionBuilderAtEnd(builder_, state_.blocks[block.number]);
    auto& phis = state_.phis[block.number];
    for (auto& p : program_->view(block.lam).params) {
        if (auto t = lower(p.type)) phis.push_back(LLVMBuildPhi(builder_, t, ""));
    }
    for (auto def : block.merges)
        if (auto t = lower(def->type())) phis.push_back(LLVMBuildPhi(builder_, t, ""));
}

/// The parameters enter the first block's phis; captures and the place for the result are plain parameters.
void Emitter::bind_entry() {
    unsigned next = state_.sig.by_memory ? 1 : 0;
    for (auto phi : state_.phis[0]) {
        auto param = LLVMGetParam(state_.llvm, next++);
        LLVMAddIncoming(phi, &param, &state_.entry, 1);
    }
    for (auto def : state_.fn->captures)
        for (auto& p : captured(def)) set(p, lower(p->type()) ? Value(LLVMGetParam(state_.llvm, next++)) : Value());
}

void Emitter::emit_block(BasicBlock& block) {
    LLVMPositionBuilderAtEnd(builder_, state_.blocks[block.number]);
    state_.place   = block.place;
    state_.in_loop = state_.fn->loop_depth[block.number] != 0;
    if (block.lam) {
        auto view   = program_->view(block.lam);
        size_t next = 0;
        for (auto& p : view.params) {
            auto v = lower(p.type) ? Value(state_.phis[block.number][next++]) : Value();
            set(param_of(world_, view, p, block.lam->var()), v);
        }
        for (auto def : block.merges)
            if (lower(def->type())) set(def, Value(state_.phis[block.number][next++]));
    }
    name_block(block);
    for (auto def : block.nodes)
        if (!env_.contains(def)) {
            at(def);
            state_.place = world_.span(def) ? def : block.place;
            set(def, emit_new(def));
            name_value(def);
        }
    at_end(block);
    state_.place = block.place;
    end_block(block);
}

void Emitter::end_block(BasicBlock& block) {
    switch (block.kind) {
        case BasicBlock::Jump: return end_jump(block);
        case BasicBlock::Call: return end_call(block);
        case BasicBlock::Branch: return end_branch(block);
        case BasicBlock::Match: return end_match(block);
        case BasicBlock::Effect: return end_effect(block);
        case BasicBlock::Unreachable: LLVMBuildUnreachable(builder_);
    }
}

void Emitter::end_effect(BasicBlock& block) {
    auto axm     = head_axiom(block.callee);
    auto emitter = axm->axiom().emitter(target());
    if (!emitter || !emitter->op) fail(block.place, Diag::no_emitter, {std::string(axm->axiom().name.view()), "", "llvm"});
    emitter->op(*this, world_.app(block.callee, block.arg));
    LLVMBuildUnreachable(builder_);
}

void Emitter::end_jump(BasicBlock& block) {
    if (block.next.kind == Cont::To) {
        add_args(*block.next.block, block.arg, block.place);
        stop_here();
        LLVMBuildBr(builder_, state_.blocks[block.next.block->number]);
    } else {
        return_(block.arg, {}, nullptr);
    }
}

/// Returns the value of `arg`, or `v` of the Mim type `type`.
void Emitter::return_(const Def* arg, Value v, const Def* type) {
    auto to = state_.fn->view.result;
    v       = arg ? as(arg, to) : convert(v, type, to);
    if (state_.sig.by_memory) {
        store(v, Value(LLVMGetParam(state_.llvm, 0)), {});
        LLVMBuildRetVoid(builder_);
    } else if (v) {
        LLVMBuildRet(builder_, unwrap(v));
    } else {
        LLVMBuildRetVoid(builder_);
    }
}

void Emitter::add_args(BasicBlock& target, const Def* arg, const Def* place) {
    state_.place = place;
    auto view    = program_->view(target.lam);
    std::vector<LLVMValueRef> values;
    for (auto& p : view.params)
        if (auto v = as(param_of(world_, view, p, arg), p.type)) values.push_back(unwrap(v));
    add_incoming(target, values);
}

/// The same for a value of the Mim type `type` that stands for the whole domain.
void Emitter::add_value(BasicBlock& target, Value v, const Def* type) {
    auto view = program_->view(target.lam);
    std::vector<LLVMValueRef> values;
    for (auto& p : view.params) {
        auto part = v;
        auto t    = type;
        if (view.arity != 1) part = project(part, t, uint64_t(p.outer)), t = elem_decl(world_, t, size_t(p.outer));
        if (p.inner >= 0) part = project(part, t, uint64_t(p.inner)), t = elem_decl(world_, t, size_t(p.inner));
        if (auto converted = convert(part, t, p.type)) values.push_back(unwrap(converted));
    }
    add_incoming(target, values);
}

/// Values of the parameters; the merged ones are those that this block knows.
void Emitter::add_incoming(BasicBlock& target, std::vector<LLVMValueRef> values) {
    for (auto def : target.merges)
        if (lower(def->type())) values.push_back(unwrap(emit(def)));
    auto from  = LLVMGetInsertBlock(builder_);
    auto& phis = state_.phis[target.number];
    for (size_t i = 0; i != phis.size(); ++i) {
        auto v = values[i];
        LLVMAddIncoming(phis[i], &v, &from, 1);
    }
}

void Emitter::end_branch(BasicBlock& block) {
    auto index = emit(block.index);
    for (auto target : block.targets)
        if (target->lam) add_args(*target, block.arg, block.place);
    auto bb = [&](size_t i) { return state_.blocks[block.targets[i]->number]; };
    if (block.targets.size() == 1 || !index) {
        LLVMBuildBr(builder_, bb(0));
    } else if (block.targets.size() == 2) {
        auto i1  = LLVMInt1TypeInContext(ctx_);
        auto bit = LLVMTypeOf(unwrap(index)) == i1 ? index : cmp(Cmp::Ne, index, zero(type_of(index)));
        LLVMBuildCondBr(builder_, unwrap(bit), bb(1), bb(0));
    } else {
        auto n      = block.targets.size();
        auto choice = LLVMBuildSwitch(builder_, unwrap(index), bb(n - 1), unsigned(n));
        for (size_t i = 0; i + 1 != n; ++i) LLVMAddCase(choice, unwrap(int_const(type_of(index), i)), bb(i));
    }
}

void Emitter::end_match(BasicBlock& block) {
    auto def         = block.index->type();
    auto v           = emit(block.index);
    auto t           = type(def);
    auto has_payload = LLVMGetTypeKind(unwrap(t)) == LLVMStructTypeKind;
    auto tag         = has_payload ? extract_value(v, 0) : v;
    auto mem         = has_payload ? payload_ptr(def, spill(v)) : Value();
    auto n           = block.conts.size();
    std::vector<LLVMBasicBlockRef> arms(n);
    for (auto& arm : arms) arm = LLVMAppendBasicBlockInContext(ctx_, state_.llvm, "arm");
    auto choice = LLVMBuildSwitch(builder_, unwrap(tag), arms[n - 1], unsigned(n));
    for (size_t i = 0; i != n; ++i) {
        if (i + 1 != n) LLVMAddCase(choice, unwrap(int_const(type_of(tag), i)), arms[i]);
        LLVMPositionBuilderAtEnd(builder_, arms[i]);
        continue_with(block.conts[i], load(type(def->op(i)), mem, {}), def->op(i));
    }
}

std::vector<LLVMValueRef> Emitter::call_args(const CnView& view, const Def* arg, const std::vector<const Def*>& captures) {
    std::vector<LLVMValueRef> args;
    for (auto& p : view.params)
        if (auto v = as(param_of(world_, view, p, arg), p.type)) args.push_back(unwrap(v));
    add_captures(captures, args);
    return args;
}

void Emitter::add_captures(const std::vector<const Def*>& captures, std::vector<LLVMValueRef>& args) {
    for (auto def : captures)
        for (auto& p : captured(def))
            if (lower(p->type())) args.push_back(unwrap(emit(p)));
}

/// What is passed of a capture: the parameters that a variable stands for, but for the return continuation; an effect's value.
std::vector<const Def*> Emitter::captured(const Def* def) {
    auto var = def->isa<Var>();
    if (!var) return {def};
    auto lam = var->binder()->isa<Lam>();
    if (!lam) fail(state_.place, Diag::needs_closure, {name_of(state_.fn->lam)});
    std::vector<const Def*> result;
    auto view = program_->view(lam);
    for (auto& p : view.params) result.push_back(param_of(world_, view, p, var));
    return result;
}

/// A C function, or a pointer that may be one.
void Emitter::end_c_call(BasicBlock& block) {
    auto axm    = block.callee->isa<Axm>();
    auto view   = view_cn(world_, block.callee->type()->as<Pi>()->dom(), true);
    auto sig    = c_signature(view, block.place, axm ? std::string(axm->axiom().name.view()) : name_of(block.callee));
    auto fn     = axm ? c_function(heap_function(axm->axiom().name.view()), sig, block.place) : unwrap(emit(block.callee));
    auto result = c_call(fn, sig, call_args(view, block.arg, {}));
    continue_with(block.next, result, view.result);
}

void Emitter::end_call(BasicBlock& block) {
    auto lam = block.callee->isa<Lam>();
    if (block.callee->isa<Axm>() || (!lam && c_types_->contains(block.callee->type()))) return end_c_call(block);
    auto view = lam ? program_->view(lam) : view_cn(world_, block.callee->type()->as<Pi>()->dom(), true);
    auto caps = lam ? program_->captures(lam) : std::vector<const Def*>();
    auto sig  = signature(view, caps);
    auto args = call_args(view, block.arg, caps);
    auto fn   = lam ? function(lam) : unwrap(emit(block.callee));
    auto type = sig.type;
    if (!lam) std::tie(fn, type) = callee_of(fn, sig, args);

    auto kind     = block.next.kind;
    bool returns  = kind == Cont::Return && sig.result == state_.sig.result;
    bool ends     = kind == Cont::None && !state_.sig.result;
    bool may_tail = returns || ends;
    Value mem;
    if (sig.by_memory) {
        mem = returns ? Value(LLVMGetParam(state_.llvm, 0)) : alloca_(Type(sig.result));
        args.insert(args.begin(), unwrap(mem));
        if (!returns) state_.hidden.push_back(unwrap(mem));
    }
    auto call = LLVMBuildCall2(builder_, type, fn, args.data(), unsigned(args.size()), "");
    LLVMSetInstructionCallConv(call, tailcc);
    Value result = sig.by_memory ? Value() : sig.result ? Value(call) : Value();
    if (sig.by_memory && !may_tail) result = unspill(Type(sig.result), mem);
    finish_call(block, call, result, view.result, may_tail, lam == state_.fn->lam);
}

void Emitter::finish_call(BasicBlock& block, LLVMValueRef call, Value result, const Def* type, bool may_tail, bool is_self) {
    if (may_tail) {
        auto plain = state_.sig.result && !state_.sig.by_memory;
        auto ret   = plain ? LLVMBuildRet(builder_, call) : LLVMBuildRetVoid(builder_);
        state_.tail_calls.push_back({call, ret, is_self});
        return;
    }
    continue_with(block.next, result, type);
}

/// Control goes to `next` with a value of the Mim type `type`.
void Emitter::continue_with(const Cont& next, Value result, const Def* type) {
    switch (next.kind) {
        case Cont::None: LLVMBuildUnreachable(builder_); break;
        case Cont::Return: return_(nullptr, result, type); break;
        case Cont::To:
            add_value(*next.block, result, type);
            LLVMBuildBr(builder_, state_.blocks[next.block->number]);
            break;
        case Cont::Value: {
            auto view = view_cn(world_, type, true);
            std::vector<LLVMValueRef> args;
            for (auto& p : view.params) {
                auto part = view.arity == 1 ? result : project(result, type, uint64_t(p.outer));
                if (p.inner >= 0) part = project(part, elem_decl(world_, type, size_t(p.outer)), uint64_t(p.inner));
                if (part) args.push_back(unwrap(part));
            }
            auto fn = unwrap(emit(next.value));
            if (c_types_->contains(next.value->type())) {
                c_call(fn, c_signature(view, state_.place, name_of(next.value)), args);
            } else {
                auto [code, type] = callee_of(fn, signature(view, {}), args);
                auto call         = LLVMBuildCall2(builder_, type, code, args.data(), unsigned(args.size()), "");
                LLVMSetInstructionCallConv(call, tailcc);
            }
            LLVMBuildUnreachable(builder_);
            break;
        }
    }
}

} // namespace mim::backend::llvm
