// SPDX-License-Identifier: MIT
// Comes before references are counted: names for what they need, and constructors that only wrap a closure go.
#include "count.h"

namespace mim::plug::mil {

namespace {

class Wrappers {
public:
    explicit Wrappers(Program& p)
        : p_(p) {}

    void run() {
        for (auto& b : p_.blocks) code(b.code);
        for (auto& k : p_.closures) tail(k.tail);
        for (auto& t : p_.tops) tail(t.tail);
    }

private:
    bool is_wrapper(uint32_t con) const { return con == p_.func || con == p_.proc; }

    Atom atom(const Atom& a) const {
        if (a.kind != Atom::Var) return a;
        auto found = meanings_.find(static_cast<uint32_t>(a.number));
        return found == meanings_.end() ? a : found->second;
    }
    void atoms(Atoms& all) const {
        for (auto& a : all) a = atom(a);
    }
    void tail(Tail& t) const {
        atoms(t.args);
        bool is_same = (t.op == Tail::Build || t.op == Tail::Select) && is_wrapper(t.target);
        if (is_same) t.op = Tail::Return;
    }

    void code(Code&);
    void end(Code&);

    Program& p_;
    std::unordered_map<uint32_t, Atom> meanings_; ///< of variables that are another name
};

void Wrappers::code(Code& c) {
    meanings_.clear();
    std::vector<Statement> rest;
    for (auto& s : c.statements) {
        tail(s.tail);
        bool is_nothing = s.tail.op == Tail::Assert && is_wrapper(s.tail.target);
        if (is_nothing) continue;
        if (s.tail.op != Tail::Return) {
            rest.push_back(std::move(s));
            continue;
        }
        for (size_t i = 0; i != s.binds.size(); ++i)
            if (s.binds[i] != kNone) meanings_[s.binds[i]] = s.tail.args[i];
    }
    c.statements = std::move(rest);
    end(c);
}

void Wrappers::end(Code& c) {
    c.subject = atom(c.subject);
    for (auto& arm : c.arms) atoms(arm.jump.args);
    if (c.otherwise) atoms(c.otherwise->args);
    bool is_known = c.end == Code::Case && !c.arms.empty() && is_wrapper(c.arms[0].con);
    if (is_known) {
        auto jump   = c.arms[0].jump;
        auto result = c.tail.results;
        c.end       = Code::Tailed;
        c.tail      = {Tail::Block, jump.block, 0, jump.args, jump.at, result};
        c.arms.clear();
        c.otherwise.reset();
    }
    if (c.end != Code::Tailed) return;
    tail(c.tail);
    bool is_last = c.tail.op == Tail::Return && !c.statements.empty() && c.tail.args.size() == c.statements.back().binds.size();
    if (is_last)
        for (size_t i = 0; i != c.tail.args.size(); ++i)
            is_last &= c.tail.args[i] == Atom{Atom::Var, c.statements.back().binds[i]};
    if (!is_last || c.tail.args.empty()) return;
    auto op      = c.statements.back().tail.op;
    bool is_call = op == Tail::Block || op == Tail::Enter || op == Tail::Build || op == Tail::Closure;
    if (!is_call) return;
    c.tail = std::move(c.statements.back().tail);
    c.statements.pop_back();
}

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

void erase_wrappers(Program& p) { Wrappers(p).run(); }

} // namespace mim::plug::mil
