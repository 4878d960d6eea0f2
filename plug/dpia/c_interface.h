// SPDX-License-Identifier: MIT
// The function that others call: its parameters, its sizes, and what it checks.
#pragma once
#include "c_code.h"
#include "dpia.h"

namespace mim::plug::dpia {

/// The sizes of a signature (plug/rise/signature.cpp): names, then names that facts gave, and facts.
class Signature {
public:
    struct Fact {
        char kind;
        std::vector<std::pair<int64_t, std::vector<size_t>>> left, right;
        std::string text;
    };

    explicit Signature(const std::string& text)
        : text_(text) {
        while (peek() != '?' && peek() != '|') names.push_back(until(';'));
        while (peek() == '?') {
            ++at_;
            Fact fact{text_.at(at_++), sum(), sum(), {}};
            bool is_derived = fact.kind == '/' || fact.kind == '-';
            if (!is_derived) fact.text = until(';');
            facts.push_back(std::move(fact));
        }
    }
    std::vector<std::string> names;
    std::vector<Fact> facts;

private:
    char peek() const { return text_.at(at_); }
    std::string until(char end) {
        auto begin = at_;
        at_        = text_.find(end, begin) + 1;
        return text_.substr(begin, at_ - begin - 1);
    }
    std::vector<std::pair<int64_t, std::vector<size_t>>> sum() {
        std::vector<std::pair<int64_t, std::vector<size_t>>> result;
        while (peek() != ';') {
            auto term = until(',');
            auto v    = term.find('v');
            std::vector<size_t> vars;
            auto number = std::stoll(term.substr(0, v));
            while (v != term.npos) {
                auto next = term.find('v', v + 1);
                vars.push_back(std::stoul(term.substr(v + 1, next - v - 1)));
                v = next;
            }
            result.emplace_back(number, vars);
        }
        ++at_;
        return result;
    }
    const std::string& text_;
    size_t at_ = 0;
};

class Interface {
public:
    Interface(World& w, const Lam* program, const ImperativeProgram& interface)
        : w(w)
        , program_(program)
        , inner_(program->body()->as<Lam>())
        , interface_(interface) {}
    virtual ~Interface() = default;

    /// The function.
    std::string code(CCode&);
    /// After that.
    std::string header();
    Sizes& sizes() { return sizes_; }
    CText& text() { return text_; }

protected:
    void read(CCode&);
    Polynomial polynomial(const std::vector<std::pair<int64_t, std::vector<size_t>>>& sum);
    void add_size(Polynomial p);
    void derive(const Signature::Fact&);
    void check(const Signature::Fact&);
    static bool is_checked(const Signature::Fact&, const std::vector<Signature::Fact>& all);
    virtual void parameter(const Def* type, const std::string& name, bool is_output);
    /// The commands' value for this parameter: an input, or the acceptor of the result.
    virtual void note_parameter(const Def* /*phrase*/, const Def* /*type*/, const std::string& /*name*/, bool /*is_output*/) {}
    std::string unused_parameters();
    void drop_unused_sizes();
    std::string assembled(const std::string& includes);
    std::string outside_type(const Def* type);
    std::string head();
    std::string structs() const;
    void add_memory(const std::string& checks, const std::string& commands);
    std::string text(const Polynomial& p) { return sizes_.text(p); }
    bool mentions(const std::string& name);

    Sizes sizes_;
    CText text_;
    World& w;
    const Lam* program_;
    const Lam* inner_;
    const ImperativeProgram& interface_;
    CCode* code_ = nullptr;
    std::vector<Polynomial> vars_;
    std::vector<std::string> size_names_, parameters_, structs_, names_, definitions_;
    size_t num_sizes_ = 0;
};

} // namespace mim::plug::dpia
