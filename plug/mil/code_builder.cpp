// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <unordered_set>

#include "lower.h"

namespace mim::plug::mil {

CodeBuilder::CodeBuilder(Program& p)
    : program(p)
    , first_block_(static_cast<uint32_t>(p.blocks.size()))
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

// ---- captured variables -----------------------------------------------------------------------------------------------------

struct CodeBuilder::Captured {
    std::unordered_set<uint32_t> bound;
    std::vector<uint32_t> variables;
    std::unordered_set<uint32_t> seen; ///< of them
    std::vector<size_t> callers;

    bool needs(uint32_t v) {
        if (bound.contains(v) || !seen.insert(v).second) return false;
        variables.push_back(v);
        return true;
    }
    void atoms(const Atoms& all) {
        for (auto& a : all)
            if (a.kind == Atom::Var) needs(static_cast<uint32_t>(a.number));
    }
};

static void each_tail(Code& code, const std::function<void(Tail&)>& f) {
    for (auto& s : code.statements) f(s.tail);
    if (code.end == Code::Tailed) f(code.tail);
}

static void each_jump(Code& code, const std::function<void(Jump&)>& f) {
    for (auto& arm : code.arms) f(arm.jump);
    if (code.otherwise) f(*code.otherwise);
}

void CodeBuilder::capture() {
    auto num_blocks = program.blocks.size() - first_block_;
    std::vector<Captured> all(num_blocks + program.closures.size() - first_closure_);
    auto of_block   = [&](uint32_t b) { return b >= first_block_ ? &all[b - first_block_] : nullptr; };
    auto of_closure = [&](uint32_t k) { return k >= first_closure_ ? &all[num_blocks + k - first_closure_] : nullptr; };
    auto of_tail    = [&](const Tail& t) {
        return t.op == Tail::Block ? of_block(t.target) : t.op == Tail::Closure ? of_closure(t.target) : nullptr;
    };
    auto note = [&](Captured& c, const Atoms& args, Captured* callee) {
        c.atoms(args);
        if (callee) callee->callers.push_back(static_cast<size_t>(&c - all.data()));
    };
    for (auto b = first_block_; b != program.blocks.size(); ++b) {
        auto& c   = *of_block(b);
        auto& def = program.blocks[b];
        c.bound   = {def.params.begin(), def.params.end()};
        for (auto& s : def.code.statements) c.bound.insert(s.binds.begin(), s.binds.end());
        each_tail(def.code, [&](Tail& t) { note(c, t.args, of_tail(t)); });
        each_jump(def.code, [&](Jump& j) { note(c, j.args, of_block(j.block)); });
        if (def.code.end != Code::Tailed) c.atoms({def.code.subject});
    }
    for (auto k = first_closure_; k != program.closures.size(); ++k) {
        auto& c = *of_closure(k);
        auto& d = program.closures[k];
        c.bound = {d.params.begin(), d.params.end()};
        note(c, d.tail.args, of_tail(d.tail));
    }
    std::vector<size_t> todo(all.size());
    for (size_t i = 0; i != todo.size(); ++i) todo[i] = i;
    while (!todo.empty()) {
        auto i = todo.back();
        todo.pop_back();
        for (auto caller : all[i].callers) {
            bool grows     = false;
            auto variables = all[i].variables; // the caller may be this one
            for (auto v : variables) grows |= all[caller].needs(v);
            if (grows) todo.push_back(caller);
        }
    }
    auto pass = [&](Atoms& args, const Captured* callee) {
        if (!callee) return;
        for (auto v : callee->variables) args.push_back(variable(v));
    };
    for (auto b = first_block_; b != program.blocks.size(); ++b) {
        auto& def = program.blocks[b];
        each_tail(def.code, [&](Tail& t) { pass(t.args, of_tail(t)); });
        each_jump(def.code, [&](Jump& j) { pass(j.args, of_block(j.block)); });
        auto& extra = of_block(b)->variables;
        def.params.insert(def.params.end(), extra.begin(), extra.end());
    }
    for (auto k = first_closure_; k != program.closures.size(); ++k) {
        auto& def = program.closures[k];
        pass(def.tail.args, of_tail(def.tail));
        def.stored = of_closure(k)->variables;
    }
}

} // namespace mim::plug::mil
