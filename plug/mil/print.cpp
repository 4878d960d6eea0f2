// SPDX-License-Identifier: MIT
// Programs in MIL as text, which reads back as the same program. Names that clash get a number.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "diag/utf8.h"
#include "front/chars.h"
#include "tree.h"

namespace mim::plug::mil {

namespace {

bool is_word(const std::string& name) { return front::is_letter(name[0]); }

/// Names that nobody else has: those that are there first stay.
class Names {
public:
    std::string add(const std::string& name) {
        auto result = name;
        if (claim(result)) return result;
        auto stem = (is_word(name) ? name : "op") + "$";
        auto& i   = next_.emplace(stem, 2u).first->second; // numbers below are taken
        do result = stem + std::to_string(i++);
        while (!claim(result));
        return result;
    }
    void take(const std::string& name) { taken_.insert(name); }
    /// Names that these have are taken here, too.
    void begin_inside(const Names& around) {
        taken_.clear();
        next_.clear();
        around_ = &around;
    }

private:
    bool claim(const std::string& name) {
        bool is_outside = around_ && around_->taken_.contains(name);
        return !is_outside && taken_.insert(name).second;
    }

    const Names* around_ = nullptr;
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, unsigned> next_; ///< by what comes before the number
};

std::string bracketed(const std::string& name) { return is_word(name) ? name : "(" + name + ")"; }

template<class List, class F>
std::string separated(const List& list, F text) {
    std::string all;
    for (auto& element : list) all += (all.empty() ? "" : ", ") + text(element);
    return all;
}

class Printer {
public:
    Printer(const Program& p, Types& types)
        : p_(p)
        , types_(types) {
        names_of(p.blocks, blocks_, Program::BlockKind, [&](uint32_t i) { return p.blocks[i].entry != kNone; });
        names_of(p.closures, closures_, Program::ClosureKind);
        names_of(p.tops, tops_, Program::TopKind, [&](uint32_t i) { return p.tops[i].is_exported; });
        for (auto& t : tops_) top_names_.take(t);
    }

    std::string run() {
        for (auto& file : p_.mim_files) out_ += "require " + quoted(file.path) + "\n";
        for (auto& t : p_.tops)
            if (t.is_exported) out_ += "export " + bracketed(tops_.at(static_cast<size_t>(&t - p_.tops.data()))) + "\n";
        for (auto& e : p_.order)
            if (e.kind == Program::BlockKind && p_.blocks[e.index].entry != kNone)
                out_ += "entrypoint " + blocks_[e.index] + "\n";
        for (auto& e : p_.order) entry(e);
        return out_;
    }

private:
    /// Those that others know keep their names.
    template<class Defs, class F>
    void names_of(const Defs& defs, std::vector<std::string>& result, Program::Kind kind, F is_first) {
        Names names;
        for (auto word : {"return", "assert", "primitive"}) names.take(word);
        result.resize(defs.size());
        for (bool first : {true, false})
            for (auto& e : p_.order)
                if (e.kind == kind && is_first(e.index) == first) result[e.index] = names.add(defs[e.index].name);
    }
    template<class Defs>
    void names_of(const Defs& defs, std::vector<std::string>& result, Program::Kind kind) {
        names_of(defs, result, kind, [](uint32_t) { return true; });
    }

    void entry(const Program::Entry& e) {
        locals_.clear();
        taken_.begin_inside(top_names_);
        switch (e.kind) {
            case Program::DataKind: {
                auto& d = p_.datas[e.index];
                if (d.form == DataType::Struct) return structure(d);
                return d.form == DataType::Bitdata ? bitdata(d) : data(d);
            }
            case Program::PrimitiveKind: return primitive(p_.primitives[e.index]);
            case Program::BlockKind: return block(e.index);
            case Program::ClosureKind: return closure(e.index);
            case Program::TopKind: return top(e.index);
        }
    }

    void primitive_type(const DataType&);
    void data(const DataType&);
    void bitdata(const DataType&);
    void structure(const DataType&);
    void primitive(const Primitive&);
    void block(uint32_t);
    void closure(uint32_t);
    void top(uint32_t);
    void code(const Code&);
    std::string tail(const Tail&);
    std::string jump(const Jump& j) { return bracketed(blocks_[j.block]) + "[" + atoms(j.args) + "]"; }
    std::string type(const TypeExpr*, bool is_argument);
    std::string types(const std::vector<TypeExpr*>& all) {
        return "[" + separated(all, [&](auto t) { return type(t, false); }) + "]";
    }
    std::string local(uint32_t v);
    /// Where they are bound, with the types that the text says.
    std::string locals(const std::vector<uint32_t>& all) {
        return separated(all, [&](uint32_t v) { return bound(v); });
    }
    std::string bound(uint32_t v) {
        auto said = p_.annotated.find(v);
        return said == p_.annotated.end() ? local(v) : local(v) + " :: " + types_.text(said->second.scheme.type);
    }
    std::string atom(const Atom&);
    /// The cell that an allocation takes.
    std::string token(const Tail& t) { return t.token == kNone ? "" : " in " + local(t.token); }
    std::string atoms(const Atoms& all) {
        return separated(all, [&](auto& a) { return atom(a); });
    }
    /// `a`, or `[a, b]`
    static std::string square(const std::string& text, size_t size) { return size == 1 ? text : "[" + text + "]"; }

    /// The type that is kept.
    void signature(const std::string& name, const Typing& t, bool is_closure = false) {
        if (!t.is_kept) return;
        auto type = t.scheme.type;
        out_ += name + " :: " + (is_closure ? types_.stored_text(type) : types_.text(type)) + "\n";
    }

    const Program& p_;
    Types& types_;
    std::string out_;
    std::vector<std::string> blocks_, closures_, tops_;
    std::unordered_map<uint32_t, std::string> locals_;
    Names taken_, top_names_;
};

std::string Printer::local(uint32_t v) {
    if (v == kNone) return "_";
    auto [known, is_new] = locals_.emplace(v, std::string());
    if (is_new) known->second = taken_.add(p_.variables[v]);
    return known->second;
}

} // namespace

/// An escape takes all digits that follow: `\&` ends it. Bytes that are no character are escapes.
std::string quoted(const std::string& bytes) {
    std::string all = "\"";
    std::string_view rest(bytes);
    bool is_open = false; // right behind an escape of digits
    while (!rest.empty()) {
        auto byte  = static_cast<unsigned char>(rest[0]);
        auto size  = utf8::size(rest);
        auto digit = [](unsigned d) { return "0123456789abcdef"[d]; };
        bool plain = size > 1 || (size == 1 && byte >= 0x20 && byte != 0x7f);
        bool joins = std::exchange(is_open, false) && front::digit_value(rest[0]) < 16;
        if (joins) all += "\\&";
        if (rest[0] == '"' || rest[0] == '\\') all += std::string("\\") + rest[0];
        else if (rest[0] == '\n') all += "\\n";
        else if (plain) all += rest.substr(0, size);
        else {
            all += std::string("\\x") + digit(byte >> 4) + digit(byte & 15);
            is_open = true;
        }
        rest.remove_prefix(std::max(size, 1u));
    }
    return all + "\"";
}

namespace {

std::string Printer::atom(const Atom& a) {
    switch (a.kind) {
        case Atom::Var: return local(static_cast<uint32_t>(a.number));
        case Atom::Top: return bracketed(tops_[a.number]);
        case Atom::Word: return std::to_string(a.number);
        case Atom::Flag: return row_text(a.number, 1);
        case Atom::Bits: return row_text(p_.row(a), a.width);
        case Atom::Proxy: return "#" + std::to_string(a.number);
        case Atom::Label: return "#" + quoted(p_.labels[a.number]);
        default: return quoted(p_.texts[a.number]);
    }
}

std::string Printer::tail(const Tail& t) {
    auto con  = [&] { return p_.cons[t.target].name; };
    auto rest = [&] { return Atoms(t.args.begin() + 1, t.args.end()); };
    switch (t.op) {
        case Tail::Return: return "return " + square(atoms(t.args), t.args.size());
        case Tail::Block: return bracketed(blocks_[t.target]) + "[" + atoms(t.args) + "]";
        case Tail::Primitive: return bracketed(p_.primitives[t.target].name) + "((" + atoms(t.args) + "))";
        case Tail::Build: return con() + "(" + atoms(t.args) + ")" + token(t);
        case Tail::Select: return con() + " " + std::to_string(t.index) + " " + atom(t.args[0]);
        case Tail::Closure: return bracketed(closures_[t.target]) + "{" + atoms(t.args) + "}" + token(t);
        case Tail::Enter: return atom(t.args[0]) + " @ " + square(atoms(rest()), t.args.size() - 1);
        case Tail::Dup: return "dup((" + atoms(t.args) + "))";
        case Tail::Drop: return "drop((" + atoms(t.args) + "))";
        case Tail::Reuse: return "reuse((" + atoms(t.args) + "))";
        case Tail::Free: return "free((" + atoms(t.args) + "))";
        default: return "assert " + atom(t.args[0]) + " " + con();
    }
}

void Printer::code(const Code& c) {
    for (auto& s : c.statements) {
        bool is_assert = s.tail.op == Tail::Assert;
        auto value     = tail(s.tail); // before its binder gets a name
        out_ += "  " + (is_assert ? "" : square(locals(s.binds), s.binds.size()) + " <- ") + value + "\n";
    }
    if (c.end == Code::Tailed) out_ += "  " + tail(c.tail) + "\n";
    if (c.end == Code::If)
        out_ += "  if " + atom(c.subject) + " then " + jump(c.arms[0].jump) + " else " + jump(c.arms[1].jump) + "\n";
    if (c.end != Code::Case) return;
    out_ += "  case " + atom(c.subject) + " of\n";
    for (auto& arm : c.arms) out_ += "    " + p_.cons[arm.con].name + " -> " + jump(arm.jump) + "\n";
    if (c.otherwise) out_ += "    _ -> " + jump(*c.otherwise) + "\n";
}

void Printer::block(uint32_t i) {
    auto& b = p_.blocks[i];
    out_ += "\n";
    signature(bracketed(blocks_[i]), b.typing);
    out_ += bracketed(blocks_[i]) + "[" + locals(b.params) + "] =\n";
    code(b.code);
}

void Printer::closure(uint32_t i) {
    auto& k     = p_.closures[i];
    auto stored = locals(k.stored);
    out_ += "\n";
    signature(bracketed(closures_[i]), k.typing, true);
    out_ += bracketed(closures_[i]) + "{" + stored + "} " + square(locals(k.params), k.params.size()) + " = " + tail(k.tail)
            + "\n";
}

void Printer::top(uint32_t i) {
    auto& t = p_.tops[i];
    out_ += "\n";
    signature(bracketed(tops_[i]), t.typing);
    out_ += bracketed(tops_[i]) + " <- " + tail(t.tail) + "\n";
}

std::string Printer::type(const TypeExpr* t, bool is_argument) {
    bool is_standard = t->name == "Word" || t->name == "Flag" || t->name == "NZWord" || t->name == "WordBits";
    if (t->stands_for && !is_standard) return type(t->stands_for, is_argument);
    if (t->kind == TypeExpr::Tuple) return types(t->parts);
    if (t->kind == TypeExpr::Label) return quoted(t->name);
    if (t->kind != TypeExpr::Apply) return t->name;
    auto& head    = t->parts[0]->name;
    bool is_arrow = t->parts.size() == 3 && (head == "->" || head == "->>");
    auto domain   = [&] { // an arrow on the left stands in parentheses
        auto d         = t->parts[1];
        bool is_nested = d->kind == TypeExpr::Apply && (d->parts[0]->name == "->" || d->parts[0]->name == "->>");
        return type(d, is_nested);
    };
    std::string all = is_arrow ? domain() + " " + head + " " + type(t->parts[2], false) : type(t->parts[0], true);
    for (size_t i = 1; !is_arrow && i != t->parts.size(); ++i) all += " " + type(t->parts[i], true);
    return is_argument ? "(" + all + ")" : all;
}

static std::string_view kind_text(Kind k) {
    return k == Kind::Number ? "nat" : k == Kind::Area ? "area" : k == Kind::Label ? "lab" : "*";
}

/// `type T 2 :: nat -> * -> area`
void Printer::primitive_type(const DataType& d) {
    out_ += "\ntype " + d.name + " " + std::to_string(d.kinds.size()) + " :: ";
    for (auto k : d.kinds) out_ += std::string(kind_text(k)) + " -> ";
    out_ += std::string(kind_text(d.result)) + "\n";
}

void Printer::data(const DataType& d) {
    if (d.is_primitive) return primitive_type(d);
    out_ += "\ndata " + d.name;
    for (size_t i = 0; i != d.parameters.size(); ++i) {
        auto kind    = i < d.kinds.size() ? d.kinds[i] : Kind::Type;
        auto text    = std::string(kind_text(kind));
        bool is_said = kind == Kind::Number || kind == Kind::Area || kind == Kind::Label;
        out_ += is_said ? " (" + d.parameters[i] + " :: " + text + ")" : " " + d.parameters[i];
    }
    for (auto c : d.cons) {
        auto& con = p_.cons[c];
        out_ += (con.tag == 0 ? " = " : " | ") + con.name;
        for (auto f : con.fields) out_ += " " + type(f, true);
    }
    out_ += "\n";
}

void Printer::primitive(const Primitive& p) {
    if (p.c_function != kNone) {
        auto& c   = p_.c_functions[p.c_function];
        auto from = c.mim_name.empty() ? std::string() : " = " + quoted(c.mim_name);
        out_ += "\nexternal " + bracketed(p.name) + from + " :: " + types_.text(c.type) + "\n";
        return;
    }
    auto form = p.form == Primitive::Block ? "" : p.form == Primitive::Function ? " {}" : " {} []";
    out_ += "\nprimitive " + p.name + (p.purity.empty() ? "" : " " + p.purity) + form + " :: " + types(p.domain) + " >>= ";
    out_ += (p.any_range ? type(p.any_range, false) : types(p.range)) + "\n";
}

void Printer::structure(const DataType& d) {
    out_ += "\nstruct " + d.name + "/" + std::to_string(d.bytes) + " [";
    for (auto& part : d.parts) {
        if (&part != d.parts.data()) out_ += " | ";
        if (!part.name.empty()) out_ += part.name + " :: ";
        out_ += types_.text(part.area);
    }
    out_ += "] aligned " + std::to_string(d.align) + "\n";
}

void Printer::bitdata(const DataType& d) {
    out_ += "\nbitdata " + d.name + "/" + std::to_string(d.width);
    for (auto c : d.cons) {
        auto& con = p_.cons[c];
        out_ += (con.tag == 0 ? " = " : " | ") + con.name + " [";
        for (auto& r : con.regions) {
            if (&r != con.regions.data()) out_ += " | ";
            if (r.is_field()) out_ += r.name + " :: " + type(r.text, false);
            else if (r.width != 0) out_ += row_text(r.row, r.width);
            else out_ += "0";
        }
        out_ += "]";
    }
    out_ += "\n";
}

} // namespace

/// `B010`
std::string row_text(const Row& row, uint32_t width) {
    std::string result = "B";
    for (uint32_t i = width; i-- != 0;) result += row[i] ? '1' : '0';
    return result;
}

std::string print(const Program& p, Types& types) { return Printer(p, types).run(); }

namespace {

size_t num_lines(const Code& c) {
    auto statements = c.statements.size();
    if (c.end == Code::Tailed || c.end == Code::If) return statements + 1;
    if (c.end != Code::Case) return statements;
    auto otherwise = c.otherwise ? 1 : 0;
    return statements + 1 + c.arms.size() + otherwise;
}

/// That with the name, and the signature before it.
size_t num_lines(const Typing& t) { return t.is_kept ? 2 : 1; }

size_t num_lines(const Program& p, const Program::Entry& e) {
    switch (e.kind) {
        case Program::BlockKind: {
            auto& block    = p.blocks[e.index];
            auto is_export = block.entry == kNone ? 0 : 1; // `entrypoint`
            return is_export + num_lines(block.typing) + num_lines(block.code);
        }
        case Program::ClosureKind: return num_lines(p.closures[e.index].typing);
        case Program::TopKind: return num_lines(p.tops[e.index].typing);
        default: return 1;
    }
}

} // namespace

size_t num_lines(const Program& p) {
    auto count = p.mim_files.size();
    for (auto& t : p.tops) count += t.is_exported;
    for (auto& e : p.order) count += num_lines(p, e);
    return count;
}

} // namespace mim::plug::mil
