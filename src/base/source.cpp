// SPDX-License-Identifier: MIT
#include "base/source.h"

#include <algorithm>

namespace mim {

FileId SourceManager::add(std::string path, std::string text) {
    files_.push_back({std::move(path), std::move(text), false, {}});
    return static_cast<FileId>(files_.size());
}

/// The place of a diagnostic may be of no file: it may come from a plugin.
static bool is_file(const auto& files, FileId id) { return id != 0 && id <= files.size(); }

const std::string& SourceManager::path(FileId id) const {
    static const std::string none;
    return is_file(files_, id) ? files_[id - 1].path : none;
}
std::string_view SourceManager::text(FileId id) const {
    return is_file(files_, id) ? std::string_view(files_[id - 1].text) : std::string_view();
}
std::string_view SourceManager::text(Span span) const {
    auto text  = this->text(span.file);
    auto begin = std::min<size_t>(span.begin, text.size());
    return text.substr(begin, span.end > begin ? span.end - begin : 0);
}

void SourceManager::set_foreign(FileId id) { files_[id - 1].is_foreign = true; }
bool SourceManager::is_foreign(FileId id) const { return is_file(files_, id) && files_[id - 1].is_foreign; }

const std::vector<uint32_t>& SourceManager::lines(FileId id) const {
    static const std::vector<uint32_t> none{0};
    if (!is_file(files_, id)) return none;
    auto& file = files_[id - 1];
    if (file.lines.empty()) {
        file.lines.push_back(0);
        for (uint32_t i = 0; i < file.text.size(); ++i)
            if (file.text[i] == '\n') file.lines.push_back(i + 1);
    }
    return file.lines;
}

LineCol SourceManager::line_col(FileId id, uint32_t offset) const {
    auto& starts = lines(id);
    auto it      = std::upper_bound(starts.begin(), starts.end(), offset) - 1;
    return {static_cast<uint32_t>(it - starts.begin()) + 1, offset - *it + 1};
}

std::string_view SourceManager::line(FileId id, uint32_t line) const {
    auto& starts = lines(id);
    if (line == 0 || line > starts.size()) return {};
    auto text  = this->text(id);
    auto begin = starts[line - 1];
    auto end   = line < starts.size() ? starts[line] - 1 : text.size();
    auto view  = text.substr(begin, end - begin);
    if (!view.empty() && view.back() == '\r') view.remove_suffix(1);
    return view;
}

} // namespace mim
