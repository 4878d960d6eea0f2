// SPDX-License-Identifier: MIT
#include "grep/ignore.h"

#include <fnmatch.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "driver/search.h"

namespace mim::plug::regex {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> split(std::string_view path) {
    std::vector<std::string> parts;
    for (size_t begin = 0, end = 0; end != path.npos; begin = end + 1) {
        end = path.find('/', begin);
        parts.emplace_back(path.substr(begin, end - begin));
    }
    return parts;
}

/// The lines of a text, which may end with a carriage return, without comments and empty ones.
std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        auto end  = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
        if (!line.empty() && line[0] != '#') lines.push_back(line);
    }
    return lines;
}

bool is_there(const fs::path& path) {
    std::error_code failed;
    return fs::exists(path, failed);
}

} // namespace

bool fits_path(std::string_view pattern, std::string_view path) {
    auto globs = split(pattern);
    auto names = split(path);
    // fits[j]: the patterns so far fit the first j names
    std::vector<bool> fits(names.size() + 1);
    fits[0] = true;
    for (size_t i = 0; i < globs.size(); ++i) {
        std::vector<bool> next(fits.size());
        bool is_any  = globs[i] == "**";
        bool is_last = i + 1 == globs.size();
        for (size_t j = 0; j < fits.size(); ++j) {
            if (is_any) next[j] = (fits[j] && !is_last) || (j != 0 && (next[j - 1] || fits[j - 1]));
            else next[j] = j != 0 && fits[j - 1] && ::fnmatch(globs[i].c_str(), names[j - 1].c_str(), 0) == 0;
        }
        fits = std::move(next);
    }
    return fits.back();
}

Ignored::Rule Ignored::rule(std::string_view line) {
    bool is_exception = line.starts_with('!');
    if (is_exception) line.remove_prefix(1);
    bool is_for_folders = line.ends_with('/');
    if (is_for_folders) line.remove_suffix(1);
    bool is_path = line.find('/') != line.npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    return {std::string(line), is_for_folders, is_exception, is_path};
}

Ignored::File Ignored::read(const fs::path& folder) {
    File file{folder, {}};
    std::string text, error;
    if (!read_file((folder / ".gitignore").string(), text, error)) return file;
    for (auto line : lines_of(text)) file.rules.push_back(rule(line));
    return file;
}

Ignored::Ignored(const fs::path& folder) {
    auto around = folder;
    while (!is_there(around / ".git") && around != around.parent_path()) {
        around = around.parent_path();
        files_.push_back(read(around));
    }
    bool is_repository = is_there(around / ".git");
    if (!is_repository) files_.clear();
    std::ranges::reverse(files_);
    enter(folder);
}

void Ignored::enter(const fs::path& folder) { files_.push_back(read(folder)); }

void Ignored::leave() { files_.pop_back(); }

bool Ignored::contains(const fs::path& entry, bool is_folder) const {
    auto name = entry.filename().string();
    if (name == ".git") return true;
    for (auto file = files_.rbegin(); file != files_.rend(); ++file) {
        auto path     = file->rules.empty() ? std::string() : entry.lexically_relative(file->folder).string();
        auto is_about = [&](const Rule& rule) {
            if (rule.is_for_folders && !is_folder) return false;
            return rule.is_path ? fits_path(rule.pattern, path) : ::fnmatch(rule.pattern.c_str(), name.c_str(), 0) == 0;
        };
        auto last = std::find_if(file->rules.rbegin(), file->rules.rend(), is_about);
        if (last != file->rules.rend()) return !last->is_exception;
    }
    return false;
}

} // namespace mim::plug::regex
