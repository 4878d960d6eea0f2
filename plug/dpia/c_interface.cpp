// SPDX-License-Identifier: MIT
// The function that others call: sizes are computed and facts are checked before anything is done.
#include "c_interface.h"

namespace mim::plug::dpia {

Polynomial Interface::polynomial(const std::vector<std::pair<int64_t, std::vector<size_t>>>& sum) {
    Polynomial result;
    for (auto& [number, vars] : sum) {
        auto product = Polynomial::number(number);
        for (auto v : vars) product = product * vars_.at(v);
        result = result + product;
    }
    return result;
}

void Interface::add_size(Polynomial p) {
    auto i   = vars_.size();
    auto var = num_sizes_ == 1 ? program_->var() : w.extract(program_->var(), i);
    code_->bind(var, code_->number(p));
    vars_.push_back(std::move(p));
}

static std::string in_brackets(const std::string& text) { return text.find(' ') == text.npos ? text : "(" + text + ")"; }

/// A quotient or a difference has a name, and what it comes from is known as a product or a sum.
void Interface::derive(const Signature::Fact& fact) {
    auto left = polynomial(fact.left), right = polynomial(fact.right);
    auto a = in_brackets(text(left)), b = in_brackets(text(right));
    bool is_quotient = fact.kind == '/';
    auto x           = left.as_variable();
    bool is_rest     = !is_quotient && x && right.value();
    if (is_rest) { // sizes speak of n, and not of n - 1
        text_.line("if (" + a + " < " + b + ") return 1;");
        sizes_.is_at_least(*x, static_cast<uint64_t>(*right.value()));
        return add_size(left - right);
    }
    auto name       = text_.unique(is_quotient ? "quotient" : "rest");
    auto no_divisor = right.value() ? "" : b + " == 0 || ";
    text_.line("if (" + (is_quotient ? no_divisor + a + " % " + b + " != 0" : a + " < " + b) + ") return 1;");
    definitions_.push_back("const uint64_t " + name + " = " + a + (is_quotient ? " / " : " - ") + b + ";");
    text_.line(definitions_.back());
    auto value = sizes_.name(name);
    sizes_.known_as(is_quotient ? value * right : value + right, text(left));
    if (is_quotient && right.as_variable()) sizes_.is_at_least(*right.as_variable(), 1);
    add_size(value);
}

/// A derived size has checked the same.
bool Interface::is_checked(const Signature::Fact& fact, const std::vector<Signature::Fact>& all) {
    return std::ranges::any_of(all, [&](auto& other) {
        bool is_same = (fact.kind == 'd' && other.kind == '/') || (fact.kind == 'l' && other.kind == '-');
        return is_same && other.left == fact.right && other.right == fact.left;
    });
}

void Interface::check(const Signature::Fact& fact) {
    auto left = polynomial(fact.left), right = polynomial(fact.right);
    auto a = text(left), b = text(right);
    auto x     = right.as_variable();
    auto least = left.value();
    if (fact.kind == 'd' && left.as_variable()) sizes_.is_at_least(*left.as_variable(), 1);
    if (x && least && *least >= 0) {
        if (fact.kind == 'l') sizes_.is_at_least(*x, static_cast<uint64_t>(*least));
        if (fact.kind == 's') sizes_.is_at_least(*x, static_cast<uint64_t>(*least) + 1);
    }
    auto comment = " // " + fact.text;
    switch (fact.kind) {
        case 'd': {
            auto zero = left.value() ? "" : a + " == 0 || ";
            return text_.line("if (" + (zero + in_brackets(b) + " % " + in_brackets(a)) + " != 0) return 1;" + comment);
        }
        case 'l':
            if (left.terms().empty()) return;
            return text_.line("if (" + a + " > " + b + ") return 1;" + comment);
        case 's': return text_.line("if (" + a + " >= " + b + ") return 1;" + comment);
        default: return text_.line("if (" + a + " != " + b + ") return 1;" + comment);
    }
}

/// A pair in an array is a struct, which is declared once.
std::string Interface::outside_type(const Def* type) {
    auto parts = code_->pair(type);
    if (!parts) return code_->scalar(type).in_memory();
    bool has_vector = rise::isa_vector(w, parts.first) || rise::isa_vector(w, parts.second);
    if (has_vector) throw Refused{Refused::NoCode, "a pair in an array of the caller has no vectors", {}, program_};
    auto first = outside_type(parts.first), second = outside_type(parts.second);
    auto flat = [](std::string s) { return s.ends_with("_t") ? s.substr(0, s.size() - 2) : s; };
    auto name = "pair_" + flat(first) + "_" + flat(second);
    auto text = "#ifndef MIM_" + name + "\n#define MIM_" + name + "\ntypedef struct {\n    " + first + " fst;\n    " + second
                + " snd;\n} " + name + ";\n#endif\n";
    if (std::ranges::find(structs_, text) == structs_.end()) structs_.push_back(text);
    return name;
}

void Interface::parameter(const Def* type, const std::string& name, bool is_output) {
    if (auto parts = code_->pair(type)) {
        parameter(parts.first, name + "_fst", is_output);
        return parameter(parts.second, name + "_snd", is_output);
    }
    auto elem = type;
    for (auto a = code_->array(elem); a; a = code_->array(elem)) elem = a.elem;
    if (code_->has_array(elem)) throw Refused{Refused::NoCode, "a pair in an array of the caller has no arrays", {}, program_};
    bool is_array = elem != type || rise::isa_vector(w, elem);
    auto cell     = outside_type(elem);
    if (is_output) parameters_.push_back(cell + "* restrict " + name);
    else parameters_.push_back(is_array ? "const " + cell + "* restrict " + name : cell + " " + name);
    names_.push_back(name);
}

bool Interface::mentions(const std::string& name) {
    auto is_part = [&](size_t i) {
        return i < text_.body.size() && (std::isalnum(static_cast<unsigned char>(text_.body[i])) || text_.body[i] == '_');
    };
    for (size_t at = text_.body.find(name); at != text_.body.npos; at = text_.body.find(name, at + 1)) {
        bool is_word = (at == 0 || !is_part(at - 1)) && !is_part(at + name.size());
        if (is_word) return true;
    }
    return false;
}

std::string Interface::head() {
    std::string all;
    for (auto& p : parameters_) all += (all.empty() ? "" : ", ") + p;
    return "int " + interface_.name + "(" + all + ")";
}

/// Parameters, sizes, and the checks as text.
void Interface::read(CCode& code) {
    code_ = &code;
    Signature signature(interface_.signature);
    std::vector<const Def*> types;
    auto domain = inner_->dom();
    bool is_one = match<dpia::Acc>(domain);
    auto n      = is_one ? size_t(1)
                         : static_cast<size_t>(domain->isa<Sigma>() ? domain->as<Sigma>()->num_ops()
                                                                    : *value(domain->as<mim::Arr>()->arity()));
    auto var    = [&](size_t i) { return is_one ? inner_->var() : w.extract(inner_->var(), i); };
    text_.unique(interface_.name);
    for (auto& fact : signature.facts) num_sizes_ += fact.kind == '/' || fact.kind == '-' ? 1 : 0;
    num_sizes_ += signature.names.size();
    auto output = text_.unique("output");
    auto result = code_->acc_data(var(n - 1));
    parameter(result, output, true);
    for (auto& name : signature.names) {
        size_names_.push_back(text_.unique(name));
        add_size(sizes_.name(size_names_.back()));
        parameters_.push_back("uint64_t " + size_names_.back());
        names_.push_back(size_names_.back());
    }
    for (auto& fact : signature.facts) {
        bool is_derived = fact.kind == '/' || fact.kind == '-';
        if (is_derived) derive(fact);
    }
    for (auto& fact : signature.facts) {
        bool is_derived = fact.kind == '/' || fact.kind == '-';
        if (!is_derived && !is_checked(fact, signature.facts)) check(fact);
    }
    auto fields = w.notes.fields(inner_);
    for (size_t i = 0; i + 1 < n; ++i) {
        auto type = code_->data(var(i)->type());
        auto name = text_.unique(fields ? (*fields)[i].view() : "in");
        parameter(type, name, false);
        code_->bind(var(i), code_->load_outside(type, name));
        note_parameter(var(i), type, name, false);
    }
    code_->bind_place(var(n - 1), code_->store_outside(result, output));
    note_parameter(var(n - 1), result, output, true);
    code_->begin();
}

std::string Interface::code(CCode& code) {
    read(code);
    auto checks = std::exchange(text_.body, "");
    code_->command(inner_->body());
    add_memory(checks, std::exchange(text_.body, ""));
    return assembled("#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n");
}

std::string Interface::unused_parameters() {
    std::string unused;
    for (auto& name : names_)
        if (!mentions(name)) unused += "    (void)" + name + ";\n";
    return unused;
}

/// A derived size that nothing needs is not computed: compilers warn of it.
void Interface::drop_unused_sizes() {
    auto& body = text_.body;
    for (auto definition = definitions_.rbegin(); definition != definitions_.rend(); ++definition) {
        auto at = body.find(*definition);
        if (at == body.npos) continue;
        auto begin = body.rfind('\n', at) + 1;
        auto line  = body.substr(begin, body.find('\n', at) + 1 - begin);
        auto name  = definition->substr(std::string_view("const uint64_t ").size());
        name.resize(name.find(' '));
        body.erase(begin, line.size());
        if (mentions(name)) body.insert(begin, line);
    }
}

std::string Interface::assembled(const std::string& includes) {
    drop_unused_sizes();
    auto unused  = unused_parameters();
    auto power   = text_.body.find("power(") == std::string::npos ? ""
                                                                  : "static uint64_t power(uint64_t base, uint64_t exponent) {\n   "
                                                                    " uint64_t result = 1;\n    while (exponent-- != 0) result "
                                                                    "*= base;\n    return result;\n}\n\n";
    auto strict  = "#ifdef __clang__\n#pragma STDC FP_CONTRACT OFF\n#endif\n";
    auto structs = this->structs();
    auto vectors = code_->vector_types();
    auto tables  = code_->tables().empty() ? "" : code_->tables() + "\n";
    return includes + "\n" + strict + "\n" + vectors + (vectors.empty() ? "" : "\n") + (structs.empty() ? "" : structs + "\n")
           + tables + power + head() + " {\n" + unused + text_.body + "}\n";
}

/// Memory is there before the commands, and is given back behind them.
void Interface::add_memory(const std::string& checks, const std::string& commands) {
    auto& heap = code_->heap();
    text_.body = checks;
    if (!heap.may_fail) {
        text_.body += commands;
        return text_.line("return 0;");
    }
    text_.line("int status = 2;");
    CCode::declare_buffers(text_, heap);
    std::string missing;
    for (auto& buffer : heap.buffers)
        if (!buffer.allocation.empty()) missing += (missing.empty() ? "!" : " || !") + buffer.name;
    if (!missing.empty()) text_.line("if (" + missing + ") goto done;");
    text_.body += commands;
    text_.line("status = 0;");
    text_.body += "done:\n";
    CCode::free_buffers(text_, heap);
    text_.line("return status;");
}

std::string Interface::structs() const {
    std::string all;
    for (auto& s : structs_) all += s;
    return all;
}

/// C++ has no `restrict`.
std::string Interface::header() {
    auto plain = head();
    for (size_t at; (at = plain.find(" restrict")) != plain.npos;) plain.erase(at, 9);
    return "#pragma once\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" + structs() + plain
           + ";\n\n#ifdef __cplusplus\n}\n#endif\n";
}

static void write(World& w, ImperativeProgram& result, Target target, ProgramText& code) {
    auto program = result.commands;
    try {
        Interface interface(w, program, result);
        CCode commands(w, interface.sizes(), interface.text(), target);
        commands.use_extensions();
        code.text = interface.code(commands);
        if (target == Target::C) result.header.text = interface.header();
    } catch (const Refused& why) {
        bool has_place = why.where && w.notes.span(why.where);
        code.refused   = why;
        if (!has_place) code.refused->where = program;
    }
}

void write_threads(World& w, ImperativeProgram& result) { write(w, result, Target::OpenMP, result.threads); }

void write_c(World& w, ImperativeProgram& result) {
    write(w, result, Target::C, result.code);
    result.header.refused = result.code.refused;
}

} // namespace mim::plug::dpia
