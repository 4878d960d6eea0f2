// SPDX-License-Identifier: MIT
// Allocations of constants happen once: they become top-level definitions.
#include <algorithm>
#include <iterator>

#include "optimize.h"

namespace mim::plug::mil {

namespace {

class Hoisting {
public:
    explicit Hoisting(Optimizer& o)
        : o_(o)
        , p_(o.p) {}

    void run() {
        size_t place = 0;
        for (auto& e : p_.order)
            if (e.kind == Program::TopKind) places_[e.index] = ++place;
        for (auto& e : p_.order)
            if (e.kind == Program::BlockKind && !o_.is_fixed(e.index)) block(p_.blocks[e.index].code);
        set_order();
    }

private:
    /// The constant that a tail makes, if it makes one.
    std::optional<Atom> hoist(const Tail&);
    void block(Code&);
    void set_order();
    void put(uint32_t top, std::vector<Program::Entry>& order) const;

    Optimizer& o_;
    Program& p_;
    std::map<std::vector<uint64_t>, uint32_t> made_;
    std::unordered_map<uint64_t, size_t> places_; ///< of top-level definitions; a new one is behind the last that it needs
    std::unordered_map<uint64_t, std::vector<uint32_t>> behind_;
};

std::optional<Atom> Hoisting::hoist(const Tail& t) {
    bool is_object = makes_object(o_.p, t);
    bool is_open   = std::ranges::any_of(t.args, [](auto& a) { return a.kind == Atom::Var; });
    if (!is_object || is_open) return {};
    std::vector<uint64_t> key{t.op, t.target};
    for (auto& a : t.args) key.insert(key.end(), {a.kind | uint64_t(a.width) << 8, a.number});
    o_.report.note(Rule::Static);
    if (auto known = made_.find(key); known != made_.end()) return Atom{Atom::Top, known->second};
    uint64_t last = kNone;
    auto is_later = [&](uint64_t a) {
        if (last == kNone) return true;
        return std::pair(places_[a], a) > std::pair(places_[last], last);
    };
    for (auto& a : t.args)
        if (a.kind == Atom::Top && is_later(a.number)) last = a.number;
    auto name = t.op == Tail::Build ? "the" + p_.cons[t.target].name : p_.closures[t.target].name;
    TopDef def{name, t.at, t, true};
    auto top     = add(p_.tops, std::move(def));
    places_[top] = last == kNone ? 0 : places_[last];
    made_[key]   = top;
    behind_[last].push_back(top);
    return Atom{Atom::Top, top};
}

void Hoisting::block(Code& code) {
    std::unordered_map<uint64_t, Atom> meanings;
    auto name = [&](Atom& a) {
        if (a.kind != Atom::Var) return;
        if (auto m = meanings.find(a.number); m != meanings.end()) a = m->second;
    };
    std::erase_if(code.statements, [&](Statement& s) {
        for (auto& a : s.tail.args) name(a);
        auto top = s.binds.size() == 1 && s.binds[0] != kNone ? hoist(s.tail) : std::nullopt;
        if (top) meanings[s.binds[0]] = *top;
        return top.has_value();
    });
    each_atom(code, name);
    auto top = code.end == Code::Tailed ? hoist(code.tail) : std::nullopt;
    if (top) code.tail = {Tail::Return, kNone, 0, {*top}, code.tail.at};
}

void Hoisting::put(uint32_t top, std::vector<Program::Entry>& order) const {
    std::vector<uint32_t> todo{top};
    while (!todo.empty()) {
        auto next = todo.back();
        todo.pop_back();
        if (next != kNone) order.push_back({Program::TopKind, next});
        auto more = behind_.find(next);
        if (more != behind_.end()) todo.insert(todo.end(), more->second.rbegin(), more->second.rend());
    }
}

void Hoisting::set_order() {
    // Text names constructors behind their declaration.
    auto is_declared = [](auto& e) { return e.kind == Program::DataKind || e.kind == Program::PrimitiveKind; };
    std::vector<Program::Entry> order;
    std::ranges::copy_if(p_.order, std::back_inserter(order), is_declared);
    put(kNone, order);
    for (auto& e : p_.order) {
        if (is_declared(e)) continue;
        if (e.kind == Program::TopKind) put(e.index, order);
        else order.push_back(e);
    }
    p_.order = std::move(order);
}

} // namespace

void make_static(Optimizer& o) { Hoisting(o).run(); }

} // namespace mim::plug::mil
