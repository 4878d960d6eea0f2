// SPDX-License-Identifier: MIT
#include "driver/search.h"

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mim {

namespace {

bool status_of_file(const std::string& path, struct stat& st) {
    return (path == "-" ? ::fstat(0, &st) : ::stat(path.c_str(), &st)) == 0;
}

} // namespace

bool is_file(const std::string& path) {
    struct stat st;
    return ::stat(path.c_str(), &st) == 0 && !S_ISDIR(st.st_mode);
}

bool is_same_file(const std::string& a, const std::string& b) {
    struct stat s, t;
    if (!status_of_file(a, s) || !status_of_file(b, t)) return false;
    return S_ISREG(s.st_mode) && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

std::string dir_of(std::string_view path) {
    auto slash = path.rfind('/');
    if (slash == path.npos) return ".";
    return std::string(slash == 0 ? "/" : path.substr(0, slash));
}

std::string extension_of(std::string_view path) {
    if (auto slash = path.rfind('/'); slash != path.npos) path.remove_prefix(slash + 1);
    auto dot = path.rfind('.');
    return dot == path.npos || dot == 0 ? std::string() : std::string(path.substr(dot + 1));
}

std::string other_extension_of(std::string_view path) {
    auto extension = extension_of(path);
    return extension == "mim" ? std::string() : extension;
}

std::string library_beside(const std::string& declarations, std::string_view plugin) {
    auto path = dir_of(declarations) + "/libmim_" + std::string(plugin) + ".so";
    return is_file(path) ? path : std::string();
}

std::string stem_of(std::string_view path) {
    if (auto slash = path.rfind('/'); slash != path.npos) path.remove_prefix(slash + 1);
    if (path.ends_with(".mim")) path.remove_suffix(4);
    return std::string(path);
}

bool read_file(const std::string& path, std::string& text, std::string& error) {
    int fd = path == "-" ? 0 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return error = std::strerror(errno), false;
    struct stat st;
    size_t size = ::fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? static_cast<size_t>(st.st_size) : 0;
    size_t end  = 0;
    bool ok     = true;
    for (;;) {
        // One byte more than expected, so that a file of known size ends without growing the buffer.
        if (end == text.size()) text.resize(end == 0 ? size + 1 : end * 2 + 4096);
        auto n = ::read(fd, text.data() + end, text.size() - end);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) error = std::strerror(errno), ok = false;
        if (n <= 0) break;
        end += static_cast<size_t>(n);
        if (end > UINT32_MAX / 2) {
            error = "the file is larger than 2 GiB";
            ok    = false;
            break;
        }
    }
    text.resize(end);
    if (fd != 0) ::close(fd);
    return ok;
}

std::string installed_plugin_dir() {
    Dl_info info;
    if (!::dladdr(reinterpret_cast<const void*>(&installed_plugin_dir), &info) || !info.dli_fname) return {};
    char real[PATH_MAX];
    // In a static build the object is the program itself, whose name may be relative: /proc tells the truth then.
    auto path = ::realpath(info.dli_fname, real);
    if (!path) {
        auto n = ::readlink("/proc/self/exe", real, sizeof(real) - 1);
        if (n <= 0) return {};
        real[n] = '\0';
    }
    auto dir = dir_of(real);
    struct stat st;
    for (auto candidate : {dir + "/mim", dir_of(dir) + "/lib/mim"})
        if (::stat(candidate.c_str(), &st) == 0 && S_ISDIR(st.st_mode)) return candidate;
    return dir + "/mim";
}

SearchPath::SearchPath(const std::vector<std::string>& extra)
    : dirs_(extra) {
    if (auto env = std::getenv("MIM_PLUGIN_PATH")) {
        std::string_view rest = env;
        while (!rest.empty()) {
            auto colon = rest.find(':');
            if (auto dir = rest.substr(0, colon); !dir.empty()) dirs_.emplace_back(dir);
            rest = colon == rest.npos ? std::string_view() : rest.substr(colon + 1);
        }
    }
    if (auto dir = installed_plugin_dir(); !dir.empty()) dirs_.push_back(std::move(dir));
}

std::string SearchPath::plugin(std::string_view name) const {
    auto file = std::string(name) + ".mim";
    for (auto& dir : dirs_) {
        for (auto path : {dir + "/" + file, dir + "/" + std::string(name) + "/" + file})
            if (is_file(path)) return path;
    }
    return {};
}

std::string SearchPath::import(std::string_view importing_file, std::string_view plugin, std::string_view path,
                               bool quoted) const {
    auto file = std::string(path);
    if (!quoted) file += ".mim";
    if (file.starts_with('/')) return is_file(file) ? file : std::string();
    auto dir = dir_of(importing_file);
    if (auto near = dir == "." && !importing_file.starts_with("./") ? file : dir + "/" + file; is_file(near)) return near;
    auto own = dir + "/" + std::string(plugin) + "/" + file;
    if (!plugin.empty() && is_file(own)) return own;
    for (auto& d : dirs_)
        if (auto p = d + "/" + file; is_file(p)) return p;
    return {};
}

std::string SearchPath::text() const {
    std::string out;
    for (auto& d : dirs_) out += (out.empty() ? "`" : ", `") + d + "`";
    return out.empty() ? "no folder at all" : out;
}

} // namespace mim
