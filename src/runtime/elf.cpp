// SPDX-License-Identifier: MIT
// See elf.h.
#include "runtime/elf.h"

#include <cstring>

namespace mim::runtime {

Elf::Elf(const char* data, size_t size, uint64_t bias)
    : data_(data)
    , size_(size)
    , bias_(bias) {
    auto file = reinterpret_cast<const Elf64_Ehdr*>(data);
    if (size < sizeof *file || memcmp(data, ELFMAG, SELFMAG) != 0 || file->e_ident[EI_CLASS] != ELFCLASS64) return;
    if (file->e_shentsize != sizeof(Elf64_Shdr) || file->e_shoff > size) return;
    if ((size - file->e_shoff) / sizeof(Elf64_Shdr) < file->e_shnum) return;
    headers_   = reinterpret_cast<const Elf64_Shdr*>(data + file->e_shoff);
    num_       = file->e_shnum;
    names_     = file->e_shstrndx;
    is_object_ = file->e_type == ET_REL;
}

Elf::Bytes Elf::bytes(size_t i) const {
    auto h = header(i);
    if (!h || h->sh_type == SHT_NOBITS || h->sh_offset > size_ || h->sh_size > size_ - h->sh_offset) return {};
    auto begin = reinterpret_cast<const unsigned char*>(data_ + h->sh_offset);
    return {begin, begin + h->sh_size, unsigned(i)};
}

const char* Elf::text(size_t strings, size_t offset) const {
    auto b = bytes(strings);
    if (offset >= size_t(b.end - b.begin) || b.end[-1]) return "";
    return reinterpret_cast<const char*>(b.begin + offset);
}

Elf::Bytes Elf::section(const char* name) const {
    for (size_t i = 1; i < num_; ++i)
        if (!(headers_[i].sh_flags & SHF_COMPRESSED) && strcmp(text(names_, headers_[i].sh_name), name) == 0) return bytes(i);
    return {};
}

/// Where the symbol is in the process.
uint64_t Elf::place(const Elf64_Sym& symbol) const {
    if (!is_object_) return symbol.st_value + bias_;
    auto h = header(symbol.st_shndx);
    return h ? h->sh_addr + symbol.st_value : 0;
}

const char* Elf::function(uint64_t pc) const {
    for (size_t i = 1; i < num_; ++i) {
        if (headers_[i].sh_type != SHT_SYMTAB) continue;
        auto table  = bytes(i);
        auto symbol = reinterpret_cast<const Elf64_Sym*>(table.begin);
        for (size_t n = size_t(table.end - table.begin) / sizeof *symbol; n-- > 0; ++symbol) {
            if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF) continue;
            auto begin = place(*symbol);
            if (begin <= pc && pc - begin < symbol->st_size) return text(headers_[i].sh_link, symbol->st_name);
        }
    }
    return nullptr;
}

/// In an object, a relocation says it.
uint64_t Elf::address(const Bytes& in, const unsigned char* at) const {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    if (!is_object_) return value + bias_;
    for (size_t i = 1; i < num_; ++i) {
        if (headers_[i].sh_type != SHT_RELA || headers_[i].sh_info != in.index) continue;
        auto table   = bytes(i);
        auto symbols = bytes(headers_[i].sh_link);
        auto rela    = reinterpret_cast<const Elf64_Rela*>(table.begin);
        for (size_t n = size_t(table.end - table.begin) / sizeof *rela; n-- > 0; ++rela) {
            if (rela->r_offset != uint64_t(at - in.begin)) continue;
            auto index = ELF64_R_SYM(rela->r_info);
            if (index >= size_t(symbols.end - symbols.begin) / sizeof(Elf64_Sym)) return 0;
            return place(reinterpret_cast<const Elf64_Sym*>(symbols.begin)[index]) + uint64_t(rela->r_addend);
        }
    }
    return value;
}

} // namespace mim::runtime
