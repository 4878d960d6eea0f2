// SPDX-License-Identifier: MIT
// `mim grep PATTERN FILE…`: prints the lines that match, by code that was made for the pattern. Exits with 0 if there are such lines, 1 if
// there are none, and 2 if something went wrong, as grep does.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <utility>

#include "driver/search.h"
#include "grep/command.h"
#include "grep/files.h"
#include "grep/grep.h"
#include "grep/tree.h"

namespace mim::plug::regex {

namespace {

constexpr auto kNothing = "a\\Aa"; ///< a pattern that matches no text
constexpr int kMatch = 0, kNoMatch = 1, kTrouble = 2;

namespace fs = std::filesystem;

/// A pattern that matches just this text.
std::string as_pattern(std::string_view text) {
    std::string result;
    for (auto c : text) {
        if (std::strchr("\\^$.[]|()?*+{}", c) && c != 0) result += '\\';
        result += c;
    }
    return result;
}

/// The patterns that were given: the lines of each text.
std::vector<std::string> lines_of(const std::vector<std::string>& texts, bool is_fixed) {
    std::vector<std::string> all;
    for (auto& text : texts) {
        for (size_t begin = 0, end = 0; end != text.npos; begin = end + 1) {
            end      = text.find('\n', begin);
            auto one = text.substr(begin, end - begin);
            all.push_back(is_fixed ? as_pattern(one) : one);
        }
    }
    return all;
}

/// One pattern for all of them.
std::string whole_pattern(const CommandContext& c, const std::vector<std::string>& parts) {
    bool is_word = c.has("--word-regexp");
    bool is_line = c.has("--line-regexp");
    if (parts.size() == 1 && !is_word && !is_line) return parts[0];
    std::string all;
    for (auto& one : parts) all += (all.empty() ? "(?:" : "|(?:") + one + ')';
    if (is_word) all = "(?<!\\w)(?:" + all + ")(?!\\w)";
    return is_line ? "\\A(?:" + all + ")\\z" : all;
}

/// The patterns of options; false, and why, if a file of them cannot be read. The last newline of a file ends its last
/// pattern, and a file of nothing has none.
bool given_patterns(const CommandContext& c, std::vector<std::string>& texts, std::string& error) {
    texts = c.values("--regexp");
    for (auto& path : c.values("--file")) {
        std::string text, why;
        if (!read_file(path, text, why)) return error = path + ": " + why, false;
        if (text.empty()) continue;
        if (text.ends_with('\n')) text.pop_back();
        texts.push_back(std::move(text));
    }
    return true;
}

/// What is wrong with a part that is no pattern. In one pattern for all, what one of them leaves open another one may close.
std::optional<std::string> wrong_part(const std::vector<std::string>& parts, const Regex::Options& options) {
    auto is_plain = [](char c) { return uint8_t(c) < 128 && !std::strchr("\\[](){}*+?", c); };
    for (auto& part : parts) {
        if (std::ranges::all_of(part, is_plain)) continue;
        if (auto fault = Regex::check(part, options)) return fault->text(part);
    }
    return {};
}

/// Null, and why, if one of the patterns is none: that one alone is shown.
std::unique_ptr<Regex> compile(const CommandContext& c, const std::vector<std::string>& texts, std::string& error) {
    Regex::Options options{.first       = Regex::Matcher::Next,
                           .lines       = true,
                           .ignore_case = c.has("--ignore-case"),
                           .wait        = true,
                           .plugin_dirs = c.plugin_dirs()};
    bool is_fixed = c.has("--fixed-strings");
    auto parts    = lines_of(texts, is_fixed);
    auto whole    = whole_pattern(c, parts);
    if (parts[0] == whole) return Regex::compile(whole, error, options);
    if (auto wrong = is_fixed ? std::nullopt : wrong_part(parts, options)) return error = *wrong, nullptr;
    Regex::Fault fault;
    auto regex = Regex::compile(whole, fault, options);
    error      = fault.message;
    return regex;
}

class Grep {
public:
    Grep(const CommandContext& context, const Regex& regex, GrepStyle style)
        : context_(context)
        , is_recursive_(context.has("--recursive"))
        , is_silent_(context.has("--no-messages"))
        , choice_{context.values("--include"), context.values("--exclude"), context.has("--gitignore")}
        , regex_(regex)
        , style_(style) {}

    void path(const std::string& path) {
        std::error_code failed;
        if (path == "-" || !fs::is_directory(path, failed)) return file(path);
        if (!is_recursive_) return complain(path, "is a directory: search in it with -r");
        folder(path);
    }
    /// All files in this folder, by their names there, or standard input.
    void no_path() { is_recursive_ ? folder(".", 2) : file("-"); }
    bool is_done() const { return style_.quiet && found_; }
    /// An error counts, unless nothing but a match was asked for.
    int status() const {
        if (wrong_ && !is_done()) return kTrouble;
        return found_ ? kMatch : kNoMatch;
    }

private:
    /// All files in it; of their paths, what is before character `from` is not shown.
    void folder(const std::string& path, size_t from = 0) {
        auto files = files_in(path, choice_, [&](auto& unread, auto& why) { complain(unread, why); });
        search_files(regex_, files, from, style_, [&](size_t i, FileResult result) {
            show(files[i].substr(from), result);
            return !is_done();
        });
    }
    void file(const std::string& path) {
        if (path == "-" || choice_.takes(path)) show(path, search_file(regex_, path, 0, style_));
    }
    void show(const std::string& path, const FileResult& result) {
        auto& [output, found, trouble] = result;
        if (!trouble.empty()) return complain(path, trouble);
        found_ |= found;
        if (output.has_groups && std::exchange(has_groups_, true)) context_.print(between_groups(style_));
        context_.print(output.lines);
        context_.error(output.message);
    }
    void complain(const std::string& path, const std::string& what) {
        if (!is_silent_) context_.error("mim: " + path + ": " + what + "\n");
        wrong_ = true;
    }

    const CommandContext& context_;
    bool is_recursive_, is_silent_;
    FileChoice choice_;
    const Regex& regex_;
    GrepStyle style_;
    bool found_ = false, wrong_ = false;
    bool has_groups_ = false; ///< lines were shown with those around them
};

/// Whether several files are searched, so that each line needs the name of its own.
bool are_many(const CommandContext& c, const std::vector<std::string>& files) {
    if (files.size() > 1) return true;
    std::error_code failed;
    return c.has("--recursive") && (files.empty() || fs::is_directory(files.front(), failed));
}

/// The numbers that options have.
struct Numbers {
    size_t before = 0, after = 0, most = static_cast<size_t>(-1);
};

/// The fault of one of them; null if there is none.
std::optional<std::string> read(const CommandContext& c, Numbers& numbers) {
    std::optional<std::string> wrong;
    auto read = [&](const char* option, size_t& number) {
        auto values = c.values(option);
        if (values.empty()) return;
        auto& text        = values.back();
        auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size())
            wrong = "`" + std::string(option) + "` takes a number of lines, and `" + text + "` is none";
    };
    size_t both = 0;
    read("--context", both);
    numbers.before = numbers.after = both;
    read("--before-context", numbers.before), read("--after-context", numbers.after);
    read("--max-count", numbers.most);
    return wrong;
}

GrepStyle style_of(const CommandContext& c, bool are_many, const Numbers& numbers) {
    auto name  = c.last_of({"--with-filename", "--no-filename"});
    auto names = c.last_of({"--files-with-matches", "--files-without-match"});
    return {.invert            = c.has("--invert-match"),
            .numbers           = c.has("--line-number"),
            .offsets           = c.has("--byte-offset"),
            .only_matching     = c.has("--only-matching"),
            .color             = c.is_colored(),
            .count             = c.has("--count"),
            .names_of_matching = names == "--files-with-matches",
            .names_of_others   = names == "--files-without-match",
            .quiet             = c.has("--quiet"),
            .with_name         = name.empty() ? are_many : name == "--with-filename",
            .is_text           = c.has("--text"),
            .is_text_only      = c.has("--no-binary"),
            .before            = numbers.before,
            .after             = numbers.after,
            .most              = numbers.most};
}

int run(CommandContext& c) {
    auto files = c.operands();
    std::vector<std::string> texts;
    std::string error;
    if (!given_patterns(c, texts, error)) return c.error("mim: " + error + "\n"), kTrouble;
    if (texts.empty() && !c.values("--file").empty()) texts.push_back(kNothing);
    if (texts.empty()) {
        if (files.empty()) return c.error("mim: `mim grep` needs PATTERN [FILE…]\n"), kTrouble;
        texts.push_back(files.front());
        files.erase(files.begin());
    }
    Numbers numbers;
    if (auto wrong = read(c, numbers)) return c.error("mim: " + *wrong + "\n"), kTrouble;
    auto regex = compile(c, texts, error);
    if (!regex) return c.error("mim: error: " + error + "\n"), kTrouble;

    Grep grep(c, *regex, style_of(c, are_many(c, files), numbers));
    if (files.empty()) grep.no_path();
    for (auto& path : files)
        if (!grep.is_done()) grep.path(path);
    return grep.status();
}

} // namespace

void add_grep(PluginBuilder& p) {
    CommandSpec spec{.name     = "grep",
                     .operands = "PATTERN [FILE…]",
                     .summary  = "the lines of files that match a regular expression",
                     .options  = {{"--regexp", "-e", "PATTERN", "a pattern; several match what one of them does"},
                                  {"--file", "-f", "FILE", "each line of the file is a pattern"},
                                  {"--ignore-case", "-i", "", "small and capital letters alike"},
                                  {"--extended-regexp", "-E", "", "patterns are regular expressions; the default"},
                                  {"--fixed-strings", "-F", "", "patterns are texts"},
                                  {"--word-regexp", "-w", "", "only matches between the ends of words"},
                                  {"--line-regexp", "-x", "", "only matches that are a whole line"},
                                  {"--invert-match", "-v", "", "the lines that do not match"},
                                  {"--count", "-c", "", "how many lines, instead of them"},
                                  {"--files-with-matches", "-l", "", "the files that have such lines, instead of them"},
                                  {"--files-without-match", "-L", "", "the files that have none, instead of lines"},
                                  {"--max-count", "-m", "COUNT", "no more than so many lines of a file"},
                                  {"--quiet", "-q", "", "nothing: the exit status tells"},
                                  {"--only-matching", "-o", "", "the matches, one a line, instead of lines"},
                                  {"--line-number", "-n", "", "the number of each line before it"},
                                  {"--byte-offset", "-b", "", "where in the file each line, or match, begins"},
                                  {"--with-filename", "-H", "", "the file before each line; the default for several"},
                                  {"--no-filename", "-h", "", "never the file"},
                                  {"--after-context", "-A", "COUNT", "so many lines behind each, too"},
                                  {"--before-context", "-B", "COUNT", "so many lines before each, too"},
                                  {"--context", "-C", "COUNT", "so many lines before and behind each, too"},
                                  {"--text", "-a", "", "files are texts, whatever their bytes are"},
                                  {"--no-binary", "-I", "", "skip binary files"},
                                  {"--no-messages", "-s", "", "nothing about files that cannot be read"},
                                  {"--include", "", "GLOB", "only files with such a name; several add up"},
                                  {"--exclude", "", "GLOB", "no files with such a name"},
                                  {"--recursive", "-r", "", "folders stand for the files in them"},
                                  {"--gitignore", "", "", "in folders, no files that a .gitignore names"}},
                     .status   = "exit status: 0 there are such lines · 1 there are none · 2 something went wrong · "
                                 "FILE may be - for standard input, which is also read without one.",
                     .failure  = kTrouble};
    p.command(spec, run);
}

} // namespace mim::plug::regex
