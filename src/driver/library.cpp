// SPDX-License-Identifier: MIT
// ELF with 64 bits only: other systems check by themselves. What lies in the right places is trusted: a library is code.
#include "driver/library.h"

#include <cstdint>
#include <cstring>
#include <fstream>

#include <dlfcn.h>

#if __has_include(<elf.h>)
#    include <elf.h>
#endif

#include "base/crash.h"

namespace mim {

#if __has_include(<elf.h>)

static bool is_elf64(const Elf64_Ehdr& head) {
    return std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_ident[EI_CLASS] == ELFCLASS64;
}

bool is_cut_off(const std::string& path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    auto size = static_cast<uint64_t>(in.tellg());
    auto fits = [&](uint64_t offset, uint64_t bytes) { return offset <= size && bytes <= size - offset; };
    Elf64_Ehdr head;
    in.seekg(0);
    if (!in.read(reinterpret_cast<char*>(&head), sizeof head) || !is_elf64(head)) return false;
    if (!fits(head.e_phoff, uint64_t(head.e_phnum) * sizeof(Elf64_Phdr))) return true;
    if (!fits(head.e_shoff, uint64_t(head.e_shnum) * sizeof(Elf64_Shdr))) return true;
    in.seekg(static_cast<std::streamoff>(head.e_phoff));
    for (unsigned i = 0; i != head.e_phnum; ++i) {
        Elf64_Phdr segment;
        if (!in.read(reinterpret_cast<char*>(&segment), sizeof segment)) return true;
        if (segment.p_type == PT_LOAD && !fits(segment.p_offset, segment.p_filesz)) return true;
    }
    return false;
}

#else

bool is_cut_off(const std::string&) { return false; }

#endif

std::string plugin_of_library(const std::string& path) {
    auto name = path.substr(path.rfind('/') + 1);
    if (name.ends_with(".so")) name.resize(name.size() - std::string_view(".so").size());
    return name.starts_with("libmim_") ? name.substr(std::string_view("libmim_").size()) : name;
}

/// An exception must not leave dlopen either: it ends here, as a crash.
static void* open_uncaught(const std::string& path, int flags) noexcept { return ::dlopen(path.c_str(), flags); }

void* open_library_of(std::string_view plugin, const std::string& path, int flags) {
    Blame blame(plugin, "the library", std::string_view(path).substr(path.rfind('/') + 1));
    Unguarded unguarded;
    return open_uncaught(path, flags);
}

} // namespace mim
