// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <unordered_set>

#include "lower.h"

namespace mim::plug::mil {

CodeBuilder::CodeBuilder(Program& p)
    : CodeBuilder(p, static_cast<uint32_t>(p.blocks.size())) {}

CodeBuilder::CodeBuilder(Program& p, uint32_t first_block)
    : program(p)
    , first_block_(first_block)
    , first_closure_(static_cast<uint32_t>(p.closures.size())) {}

uint32_t CodeBuilder::block(const std::string& base, std::vector<uint32_t> params, Span place) {
    auto index = add(program.blocks, {base, place, std::move(params), {}, true});
    program.order.push_back({Program::BlockKind, index});
    return index;
}

uint32_t CodeBuilder::closure(const std::string& base, std::vector<uint32_t> params, Tail body, Span place) {
    auto index = add(program.closures, {base, place, {}, std::move(params), std::move(body), true});
    program.order.push_back({Program::ClosureKind, index});
    return index;
}

uint32_t CodeBuilder::top(const std::string& base, Tail value, Span place) {
    TopDef def{base, place, std::move(value), true};
    auto index = add(program.tops, std::move(def));
    program.order.push_back({Program::TopKind, index});
    return index;
}

Atom CodeBuilder::emit(Tail t, const std::string& name) {
    if (t.op == Tail::Return) return t.args[0];
    auto v = program.variable(name);
    code().statements.push_back({{v}, std::move(t)});
    return variable(v);
}

void CodeBuilder::discard(Tail t) {
    if (t.op != Tail::Return && t.op != Tail::Build)
        code().statements.push_back({std::vector<uint32_t>(t.results, kNone), std::move(t)});
}

void CodeBuilder::finish(Tail t) {
    code().end  = Code::Tailed;
    code().tail = std::move(t);
}

Tail CodeBuilder::function(const std::string& base, uint32_t target, const std::vector<uint32_t>& params, Span place) {
    Atoms all;
    for (auto p : params) all.push_back(variable(p));
    auto inner  = tail(Tail::Block, target, all, place);
    auto around = at;
    for (size_t i = params.size(); i-- != 0;) {
        auto k = closure(base, {params[i]}, std::move(inner), place);
        if (i == 0) {
            at     = around;
            auto f = emit(tail(Tail::Closure, k, {}, place), "k");
            return tail(Tail::Build, program.func, {f}, place);
        }
        at     = block(base, {}, place);
        auto f = emit(tail(Tail::Closure, k, {}, place), "k");
        finish(tail(Tail::Build, program.func, {f}, place));
        inner = tail(Tail::Block, at, {}, place);
    }
    return inner;
}

// ---- captured variables
// -----------------------------------------------------------------------------------------------------

namespace {

/// Variables that a block or a closure needs from around it.
struct Captured {
    std::unordered_set<uint32_t> bound;
    std::vector<uint32_t> variables;
    std::unordered_set<uint32_t> seen; ///< of them
    std::vector<Captured*> callers;

    bool needs(uint32_t v) {
        if (bound.contains(v) || !seen.insert(v).second) return false;
        variables.push_back(v);
        return true;
    }
};

class Capturing {
public:
    Capturing(Program& p, uint32_t first_block, uint32_t first_closure)
        : p_(p)
        , first_block_(first_block)
        , first_closure_(first_closure)
        , blocks_(p.blocks.size() - first_block)
        , closures_(p.closures.size() - first_closure) {}

    void run() {
        for (auto& c : blocks_) gather(c, p_.blocks[first_block_ + index(c, blocks_)]);
        for (auto& c : closures_) gather(c, p_.closures[first_closure_ + index(c, closures_)]);
        spread();
        for (auto& c : blocks_) pass(c, p_.blocks[first_block_ + index(c, blocks_)]);
        for (auto& c : closures_) pass(c, p_.closures[first_closure_ + index(c, closures_)]);
    }

private:
    static size_t index(const Captured& c, const std::vector<Captured>& all) { return static_cast<size_t>(&c - all.data()); }
    /// Those of definitions that were there before are complete.
    Captured* of_block(uint32_t b) { return b >= first_block_ ? &blocks_[b - first_block_] : nullptr; }
    Captured* of_tail(const Tail& t) {
        if (t.op == Tail::Block) return of_block(t.target);
        bool is_new = t.op == Tail::Closure && t.target >= first_closure_;
        return is_new ? &closures_[t.target - first_closure_] : nullptr;
    }

    static void each_tail(Code& code, const std::function<void(Tail&)>& f) {
        for (auto& s : code.statements) f(s.tail);
        if (code.end == Code::Tailed) f(code.tail);
    }
    static void each_jump(Code& code, const std::function<void(Jump&)>& f) {
        for (auto& arm : code.arms) f(arm.jump);
        if (code.otherwise) f(*code.otherwise);
    }

    static void need(Captured& c, const Atoms& args, Captured* callee) {
        for (auto& a : args)
            if (a.kind == Atom::Var) c.needs(static_cast<uint32_t>(a.number));
        if (callee) callee->callers.push_back(&c);
    }
    void gather(Captured& c, BlockDef& def) {
        c.bound = {def.params.begin(), def.params.end()};
        for (auto& s : def.code.statements) c.bound.insert(s.binds.begin(), s.binds.end());
        each_tail(def.code, [&](Tail& t) { need(c, t.args, of_tail(t)); });
        each_jump(def.code, [&](Jump& j) { need(c, j.args, of_block(j.block)); });
        if (def.code.end != Code::Tailed) need(c, {def.code.subject}, nullptr);
    }
    void gather(Captured& c, ClosureDef& def) {
        c.bound = {def.params.begin(), def.params.end()};
        need(c, def.tail.args, of_tail(def.tail));
    }

    /// Callers need what a definition needs, to pass it.
    void spread() {
        std::vector<Captured*> todo;
        for (auto& c : blocks_) todo.push_back(&c);
        for (auto& c : closures_) todo.push_back(&c);
        while (!todo.empty()) {
            auto callee = todo.back();
            todo.pop_back();
            for (auto caller : callee->callers) {
                bool grows     = false;
                auto variables = callee->variables; // the caller may be the callee
                for (auto v : variables) grows |= caller->needs(v);
                if (grows) todo.push_back(caller);
            }
        }
    }

    static void pass(Atoms& args, const Captured* callee) {
        if (!callee) return;
        for (auto v : callee->variables) args.push_back(variable(v));
    }
    void pass(Captured& c, BlockDef& def) {
        each_tail(def.code, [&](Tail& t) { pass(t.args, of_tail(t)); });
        each_jump(def.code, [&](Jump& j) { pass(j.args, of_block(j.block)); });
        def.params.insert(def.params.end(), c.variables.begin(), c.variables.end());
    }
    void pass(Captured& c, ClosureDef& def) {
        pass(def.tail.args, of_tail(def.tail));
        def.stored = c.variables;
    }

    Program& p_;
    uint32_t first_block_, first_closure_;
    std::vector<Captured> blocks_, closures_;
};

} // namespace

void CodeBuilder::capture() { Capturing(program, first_block_, first_closure_).run(); }

} // namespace mim::plug::mil
