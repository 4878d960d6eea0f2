// SPDX-License-Identifier: MIT
#include "common/forked.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuzz {

namespace {

constexpr long max_kilobytes = 3 << 20; ///< more than the parent has

template<class T>
std::vector<T> read_at(std::ifstream& in, uint64_t offset, size_t n) {
    std::vector<T> all(n);
    in.seekg(static_cast<std::streamoff>(offset));
    in.read(reinterpret_cast<char*>(all.data()), static_cast<std::streamsize>(n * sizeof(T)));
    if (!in) all.clear();
    return all;
}

/// Address and size of a section in its file; the size is 0 if there is none.
ElfW(Shdr) find_section(const char* file, const char* name) {
    std::ifstream in(file, std::ios::binary);
    auto head = read_at<ElfW(Ehdr)>(in, 0, 1);
    if (head.empty()) return {};
    auto sections = read_at<ElfW(Shdr)>(in, head[0].e_shoff, head[0].e_shnum);
    if (head[0].e_shstrndx >= sections.size()) return {};
    auto& strings = sections[head[0].e_shstrndx];
    auto names    = read_at<char>(in, strings.sh_offset, strings.sh_size);
    for (auto& s : sections)
        if (s.sh_name < names.size() && std::strcmp(&names[s.sh_name], name) == 0) return s;
    return {};
}

/// The 8-bit counters of the program and of all libraries that were there when the first input came. None, if nothing counts coverage: the
/// inputs that are known are tested then, and no search is guided.
class Counters {
public:
    Counters() {
        ::dl_iterate_phdr(
            [](dl_phdr_info* library, size_t, void* self) {
                auto file    = *library->dlpi_name ? library->dlpi_name : "/proc/self/exe";
                auto section = find_section(file, "__sancov_cntrs");
                auto at      = reinterpret_cast<char*>(library->dlpi_addr + section.sh_addr);
                if (section.sh_size) static_cast<Counters*>(self)->ranges_.push_back({at, section.sh_size});
                return 0;
            },
            this);
        size_t size = 0;
        for (auto& r : ranges_) size += r.size;
        if (size == 0) return;
        auto p = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) std::fputs("fuzz: no room for the coverage counters\n", stderr), std::abort();
        shared_ = static_cast<char*>(p);
    }

    /// For the child: keeps what it reached.
    void keep() const {
        auto to = shared_;
        for (auto& r : ranges_) to = static_cast<char*>(std::memcpy(to, r.begin, r.size)) + r.size;
    }
    /// For the parent: as if it had run what the child ran.
    void bring() const {
        auto from = shared_;
        for (auto& r : ranges_) std::memcpy(r.begin, from, r.size), from += r.size;
    }

private:
    struct Range {
        char* begin;
        size_t size;
    };
    std::vector<Range> ranges_;
    char* shared_ = nullptr;
};

long kilobytes() {
    rusage use{};
    ::getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss;
}

} // namespace

void in_child(const std::function<void()>& work) {
    static const Counters counters;
    std::fflush(nullptr);
    auto pid = ::fork();
    if (pid < 0) std::perror("fuzz: fork"), std::abort();
    if (pid == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL); // a parent that ran out of time does not wait
        auto before = kilobytes();
        work();
        if (kilobytes() - before > max_kilobytes) std::fputs("fuzz: too much memory\n", stderr), std::abort();
        counters.keep();
        ::_exit(0);
    }
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    if (status == 0) return counters.bring();
    if (WIFSIGNALED(status)) std::fprintf(stderr, "fuzz: the child ended by signal %d\n", WTERMSIG(status)), std::abort();
    ::_exit(WEXITSTATUS(status));
}

} // namespace fuzz
