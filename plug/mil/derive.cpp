// SPDX-License-Identifier: MIT
// Derived blocks (18 to 20): a block that begins with what is known of its arguments, or goes on with what its caller
// does next. They have a budget, since some programs would have no end of them.
#include <algorithm>

#include "optimize.h"

namespace mim::plug::mil {

namespace {

constexpr uint32_t kMostDerived = 32; ///< of one block

std::string text_of(const Shape& s) {
    switch (s.kind) {
        case Shape::Unknown: return "_";
        case Shape::Repeated: return "r" + std::to_string(s.target);
        case Shape::Known: return "=" + std::to_string(s.atom.kind) + "." + std::to_string(s.atom.number);
        default: break;
    }
    std::string all = (s.kind == Shape::Built ? "c" : "k") + std::to_string(s.target) + "(";
    for (auto& part : s.parts) all += text_of(part) + ",";
    return all + ")";
}

/// Makes what has this shape; a parameter for each part of which nothing is known.
Atom make(Program& p, const Shape& s, BlockDef& def) {
    if (s.kind == Shape::Known) return s.atom;
    auto name = s.atom.kind == Atom::Var ? p.variables[s.atom.number] : std::string("a");
    if (s.kind == Shape::Unknown) {
        def.params.push_back(p.variable(name));
        return variable_atom(def.params.back());
    }
    Tail t{s.kind == Shape::Built ? Tail::Build : Tail::Closure, s.target, 0, {}, def.at};
    for (auto& part : s.parts) t.args.push_back(make(p, part, def));
    auto v = p.variable(name);
    def.code.statements.push_back({{v}, std::move(t)});
    return variable_atom(v);
}

/// A continuation as a text that does not depend on the names of its variables.
class Spelling {
public:
    explicit Spelling(const Continuation& k) {
        for (auto v : k.binds) bind(v);
        for (auto& s : k.statements) {
            tail(s.tail);
            out_ += "<-";
            for (auto v : s.binds) bind(v);
        }
        code(k.end);
    }

    std::string take() { return std::move(out_); }
    std::vector<uint32_t> free;

private:
    void bind(uint32_t v) {
        out_ += v == kNone ? "_" : "v";
        if (v != kNone) places_.emplace(v, places_.size());
    }
    void atom(const Atom& a) {
        auto number = a.number;
        if (a.kind == Atom::Var) {
            auto v               = static_cast<uint32_t>(a.number);
            auto [known, is_new] = places_.emplace(v, places_.size());
            if (is_new) free.push_back(v);
            number = known->second;
        }
        out_ += std::to_string(a.kind) + "." + std::to_string(number) + ",";
    }
    void atoms(const Atoms& all) {
        for (auto& a : all) atom(a);
        out_ += ";";
    }
    void tail(const Tail& t) {
        out_ += std::to_string(t.op) + ":" + std::to_string(t.target) + ":" + std::to_string(t.index) + "(";
        atoms(t.args);
    }
    void jump(const Jump& j) {
        out_ += "->" + std::to_string(j.block) + "(";
        atoms(j.args);
    }
    void code(const Code& c) {
        out_ += "|" + std::to_string(c.end);
        if (c.end == Code::Tailed) return tail(c.tail);
        atom(c.subject);
        for (auto& arm : c.arms) {
            out_ += std::to_string(arm.con);
            jump(arm.jump);
        }
        if (c.otherwise) jump(*c.otherwise);
    }

    std::string out_;
    std::unordered_map<uint32_t, size_t> places_;
};

} // namespace

bool Optimizer::grow(size_t statements) {
    if (statements > budget_) return false;
    budget_ -= statements;
    return true;
}

/// kNone if the block must not have another one.
uint32_t Optimizer::derive(const std::string& key, uint32_t from, BlockDef def) {
    auto root   = from < roots_.size() ? roots_[from] : from;
    auto size   = p.blocks[from].code.statements.size() + 2;
    bool is_new = from >= fixed_blocks_.size();
    bool may    = may_derive_ && (is_new || !fixed_blocks_[from]) && counts_[root] < kMostDerived && grow(size);
    if (!may) return kNone;
    ++counts_[root];
    auto made = add(p.blocks, std::move(def));
    p.order.push_back({Program::BlockKind, made});
    roots_.resize(p.blocks.size());
    counts_.resize(p.blocks.size());
    for (auto i = made; i != p.blocks.size(); ++i) roots_[i] = root;
    return derived_[key] = made;
}

/// How many allocations are inside of each other.
static uint32_t depth_of(const Shape& s) {
    bool is_made   = s.kind == Shape::Built || s.kind == Shape::Closed;
    uint32_t inner = 0;
    for (auto& part : s.parts) inner = std::max(inner, depth_of(part));
    return inner + (is_made ? 1 : 0);
}

static std::string shapes_key(uint32_t block, const std::vector<Shape>& shapes) {
    std::string key = "s" + std::to_string(block);
    for (auto& s : shapes) key += text_of(s);
    return key;
}

bool Optimizer::has_shapes(uint32_t block, const std::vector<Shape>& shapes) const {
    return derived_.contains(shapes_key(block, shapes));
}

uint32_t Optimizer::with_shapes(uint32_t block, const std::vector<Shape>& shapes) {
    bool has_no_code = std::ranges::any_of(ends_, [&](auto& e) { return e.block == block; });
    if (has_no_code) return kNone;
    auto key = shapes_key(block, shapes);
    if (auto known = derived_.find(key); known != derived_.end()) return known->second;
    auto& from = p.blocks[block];
    BlockDef def{from.name, from.at, {}, {}, from.results, true};
    uint32_t depth = 0;
    for (auto& s : shapes) depth = std::max(depth, depth_of(s));
    def.known = from.known + depth;
    Renaming names(p);
    Atoms all;
    for (auto& s : shapes) all.push_back(s.kind == Shape::Repeated ? all[s.target] : make(p, s, def));
    for (size_t i = 0; i != shapes.size(); ++i) names.set(p.blocks[block].params[i], all[i]);
    auto first = std::move(def.code.statements);
    def.code   = names(p.blocks[block].code);
    def.code.statements.insert(def.code.statements.begin(), first.begin(), first.end());
    return derive(key, block, std::move(def));
}

uint32_t Optimizer::with_end(uint32_t block, Continuation& k) {
    Spelling spelling(k);
    k.free          = spelling.free;
    std::string key = "e" + std::to_string(block) + spelling.take();
    if (auto known = derived_.find(key); known != derived_.end()) return known->second;
    auto& from = p.blocks[block];
    BlockDef def{from.name, from.at, {}, {}, 1, true};
    def.known      = from.known;
    auto parameter = [&](uint32_t v) {
        auto name = p.variables[v];
        def.params.push_back(p.variable(std::move(name)));
        if (words.contains(v)) words.insert(def.params.back());
    };
    for (auto v : std::vector(from.params)) parameter(v);
    for (auto v : k.free) parameter(v);
    auto made = derive(key, block, std::move(def));
    if (made != kNone) ends_.push_back({made, block, k});
    return made;
}

/// Gives the blocks of `with_end` their code. Those that they go on with are derived, too, or called.
void Optimizer::fill_ends() {
    while (!ends_.empty()) {
        auto e = std::move(ends_.back());
        ends_.pop_back();
        auto count = p.blocks[e.from].params.size();
        Renaming inner(p), outer(p);
        for (size_t i = 0; i != count; ++i) inner.set(p.blocks[e.from].params[i], variable_atom(p.blocks[e.block].params[i]));
        Atoms free;
        for (size_t i = 0; i != e.continuation.free.size(); ++i) {
            free.push_back(variable_atom(p.blocks[e.block].params[count + i]));
            outer.set(e.continuation.free[i], free.back());
        }
        auto code = inner(p.blocks[e.from].code);
        if (code.end == Code::Tailed) {
            go_on(code, code.tail, e.continuation, outer);
        } else {
            each_jump(code, [&](Jump& j) {
                auto next = with_end(j.block, e.continuation);
                if (next == kNone) next = called_before(j.block, e.continuation);
                j.block = next;
                j.args.insert(j.args.end(), free.begin(), free.end());
            });
        }
        p.blocks[e.block].code = std::move(code);
    }
}

/// The code ends with this computation, whose results the continuation takes.
void Optimizer::go_on(Code& code, Tail t, const Continuation& k, Renaming& names) {
    code.statements.push_back({names.bind(k.binds), std::move(t)});
    for (auto& s : k.statements) code.statements.push_back(names(s));
    auto end       = names(k.end);
    end.statements = std::move(code.statements);
    code           = std::move(end);
}

/// A block that calls this one, and goes on with what comes then.
uint32_t Optimizer::called_before(uint32_t block, const Continuation& k) {
    BlockDef def{p.blocks[block].name, p.blocks[block].at, {}, {}, 1, true};
    Renaming names(p);
    Tail call{Tail::Block, block, 0, {}, def.at, static_cast<uint32_t>(k.binds.size())};
    for (auto v : std::vector(p.blocks[block].params)) {
        def.params.push_back(names.bind(v));
        call.args.push_back(variable_atom(def.params.back()));
    }
    Renaming outer(p);
    for (auto v : k.free) def.params.push_back(outer.bind(v));
    go_on(def.code, std::move(call), k, outer);
    auto made = add(p.blocks, std::move(def));
    p.order.push_back({Program::BlockKind, made});
    roots_.resize(p.blocks.size(), block);
    counts_.resize(p.blocks.size(), kMostDerived);
    return made;
}

} // namespace mim::plug::mil
