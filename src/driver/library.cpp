// SPDX-License-Identifier: MIT
// ELF with 64 bits only: other systems check by themselves. What lies in the right places is trusted: a library is code.
#include "driver/library.h"

#include <cstdint>
#include <cstring>
#include <fstream>

#if __has_include(<elf.h>)
#    include <elf.h>
#endif

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

} // namespace mim
