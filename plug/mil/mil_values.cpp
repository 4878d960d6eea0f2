// SPDX-License-Identifier: MIT
// Top-level values of MIL that are more than the result of code: areas, strings, several values at once, and values at
// another type.
#include "mil_parser.h"

namespace mim::plug::mil {

// ---- areas and strings
// -------------------------------------------------------------------------------------------------------

/// `x <- area T e aligned n`: the memory is a value; what initializes it runs behind all others.
void MilParser::area_definition(const Word& w, uint32_t top) {
    auto place = here();
    if (!needs_generators()) return skip_item();
    next();
    auto t       = argument_type();
    auto initial = here();
    auto value   = atom();
    AreaText area{top, t, place};
    if (accept(Aligned)) {
        if (!at(front::Integer)) return expected("what the address is a multiple of");
        area.align = integer();
    }
    auto& library            = *source_.generators;
    p_.tops[top].tail        = {Tail::Primitive, library.primitives.at("primArea"), 0, {{Atom::Word, 0}, {Atom::Word, 0}}, place};
    p_.tops[top].typing.text = applied("Ref", place, {t});
    file_.areas.push_back(area);

    auto run = p_.tops[library.tops.at("primRunInit")].block;
    TopDef started{w.text + "'init", w.at, {Tail::Block, run, 0, {{Atom::Top, top}, value}, initial}, true};
    started.is_late = true;
    started.is_kept = is_root_;
    p_.order.push_back({Program::TopKind, add(p_.tops, std::move(started))});
}

/// `x <- "…"`
void MilParser::string_definition(uint32_t top) {
    auto place        = here();
    p_.tops[top].tail = {Tail::Return, kNone, 0, {atom()}, place};
}

// ---- several values
// ----------------------------------------------------------------------------------------------------------

/// `[x, _] <- code`: a closure keeps the values of the code, and each name takes one of them.
void MilParser::several_definition() {
    reading = "a top-level definition";
    next();
    std::vector<std::optional<Word>> names;
    bracketed(Comma, RBracket, [&] {
        if (accept(Underscore)) return names.push_back({});
        if (!at_name()) return expected("a name");
        names.push_back(name());
    });
    if (!expect(LeftArrow)) return skip_item();
    auto place = here();
    scope_.clear();
    auto body   = code();
    auto values = [&] {
        Vars all;
        for (auto& n : names) all.push_back(p_.variable(n ? n->text : "x"));
        return all;
    };
    auto atoms_of = [](const Vars& all) {
        Atoms result;
        for (auto v : all) result.push_back({Atom::Var, v});
        return result;
    };
    auto count  = static_cast<uint32_t>(names.size());
    auto stored = values();
    ClosureDef keeper{"values", place, stored, {}, {Tail::Return, kNone, 0, atoms_of(stored), place, count}, true, is_root_};
    auto closure = add(p_.closures, std::move(keeper));
    p_.order.push_back({Program::ClosureKind, closure});

    auto found = values();
    auto made  = add_block("values", place, {}, std::move(body));
    Code keeps;
    keeps.statements = {{found, {Tail::Block, made, 0, {}, place, count}}};
    keeps.tail       = {Tail::Closure, closure, 0, atoms_of(found), place};
    auto kept        = add_block("values", place, {}, std::move(keeps));
    TopDef all{"values", place, {Tail::Block, kept, 0, {}, place}, true};
    all.is_kept = is_root_;
    auto whole  = add(p_.tops, std::move(all));
    p_.order.push_back({Program::TopKind, whole});
    for (size_t i = 0; i != names.size(); ++i) {
        if (!names[i]) continue;
        auto own = p_.variable(names[i]->text);
        Code takes;
        Vars binds(names.size(), kNone);
        binds[i]          = own;
        takes.statements  = {{binds, {Tail::Enter, kNone, 0, {{Atom::Top, whole}}, place, count}}};
        takes.tail        = {Tail::Return, kNone, 0, {{Atom::Var, own}}, place};
        auto block        = add_block(names[i]->text, place, {}, std::move(takes));
        auto top          = defined(&File::tops, p_.tops, *names[i], Program::TopKind);
        p_.tops[top].tail = {Tail::Block, block, 0, {}, place};
    }
}

uint32_t MilParser::add_block(const std::string& name, Span at, Vars params, Code body) {
    auto block = add(p_.blocks, {name, at, std::move(params), std::move(body), true, is_root_});
    p_.order.push_back({Program::BlockKind, block});
    return block;
}

// ---- values at another type
// --------------------------------------------------------------------------------------------------

/// `= y`, or `= 3`
Expr* MilParser::external_meaning() {
    if (!needs_generators()) return nullptr;
    scope_.clear();
    auto e = source_.expr({.kind = Expr::Same, .at = here()});
    same_.push_back(atom());
    return e;
}

void MilParser::add_alias(const Foreign& e) {
    auto value = same_.front();
    same_.erase(same_.begin());
    auto top    = defined(&File::tops, p_.tops, {e.name, e.at}, Program::TopKind);
    auto change = source_.generators->primitives.at("primAs");

    p_.tops[top].tail        = {Tail::Primitive, change, 0, {value}, e.meaning->at};
    p_.tops[top].typing.text = e.type;
    source_.aliases.push_back({top, value, e.meaning->at});
}

} // namespace mim::plug::mil
