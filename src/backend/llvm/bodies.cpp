// SPDX-License-Identifier: MIT
// See bodies.h.
#include "backend/llvm/bodies.h"

#include "analysis/in_place.h"
#include "analysis/schedule.h"
#include "backend/llvm/tail_calls.h"

namespace mim::backend::llvm {

void Bodies::begin_function(const Lam* lam) {
    ctx_.frame       = {};
    ctx_.frame.place = lam;
    scope_.clear();
    spills_.begin_function();
    addresses_.begin_function();
    slots_.begin_function();
    activation_memory_.begin_function();
}

void Bodies::define(const Lam* lam, LLVMValueRef fn) {
    auto& reports = ctx_.reports;
    begin_function(lam);
    if (!lam->is_set()) return;
    if (!lam->is_cn()) return reports.direct_style_left(lam, lam);
    names_.begin(lam, fn, false);
    try {
        emit_body(lam, fn);
    } catch (const ProgramError& e) {
        switch (e.kind) {
            case ProgramError::NonLocal:
                reports.error_at_return(e.at, Diag::leaves_past_calls, {reports.name_of(lam), reports.name_of(e.what)});
                break;
            case ProgramError::Direct: reports.direct_style_left(e.what, e.at); break;
        }
    } catch (const Failed&) {}
    ctx_.frame.fn = nullptr;
}

void Bodies::emit_body(const Lam* lam, LLVMValueRef llvm) {
    auto fn = ctx_.program.build(lam);
    if (!schedule(ctx_.program, *fn)) {
        fn = ctx_.program.build(lam, true);
        schedule(ctx_.program, *fn);
    }
    find_updates_in_place(ctx_.program, *fn);
    ctx_.frame.fn = fn.get();
    Body body{*fn, llvm, signatures_.of(fn->view, fn->captures), nullptr, {}, {}, {}};
    emit_blocks(body);
    finish_tail_calls(build_, body, slots_.watched(), activation_memory_.is_used());
    slots_.leave(body.entry);
    activation_memory_.leave(body.entry);
    bring_to_memory(llvm, build_.data(), spills_.places());
}

/// Blocks in pre-order of the dominator tree: whatever is in scope has been emitted, and is forgotten when its
/// subtree ends.
void Bodies::emit_blocks(Body& body) {
    auto& fn   = body.fn;
    auto ctx   = build_.context();
    body.entry = LLVMAppendBasicBlockInContext(ctx, body.llvm, "entry");
    build_.begin(body.entry);
    body.blocks.resize(fn.blocks.size());
    body.phis.resize(fn.blocks.size());
    for (auto& block : fn.blocks) {
        auto name                  = block->lam ? std::string(ctx_.world.notes.name(block->lam).view()) : std::string();
        body.blocks[block->number] = LLVMAppendBasicBlockInContext(ctx, body.llvm, name.empty() ? "bb" : name.c_str());
    }
    ctx_.frame.first = body.blocks[0];
    for (auto& block : fn.blocks) start_block(body, *block);
    bind_entry(body);

    struct Item {
        uint32_t number;
        size_t mark; ///< to go back to before it
        DebugInfo::Scope scope;
    };
    std::vector<Item> stack{{0, scope_.mark(), names_.scope()}};
    while (!stack.empty()) {
        auto [number, mark, scope] = stack.back();
        stack.pop_back();
        scope_.leave(mark);
        names_.set_scope(scope);
        emit_block(body, *fn.blocks[number]);
        scope          = names_.scope();
        auto& children = fn.doms->children(number);
        for (size_t i = children.size(); i-- != 0;) stack.push_back({children[i], scope_.mark(), scope});
    }
    build_.end_entry(body.blocks[0]);
}

/// Creates the phis of a block's parameters, then those of effects whose values meet in it.
void Bodies::start_block(Body& body, const BasicBlock& block) {
    if (!block.lam) return;
    LLVMPositionBuilderAtEnd(build_.ref(), body.blocks[block.number]);
    auto& phis = body.phis[block.number];
    for (auto& p : ctx_.program.view(block.lam).params) {
        if (auto t = types_.lower(p.type)) phis.push_back(LLVMBuildPhi(build_.ref(), t, ""));
    }
    for (auto def : block.merges)
        if (auto t = types_.lower(def->type())) phis.push_back(LLVMBuildPhi(build_.ref(), t, ""));
}

/// The parameters enter the first block's phis; captures and the place for the result are plain parameters.
void Bodies::bind_entry(Body& body) {
    unsigned next = body.sig.by_memory ? 1 : 0;
    for (auto phi : body.phis[0]) {
        auto param = LLVMGetParam(body.llvm, next++);
        LLVMAddIncoming(phi, &param, &body.entry, 1);
    }
    for (auto def : body.fn.captures)
        for (auto& p : signatures_.captured(def)) {
            bool is_passed = types_.lower(p->type());
            scope_.set(p, is_passed ? Value(LLVMGetParam(body.llvm, next++)) : Value());
        }
}

void Bodies::bind_params(Body& body, const BasicBlock& block) {
    if (!block.lam) return;
    auto& phis  = body.phis[block.number];
    auto view   = ctx_.program.view(block.lam);
    size_t next = 0;
    for (auto& p : view.params) {
        auto v = types_.lower(p.type) ? Value(phis[next++]) : Value();
        scope_.set(param_of(ctx_.world, view, p, block.lam->var()), v);
    }
    for (auto def : block.merges)
        if (types_.lower(def->type())) scope_.set(def, Value(phis[next++]));
}

void Bodies::emit_block(Body& body, const BasicBlock& block) {
    auto& frame = ctx_.frame;
    LLVMPositionBuilderAtEnd(build_.ref(), body.blocks[block.number]);
    frame.place    = block.place;
    frame.hands_on = body.fn.hands_on[block.number];
    bind_params(body, block);
    names_.name_block(block);
    for (auto def : block.nodes) {
        bool is_needless = body.fn.row_views.contains(def) && !names_.are_wanted();
        if (is_needless || scope_.contains(def)) continue;
        names_.at(def);
        frame.place = ctx_.world.notes.span(def) ? def : block.place;
        scope_.set(def, values_.emit_new(def));
        names_.name_value(def);
    }
    names_.at_end(block);
    frame.place = block.place;
    ends_.end(body, block);
}

} // namespace mim::backend::llvm
