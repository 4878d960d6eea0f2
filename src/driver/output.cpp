// SPDX-License-Identifier: MIT
#include "driver/output.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/search.h"

namespace mim {

namespace {

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        auto n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes.remove_prefix(static_cast<size_t>(n));
    }
    return true;
}

bool fail(std::string& error) {
    error = std::strerror(errno);
    return false;
}

/// The file that a chain of symbolic links ends in, so that the link stays and its target is replaced.
std::string target_of(const std::string& path) {
    char real[PATH_MAX];
    return ::realpath(path.c_str(), real) ? real : path;
}

bool replace(const std::string& path, std::string_view bytes, std::string& error, mode_t mode) {
    auto temporary = path + ".XXXXXX";
    int fd         = ::mkstemp(temporary.data());
    if (fd < 0) return fail(error);
    bool ok = write_all(fd, bytes) && ::fchmod(fd, mode) == 0;
    if (!ok) fail(error);
    if (::close(fd) != 0 && ok) ok = fail(error);
    if (ok && ::rename(temporary.c_str(), path.c_str()) != 0) ok = fail(error);
    if (!ok) ::unlink(temporary.c_str());
    return ok;
}

bool is_standard_output(const std::string& path) { return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1"; }

/// What a file created in the usual way would get.
mode_t default_mode(bool executable) {
    auto mask = ::umask(0);
    ::umask(mask);
    return (executable ? 0777 : 0666) & ~mask;
}

} // namespace

bool write_output(const std::string& path, std::string_view bytes, std::string& error, bool executable) {
    // Opened anew, /dev/stdout would be written from its beginning if it is a file.
    if (is_standard_output(path)) return write_all(1, bytes) || fail(error);
    struct stat st;
    bool exists    = ::stat(path.c_str(), &st) == 0;
    bool is_direct = path.starts_with("/dev/") || path.starts_with("/proc/"); // even if a file is behind it
    if (exists && ::access(path.c_str(), W_OK) != 0) return fail(error);
    if (!is_direct && (!exists || S_ISREG(st.st_mode))) {
        auto mode = exists ? (st.st_mode & 0777) | (executable ? 0111 : 0) : default_mode(executable);
        return replace(target_of(path), bytes, error, mode);
    }
    int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return fail(error);
    bool ok = write_all(fd, bytes) || fail(error);
    if (::close(fd) != 0 && ok) ok = fail(error);
    return ok;
}

bool write_result(const std::string& path, std::string_view bytes, std::span<const std::string> inputs, std::string& error,
                  bool executable) {
    auto is_output = [&](const std::string& input) { return is_same_file(input, path); };
    if (!is_standard_output(path) && std::ranges::any_of(inputs, is_output)) {
        error = "it is an input, which would be lost";
        return false;
    }
    return write_output(path, bytes, error, executable);
}

} // namespace mim
