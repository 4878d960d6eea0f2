// SPDX-License-Identifier: MIT
// See block_ends.h.
#include "backend/llvm/block_ends.h"

#include "analysis/pointee.h"

namespace mim::backend::llvm {

void BlockEnds::end(Body& body, const BasicBlock& block) {
    switch (block.kind) {
        case BasicBlock::Jump: return end_jump(body, block);
        case BasicBlock::Call: return end_call(body, block);
        case BasicBlock::Branch: return end_branch(body, block);
        case BasicBlock::Match: return end_match(body, block);
        case BasicBlock::Effect: return end_effect(block);
        case BasicBlock::Unreachable: LLVMBuildUnreachable(build_.ref());
    }
}

void BlockEnds::end_effect(const BasicBlock& block) {
    auto axm     = head_axiom(block.callee);
    auto emitter = axm->axiom().emitter(build_.target());
    if (!emitter || !emitter->op) ctx_.reports.no_emitter(block.callee, axm->axiom(), build_.target());
    values_.run_emitter(axm->axiom(), emitter->op, ctx_.world.app(block.callee, block.arg));
    LLVMBuildUnreachable(build_.ref());
}

void BlockEnds::end_jump(Body& body, const BasicBlock& block) {
    if (block.next.kind == Cont::To) {
        add_args(body, block, *block.next.block);
        names_.stop_here();
        LLVMBuildBr(build_.ref(), body.blocks[block.next.block->number]);
    } else {
        return_value(body, conversions_.as(block.arg, body.fn.view.result));
    }
}

void BlockEnds::return_value(Body& body, Value v) {
    if (body.sig.by_memory) {
        build_.store(v, Value(LLVMGetParam(body.llvm, 0)));
        LLVMBuildRetVoid(build_.ref());
    } else if (v) {
        LLVMBuildRet(build_.ref(), unwrap(v));
    } else {
        LLVMBuildRetVoid(build_.ref());
    }
}

void BlockEnds::add_args(Body& body, const BasicBlock& from, const BasicBlock& target) {
    ctx_.frame.place = from.place;
    auto view        = ctx_.program.view(target.lam);
    std::vector<LLVMValueRef> values;
    for (auto& p : view.params) {
        auto arg     = param_of(ctx_.world, view, p, from.arg);
        auto param   = param_of(ctx_.world, view, p, target.lam->var());
        bool is_copy = from.copied.contains(param) && types_.lower(p.type); // arrays of `Idx 0` are nothing
        auto v       = is_copy ? arrays_.copied(arg, p.type, from, param) : conversions_.as(arg, p.type);
        if (v) values.push_back(unwrap(v));
    }
    add_incoming(body, target, values);
}

/// The same for a value of the Mim type `type` that stands for the whole domain.
void BlockEnds::add_value(Body& body, const BasicBlock& target, Value v, const Def* type) {
    auto view = ctx_.program.view(target.lam);
    if (view.arity != 1 && is_open_array(type)) { // whose lengths may be in the words of the function that was called
        v    = conversions_.convert(v, type, target.lam->dom());
        type = target.lam->dom();
    }
    add_incoming(body, target, conversions_.args_of(view, v, type));
}

/// Values of the parameters; the merged ones are those that this block knows.
void BlockEnds::add_incoming(Body& body, const BasicBlock& target, std::vector<LLVMValueRef> values) {
    for (auto def : target.merges)
        if (types_.lower(def->type())) values.push_back(unwrap(values_.emit(def)));
    auto from  = LLVMGetInsertBlock(build_.ref());
    auto& phis = body.phis[target.number];
    for (size_t i = 0; i != phis.size(); ++i) {
        auto v = values[i];
        LLVMAddIncoming(phis[i], &v, &from, 1);
    }
}

void BlockEnds::end_branch(Body& body, const BasicBlock& block) {
    auto index = values_.emit(block.index);
    for (auto target : block.targets)
        if (target->lam) add_args(body, block, *target);
    auto bb = [&](size_t i) { return body.blocks[block.targets[i]->number]; };
    if (block.targets.size() == 1 || !index) {
        LLVMBuildBr(build_.ref(), bb(0));
    } else if (block.targets.size() == 2) {
        auto i1  = LLVMInt1TypeInContext(build_.context());
        auto bit = LLVMTypeOf(unwrap(index)) == i1 ? index : build_.cmp(Cmp::Ne, index, build_.zero(build_.type_of(index)));
        LLVMBuildCondBr(build_.ref(), unwrap(bit), bb(1), bb(0));
    } else {
        auto n      = block.targets.size();
        auto choice = LLVMBuildSwitch(build_.ref(), unwrap(index), bb(n - 1), unsigned(n));
        for (size_t i = 0; i + 1 != n; ++i) LLVMAddCase(choice, unwrap(build_.int_const(build_.type_of(index), i)), bb(i));
    }
}

void BlockEnds::end_match(Body& body, const BasicBlock& block) {
    auto def         = block.index->type();
    auto v           = values_.emit(block.index);
    auto t           = types_.type(def);
    auto has_payload = is_struct(t);
    auto tag         = has_payload ? build_.extract_value(v, 0) : v;
    auto mem         = has_payload ? unions_.payload_ptr(def, spills_.spill(v)) : Value();
    auto n           = block.conts.size();
    std::vector<LLVMBasicBlockRef> arms(n);
    for (auto& arm : arms) arm = LLVMAppendBasicBlockInContext(build_.context(), body.llvm, "arm");
    auto choice = LLVMBuildSwitch(build_.ref(), unwrap(tag), arms[n - 1], unsigned(n));
    for (size_t i = 0; i != n; ++i) {
        if (i + 1 != n) LLVMAddCase(choice, unwrap(build_.int_const(build_.type_of(tag), i)), arms[i]);
        LLVMPositionBuilderAtEnd(build_.ref(), arms[i]);
        auto payload = build_.load(types_.type(def->op(i)), mem);
        continue_with(body, block.conts[i], payload, def->op(i));
    }
}

void BlockEnds::end_call(Body& body, const BasicBlock& block) {
    if (!calls_.is_c(block.callee)) return end_internal_call(body, block);
    auto view   = signatures_.view_of(block.callee);
    auto result = calls_.call_c(block.callee, view, block.arg);
    continue_with(body, block.next, result, view.result);
}

void BlockEnds::end_internal_call(Body& body, const BasicBlock& block) {
    auto view       = signatures_.view_of(block.callee);
    auto captures   = signatures_.captures_of(block.callee);
    auto sig        = signatures_.of(view, captures);
    auto args       = calls_.args(view, block.arg, captures);
    auto [fn, type] = calls_.internal_callee(block.callee, sig, args);

    auto kind     = block.next.kind;
    bool returns  = kind == Cont::Return && sig.result == body.sig.result;
    bool ends     = kind == Cont::None && !body.sig.result;
    bool may_tail = returns || ends;
    Value mem;
    if (sig.by_memory) {
        mem = returns ? Value(LLVMGetParam(body.llvm, 0)) : build_.passing_slot(Type(sig.result));
        args.insert(args.begin(), unwrap(mem));
    }
    auto call = LLVMBuildCall2(build_.ref(), type, fn, args.data(), unsigned(args.size()), "");
    LLVMSetInstructionCallConv(call, tailcc);
    if (may_tail) {
        bool is_plain = body.sig.result && !body.sig.by_memory;
        auto ret      = is_plain ? LLVMBuildRet(build_.ref(), call) : LLVMBuildRetVoid(build_.ref());
        body.tail_calls.push_back({call, ret, block.callee == body.fn.lam});
        return;
    }
    Value result;
    if (sig.by_memory) result = spills_.unspill(Type(sig.result), mem);
    else if (sig.result) result = Value(call);
    continue_with(body, block.next, result, view.result);
}

void BlockEnds::leave_to(Body& body, const Def* cont, Value result, const Def* type) {
    auto call       = calls_.leave_to(cont, result, type);
    bool comes_back = call && !body.sig.result;
    if (comes_back) body.tail_calls.push_back({call, LLVMBuildRetVoid(build_.ref()), false});
    else LLVMBuildUnreachable(build_.ref());
}

/// Control goes to `next` with a value of the Mim type `type`.
void BlockEnds::continue_with(Body& body, const Cont& next, Value result, const Def* type) {
    switch (next.kind) {
        case Cont::None: LLVMBuildUnreachable(build_.ref()); break;
        case Cont::Return: return_value(body, conversions_.convert(result, type, body.fn.view.result)); break;
        case Cont::To:
            add_value(body, *next.block, result, type);
            LLVMBuildBr(build_.ref(), body.blocks[next.block->number]);
            break;
        case Cont::Value: leave_to(body, next.value, result, type); break;
    }
}

} // namespace mim::backend::llvm
