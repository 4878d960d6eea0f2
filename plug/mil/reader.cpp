// SPDX-License-Identifier: MIT
#include "reader.h"

#include <algorithm>

#include "mil/diagnostics.h"

namespace mim::plug::mil {

void report_twice(Diagnostics& diags, const std::string& name, Span second, Span first) {
    auto& d = diags.report(diag::twice(name), second);
    if (first) d.note(diag::other_here, first);
}

static bool begins_large(std::string_view word) { return word[0] >= 'A' && word[0] <= 'Z'; }

bool Reader::at_operator(uint32_t ahead) const {
    auto kind = tok(ahead);
    return kind == front::Operator || kind == BlockArrow || kind == Enter;
}

bool Reader::at_con() const { return at(front::Name) && begins_large(cursor_.word()) && !bit_literal(cursor_.word()); }

bool Reader::at_variable() const {
    if (at(front::Name)) return !begins_large(cursor_.word()); // a literal of bits is none
    return at(LParen) && at_operator(1) && tok(2) == RParen;
}

std::optional<Reader::Word> Reader::con_name() {
    if (!at_con()) {
        expected("a name that begins with a capital letter");
        return {};
    }
    Word word{std::string(cursor_.word()), here()};
    next();
    return word;
}

std::optional<Reader::Word> Reader::variable(std::string_view what) {
    if (!at_variable()) {
        expected(what);
        return {};
    }
    bool is_operator = accept(LParen);
    Word word{std::string(cursor_.word()), here()};
    next();
    if (is_operator) next();
    return word;
}

std::vector<Reader::Word> Reader::variables(std::string_view what) {
    std::vector<Word> all;
    do {
        auto word = variable(what);
        if (!word) break;
        all.push_back(*word);
    } while (accept(Comma));
    return all;
}

void Reader::not_yet(std::string_view what, Span place) {
    diags_.report(diag::not_yet(std::string(what)), place);
    skip_item();
}

/// They begin in the column of the first one.
void Reader::items(const std::function<void()>& item) {
    if (at(LBrace)) {
        block(item);
    } else {
        auto lines = cursor_.open(cursor_.token().column);
        while (!at(front::Close)) {
            if (accept(front::Item) || accept(Semicolon)) continue;
            reading = "a definition";
            item();
            if (at_item_end() || at(Semicolon)) continue;
            expected("the end of the definition");
            skip_item();
        }
    }
    if (cursor_.raw() != front::End) expected("a definition in the column of the first one");
}

void Reader::block(const std::function<void()>& item) {
    if (accept(LBrace)) {
        auto lines  = cursor_.suspend();
        auto opener = cursor_.pos() - 1;
        while (!at(RBrace) && !at(front::End)) {
            if (accept(Semicolon)) continue;
            item();
            if (!at(RBrace) && !at(Semicolon)) break;
        }
        return close(opener, RBrace);
    }
    auto lines = cursor_.open();
    while (!at(front::Close)) {
        if (accept(front::Item) || accept(Semicolon)) continue;
        auto before = cursor_.pos();
        item();
        bool is_over = !at(front::Item) && !at(Semicolon); // a token that fits nowhere closes
        if (is_over || cursor_.pos() == before) break;
    }
}

template<class T>
bool Reader::define(std::map<std::string, T>& table, const Word& name, T value, Span before) {
    if (table.emplace(name.text, value).second) return true;
    report_twice(diags_, name.text, name.at, before);
    return false;
}
template bool Reader::define(std::map<std::string, uint32_t>&, const Word&, uint32_t, Span);
template bool Reader::define(std::map<std::string, Bind*>&, const Word&, Bind*, Span);

// ---- types
// ------------------------------------------------------------------------------------------------------------------

TypeExpr* Reader::applied(std::string_view name, Span place, std::vector<TypeExpr*> arguments) {
    auto head = source_.type_expr({TypeExpr::Con, place, std::string(name)});
    if (arguments.empty()) return head;
    arguments.insert(arguments.begin(), head);
    return source_.type_expr({TypeExpr::Apply, place, {}, std::move(arguments)});
}

TypeExpr* Reader::type() {
    front::Nesting::Level level(nesting_);
    auto begin = cursor_.begin();
    if (too_deep()) return applied("Unit", here(), {});
    auto left  = operand_type();
    bool plain = at(RightArrow);
    if (!plain && !at(ClosureArrow)) return left;
    next();
    auto right  = type();
    auto result = applied(plain ? "->" : "->>", {file_.id, begin, begin}, {left, right});
    result->at  = cursor_.span_from(begin);
    return result;
}

TypeExpr* Reader::operand_type() {
    auto begin = cursor_.begin();
    std::vector<TypeExpr*> parts{argument_type()};
    while (at_type()) parts.push_back(argument_type());
    if (parts.size() == 1) return parts[0];
    return source_.type_expr({TypeExpr::Apply, cursor_.span_from(begin), {}, std::move(parts)});
}

bool Reader::at_type() const { return at(front::Name) || at(front::Integer) || at(front::String) || at(LParen) || at(LBracket); }

TypeExpr* Reader::argument_type() {
    auto begin = cursor_.begin();
    if (at(front::Name)) {
        auto kind = at_con() ? TypeExpr::Con : TypeExpr::Var;
        auto name = std::string(cursor_.word());
        next();
        bool is_layout = kind == TypeExpr::Con && at(Dot) && tok(1) == front::Name;
        if (is_layout) {
            next();
            name += "." + std::string(cursor_.word());
            next();
        }
        return source_.type_expr({kind, cursor_.span_from(begin), name});
    }
    if (at(front::Integer)) {
        auto number = std::to_string(integer());
        return source_.type_expr({TypeExpr::Number, cursor_.span_from(begin), number});
    }
    if (at(front::String)) {
        auto label = string();
        return source_.type_expr({TypeExpr::Label, cursor_.span_from(begin), label});
    }
    if (at(LParen) && tok(1) == RightArrow && tok(2) == RParen) {
        for (int i = 0; i != 3; ++i) next();
        return applied("->", cursor_.span_from(begin), {});
    }
    if (at(LParen) || at(LBracket)) return tuple_type(begin);
    expected("a type");
    return applied("Unit", here(), {});
}

static std::optional<front::Fixity> number_fixity(std::string_view op) {
    using front::Fixity;
    if (op == "^") return Fixity{Fixity::Right, 8};
    if (op == "*" || op == "/") return Fixity{Fixity::Left, 7};
    if (op == "+" || op == "-") return Fixity{Fixity::Left, 6};
    if (op == "<<" || op == ">>") return Fixity{Fixity::Left, 5};
    return {};
}

/// An operator on numbers in types.
std::optional<front::Infix> Reader::number_operator() {
    auto text    = cursor_.word();
    auto usual   = at(front::Operator) ? number_fixity(text) : std::nullopt;
    auto own     = file_.type_fixities.find(std::string(text));
    bool has_own = own != file_.type_fixities.end();
    if (!usual) return {};
    front::Infix op{text, here(), has_own ? own->second : *usual};
    next();
    return op;
}

/// In parentheses a type may compute a number, and say its kind.
TypeExpr* Reader::inner_type() {
    auto compute = [&](const front::Infix& op, TypeExpr* a, TypeExpr* b) {
        return source_.type_expr({TypeExpr::Compute, a->at.join(b->at), std::string(op.text), {a, b}});
    };
    front::Infixes<TypeExpr*> all(type());
    while (auto op = number_operator()) {
        auto clash = all.add(*op, operand_type(), compute);
        if (clash) ambiguous(*clash, *op);
    }
    auto whole = all.finish(compute);
    return at(Colons) ? kinded(whole) : whole;
}

/// `t :: k`
TypeExpr* Reader::kinded(TypeExpr* t) {
    next();
    auto k = kind();
    if (!k) return t;
    return source_.type_expr({TypeExpr::Kinded, t->at, {}, {t}, *k});
}

TypeExpr* Reader::tuple_type(uint32_t begin) {
    bool is_square = at(LBracket);
    next();
    std::vector<TypeExpr*> parts;
    bracketed(Comma, is_square ? RBracket : RParen, [&] { parts.push_back(is_square ? type() : inner_type()); });
    auto span = cursor_.span_from(begin);
    if (is_square) return source_.type_expr({TypeExpr::Tuple, span, {}, std::move(parts)});
    if (parts.size() == 1) return parts[0];
    if (parts.size() > 4) diags_.report(diag::not_yet("tuples of more than four parts"), span);
    auto name = parts.empty() ? "Unit" : parts.size() == 2 ? "Pair" : parts.size() == 3 ? "Tuple3" : "Tuple4";
    return applied(name, span, std::move(parts));
}

uint64_t Reader::integer() {
    auto text  = std::string(cursor_.word());
    auto value = number(text);
    if (!value.is_number) diags_.report(Diag::malformed_number, here(), {text});
    else if (!value.fits) diags_.report(diag::too_large(text, 64), here());
    next();
    return value.number;
}

std::optional<std::string> Reader::label() {
    if (at(front::String)) return string();
    if (!at(front::Name)) return {};
    auto result = std::string(cursor_.word());
    next();
    return result;
}

std::string Reader::string() {
    auto result = cursor_.tokens().strings[cursor_.token().extra];
    next();
    return result;
}

// ---- declarations
// -----------------------------------------------------------------------------------------------------------

bool Reader::declaration() {
    switch (tok()) {
        case Require: require(); return true;
        case Export:
        case Entrypoint: exports(); return true;
        case InfixWord:
        case InfixL:
        case InfixR: infix_declaration(); return true;
        case Data: data(); return true;
        case TypeWord: synonym(); return true;
        case Bitdata: bitdata(); return true;
        case Struct: structure(); return true;
        case Area: area(); return true;
        case External: external(); return true;
        default: return false;
    }
}

void Reader::require() {
    reading = "a `require`";
    next();
    auto place = here();
    if (!at(front::String)) return expected("the name of a file in quotes");
    auto name = string();
    auto path = find_file(reading_, name, file_.path);
    if (path.empty()) {
        diags_.report(diag::no_file(name, "there is no such file beside this one, nor among the libraries of the plugin"), place);
        reading_.is_cut = true;
        return;
    }
    if (path.ends_with(".mim")) return require_mim(path, place);
    auto required = require_file(reading_, path, place);
    reading_.is_cut |= !required;
    if (!required) return;
    file_.required.push_back(required);
    for (auto& [op, fixity] : required->fixities) file_.fixities.emplace(op, fixity);
}

/// A file with functions of Mim. The text of the program says where it is.
void Reader::require_mim(const std::string& path, Span place) {
    auto& files  = source_.program.mim_files;
    auto whole   = canonical_path(path);
    auto is_same = [&](auto& file) { return file.path == whole; };
    if (std::ranges::none_of(files, is_same)) files.push_back({std::move(whole), place});
}

/// The library of generators is one of the files that this one requires. False if it cannot be read.
bool Reader::needs_generators() {
    auto library = require_generators(reading_, here());
    bool is_new  = library && std::ranges::find(file_.required, library) == file_.required.end();
    if (is_new) file_.required.push_back(library);
    reading_.is_cut |= !library;
    return library;
}

/// `entrypoint` says the same to C.
void Reader::exports() {
    bool is_for_c = at(Entrypoint);
    reading       = is_for_c ? "an `entrypoint`" : "an `export`";
    next();
    std::vector<Word> names;
    do {
        if (!at(front::Name) && !at_variable() && !at_operator()) return expected("a name");
        bool is_bracketed = at(LParen);
        if (is_bracketed) next();
        names.push_back({std::string(cursor_.word()), here()});
        next();
        if (is_bracketed) next();
    } while (accept(Comma));
    auto signature = accept(Colons) ? type() : nullptr;
    for (auto& name : names) {
        file_.exports.emplace(name.text, name.at);
        if (is_for_c) file_.entries.emplace(name.text, name.at);
        if (signature) signatures_.push_back({name, signature});
    }
}

static front::Fixity fixity_of(front::Kind word) {
    using front::Fixity;
    return {word == InfixL ? Fixity::Left : word == InfixR ? Fixity::Right : Fixity::Neither, 0};
}

/// The operators of the file were declared before anything was read.
void Reader::infix_declaration(Fixities* local) {
    reading     = "a fixity";
    auto fixity = fixity_of(tok());
    next();
    bool is_of_types = !local && accept(TypeWord);
    if (at(front::Integer)) {
        auto precedence = front::integer_value(cursor_.word()).value_or(10);
        if (precedence > 9) return expected("a number from 0 to 9"), skip_item();
        fixity.precedence = static_cast<int>(precedence);
        next();
    }
    do {
        bool is_named = accept(Backquote);
        if (!at_operator() && !at(front::Name)) return expected("an operator");
        Word op{std::string(cursor_.word()), here()};
        next();
        if (is_named) expect(Backquote);
        if (is_of_types) {
            if (!number_fixity(op.text)) diags_.report(diag::unknown("operator on types", op.text), op.at);
            continue;
        }
        auto before = std::ranges::find(fixities_, op.text, &Word::text);
        if (before != fixities_.end()) report_twice(diags_, op.text, op.at, before->at);
        fixities_.push_back(op);
        if (local) local->emplace(op.text, fixity);
    } while (accept(Comma));
}

void Reader::declare_fixities() {
    auto& tokens = cursor_.tokens();
    for (uint32_t i = 0; i < tokens.last(); ++i) {
        auto kind     = tokens[i].tok;
        bool is_infix = kind == InfixWord || kind == InfixL || kind == InfixR;
        if (!is_infix || !tokens[i].is_first || tokens[i].column != tokens[0].column) continue;
        auto fixity      = fixity_of(kind);
        auto word        = [&](uint32_t n) { return cursor_.text(tokens[n].begin, tokens[n].end); };
        auto at          = i + 1;
        bool is_of_types = tokens[at].tok == TypeWord;
        auto& table      = is_of_types ? file_.type_fixities : file_.fixities;
        if (is_of_types) ++at;
        if (tokens[at].tok == front::Integer) fixity.precedence = std::min(int(front::integer_value(word(at++)).value_or(0)), 9);
        for (; tokens[at].tok != front::End && !tokens[at].is_first; ++at)
            if (tokens[at].tok != Comma && tokens[at].tok != Backquote) table[std::string(word(at))] = fixity;
    }
}

void Reader::data() {
    reading = "a `data` declaration";
    next();
    auto name = con_name();
    if (!name) return skip_item();
    DataType type{name->text, name->at, {}, {}};
    while (at(front::Name) || at(LParen))
        if (!parameter(type)) return skip_item();
    auto index = add_type(*name, std::move(type));
    if (!index) return skip_item();
    source_.program.order.push_back({Program::DataKind, *index});
    if (!accept(Equals)) return;
    do constructor(*index);
    while (accept(Bar));
}

struct NamedKind {
    std::string_view name;
    Kind kind;
};
constexpr NamedKind kKinds[] = {{"*", Kind::Type}, {"nat", Kind::Number}, {"area", Kind::Area}, {"lab", Kind::Label}};

/// `a`, or `(a :: kind)`
bool Reader::parameter(DataType& type) {
    bool has_kind = accept(LParen);
    auto word     = variable("a type variable");
    if (!word) return false;
    type.parameters.push_back(word->text);
    type.kinds.push_back(Kind::Unknown);
    if (!has_kind) return true;
    if (!expect(Colons)) return false;
    auto own = kind();
    if (!own) return false;
    type.kinds.back() = *own;
    return expect(RParen);
}

std::optional<Kind> Reader::kind() {
    auto known = std::ranges::find(kKinds, cursor_.word(), &NamedKind::name);
    if (known == std::end(kKinds)) {
        bool is_open = cursor_.word() == "tuple";
        if (is_open) diags_.report(diag::not_yet("kinds other than `nat`, `area`, `lab` and `*`"), here());
        else expected("`nat`, `area`, `lab` or `*`");
        return {};
    }
    next();
    return known->kind;
}

std::optional<uint32_t> Reader::add_type(const Word& name, DataType type) {
    auto index  = static_cast<uint32_t>(source_.program.datas.size());
    auto before = file_.types.find(name.text);
    auto other  = before == file_.types.end() ? Span() : source_.program.datas[before->second].at;
    if (!define(file_.types, name, index, other)) return {};
    source_.program.datas.push_back(std::move(type));
    return index;
}

std::optional<uint32_t> Reader::add_con(const Word& name, uint32_t data, std::vector<TypeExpr*> fields) {
    auto& program = source_.program;
    auto& all     = program.datas[data].cons;
    auto before   = file_.cons.find(name.text);
    auto index    = static_cast<uint32_t>(program.cons.size());
    if (!define(file_.cons, name, index, before == file_.cons.end() ? Span() : program.cons[before->second].at)) return {};
    Con con{name.text, name.at, data, static_cast<uint32_t>(all.size()), std::move(fields), {}, {}};
    all.push_back(index);
    program.cons.push_back(std::move(con));
    return index;
}

Bind* Reader::initial_value(const std::string&) {
    expected("`,` or `::`");
    return nullptr;
}

void Reader::constructor(uint32_t data) {
    auto name = con_name();
    if (!name) return;
    std::vector<TypeExpr*> fields;
    while (at_type()) fields.push_back(argument_type());
    add_con(*name, data, std::move(fields));
}

void Reader::synonym() {
    reading = "a `type` declaration";
    next();
    auto name = con_name();
    if (!name) return;
    if (at(Colons) || at(front::Integer)) return primitive_type(*name);
    if (at_variable()) return not_yet("synonyms with parameters", here());
    if (!expect(Equals)) return skip_item();
    auto meaning = type();
    if (!file_.synonyms.emplace(name->text, meaning).second) report_twice(diags_, name->text, name->at, {});
}

/// `type T n :: k -> … -> k`
void Reader::primitive_type(const Word& name) {
    bool has_count = at(front::Integer);
    auto count     = has_count ? integer() : 0;
    if (!expect(Colons)) return skip_item();
    std::vector<Kind> kinds;
    do {
        auto place = here();
        auto k     = kind();
        if (!k) return skip_item();
        kinds.push_back(*k);
        bool is_value = at(RightArrow) || *k == Kind::Type || *k == Kind::Area;
        if (!is_value) diags_.report(diag::wrong_kind(*k == Kind::Number ? "a number" : "a label", "a type or an area"), place);
    } while (accept(RightArrow));
    DataType type{name.text, name.at, {}, {}};
    type.result       = kinds.back();
    type.is_primitive = true;
    kinds.pop_back();
    for (size_t i = 0; i != kinds.size(); ++i) type.parameters.push_back("a" + std::to_string(i));
    auto has = kinds.size() == 1 ? "one parameter" : std::to_string(kinds.size()) + " parameters";
    if (has_count && count != kinds.size()) diags_.report(diag::arity(name.text, has, count), name.at);
    type.kinds = std::move(kinds);
    auto index = add_type(name, std::move(type));
    if (index) source_.program.order.push_back({Program::DataKind, *index});
}

// ---- names of files
// ---------------------------------------------------------------------------------------------------------

static Bind* find_exported(const File& file, const std::string& name) {
    if (file.exports.contains(name))
        if (auto own = file.values.find(name); own != file.values.end()) return own->second;
    for (auto required : file.required)
        if (auto found = find_exported(*required, name)) return found;
    return nullptr;
}

Bind* find_value(const File& file, const std::string& name) {
    if (auto own = file.values.find(name); own != file.values.end()) return own->second;
    for (auto required : file.required)
        if (auto found = find_exported(*required, name)) return found;
    return nullptr;
}

template<class T>
static const T* find_open(const File& file, std::map<std::string, T> File::* table, const std::string& name) {
    if (auto own = (file.*table).find(name); own != (file.*table).end()) return &own->second;
    for (auto required : file.required)
        if (auto found = find_open(*required, table, name)) return found;
    return nullptr;
}

std::optional<uint32_t> find_mil(const File& file, std::map<std::string, uint32_t> File::* table, const std::string& name) {
    auto found = find_open(file, table, name);
    return found ? std::optional(*found) : std::nullopt;
}

std::optional<uint32_t> find_con(const File& file, const std::string& name) { return find_mil(file, &File::cons, name); }
std::optional<uint32_t> find_type(const File& file, const std::string& name) { return find_mil(file, &File::types, name); }

TypeExpr* find_synonym(const File& file, const std::string& name) {
    auto found = find_open(file, &File::synonyms, name);
    return found ? *found : nullptr;
}

} // namespace mim::plug::mil
