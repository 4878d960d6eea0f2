// SPDX-License-Identifier: MIT
#include "report.h"

#include <algorithm>

#include "walk.h"

namespace mim::plug::mil {

namespace {

constexpr std::string_view kNames[] = {
    "1 constant propagation", "2 tail call",          "3 prefix inlining",
    "4 suffix inlining",      "5 unreachable code",   "6 wildcard",
    "7 dead computation",     "8 common computation", "9-15 algebra",
    "16 known case",          "17 known closure",     "18 known structure",
    "19 trailing enter",      "20 trailing case",     "selector of a known constructor",
    "assertion removed",      "jump threaded",        "static allocation",
    "parameter removed",      "definitions merged",
};
static_assert(std::size(kNames) == static_cast<size_t>(Rule::Count));

std::string text_of(const Program& p, const Atom& a) {
    switch (a.kind) {
        case Atom::Var: return p.variables[a.number];
        case Atom::Top: return p.tops[a.number].name;
        case Atom::Word: return std::to_string(a.number);
        case Atom::Flag: return row_text(a.number, 1);
        case Atom::Bits: return row_text(p.row(a), a.width);
        case Atom::Label: return "#" + quoted(p.labels[a.number]);
        default: return "\"…\"";
    }
}

std::string text_of(const Program& p, const Atoms& all, size_t first = 0) {
    std::string result;
    for (auto i = first; i != all.size(); ++i) result += (i == first ? "" : ", ") + text_of(p, all[i]);
    return result;
}

size_t allocations(const Program& p, const Code& c) {
    size_t count = 0;
    each_tail(c, [&](auto& t) {
        bool is_object = makes_object(p, t);
        count += is_object;
    });
    return count;
}

} // namespace

std::string_view name_of(Rule r) { return kNames[static_cast<size_t>(r)]; }

std::string text_of(const Program& p, const Tail& t) {
    auto all = text_of(p, t.args);
    switch (t.op) {
        case Tail::Return: return "return [" + all + "]";
        case Tail::Block: return p.blocks[t.target].name + "[" + all + "]";
        case Tail::Primitive: return p.primitives[t.target].name + "((" + all + "))";
        case Tail::Build: return p.cons[t.target].name + "(" + all + ")";
        case Tail::Select: return p.cons[t.target].name + " " + std::to_string(t.index) + " " + all;
        case Tail::Closure: return p.closures[t.target].name + "{" + all + "}";
        case Tail::Enter: return text_of(p, t.args[0]) + " @ [" + text_of(p, t.args, 1) + "]";
        case Tail::Assert: return "assert " + all + " " + p.cons[t.target].name;
        default: return all;
    }
}

void Report::note(Rule r, const Program& p, const std::string& where, const Tail& before, const std::string& after) {
    note(r);
    if (!is_traced) return;
    trace += std::string(name_of(r)) + ", in " + where + ":\n    " + text_of(p, before) + "\n    " + after + "\n";
}

void Report::note(Rule r, const Program& p, const std::string& where, const Tail& before, const Tail& after) {
    note(r, p, where, before, is_traced ? text_of(p, after) : std::string());
}

/// A line for each rule that was used, the size of the text, and the objects that each block may allocate.
std::string Report::stats(const Program& p) const {
    std::string all = "lines: " + std::to_string(before) + " before, " + std::to_string(after) + " after\n";
    for (size_t i = 0; i != counts.size(); ++i)
        if (counts[i]) all += std::to_string(counts[i]) + " " + std::string(kNames[i]) + "\n";
    size_t blocks = 0, closures = 0, tops = 0;
    for (auto& e : p.order) {
        blocks += e.kind == Program::BlockKind;
        closures += e.kind == Program::ClosureKind;
        tops += e.kind == Program::TopKind;
    }
    all += std::to_string(blocks) + " blocks, " + std::to_string(closures) + " closures, " + std::to_string(tops)
           + " top-level definitions\n";
    for (auto& e : p.order) {
        if (e.kind != Program::BlockKind) continue;
        if (auto n = allocations(p, p.blocks[e.index].code))
            all += p.blocks[e.index].name + " allocates " + std::to_string(n) + "\n";
    }
    return all;
}

std::string dot(const Program& p) {
    std::string all = "digraph {\n";
    auto id         = [](Program::Kind kind, uint64_t i) {
        auto letter = kind == Program::BlockKind ? "b" : kind == Program::ClosureKind ? "k" : "t";
        return letter + std::to_string(i);
    };
    auto node = [&](Program::Entry e, const std::string& name, const char* color) {
        all += "  " + id(e.kind, e.index) + " [label=\"" + name + "\", color=" + color + "];\n";
    };
    auto edges = [&](Program::Entry e, auto& code) {
        auto edge = [&](Program::Kind kind, uint64_t to) { all += "  " + id(e.kind, e.index) + " -> " + id(kind, to) + ";\n"; };
        each_callee(code, edge);
    };
    for (auto& e : p.order) {
        if (e.kind == Program::BlockKind) {
            node(e, p.blocks[e.index].name, "blue");
            edges(e, p.blocks[e.index].code);
        } else if (e.kind == Program::ClosureKind) {
            node(e, p.closures[e.index].name, "red");
            edges(e, p.closures[e.index].tail);
        } else if (e.kind == Program::TopKind) {
            node(e, p.tops[e.index].name, "black");
            edges(e, p.tops[e.index].tail);
        }
    }
    return all + "}\n";
}

} // namespace mim::plug::mil
