// SPDX-License-Identifier: MIT
#include "grep/bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/search.h"

namespace mim::plug::regex {

namespace {

/// From this size on, mapping a file takes less time than reading it.
constexpr off_t kLarge = 1 << 20;

} // namespace

bool Bytes::open(const std::string& path, std::string& error) {
    int fd = path == "-" ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat s{};
    if (fd >= 0 && ::fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size >= kLarge) {
        auto size = static_cast<size_t>(s.st_size);
        auto map  = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map != MAP_FAILED) ::madvise(map, size, MADV_SEQUENTIAL), map_ = map, size_ = size;
    }
    if (fd >= 0) ::close(fd);
    return map_ || read_file(path, text_, error);
}

Bytes::~Bytes() {
    if (map_) ::munmap(map_, size_);
}

} // namespace mim::plug::regex
