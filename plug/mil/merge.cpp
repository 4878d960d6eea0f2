// SPDX-License-Identifier: MIT
// One definition for those that are equal but for names. Definitions are spelled as texts, callees first, in which a
// callee is its representative. One in a small recursive group is spelled with all of the group, from itself on; so
// two groups are the same if their spellings are.
#include <algorithm>

#include "base/components.h"
#include "optimize.h"

namespace mim::plug::mil {

namespace {

constexpr size_t kLargestGroup = 24;

class Merging {
public:
    explicit Merging(Optimizer& o)
        : p_(o.p)
        , types_(o.types)
        , report_(o.report)
        , blocks_(static_cast<uint32_t>(o.p.blocks.size())) {}

    bool run();

private:
    uint32_t node(Program::Kind kind, uint32_t i) const { return kind == Program::BlockKind ? i : blocks_ + i; }
    bool is_kept(uint32_t n) const { return n < blocks_ ? p_.blocks[n].is_kept : p_.closures[n - blocks_].is_kept; }
    const Typing& typing(uint32_t n) const { return n < blocks_ ? p_.blocks[n].typing : p_.closures[n - blocks_].typing; }
    void components();
    void group(const std::vector<uint32_t>& members);
    std::string spell_group(uint32_t first);

    /// @name a text that only equal definitions have
    ///@{
    void spell(uint32_t n);
    void callee(Program::Kind, uint32_t);
    void variable(uint32_t v);
    void atoms(const Atoms&);
    void tail(const Tail&);
    void jump(const Jump&);
    void number(uint64_t n) { out_ += std::to_string(n) + " "; }
    ///@}

    void replace(Tail&) const;

    Program& p_;
    Types& types_;
    Report& report_;
    uint32_t blocks_;
    std::vector<std::vector<uint32_t>> edges_;
    std::vector<uint32_t> components_, others_; ///< representatives
    std::unordered_map<std::string, uint32_t> known_;
    std::string out_;
    std::unordered_map<uint32_t, size_t> places_; ///< of variables
    std::vector<uint32_t> group_;                 ///< in the order in which the text names them
    uint32_t component_ = 0;
};

void Merging::variable(uint32_t v) {
    if (v == kNone) out_ += "_ ";
    else number(places_.emplace(v, places_.size()).first->second);
}

void Merging::atoms(const Atoms& all) {
    for (auto& a : all) {
        out_ += static_cast<char>('a' + a.kind);
        if (a.kind == Atom::Bits) number(a.width);
        if (a.kind == Atom::Var) variable(static_cast<uint32_t>(a.number));
        else number(a.number);
    }
    out_ += ";";
}

void Merging::callee(Program::Kind kind, uint32_t i) {
    auto n = node(kind, i);
    if (components_[n] != component_) return number(others_[n]);
    auto known = std::ranges::find(group_, n);
    out_ += "g";
    number(static_cast<uint64_t>(known - group_.begin()));
    if (known == group_.end()) group_.push_back(n);
}

void Merging::tail(const Tail& t) {
    out_ += static_cast<char>('A' + t.op);
    number(t.index);
    if (t.op == Tail::Block) callee(Program::BlockKind, t.target);
    else if (t.op == Tail::Closure) callee(Program::ClosureKind, t.target);
    else number(t.target);
    atoms(t.args);
}

void Merging::jump(const Jump& j) {
    callee(Program::BlockKind, j.block);
    atoms(j.args);
}

void Merging::spell(uint32_t n) {
    places_.clear();
    auto& t = typing(n);
    if (t.is_kept) out_ += types_.text(t.scheme.type);
    auto all = [&](const std::vector<uint32_t>& variables) {
        for (auto v : variables) variable(v);
        out_ += "/";
    };
    if (n >= blocks_) {
        auto& k = p_.closures[n - blocks_];
        out_ += "closure ";
        all(k.stored);
        all(k.params);
        return tail(k.tail);
    }
    auto& b = p_.blocks[n];
    out_ += "block ";
    all(b.params);
    for (auto& s : b.code.statements) {
        tail(s.tail);
        all(s.binds);
    }
    number(b.code.end);
    if (b.code.end == Code::Tailed) return tail(b.code.tail);
    atoms({b.code.subject});
    for (auto& arm : b.code.arms) {
        number(arm.con);
        jump(arm.jump);
    }
    if (b.code.otherwise) jump(*b.code.otherwise);
}

std::string Merging::spell_group(uint32_t first) {
    out_.clear();
    group_ = {first};
    for (size_t i = 0; i != group_.size(); ++i) spell(group_[i]);
    return std::move(out_);
}

void Merging::group(const std::vector<uint32_t>& members) {
    if (members.size() > kLargestGroup) return;
    component_ = components_[members[0]];
    for (auto n : members) {
        auto [known, is_new] = known_.emplace(spell_group(n), n);
        bool is_other        = !is_new && components_[known->second] != component_;
        if (is_other && !is_kept(n)) others_[n] = known->second;
    }
}

void Merging::components() {
    edges_.resize(blocks_ + p_.closures.size());
    for (auto& e : p_.order) {
        bool is_block = e.kind == Program::BlockKind;
        if (!is_block && e.kind != Program::ClosureKind) continue;
        auto& out = edges_[node(e.kind, e.index)];
        auto add  = [&](Program::Kind kind, uint32_t i) { out.push_back(node(kind, i)); };
        if (is_block) each_callee(p_.blocks[e.index].code, add);
        else each_callee(p_.closures[e.index].tail, add);
    }
    auto successors = [&](uint32_t v) -> const std::vector<uint32_t>& { return edges_[v]; };
    components_     = ComponentSearch(edges_.size(), successors).run();
}

void Merging::replace(Tail& t) const {
    if (t.op == Tail::Block) t.target = others_[t.target];
    if (t.op == Tail::Closure) t.target = others_[blocks_ + t.target] - blocks_;
}

bool Merging::run() {
    components();
    others_.resize(edges_.size());
    for (uint32_t n = 0; n != others_.size(); ++n) others_[n] = n;
    std::vector<uint32_t> nodes;
    for (auto& e : p_.order)
        if (e.kind == Program::BlockKind || e.kind == Program::ClosureKind) nodes.push_back(node(e.kind, e.index));
    std::ranges::stable_sort(nodes, {}, [&](uint32_t n) { return components_[n]; });
    for (size_t i = 0; i != nodes.size();) {
        std::vector<uint32_t> members;
        auto component = components_[nodes[i]];
        for (; i != nodes.size() && components_[nodes[i]] == component; ++i) members.push_back(nodes[i]);
        group(members);
    }
    bool any = false;
    for (auto n : nodes) {
        if (others_[n] == n) continue;
        any = true;
        report_.note(Rule::Merge);
    }
    if (!any) return false;
    for (auto& e : p_.order) {
        if (e.kind == Program::BlockKind) {
            each_tail(p_.blocks[e.index].code, [&](Tail& t) { replace(t); });
            each_jump(p_.blocks[e.index].code, [&](Jump& j) { j.block = others_[j.block]; });
        }
        if (e.kind == Program::ClosureKind) replace(p_.closures[e.index].tail);
        if (e.kind == Program::TopKind) replace(p_.tops[e.index].tail);
    }
    return true;
}

} // namespace

bool merge(Optimizer& o) { return Merging(o).run(); }

} // namespace mim::plug::mil
