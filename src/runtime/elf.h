// SPDX-License-Identifier: MIT
// An ELF file in memory, 64 bits: an executable with where it was loaded, or a relocatable object whose section headers say where its
// sections are (as debuggers get it from a just-in-time compiler). Everything is checked against the file's size: it may be anything.
#pragma once
#include <elf.h>

#include <cstddef>
#include <cstdint>

namespace mim::runtime {

class Elf {
public:
    Elf(const char* data, size_t size, uint64_t bias);

    struct Bytes {
        const unsigned char* begin = nullptr;
        const unsigned char* end   = nullptr;
        unsigned index             = 0; ///< of the section
        explicit operator bool() const { return begin != end; }
    };
    Bytes section(const char* name) const;
    /// The function that contains the address; null if there is none.
    const char* function(uint64_t pc) const;
    /// The address that is stored at `at`, a place in the section `in`.
    uint64_t address(const Bytes& in, const unsigned char* at) const;

private:
    const Elf64_Shdr* header(size_t i) const { return i < num_ ? &headers_[i] : nullptr; }
    Bytes bytes(size_t i) const;
    const char* text(size_t strings, size_t offset) const;
    uint64_t place(const Elf64_Sym&) const;

    const char* data_;
    size_t size_;
    uint64_t bias_;
    const Elf64_Shdr* headers_ = nullptr;
    size_t num_                = 0;
    size_t names_              = 0;
    bool is_object_            = false;
};

} // namespace mim::runtime
