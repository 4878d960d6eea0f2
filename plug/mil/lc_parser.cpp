// SPDX-License-Identifier: MIT
// Definitions of LC.
#include "lc_parser.h"

#include <algorithm>
#include <utility>

namespace mim::plug::mil {

void LcParser::file() {
    items([&] {
        if (at(Struct)) needs_generators(); // references to its fields are made by it
        if (!declaration()) definition(top_);
        finish_chains();
    });
    attach(top_, 0);
    for (auto& op : fixities_) {
        bool is_bound = file_.values.contains(op.text) || file_.cons.contains(op.text);
        if (!is_bound && !has_errors()) diags_.report(diag::undefined(op.text), op.at);
    }
    reading_.is_cut |= has_errors();
}

/// Signatures belong to definitions of the same block.
void LcParser::attach(Definitions& all, size_t first_signature) {
    for (size_t i = first_signature; i != signatures_.size(); ++i) {
        auto& [word, type, kind] = signatures_[i];
        auto found               = all.find(word.text);
        if (!found) diags_.report(diag::undefined(word.text), word.at);
        else if (found->signature) report_twice(diags_, word.text, word.at, found->at);
        else found->signature = type;
    }
    signatures_.resize(first_signature);
}

void LcParser::definition(Definitions& all) {
    if (!at_variable()) {
        expected("a definition");
        return skip_item();
    }
    auto word = variable();
    if (at(Comma) || at(Colons)) return signature(*word);
    if (at_operator() || at(Backquote)) return infix_equation(all, *word);
    equation(all, *word, parameters(Equals));
}

void LcParser::signature(Word first) {
    std::vector<Word> names{first};
    while (accept(Comma)) {
        auto word = variable();
        if (!word) return skip_item();
        names.push_back(*word);
    }
    if (!expect(Colons)) return skip_item();
    auto t = type();
    for (auto& word : names) signatures_.push_back({word, t});
}

Bind* LcParser::parameter() {
    if (accept(Underscore)) return nullptr;
    auto word = variable("a parameter");
    return word ? source_.bind(word->text, word->at) : nullptr;
}

/// No two have one name.
void LcParser::add_parameter(Binds& all) {
    auto p = parameter();
    if (p)
        for (auto other : all)
            if (other && other->name == p->name) report_twice(diags_, p->name, p->at, other->at);
    all.push_back(p);
}

LcParser::Binds LcParser::parameters(front::Kind end) {
    Binds all;
    while (at_variable() || at(Underscore)) add_parameter(all);
    if (!at(end)) expected(end == Equals ? "a parameter or `=`" : "a parameter or `->`");
    return all;
}

void LcParser::infix_equation(Definitions& all, Word left) {
    bool is_named = accept(Backquote);
    Word op{std::string(cursor_.word()), here()};
    next();
    if (is_named) expect(Backquote);
    auto first  = source_.bind(left.text, left.at);
    auto second = parameter();
    if (second && second->name == first->name) report_twice(diags_, second->name, second->at, first->at);
    equation(all, op, {first, second});
}

void LcParser::equation(Definitions& all, Word word, Binds params) {
    if (!expect(Equals)) return skip_item();
    auto first_chain = chains_.size();
    auto value       = with_where(full(), first_chain);
    if (!params.empty()) {
        auto lambda   = make(Expr::Lambda, word.at);
        lambda->binds = std::move(params);
        lambda->parts = {value};
        value         = lambda;
    }
    if (auto before = all.find(word.text)) return report_twice(diags_, word.text, word.at, before->at);
    auto other = all.is_top ? file_.values.find(word.text) : file_.values.end();
    if (other != file_.values.end()) return report_twice(diags_, word.text, word.at, other->second->at);
    auto bind    = source_.bind(word.text, word.at);
    bind->value  = value;
    bind->is_top = all.is_top;
    all.add(bind);
    if (all.is_top) file_.values[word.text] = bind;
}

/// Fixities of the definitions hold in the body, too, which is read already.
Expr* LcParser::with_where(Expr* body, size_t first_chain) {
    if (!accept(Where)) return body;
    auto e     = make(Expr::Let, body->at);
    auto scope = definitions(first_chain);
    close_scope(scope);
    e->binds = std::move(scope.binds);
    e->parts = {body};
    return e;
}

LcParser::Scope LcParser::definitions(size_t first_chain) {
    Scope scope{{}, {}, first_chain};
    Definitions all{scope.binds, false};
    auto before   = signatures_.size();
    auto fixities = std::exchange(fixities_, {});
    block([&] {
        if (at(In)) return; // there are none
        if (at(InfixWord) || at(InfixL) || at(InfixR)) return infix_declaration(&scope.fixities);
        definition(all);
    });
    attach(all, before);
    for (auto& op : fixities_)
        if (!all.find(op.text) && !has_errors()) diags_.report(diag::undefined(op.text), op.at);
    fixities_ = std::move(fixities);
    return scope;
}

/// Operators of the scope that no inner one binds have its fixities.
void LcParser::close_scope(const Scope& scope) {
    for (auto chain = scope.first_chain; chain != chains_.size(); ++chain)
        for (auto& operation : chains_[chain].rest) {
            auto& op      = operation.op;
            auto is_it    = [&](auto bind) { return bind->name == op.text; };
            bool is_bound = !operation.is_bound && std::ranges::any_of(scope.binds, is_it);
            if (!is_bound) continue;
            auto own           = scope.fixities.find(std::string(op.text));
            operation.is_bound = true;
            op.fixity          = own == scope.fixities.end() ? kWeakest : own->second;
        }
}

/// Orders the operators of a definition of the file: all scopes are known.
void LcParser::finish_chains() {
    auto both = [&](const front::Infix& op, Expr* a, Expr* b) { return combine(op, a, b); };
    for (auto& chain : chains_) {
        front::Infixes<Expr*> all(chain.first);
        for (auto& [op, right, is_bound] : chain.rest) {
            auto clash = all.add(op, right, both);
            if (clash) ambiguous(*clash, op);
        }
        *chain.whole = *all.finish(both);
    }
    chains_.clear();
}

/// A definition that only the declaration of the field names.
Bind* LcParser::initial_value(const std::string& name) {
    auto bind    = source_.bind(name, here());
    bind->value  = operators();
    bind->is_top = true;
    top_.add(bind);
    return bind;
}

/// `area x <- e, … :: Ref A aligned n`
void LcParser::area() {
    reading = "an `area`";
    if (!needs_generators()) return skip_item();
    next();
    std::vector<std::pair<Word, Expr*>> all;
    do {
        auto word = variable("the name of an area");
        if (!word || !expect(LeftArrow)) return skip_item();
        all.emplace_back(*word, operators());
    } while (accept(Comma));
    if (!expect(Colons)) return skip_item();
    auto t         = type();
    uint64_t align = 0;
    if (accept(Aligned)) {
        if (!at(front::Integer)) return expected("what the address is a multiple of");
        align = integer();
    }
    for (auto& [word, initial] : all) add_area(word, initial, t, align);
}

/// A definition that is not an equation.
Bind* LcParser::add_value(const std::string& text, Span at, Expr* value) {
    auto bind    = source_.bind(text, at);
    bind->value  = value;
    bind->is_top = true;
    top_.add(bind);
    return bind;
}

/// `= y`, or `= 3`
Expr* LcParser::external_meaning() {
    if (!needs_generators()) return nullptr;
    auto e   = make(Expr::Same, here());
    e->parts = {simple_atom()};
    return e;
}

void LcParser::add_alias(const Foreign& e) {
    auto before = file_.values.find(e.name);
    if (before != file_.values.end()) return report_twice(diags_, e.name, e.at, before->second->at);
    auto bind            = add_value(e.name, e.at, e.meaning);
    bind->signature      = e.type;
    file_.values[e.name] = bind;
}

/// Its memory is a value; its initializer runs behind all others.
void LcParser::add_area(Word word, Expr* initial, TypeExpr* t, uint64_t align) {
    if (auto before = top_.find(word.text)) return report_twice(diags_, word.text, word.at, before->at);
    auto memory             = make(Expr::Area, word.at);
    memory->index           = static_cast<uint32_t>(std::min<uint64_t>(align, kNone));
    auto bind               = add_value(word.text, word.at, memory);
    bind->signature         = t;
    file_.values[word.text] = bind;

    auto run     = make(Expr::Name, initial->at);
    run->name    = "primRunInit";
    run->bind    = find_value(*source_.generators, run->name);
    auto started = add_value(word.text + "'init", word.at, apply(apply(run, name(word.at, word.text)), initial));

    started->is_late = true;
}

void read_lc(Reading& r, File& file, std::string_view text) { LcParser(r, file, text).file(); }

} // namespace mim::plug::mil
