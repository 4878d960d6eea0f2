// SPDX-License-Identifier: MIT
#include "grep/grep.h"

#include <algorithm>
#include <cstring>

#include "grep/newlines.h"

namespace mim::plug::regex {

namespace {

constexpr std::string_view kRed = "\033[01;31m", kMagenta = "\033[35m", kGreen = "\033[32m", kCyan = "\033[36m",
                           kPlain = "\033[m";

constexpr size_t kFound = 256; ///< lines that are looked for at a time

class Search {
public:
    Search(const Regex& regex, std::string_view text, std::string_view name, const GrepStyle& style, GrepOutput& out)
        : regex_(regex)
        , text_(text)
        , name_(name)
        , style_(style)
        , output_(out)
        , out_(out.lines) {
        // as grep does: what has a zero in its first bytes is no text
        binary_      = !style.is_text && text.substr(0, 32768).find('\0') != text.npos;
        has_context_ = style.before + style.after != 0 && !style.only_matching;
        ends_        = style.most == 0 || (binary_ && style.is_text_only);
    }

    bool run() {
        size_t pos = 0; // the begin of a line
        while (pos < text_.size() && !ends_) {
            auto found = search(pos);
            // behind the last newline there is no line
            if (found && found->match.begin == text_.size() && text_.back() == '\n') found = {};
            auto begin = found ? line_begin(found->match.begin, pos) : text_.size();
            if (style_.invert) lines(pos, begin);
            if (!found) break;
            pos = found->end;
            if (!style_.invert) line(begin, pos, found->match);
        }
        context(text_.size());
        bool names = style_.names_of_matching || style_.names_of_others;
        if (style_.count && !style_.quiet && !names) prefix(0), out_ += std::to_string(selected_) + "\n";
        bool is_named = selected_ != 0 ? style_.names_of_matching : style_.names_of_others;
        if (is_named && !style_.quiet) put(kMagenta, name_), out_ += '\n';
        return selected_ != 0;
    }

private:
    struct Found {
        Regex::Span match; ///< where only its line counts, a place in it
        size_t end;        ///< of its line
    };
    /// The next line, from one on, that has a match.
    std::optional<Found> search(size_t pos) {
        if (style_.only_matching || style_.color) {
            auto match = regex_.next(text_, pos, false);
            return match ? std::optional(Found{*match, line_end(match->begin)}) : std::nullopt;
        }
        if (next_ == found_.size() && !has_all_) search_many(pos);
        if (next_ == found_.size()) return {};
        auto [place, end] = found_[next_++];
        return Found{{place, place}, end};
    }
    /// More and more at a time: the first one may be enough.
    void search_many(size_t pos) {
        auto room = std::clamp<size_t>(2 * found_.size(), 1, kFound);
        found_.resize(room);
        found_.resize(regex_.in_lines(text_, pos, found_));
        has_all_ = found_.size() < room;
        next_    = 0;
    }

    size_t line_begin(size_t at, size_t from) const {
        auto newline = at == from ? nullptr : memrchr(text_.data() + from, '\n', at - from);
        return newline ? size_t(static_cast<const char*>(newline) - text_.data()) + 1 : from;
    }
    /// Behind its newline.
    size_t line_end(size_t at) const {
        auto newline = text_.find('\n', at);
        return newline == text_.npos ? text_.size() : newline + 1;
    }
    void lines(size_t begin, size_t end) {
        while (begin < end && !ends_) {
            auto next = line_end(begin);
            line(begin, next, {});
            begin = next;
        }
    }

    void line(size_t begin, size_t end, std::optional<Regex::Span> match) {
        ++selected_;
        bool says_no_more = style_.quiet || style_.names_of_matching || style_.names_of_others;
        ends_             = says_no_more || selected_ == style_.most;
        if (says_no_more || style_.count) return;
        if (binary_) {
            output_.message += "mim: " + std::string(name_) + ": binary file matches\n";
            ends_ = true;
            return;
        }
        auto content = end - (text_[end - 1] == '\n');
        if (style_.only_matching) return each(begin, content, match);
        if (has_context_) around(begin), shown_ = end, owed_ = style_.after;
        prefix(begin);
        if (!style_.color || !match) out_ += text_.substr(begin, content - begin);
        else highlighted(begin, content, match);
        out_ += '\n';
    }

    /// Shows what stands between the lines that were shown and the one that begins here.
    void around(size_t begin) {
        context(begin);
        auto from = begin;
        for (size_t n = style_.before; n != 0 && from > shown_; --n) from = line_begin(from - 1, shown_);
        if (output_.has_groups && from > shown_) out_ += between_groups(style_);
        output_.has_groups = true;
        show(from, begin);
    }
    /// The lines behind those that were shown, up to there, that are still to be shown.
    void context(size_t end) {
        auto from = shown_, to = shown_;
        for (; owed_ != 0 && to < end; --owed_) to = line_end(to);
        show(from, to);
        shown_ = to;
    }
    /// Lines that were not selected.
    void show(size_t begin, size_t end) {
        while (begin < end) {
            auto next = line_end(begin);
            prefix(begin, "-");
            out_ += text_.substr(begin, next - begin - (text_[next - 1] == '\n'));
            out_ += '\n';
            begin = next;
        }
    }

    /// The next match within the line, which ends at `content`. Behind an empty one grep goes on with the next character.
    std::optional<Regex::Span> after(const Regex::Span& match, size_t content) const {
        auto from = match.end + (match.begin == match.end);
        return from < content ? regex_.next(text_.substr(0, content), from, false) : std::nullopt;
    }
    void each(size_t begin, size_t content, std::optional<Regex::Span> match) {
        for (; match; match = after(*match, content)) {
            if (match->begin == match->end) continue;
            prefix(begin, ":", match->begin);
            put(kRed, text_.substr(match->begin, match->end - match->begin));
            out_ += '\n';
        }
    }
    void highlighted(size_t begin, size_t content, std::optional<Regex::Span> match) {
        for (; match; match = after(*match, content)) {
            out_ += text_.substr(begin, match->begin - begin);
            if (match->begin != match->end) put(kRed, text_.substr(match->begin, match->end - match->begin));
            begin = match->end;
        }
        out_ += text_.substr(begin, content - begin);
    }

    void put(std::string_view color, std::string_view text) {
        if (style_.color) out_ += color;
        out_ += text;
        if (style_.color) out_ += kPlain;
    }
    /// What stands before what is shown of the line that begins here.
    void prefix(size_t begin, std::string_view mark = ":") { prefix(begin, mark, begin); }
    /// `from`: where in the text that is.
    void prefix(size_t begin, std::string_view mark, size_t from) {
        if (style_.with_name) put(kMagenta, name_), put(kCyan, mark);
        if (style_.count) return;
        if (style_.numbers) put(kGreen, std::to_string(number_of(begin))), put(kCyan, mark);
        if (style_.offsets) put(kGreen, std::to_string(from)), put(kCyan, mark);
    }
    /// Of the line that begins here.
    size_t number_of(size_t begin) {
        number_ += count_newlines(text_.substr(counted_, begin - counted_));
        counted_ = begin;
        return number_ + 1;
    }

    const Regex& regex_;
    std::string_view text_, name_;
    const GrepStyle& style_;
    GrepOutput& output_;
    std::string& out_;
    bool binary_, has_context_, ends_;
    std::vector<Regex::Line> found_;
    size_t next_     = 0;     ///< of these
    bool has_all_    = false; ///< there are none behind these
    size_t shown_    = 0;     ///< of the text, up to there
    size_t owed_     = 0;     ///< lines that are to be shown behind that
    size_t selected_ = 0;
    size_t number_ = 0, counted_ = 0; ///< newlines up to there
};

} // namespace

std::string between_groups(const GrepStyle& style) {
    return style.color ? std::string(kCyan) + "--" + std::string(kPlain) + "\n" : "--\n";
}

bool grep(const Regex& regex, std::string_view text, std::string_view name, const GrepStyle& style, GrepOutput& out) {
    return Search(regex, text, name, style, out).run();
}

} // namespace mim::plug::regex
