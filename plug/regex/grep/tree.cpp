// SPDX-License-Identifier: MIT
#include "grep/tree.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "grep/ignore.h"

namespace mim::plug::regex {

namespace fs = std::filesystem;

namespace {

using Complain = std::function<void(const std::string&, const std::string&)>;

class Walk {
public:
    Walk(const fs::path& folder, const FileChoice& choice, const Complain& complain)
        : choice_(choice)
        , complain_(complain) {
        std::error_code failed;
        if (choice.without_ignored) ignored_.emplace(fs::weakly_canonical(folder, failed));
    }

    /// `real`: its canonical path.
    void enter(const fs::path& folder, const fs::path& real) {
        std::error_code failed;
        auto entries = fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, failed);
        for (; !failed && entries != fs::directory_iterator(); entries.increment(failed)) visit(*entries, real);
        if (failed) complain_(folder.string(), failed.message());
    }
    std::vector<std::string> files;

private:
    void visit(const fs::directory_entry& entry, const fs::path& real) {
        std::error_code failed;
        if (entry.is_symlink(failed)) return;
        bool is_folder = entry.is_directory(failed);
        bool is_file   = !is_folder && entry.is_regular_file(failed);
        if (is_file && !choice_.takes(entry.path().string())) return;
        if (!ignored_) {
            if (is_folder) enter(entry.path(), real);
        } else {
            auto path = real / entry.path().filename();
            if (ignored_->contains(path, is_folder)) return;
            if (is_folder) {
                ignored_->enter(path);
                enter(entry.path(), path);
                ignored_->leave();
            }
        }
        if (is_file) files.push_back(entry.path().string());
    }

    const FileChoice& choice_;
    const Complain& complain_;
    std::optional<Ignored> ignored_;
};

} // namespace

bool FileChoice::takes(const std::string& path) const {
    auto name = fs::path(path).filename().string();
    auto fits = [&](const std::string& glob) { return ::fnmatch(glob.c_str(), name.c_str(), 0) == 0; };
    if (std::ranges::any_of(excluded, fits)) return false;
    return included.empty() || std::ranges::any_of(included, fits);
}

std::vector<std::string> files_in(const std::string& folder, const FileChoice& choice, const Complain& complain) {
    std::error_code failed;
    Walk walk(folder, choice, complain);
    walk.enter(folder, choice.without_ignored ? fs::weakly_canonical(folder, failed) : fs::path());
    std::ranges::sort(walk.files);
    return std::move(walk.files);
}

} // namespace mim::plug::regex
