// SPDX-License-Identifier: MIT
// Definitions that nothing reaches go.
#include <unordered_map>

#include "primitives.h"
#include "stages.h"
#include "walk.h"

namespace mim::plug::mil {

namespace {

class Reach {
public:
    explicit Reach(Program& p)
        : p_(p)
        , datas_(p.datas.size())
        , primitives_(p.primitives.size())
        , blocks_(p.blocks.size())
        , closures_(p.closures.size())
        , tops_(p.tops.size()) {
        for (uint32_t i = 0; i != p.datas.size(); ++i) named_[p.datas[i].type] = i;
    }

    void run() {
        for (auto& e : p_.order)
            if (is_root(p_, e)) reach(e);
        while (!todo_.empty()) {
            auto e = todo_.back();
            todo_.pop_back();
            visit(e);
        }
        std::erase_if(p_.order, [&](auto& e) { return !mark(e); });
    }

private:
    std::vector<bool>::reference mark(Program::Entry e) {
        switch (e.kind) {
            case Program::DataKind: return datas_[e.index];
            case Program::PrimitiveKind: return primitives_[e.index];
            case Program::BlockKind: return blocks_[e.index];
            case Program::ClosureKind: return closures_[e.index];
            default: return tops_[e.index];
        }
    }

    void reach(Program::Entry e) {
        if (mark(e)) return;
        mark(e) = true;
        todo_.push_back(e);
    }
    void reach(Program::Kind kind, uint32_t index) { reach(Program::Entry{kind, index}); }

    void atoms(const Atoms& all) {
        for (auto& a : all)
            if (a.kind == Atom::Top) reach(Program::TopKind, static_cast<uint32_t>(a.number));
    }
    void con(uint32_t c) { reach(Program::DataKind, p_.cons[c].data); }
    void jump(const Jump& j) {
        atoms(j.args);
        reach(Program::BlockKind, j.block);
    }
    void tail(const Tail& t) {
        atoms(t.args);
        switch (t.op) {
            case Tail::Block: return reach(Program::BlockKind, t.target);
            case Tail::Primitive: return reach(Program::PrimitiveKind, t.target);
            case Tail::Closure: return reach(Program::ClosureKind, t.target);
            case Tail::Return:
            case Tail::Enter: return;
            default: return con(t.target);
        }
    }
    void generator(const Foreign& e) {
        for (uint32_t i = 0; i != p_.externals.size(); ++i) {
            auto& g = p_.externals[i];
            if (g.generator == e.generator && g.block != kNone) reach(Program::BlockKind, g.block);
        }
    }
    void code(const Code& c) {
        for (auto& s : c.statements) tail(s.tail);
        if (c.end == Code::Tailed) return tail(c.tail);
        atoms({c.subject});
        for (auto& arm : c.arms) {
            if (c.end == Code::Case) con(arm.con);
            jump(arm.jump);
        }
        if (c.otherwise) jump(*c.otherwise);
    }
    void type(const Type* t) {
        for (t = meaning(t); t && t->kind == Type::Apply; t = meaning(t->first)) type(t->second);
        if (auto data = named_.find(t); data != named_.end()) reach(Program::DataKind, data->second);
    }
    static const Type* meaning(const Type* t) {
        while (t && t->kind == Type::Var && t->first) t = t->first;
        return t;
    }
    /// The text has a type that is kept.
    void kept(const Typing& t) {
        if (t.is_kept) type(t.scheme.type);
    }
    void visit(Program::Entry e) {
        switch (e.kind) {
            case Program::BlockKind: kept(p_.blocks[e.index].typing); return code(p_.blocks[e.index].code);
            case Program::ClosureKind: kept(p_.closures[e.index].typing); return tail(p_.closures[e.index].tail);
            case Program::PrimitiveKind:
                if (auto c = p_.primitives[e.index].c_function; c != kNone) type(p_.c_functions[c].type);
                return;
            case Program::TopKind:
                kept(p_.tops[e.index].typing);
                if (auto x = p_.tops[e.index].external; x != kNone) return generator(p_.externals[x]);
                return tail(p_.tops[e.index].tail);
            case Program::DataKind:
                if (p_.datas[e.index].form == DataType::Layout) con(p_.datas[e.index].outside);
                for (auto c : p_.datas[e.index].cons)
                    for (auto field : p_.cons[c].types) type(field);
                for (auto& part : p_.datas[e.index].parts) type(part.area);
                return;
            default: return;
        }
    }

    Program& p_;
    std::unordered_map<const Type*, uint32_t> named_;
    std::vector<bool> datas_, primitives_, blocks_, closures_, tops_;
    std::vector<Program::Entry> todo_;
};

} // namespace

bool is_root(const Program& p, Program::Entry e) {
    switch (e.kind) {
        case Program::DataKind: return p.datas[e.index].is_kept;
        case Program::PrimitiveKind: return p.primitives[e.index].is_kept;
        case Program::BlockKind: return p.blocks[e.index].is_kept;
        case Program::ClosureKind: return p.closures[e.index].is_kept;
        default: break;
    }
    auto& top       = p.tops[e.index];
    bool allocates  = top.tail.op == Tail::Build || top.tail.op == Tail::Closure;
    bool is_effects = !allocates && top.block == kNone && top.external == kNone;
    return top.is_kept || is_effects || e.index == p.main;
}

void shake(Program& p) { Reach(p).run(); }

/// A pass may use a primitive that the program did not need before.
void declare_primitives(Program& p) {
    std::vector<bool> known(p.primitives.size());
    for (auto& e : p.order)
        if (e.kind == Program::PrimitiveKind) known[e.index] = true;
    std::vector<Program::Entry> more;
    auto use = [&](const Tail& t) {
        if (t.op != Tail::Primitive || known[t.target]) return;
        known[t.target] = true;
        more.push_back({Program::PrimitiveKind, t.target});
    };
    for (auto& e : p.order) {
        if (e.kind == Program::BlockKind) each_tail(p.blocks[e.index].code, use);
        if (e.kind == Program::ClosureKind) use(p.closures[e.index].tail);
        if (e.kind == Program::TopKind) use(p.tops[e.index].tail);
    }
    p.order.insert(p.order.begin(), more.begin(), more.end());
}

uint32_t find_halt(Program& p, Types& types) {
    auto is_halt = [](auto& primitive) { return static_cast<Op>(primitive.code) == Op::Halt; };
    auto found   = std::ranges::find_if(p.primitives, is_halt);
    if (found != p.primitives.end()) return static_cast<uint32_t>(found - p.primitives.begin());
    static TypeExpr any{TypeExpr::Var, {}, "r"};
    Primitive made;
    made.name      = "halt";
    made.purity    = "doesntReturn";
    made.code      = static_cast<uint32_t>(Op::Halt);
    made.any_range = &any;
    ++types.level;
    auto range = types.fresh();
    --types.level;
    made.scheme = {{range}, types.apply(types.con(">>="), {types.tuple({}), range})};
    return add(p.primitives, std::move(made));
}

} // namespace mim::plug::mil
