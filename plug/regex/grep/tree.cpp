// SPDX-License-Identifier: MIT
#include "grep/tree.h"

#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "grep/ignore.h"

namespace mim::plug::regex {

namespace fs = std::filesystem;

namespace {

using Complain = std::function<void(const std::string&, const std::string&)>;

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

/// As the system has them: paths of the standard library take as long as what is done with a small file.
class Walk {
public:
    Walk(const fs::path& folder, const FileChoice& choice, const Complain& complain)
        : choice_(choice)
        , complain_(complain) {
        std::error_code failed;
        if (choice.without_ignored) ignored_.emplace(fs::weakly_canonical(folder, failed));
    }

    /// `real`: its canonical path.
    void enter(const std::string& folder, const fs::path& real) {
        std::unique_ptr<DIR, CloseFolder> stream(::opendir(folder.c_str()));
        if (!stream) {
            if (errno != EACCES) complain_(folder, std::strerror(errno));
            return;
        }
        auto prefix = folder.ends_with('/') ? folder : folder + '/';
        errno       = 0;
        while (auto entry = ::readdir(stream.get())) {
            std::string_view name = entry->d_name;
            if (name != "." && name != "..") visit(prefix, *entry, real);
            errno = 0;
        }
        if (errno != 0) complain_(folder, std::strerror(errno));
    }
    std::vector<std::string> files;

private:
    void visit(const std::string& prefix, const dirent& entry, const fs::path& real) {
        auto path      = prefix + entry.d_name;
        auto type      = type_of(path, entry);
        bool is_folder = type == DT_DIR;
        bool is_file   = type == DT_REG;
        if (is_file && !choice_.takes(path)) return;
        if (!ignored_) {
            if (is_folder) enter(path, real);
        } else {
            auto real_path = real / entry.d_name;
            if (ignored_->contains(real_path, is_folder)) return;
            if (is_folder) {
                ignored_->enter(real_path);
                enter(path, real_path);
                ignored_->leave();
            }
        }
        if (is_file) files.push_back(std::move(path));
    }
    /// Some file systems do not tell it with the name.
    static unsigned char type_of(const std::string& path, const dirent& entry) {
        if (entry.d_type != DT_UNKNOWN) return entry.d_type;
        struct stat s{};
        if (::lstat(path.c_str(), &s) != 0) return DT_UNKNOWN;
        return S_ISDIR(s.st_mode) ? DT_DIR : S_ISREG(s.st_mode) ? DT_REG : DT_UNKNOWN;
    }

    const FileChoice& choice_;
    const Complain& complain_;
    std::optional<Ignored> ignored_;
};

} // namespace

bool FileChoice::takes(const std::string& path) const {
    auto name = path.c_str() + (path.rfind('/') + 1);
    auto fits = [&](const std::string& glob) { return ::fnmatch(glob.c_str(), name, 0) == 0; };
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
