// SPDX-License-Identifier: MIT
// `mim grep PATTERN FILE…`: prints the lines that match, by code that was made for the pattern. Exits with 0 if there are such lines, 1 if
// there are none, and 2 if something went wrong, as grep does.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>

#include "driver/commands.h"
#include "driver/grep.h"
#include "driver/search.h"
#include "phase/crash.h"

namespace mim {

namespace {

namespace fs = std::filesystem;

/// The bytes of a file: mapped if it is one, read if it is something else, such as a pipe.
class Bytes {
public:
    /// False with the reason in `error`.
    bool open(const std::string& path, std::string& error) {
        int fd = path == "-" ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat s{};
        if (fd >= 0 && ::fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0) {
            auto size = static_cast<size_t>(s.st_size);
            auto map  = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
            if (map != MAP_FAILED) ::madvise(map, size, MADV_SEQUENTIAL), map_ = map, size_ = size;
        }
        if (fd >= 0) ::close(fd);
        return map_ || read_file(path, text_, error);
    }
    ~Bytes() {
        if (map_) ::munmap(map_, size_);
    }
    Bytes()                        = default;
    Bytes(const Bytes&)            = delete;
    Bytes& operator=(const Bytes&) = delete;

    std::string_view text() const { return map_ ? std::string_view(static_cast<const char*>(map_), size_) : text_; }

private:
    void* map_   = nullptr;
    size_t size_ = 0;
    std::string text_;
};

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
std::vector<std::string> patterns(const Options& o) {
    std::vector<std::string> all;
    for (auto& text : o.grep.patterns) {
        for (size_t begin = 0, end = 0; end != text.npos; begin = end + 1) {
            end      = text.find('\n', begin);
            auto one = text.substr(begin, end - begin);
            all.push_back(o.grep.fixed ? as_pattern(one) : one);
        }
    }
    return all;
}

/// One pattern for all of them.
std::string whole_pattern(const Options& o, const std::vector<std::string>& parts) {
    auto& g = o.grep;
    if (parts.size() == 1 && !g.word && !g.whole_line) return parts[0];
    std::string all;
    for (auto& one : parts) all += (all.empty() ? "(?:" : "|(?:") + one + ')';
    if (g.word) all = "(?<!\\w)(?:" + all + ")(?!\\w)";
    return g.whole_line ? "\\A(?:" + all + ")\\z" : all;
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
std::unique_ptr<Regex> compile(const Options& o, std::string& error) {
    Regex::Options options{
        .first = Regex::Matcher::Next, .lines = true, .ignore_case = o.grep.ignore_case, .plugin_dirs = o.plugin_dirs};
    auto parts = patterns(o);
    auto whole = whole_pattern(o, parts);
    if (parts[0] == whole) return Regex::compile(whole, error, options);
    if (auto wrong = o.grep.fixed ? std::nullopt : wrong_part(parts, options)) return error = *wrong, nullptr;
    Regex::Fault fault;
    auto regex = Regex::compile(whole, fault, options);
    error      = fault.message;
    return regex;
}

class Grep {
public:
    Grep(const Options& o, const Regex& regex, GrepStyle style)
        : o_(o)
        , regex_(regex)
        , style_(style) {}

    void path(const std::string& path) {
        std::error_code failed;
        if (path == "-" || !fs::is_directory(path, failed)) return file(path);
        if (!o_.grep.recursive) return complain(path, "is a directory: search in it with -r");
        folder(path);
    }
    /// All files in this folder, by their names there, or standard input.
    void no_path() { o_.grep.recursive ? folder(".", 2) : file("-"); }
    bool is_done() const { return style_.quiet && found_; }
    /// An error counts, unless nothing but a match was asked for.
    int status() const { return wrong_ && !is_done() ? 2 : found_ ? 0 : 1; }

private:
    /// All files in it; of their paths, what is before character `from` is not shown.
    void folder(const std::string& path, size_t from = 0) {
        std::error_code failed;
        std::vector<std::string> files;
        for (auto it = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, failed);
             !failed && it != fs::recursive_directory_iterator(); it.increment(failed))
            if (it->is_regular_file(failed)) files.push_back(it->path().string());
        if (failed) complain(path, failed.message());
        std::ranges::sort(files);
        for (auto& f : files) file(f.substr(from));
    }
    void file(const std::string& path) {
        if (is_done()) return;
        try {
            Bytes bytes;
            std::string error, out;
            if (!bytes.open(path, error)) return complain(path, error);
            if (!search(bytes.text(), path == "-" ? "(standard input)" : path, out)) return complain(path, kShrank);
            print_text(out);
        } catch (const std::bad_alloc&) {
            complain(path, "out of memory");
        }
    }
    /// False if the file is shorter by now: of what is mapped behind its end, nothing can be read.
    bool search(std::string_view text, const std::string& name, std::string& out) {
        int signal = guarded([&] { found_ |= grep(regex_, text, name, style_, out); });
        if (signal != 0 && signal != SIGBUS) std::abort(); // a fault of ours, for the handler of such
        return signal == 0;
    }
    void complain(const std::string& path, const std::string& what) {
        print_error("mim: " + path + ": " + what + "\n");
        wrong_ = true;
    }

    static constexpr auto kShrank = "the file became shorter while it was searched";

    const Options& o_;
    const Regex& regex_;
    GrepStyle style_;
    bool found_ = false, wrong_ = false;
};

} // namespace

int cmd_grep(const Options& given) {
    auto o = given;
    if (o.grep.patterns.empty()) {
        if (o.files.empty()) return print_error("mim: `mim grep` needs PATTERN [FILE…]\n"), kUsageError;
        o.grep.patterns.push_back(o.files.front());
        o.files.erase(o.files.begin());
    }
    std::string error;
    auto regex = compile(o, error);
    if (!regex) return print_error("mim: error: " + error + "\n"), kUsageError;

    std::error_code failed;
    bool many = o.files.size() > 1 || (o.grep.recursive && (o.files.empty() || fs::is_directory(o.files.front(), failed)));
    GrepStyle style{.invert            = o.grep.invert,
                    .numbers           = o.grep.numbers,
                    .only_matching     = o.grep.only_matching,
                    .color             = is_colored(o.color, 1),
                    .count             = o.grep.count,
                    .names_of_matching = o.grep.names_of_matching,
                    .quiet             = o.grep.quiet,
                    .with_name         = o.grep.with_name || (many && !o.grep.without_name)};
    Grep grep(o, *regex, style);
    if (o.files.empty()) grep.no_path();
    for (auto& path : o.files)
        if (!grep.is_done()) grep.path(path);
    return grep.status();
}

} // namespace mim
