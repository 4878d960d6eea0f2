// SPDX-License-Identifier: MIT
// `primAs` gives the bits of a value another type. A block that takes the bits of a parameter as a word gets the word from
// its callers: most of them have it, and the others convert what they pass.
#include <algorithm>

#include "optimize.h"

namespace mim::plug::mil {

namespace {

class PassingWords {
public:
    explicit PassingWords(Optimizer& o)
        : o_(o)
        , p_(o.p)
        , chosen_(p_.blocks.size()) {}

    bool run();

private:
    bool choose();
    void leave_out(const Tail&);
    Tail conversion(const Atom& a) const { return {Tail::Primitive, primitive_, 0, {a}, {}}; }
    uint32_t word(const std::string& name);
    void arguments(uint32_t block, Atoms&, std::vector<Statement>& before);
    bool calls(Code&);
    void receive(BlockDef&, const std::vector<bool>& which);

    Optimizer& o_;
    Program& p_;
    std::vector<std::vector<bool>> chosen_; ///< parameters of blocks
    uint32_t primitive_ = kNone;
};

uint32_t PassingWords::word(const std::string& name) {
    auto v = p_.variable(name);
    o_.words.insert(v);
    return v;
}

/// Other definitions than blocks are one computation: they have no place for a conversion.
void PassingWords::leave_out(const Tail& t) {
    if (t.op == Tail::Block) chosen_[t.target].clear();
}

bool PassingWords::choose() {
    for (auto& e : p_.order) {
        if (e.kind != Program::BlockKind) continue;
        auto& def     = p_.blocks[e.index];
        auto find_one = [&](const Tail& t) {
            if (is_conversion(p_, t)) primitive_ = t.target;
        };
        each_tail(def.code, find_one);
        if (def.is_kept || o_.is_fixed(e.index)) continue;
        for (size_t i = 0; i != def.params.size(); ++i)
            chosen_[e.index].push_back(o_.converts(e.index, i) && !o_.words.contains(def.params[i]));
    }
    for (auto& e : p_.order) {
        if (e.kind == Program::ClosureKind) leave_out(p_.closures[e.index].tail);
        if (e.kind == Program::TopKind) leave_out(p_.tops[e.index].tail);
    }
    auto is_any = [](auto& params) { return std::ranges::count(params, true) != 0; };
    return std::ranges::any_of(chosen_, is_any);
}

void PassingWords::arguments(uint32_t block, Atoms& args, std::vector<Statement>& before) {
    auto& which = chosen_[block];
    for (size_t i = 0; i != which.size(); ++i) {
        auto& a      = args[i];
        bool is_word = a.kind == Atom::Word || (a.kind == Atom::Var && o_.words.contains(static_cast<uint32_t>(a.number)));
        bool is_fine = !which[i] || is_word;
        if (is_fine) continue;
        auto v = word("w");
        before.push_back({{v}, conversion(a)});
        a = variable_atom(v);
    }
}

/// False if it calls no such block.
bool PassingWords::calls(Code& code) {
    std::vector<Statement> all;
    auto count = code.statements.size();
    for (auto& s : code.statements) {
        if (s.tail.op == Tail::Block) arguments(s.tail.target, s.tail.args, all);
        all.push_back(std::move(s));
    }
    if (code.end == Code::Tailed && code.tail.op == Tail::Block) arguments(code.tail.target, code.tail.args, all);
    each_jump(code, [&](Jump& j) { arguments(j.block, j.args, all); });
    code.statements = std::move(all);
    return code.statements.size() != count;
}

/// The block begins with the conversion of its words.
void PassingWords::receive(BlockDef& def, const std::vector<bool>& which) {
    std::vector<Statement> first;
    auto params = def.params;
    for (size_t i = 0; i != which.size(); ++i) {
        if (!which[i]) continue;
        auto before = params[i];
        auto name   = p_.variables[before];
        params[i]   = word(name);
        first.push_back({{before}, conversion(variable_atom(params[i]))});
    }
    def.params = std::move(params);
    def.code.statements.insert(def.code.statements.begin(), first.begin(), first.end());
}

bool PassingWords::run() {
    if (!choose()) return false;
    std::vector<bool> changed(p_.blocks.size());
    for (auto& e : p_.order)
        if (e.kind == Program::BlockKind) changed[e.index] = calls(p_.blocks[e.index].code);
    for (auto& e : p_.order) {
        bool receives = e.kind == Program::BlockKind && std::ranges::count(chosen_[e.index], true) != 0;
        if (!receives) continue;
        receive(p_.blocks[e.index], chosen_[e.index]);
        o_.report.note(Rule::Parameter);
        changed[e.index] = true;
    }
    for (uint32_t b = 0; b != changed.size(); ++b)
        if (changed[b]) o_.touch(b);
    o_.forget_derived(changed);
    return true;
}

} // namespace

bool pass_words(Optimizer& o) { return PassingWords(o).run(); }

} // namespace mim::plug::mil
