// SPDX-License-Identifier: MIT
#include "grep/bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "driver/search.h"

namespace mim::plug::regex {

namespace {

/// From this size on, mapping a file takes less time than reading it.
constexpr off_t kLarge = 1 << 20;

/// All of a file of this size, or of more, if it grows meanwhile; false if it cannot be read.
bool read_all(int fd, size_t size, std::string& text) {
    text.resize(size + 1); // a read that finds less than that has met the end
    for (size_t filled = 0;;) {
        auto count = ::read(fd, text.data() + filled, text.size() - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        filled += static_cast<size_t>(count);
        if (filled < text.size()) return text.resize(filled), true;
        text.resize(2 * filled);
    }
}

} // namespace

bool Bytes::open(const std::string& path, std::string& error) {
    int fd = path == "-" ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat s{};
    bool is_file = fd >= 0 && ::fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0;
    auto size    = static_cast<size_t>(s.st_size);
    bool is_read = false;
    if (is_file && s.st_size >= kLarge) {
        auto map = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map != MAP_FAILED) ::madvise(map, size, MADV_SEQUENTIAL), map_ = map, size_ = size;
    } else if (is_file) {
        is_read = read_all(fd, size, text_);
    }
    if (fd >= 0) ::close(fd);
    return map_ || is_read || read_file(path, text_, error);
}

Bytes::~Bytes() {
    if (map_) ::munmap(map_, size_);
}

} // namespace mim::plug::regex
