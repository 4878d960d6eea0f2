// SPDX-License-Identifier: MIT
#include "front/scanner.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "diag/utf8.h"
#include "front/chars.h"
#include "front/literal.h"

namespace mim::front {

namespace {

constexpr uint32_t kTabWidth = 8;

class Scanner {
public:
    Scanner(FileId file, std::string_view text, const Lexicon& lexicon, Diagnostics& diags)
        : file_(file)
        , text_(text)
        , lexicon_(lexicon)
        , diags_(diags) {
        for (auto& word : lexicon.words) words_.emplace(word.text, word.kind);
        for (auto& bracket : lexicon.brackets) {
            symbols_.push_back({bracket.open, bracket.opener});
            symbols_.push_back({bracket.close, bracket.closer});
        }
        symbols_.insert(symbols_.end(), lexicon.symbols.begin(), lexicon.symbols.end());
        std::ranges::stable_sort(symbols_, std::ranges::greater(), [](auto& s) { return s.text.size(); });
    }

    Tokens run() {
        if (text_.starts_with("\xef\xbb\xbf")) pos_ = column_at_ = 3; // a byte order mark
        while (skip_space()) next();
        begin_ = pos_;
        add(End);
        return std::move(out_);
    }

private:
    bool skip_space();
    bool comment();
    std::string_view line_comment() const;
    const Lexicon::Delimiters* block_comment() const;
    void skip_block(const Lexicon::Delimiters&);
    void add_comment(uint32_t begin, std::string_view mark, bool documents);
    void check_comment(uint32_t begin);

    void next();
    void word();
    void number();
    void string();
    void character();
    int character_code();
    void unknown_escape(uint32_t begin);
    bool symbol();
    bool foreign(size_t longest_symbol);
    void bad_char();
    void tab(uint32_t at);
    void bad_byte(uint32_t at);

    void add(Kind, uint32_t extra = kNone);
    void pair_bracket(Kind);
    void advance_column(uint32_t to);
    void error(Diag id, uint32_t begin, uint32_t end, DiagArgs args = {}) {
        diags_.report(id, {file_, begin, end}, std::move(args));
    }

    bool is_operator(char c) const { return lexicon_.operators.find(c) != std::string_view::npos; }
    bool is_in_name(char c) const { return is_word(c) || lexicon_.in_names.find(c) != std::string_view::npos; }
    char peek(uint32_t n = 0) const { return pos_ + n < text_.size() ? text_[pos_ + n] : '\0'; }
    std::string_view rest() const { return text_.substr(pos_); }
    std::string_view operators_ahead() const;
    std::string seen() const { return std::string(text_.substr(begin_, pos_ - begin_)); }

    FileId file_;
    std::string_view text_;
    const Lexicon& lexicon_;
    Diagnostics& diags_;
    std::unordered_map<std::string_view, Kind> words_;
    std::vector<Lexicon::Spelling> symbols_; ///< the longest first
    Tokens out_;
    std::vector<uint32_t> open_; ///< brackets without a closer yet
    uint32_t pos_       = 0;
    uint32_t begin_     = 0; ///< of the token that is read
    uint32_t column_    = 1; ///< of the byte at column_at_
    uint32_t column_at_ = 0;
    bool is_first_      = true; ///< no token in this line yet
    bool has_tab_error_ = false;
};

std::string_view Scanner::operators_ahead() const {
    auto end = pos_;
    while (end < text_.size() && is_operator(text_[end])) ++end;
    return text_.substr(pos_, end - pos_);
}

/// Moves to the next token; false at the end.
bool Scanner::skip_space() {
    while (pos_ < text_.size()) {
        char c = text_[pos_];
        if (c == '\t') tab(pos_);
        if (c == '\n') is_first_ = true;
        if (is_space(c)) ++pos_;
        else if (!comment()) return true;
    }
    return false;
}

/// The spelling of the line comment that begins here; empty if there is none.
std::string_view Scanner::line_comment() const {
    auto operators = operators_ahead();
    if (!lexicon_.doc_comment.empty() && rest().starts_with(lexicon_.doc_comment)) return lexicon_.doc_comment;
    for (auto mark : lexicon_.line_comments) {
        if (!rest().starts_with(mark)) continue;
        bool is_more = operators.size() > mark.size();
        bool repeats = operators.find_first_not_of(mark.back(), mark.size()) == std::string_view::npos;
        if (!is_more || repeats) return mark;
    }
    return {};
}

const Lexicon::Delimiters* Scanner::block_comment() const {
    for (auto& block : lexicon_.block_comments)
        if (rest().starts_with(block.begin)) return &block;
    return nullptr;
}

/// Skips the comment that begins here, if there is one.
bool Scanner::comment() {
    auto begin = pos_;
    if (auto block = block_comment()) {
        skip_block(*block);
        add_comment(begin, block->begin, false);
        return true;
    }
    auto mark = line_comment();
    if (mark.empty()) return false;
    auto end = text_.find('\n', pos_);
    pos_     = static_cast<uint32_t>(std::min(end, text_.size()));
    add_comment(begin, mark, mark == lexicon_.doc_comment);
    return true;
}

void Scanner::skip_block(const Lexicon::Delimiters& block) {
    auto begin     = pos_;
    uint32_t depth = 0;
    do {
        if (pos_ >= text_.size()) {
            auto end = begin + static_cast<uint32_t>(block.begin.size());
            return error(Diag::unterminated_comment, begin, end, {std::string(block.end)});
        }
        if (rest().starts_with(block.begin)) {
            ++depth;
            pos_ += static_cast<uint32_t>(block.begin.size());
        } else if (rest().starts_with(block.end)) {
            --depth;
            pos_ += static_cast<uint32_t>(block.end.size());
        } else {
            ++pos_;
        }
    } while (depth > 0);
}

/// Comments are text of the language, too. One report for the bytes of a comment that are none.
void Scanner::check_comment(uint32_t begin) {
    for (auto at = begin; at < pos_;) {
        if (text_[at] == '\t') tab(at);
        auto size = utf8::size(text_.substr(at, pos_ - at));
        if (size == 0) return bad_byte(at);
        at += size;
    }
}

void Scanner::add_comment(uint32_t begin, std::string_view mark, bool documents) {
    check_comment(begin);
    auto end = pos_;
    while (end > begin && is_space(text_[end - 1])) --end;
    auto text  = std::min(begin + static_cast<uint32_t>(mark.size()), end);
    auto token = static_cast<uint32_t>(out_.tokens.size());
    out_.comments.push_back({begin, end, text, token, is_first_, documents});
}

void Scanner::next() {
    begin_ = pos_;
    char c = peek();
    if (is_letter(c)) return word();
    if (is_digit(c)) return number();
    if (c == '"' && lexicon_.has_strings) return string();
    if (c == '\'' && lexicon_.character != End) return character();
    if (is_operator(c)) {
        auto operators = operators_ahead();
        auto is_it     = [&](auto& s) { return s.text == operators; };
        auto symbol    = std::ranges::find_if(symbols_, is_it);
        pos_ += static_cast<uint32_t>(operators.size());
        return add(symbol == symbols_.end() ? Kind(Operator) : symbol->kind);
    }
    if (!symbol()) bad_char();
}

void Scanner::word() {
    while (is_in_name(peek())) ++pos_;
    auto own = words_.find(text_.substr(begin_, pos_ - begin_));
    add(own == words_.end() ? Kind(Name) : own->second);
}

void Scanner::number() {
    bool is_hex    = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    bool is_binary = peek() == '0' && (peek(1) == 'b' || peek(1) == 'B');
    unsigned base  = is_hex ? 16 : is_binary ? 2 : 10;
    if (base != 10) pos_ += 2;
    auto first = pos_;
    auto skip  = [&] {
        while (digit_value(peek()) < base) ++pos_;
    };
    skip();
    bool is_float     = false;
    bool may_be_float = base == 10 && lexicon_.has_floats;
    if (may_be_float && peek() == '.' && is_digit(peek(1))) {
        is_float = true;
        ++pos_;
        skip();
    }
    if (may_be_float && (peek() == 'e' || peek() == 'E')) {
        is_float = true;
        ++pos_;
        if (peek() == '+' || peek() == '-') ++pos_;
        first = pos_;
        skip();
    }
    bool is_bad = pos_ == first || (is_word(peek()) && !lexicon_.has_suffixes);
    while (is_word(peek())) ++pos_;
    if (is_bad) error(Diag::malformed_number, begin_, pos_, {seen()});
    add(is_bad ? Error : is_float ? Float : Integer);
}

void Scanner::string() {
    std::string bytes;
    bool is_bad = false;
    ++pos_;
    while (pos_ < text_.size() && peek() != '"' && peek() != '\n') {
        if (peek() != '\\') {
            auto size = utf8::size(rest());
            if (size == 0 && !std::exchange(is_bad, true)) bad_byte(pos_);
            bytes += rest().substr(0, std::max(size, 1u));
            pos_ += std::max(size, 1u);
            continue;
        }
        auto [size, byte] = lexicon_.escape(rest());
        pos_ += size;
        if (byte == Escape::kNothing) continue;
        is_bad |= byte < 0;
        if (byte < 0) unknown_escape(pos_ - size);
        else if (byte < 256) bytes += static_cast<char>(byte);
        else utf8::append(bytes, static_cast<char32_t>(byte));
    }
    if (peek() != '"') {
        error(Diag::unterminated_string, begin_, begin_ + 1);
        return add(Error);
    }
    ++pos_;
    if (is_bad) return add(Error);
    out_.strings.push_back(std::move(bytes));
    add(String, static_cast<uint32_t>(out_.strings.size()) - 1);
}

void Scanner::unknown_escape(uint32_t begin) {
    error(Diag::unknown_escape, begin, pos_, {"`" + std::string(text_.substr(begin, pos_ - begin)) + "`"});
}

/// Takes one character, or an escape: its code, -1 after a report, Escape::kNothing if there is none.
int Scanner::character_code() {
    auto begin = pos_;
    char c     = peek();
    bool ends  = pos_ >= text_.size() || c == '\'' || c == '\n' || c == '\r';
    if (ends) return Escape::kNothing;
    if (c == '\\') {
        auto [size, code] = lexicon_.escape(rest());
        pos_ += size;
        if (code == -1) unknown_escape(begin);
        return code;
    }
    auto ahead  = rest();
    auto code   = utf8::next(ahead);
    bool is_bad = utf8::size(rest()) == 0;
    pos_        = static_cast<uint32_t>(text_.size() - ahead.size());
    if (is_bad) bad_byte(begin);
    return is_bad ? -1 : static_cast<int>(code);
}

void Scanner::character() {
    ++pos_;
    auto code    = character_code();
    bool is_over = peek() == '\'';
    if (is_over) ++pos_;
    bool is_odd = code == Escape::kNothing || (code >= 0 && !is_over);
    if (is_odd) error(Diag::unexpected_char, begin_, begin_ + 1, {"`'`: between two of them is one character, or one escape"});
    bool is_fine = code >= 0 && is_over;
    add(is_fine ? lexicon_.character : Kind(Error), is_fine ? static_cast<uint32_t>(code) : kNone);
}

/// Takes the longest symbol that begins here.
bool Scanner::symbol() {
    auto begins = [&](auto& s) { return rest().starts_with(s.text); };
    auto found  = std::ranges::find_if(symbols_, begins);
    bool is_one = found != symbols_.end();
    if (foreign(is_one ? found->text.size() : 0)) return true;
    if (!is_one) return false;
    pos_ += static_cast<uint32_t>(found->text.size());
    add(found->kind);
    pair_bracket(found->kind);
    return true;
}

/// Takes what other languages have, if it is longer than each symbol that begins here.
bool Scanner::foreign(size_t longest_symbol) {
    const Lexicon::Foreign* longest = nullptr;
    for (auto& f : lexicon_.foreign) {
        bool is_longer = f.text.size() > (longest ? longest->text.size() : longest_symbol);
        if (is_longer && rest().starts_with(f.text)) longest = &f;
    }
    if (!longest) return false;
    pos_ += static_cast<uint32_t>(longest->text.size());
    error(Diag::unexpected_char, begin_, pos_, {"`" + seen() + "`: " + std::string(longest->instead)});
    add(Error);
    return true;
}

/// One report for all tabs.
void Scanner::tab(uint32_t at) {
    if (lexicon_.allows_tabs || std::exchange(has_tab_error_, true)) return;
    error(Diag::unexpected_char, at, at + 1, {"a tab"});
}

void Scanner::bad_byte(uint32_t at) { error(Diag::bad_utf8, at, at + 1, {utf8::byte_name(text_[at])}); }

/// One report for a run of the same character.
void Scanner::bad_char() {
    auto size  = utf8::size(rest());
    auto c     = static_cast<unsigned char>(peek());
    auto seen  = std::string(rest().substr(0, std::max(size, 1u)));
    bool shows = size > 1 || (size == 1 && c > ' ' && c < 0x7f);
    auto unit  = std::max(size, 1u);
    while (rest().starts_with(seen)) pos_ += unit;
    if (size == 0) bad_byte(begin_);
    else error(Diag::unexpected_char, begin_, begin_ + unit, {shows ? "`" + seen + "`" : utf8::byte_name(peek())});
    add(Error);
}

/// Columns count characters.
void Scanner::advance_column(uint32_t to) {
    for (; column_at_ < to; ++column_at_) {
        char c = text_[column_at_];
        if (c == '\n') column_ = 1;
        else if (c == '\t') column_ += kTabWidth - (column_ - 1) % kTabWidth;
        else if ((c & 0xc0) != 0x80) ++column_;
    }
}

void Scanner::add(Kind kind, uint32_t extra) {
    advance_column(begin_);
    out_.tokens.push_back({{kind, begin_, pos_, extra}, column_, is_first_});
    is_first_ = false;
}

void Scanner::pair_bracket(Kind kind) {
    auto index  = out_.last();
    auto opens  = [&](auto& b) { return b.opener == kind; };
    auto closes = [&](auto& b) { return b.closer == kind; };
    if (std::ranges::any_of(lexicon_.brackets, opens)) return open_.push_back(index);
    auto bracket = std::ranges::find_if(lexicon_.brackets, closes);
    if (bracket == lexicon_.brackets.end() || open_.empty()) return;
    auto opener = open_.back();
    open_.pop_back();
    if (out_.tokens[opener].tok != bracket->opener) return; // neither has a partner
    out_.tokens[opener].extra = index;
    out_.tokens[index].extra  = opener;
}

} // namespace

std::string Tokens::doc_of(uint32_t token, std::string_view text) const {
    auto behind = std::ranges::upper_bound(comments, token, {}, &Comment::token);
    auto first  = behind;
    auto below  = (*this)[token].begin;
    while (first != comments.begin()) {
        auto& comment  = *std::prev(first);
        auto gap       = text.substr(comment.end, below - comment.end);
        bool is_direct = std::ranges::count(gap, '\n') == 1;
        if (comment.token != token || !comment.documents || !comment.is_first || !is_direct) break;
        below = comment.begin;
        --first;
    }
    std::string doc;
    for (auto it = first; it != behind; ++it) {
        doc += it == first ? "" : "\n";
        doc += text.substr(it->text, it->end - it->text);
    }
    return doc;
}

Tokens scan(FileId file, std::string_view text, const Lexicon& lexicon, Diagnostics& diags) {
    return Scanner(file, text, lexicon, diags).run();
}

std::optional<uint64_t> integer_value(std::string_view text) {
    bool is_hex    = text.starts_with("0x") || text.starts_with("0X");
    bool is_binary = text.starts_with("0b") || text.starts_with("0B");
    if (is_hex || is_binary) text.remove_prefix(2);
    return read_digits(text, is_hex ? 16 : is_binary ? 2 : 10);
}

} // namespace mim::front
