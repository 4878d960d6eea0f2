// SPDX-License-Identifier: MIT
// Text to trees: files and definitions.
#include <algorithm>

#include "parser.h"

namespace mim::plug::polara {

bool Parser::file() {
    math_line();
    while (cursor_.raw() != front::End) {
        auto block = cursor_.open(cursor_.token().column); // its lines stand right of the definition
        def();
        if (at_item_end() || at_def()) continue;
        expected("the end of the definition");
        skip_rest();
    }
    return !has_errors() && diags_.num_errors() == mild_errors_;
}

void Parser::math_line() {
    if (!at(front::Name) || cursor_.word() != "math") return;
    next();
    bool is_known = cursor_.word() == "fast" || cursor_.word() == "strict";
    if (!at(front::Name) || !is_known) return expected("`fast` or `strict`");
    program_.is_fast = cursor_.word() == "fast";
    next();
}

std::string_view Parser::take_name() {
    auto name = cursor_.word();
    return expect(front::Name) ? name : "_";
}

/// One error for all of the lines that belong to no definition.
void Parser::skip_to_def() {
    bool is_late = at(front::Name) && cursor_.word() == "math";
    expected(is_late ? "`def` (`math` is the first line)" : "`def`");
    while (cursor_.raw() != front::End && !at_def()) next();
}

void Parser::def() {
    reading = "a definition";
    Def def;
    auto before   = mild_errors_;
    def.is_extern = accept(Extern);
    if (!at(DefWord)) return skip_to_def();
    next();
    def.name_span = cursor_.span();
    def.name      = take_name();
    sizes_.clear();
    if (accept(LBrace)) def.sizes = in_brackets([&] { return sizes(); }, RBrace);
    if (accept(LParen)) def.parameters = in_brackets([&] { return parameters(); });
    if (accept(Colon)) def.result = type();
    if (!expect(Assign)) return skip_rest();
    def.body = block();
    if (mild_errors_ != before) def.type = types_.broken();
    program_.defs.push_back(std::move(def));
}

const std::vector<SizeName>& Parser::sizes() {
    do {
        auto span = cursor_.span();
        auto name = take_name();
        if (!has_twin(name, span)) sizes_.push_back({name, span, types_.size_name(name)});
    } while (at(front::Name));
    return sizes_;
}

/// Reports a size whose name is there already.
bool Parser::has_twin(std::string_view name, Span span) {
    auto twin = std::ranges::find(sizes_, name, &SizeName::name);
    if (twin == sizes_.end()) return false;
    diags_.report(diag::defined(std::string(name)), span).note(diag::defined_here, twin->span);
    ++mild_errors_;
    return true;
}

/// Names with a type behind them, several times.
std::vector<Local*> Parser::parameters() {
    std::vector<Local*> all;
    do {
        auto first = names(all);
        expect(Colon);
        state_type(all, first);
    } while (accept(Comma));
    return all;
}

/// Adds names; the position of the first one.
size_t Parser::names(std::vector<Local*>& all) {
    auto first = all.size();
    do all.push_back(local());
    while (at(front::Name));
    return first;
}

void Parser::state_type(const std::vector<Local*>& names, size_t first) {
    auto stated = type();
    for (size_t i = first; i != names.size(); ++i) names[i]->type = stated;
}

bool parse(FrontEndContext& c, Program& program, Types& types) { return Parser(c, program, types).file(); }

} // namespace mim::plug::polara
