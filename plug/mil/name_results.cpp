// SPDX-License-Identifier: MIT
// Comes before references are counted: names for the values whose types counting needs.
#include "count.h"

namespace mim::plug::mil {

namespace {

class Naming {
public:
    explicit Naming(Program& p)
        : p_(p) {}

    void run() {
        for (auto& b : p_.blocks) code(b.code);
        for (auto& e : std::vector(p_.order))
            if (e.kind == Program::ClosureKind) closure(p_.closures[e.index]);
    }

private:
    void code(Code& c) {
        for (auto& s : c.statements)
            for (auto& v : s.binds)
                if (v == kNone) v = p_.variable("unused");
        bool takes_field = c.end == Code::Tailed && c.tail.op == Tail::Select;
        if (!takes_field) return;
        auto v = p_.variable("field");
        c.statements.push_back({{v}, c.tail});
        c.tail = {Tail::Return, kNone, 0, {{Atom::Var, v}}, c.tail.at};
    }
    void closure(ClosureDef& k) {
        if (k.tail.op != Tail::Select) return;
        auto all = k.stored;
        all.insert(all.end(), k.params.begin(), k.params.end());
        BlockDef own{k.name, k.at, {}, {}, 1, true};
        std::unordered_map<uint32_t, uint32_t> names;
        Atoms args;
        for (auto v : all) {
            args.push_back({Atom::Var, v});
            own.params.push_back(names[v] = p_.variable(p_.variables[v]));
        }
        own.code.tail = k.tail;
        for (auto& a : own.code.tail.args)
            if (a.kind == Atom::Var) a.number = names.at(static_cast<uint32_t>(a.number));
        code(own.code);
        auto made = add(p_.blocks, std::move(own));
        p_.order.push_back({Program::BlockKind, made});
        k.tail = {Tail::Block, made, 0, std::move(args), k.at};
    }

    Program& p_;
};

} // namespace

void name_results(Program& p) { Naming(p).run(); }

} // namespace mim::plug::mil
