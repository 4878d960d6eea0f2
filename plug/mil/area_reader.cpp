// SPDX-License-Identifier: MIT
// Declarations of `struct` and `external`, in LC and MIL.
#include <algorithm>

#include "mil/diagnostics.h"
#include "primitives.h"
#include "reader.h"

namespace mim::plug::mil {

/// In MIL an area is a definition.
void Reader::area() {
    expected("a definition: an area is `x <- area T e`");
    skip_item();
}

/// `struct S/n [ f, … :: a | … ] aligned n`
void Reader::structure() {
    reading = "a `struct` declaration";
    next();
    auto name = con_name();
    if (!name) return skip_item();
    auto asked = [&](std::string_view what) -> AskedSize {
        next();
        auto place = here();
        if (at(front::Integer)) return {place, integer()};
        expected(what);
        return {};
    };
    DataType type{name->text, name->at, {}, {}};
    type.form     = DataType::Struct;
    type.result   = Kind::Area;
    bool has_size = at(front::Operator) && cursor_.word() == "/";
    if (has_size) type.asked_bytes = asked("how many bytes it has");
    if (!expect(LBracket)) return skip_item();
    bracketed(Bar, RBracket, [&] { struct_part(*name, type.parts); });
    if (at(Aligned)) type.asked_align = asked("what the address is a multiple of");
    auto index = add_type(*name, std::move(type));
    if (index) source_.program.order.push_back({Program::DataKind, *index});
}

/// Fields of one area, or an area without a name.
void Reader::struct_part(const Word& name, std::vector<StructPart>& all) {
    if (!at_variable()) {
        StructPart part{{}, here()};
        part.text = type();
        return all.push_back(part);
    }
    auto first = all.size();
    do {
        auto word = variable("the name of a field");
        if (!word) return;
        for (auto& other : all)
            if (other.name == word->text) report_twice(diags_, word->text, word->at, other.at);
        all.push_back({word->text, word->at});
        if (accept(LeftArrow)) all.back().initial = initial_value(word->text + "'" + name.text);
    } while (accept(Comma));
    if (!expect(Colons)) return;
    auto t = type();
    for (auto i = first; i != all.size(); ++i) {
        all[i].text = t;
        if (all[i].initial) all[i].initial->signature = applied("Init", t->at, {t});
    }
}

// ---- external
// --------------------------------------------------------------------------------------------------------------

/// `external x, … :: T`: each x is a function of C, or has what makes it behind it.
void Reader::external() {
    reading = "an `external`";
    next();
    std::vector<Foreign> all;
    do {
        if (!one_external(all)) return;
    } while (accept(Comma));
    if (!expect(Colons)) return skip_item();
    auto t = type();
    for (auto& e : all) {
        e.type = t;
        if (e.meaning) add_alias(e);
        else if (e.generator.empty()) add_c_function(e, t);
        else if (!is_library()) add_external(std::move(e));
        else {
            auto name              = e.name;
            file_.generators[name] = add(source_.program.externals, std::move(e));
        }
    }
}

/// False after a report.
bool Reader::one_external(std::vector<Foreign>& all) {
    bool is_operator = at_operator();
    auto word        = is_operator ? Word{std::string(cursor_.word()), here()} : variable().value_or(Word());
    if (is_operator) next();
    if (word.text.empty()) {
        skip_item();
        return false;
    }
    if (at(LBrace)) {
        auto e = generated(word);
        if (e) all.push_back(std::move(*e));
        return e.has_value();
    }
    Foreign e{word.text, word.at, {}, {}, {}, nullptr};
    bool has_meaning = accept(Equals);
    bool is_mim      = has_meaning && at(front::String);
    if (is_mim) {
        e.mim_name_at = here();
        e.mim_name    = string();
    } else if (has_meaning) {
        e.meaning = external_meaning();
    }
    bool is_fine = !has_meaning || is_mim || e.meaning;
    if (is_fine) all.push_back(std::move(e));
    return is_fine;
}

/// `{g t …}`: in the library of generators, g says what it is.
std::optional<Foreign> Reader::generated(const Word& word) {
    if (!is_library() && !needs_generators()) {
        skip_item();
        return {};
    }
    next();
    Foreign e{word.text, word.at, {}, here(), {}, nullptr};
    if (!at(front::Name)) {
        expected("the name of a generator");
        return {};
    }
    e.generator = cursor_.word();
    next();
    while (at_type()) e.arguments.push_back(argument_type());
    if (expect(RBrace)) return e;
    skip_item();
    return {};
}

/// A top-level value without code.
void Reader::add_external(Foreign e) {
    auto& p      = source_.program;
    auto bind    = source_.bind(e.name, e.at);
    auto top     = static_cast<uint32_t>(p.tops.size());
    auto before  = file_.values.find(e.name);
    auto other   = before == file_.values.end() ? Span() : before->second->at;
    bind->is_top = true;
    bind->top    = top;

    bind->signature = e.type;
    if (!define(file_.values, {e.name, e.at}, bind, other)) return;
    TopDef def{e.name, e.at, {}, true};
    def.external           = add(p.externals, std::move(e));
    file_.tops[bind->name] = top;
    p.tops.push_back(std::move(def));
    p.order.push_back({Program::TopKind, top});
}

/// A primitive, whose arguments and results follow from its type (declare_c_function).
void Reader::add_c_function(const Foreign& e, TypeExpr* t) {
    auto& p = source_.program;
    Word word{e.name, e.at};
    mil::Primitive prim;
    prim.name       = word.text;
    prim.purity     = "impure";
    prim.at         = word.at;
    prim.code       = static_cast<uint32_t>(Op::C);
    prim.is_kept    = is_kept_;
    prim.c_function = add(p.c_functions, {t, nullptr, {}, false, e.mim_name, e.mim_name_at});
    auto before     = file_.values.find(word.text);
    auto other      = before == file_.values.end() ? Span() : before->second->at;
    auto bind       = source_.bind(word.text, word.at);
    bind->is_top    = true;
    bind->signature = t;
    bind->primitive = static_cast<uint32_t>(p.primitives.size());
    if (!define(file_.values, word, bind, other)) return;
    file_.primitives[word.text] = bind->primitive;
    p.order.push_back({Program::PrimitiveKind, bind->primitive});
    p.primitives.push_back(std::move(prim));
}

} // namespace mim::plug::mil
