// SPDX-License-Identifier: MIT
// The state machine of DWARF 4, section 6.2. A row holds from its address to that of the next row of its sequence.
#include "runtime/lines.h"

#include <cstring>

namespace mim::runtime {

namespace {

/// Reads within bounds: behind the end there are zeros.
class Reader {
public:
    Reader(const unsigned char* begin, const unsigned char* end)
        : at_(begin)
        , end_(end) {}

    bool done() const { return at_ >= end_; }
    const unsigned char* at() const { return at_; }
    void skip(uint64_t n) { at_ = n < uint64_t(end_ - at_) ? at_ + n : end_; }
    uint64_t number(unsigned bytes) {
        uint64_t n = 0;
        for (unsigned i = 0; i != bytes; ++i) n |= uint64_t(done() ? 0 : *at_++) << 8 * i;
        return n;
    }
    uint64_t unsigned_leb() {
        uint64_t n = 0;
        for (unsigned shift = 0; !done(); shift += 7) {
            auto byte = *at_++;
            if (shift < 64) n |= uint64_t(byte & 0x7f) << shift;
            if (!(byte & 0x80)) break;
        }
        return n;
    }
    int64_t signed_leb() {
        uint64_t n     = 0;
        unsigned shift = 0;
        while (!done()) {
            auto byte = *at_++;
            if (shift < 64) n |= uint64_t(byte & 0x7f) << shift;
            shift += 7;
            if (byte & 0x80) continue;
            if (shift < 64 && byte & 0x40) n |= ~uint64_t(0) << shift;
            break;
        }
        return int64_t(n);
    }
    const char* text() {
        auto begin = at_;
        while (!done() && *at_) ++at_;
        if (done()) return "";
        ++at_;
        return reinterpret_cast<const char*>(begin);
    }

private:
    const unsigned char* at_;
    const unsigned char* end_;
};

/// One unit's table.
class Table {
public:
    Table(const Elf& elf, const Elf::Bytes& section, const unsigned char* begin, const unsigned char* end)
        : elf_(elf)
        , section_(section)
        , in_(begin, end) {}

    Line find(uint64_t pc) {
        if (!header()) return {};
        pc_ = pc;
        Row row, last;
        bool has_last = false; // in this sequence
        while (!in_.done()) {
            auto what = step(row);
            if (what == None) continue;
            if (has_last && last.address <= pc_ && pc_ < row.address && last.line) return {file(last.file), last.line};
            last     = row;
            has_last = what == NewRow;
            if (what == EndSequence) row = {};
        }
        return {};
    }

private:
    struct Row {
        uint64_t address = 0, file = 1, line = 1;
    };
    enum Step { None, NewRow, EndSequence };

    bool header() {
        auto version = in_.number(2);
        if (version < 2 || version > 4) return false;
        auto length  = in_.number(4);
        auto program = in_;
        program.skip(length);
        min_length_ = in_.number(1);
        if (version == 4) in_.number(1); // operations in an instruction, of VLIW machines
        in_.number(1);                   // whether a row begins a statement
        line_base_   = int8_t(in_.number(1));
        line_range_  = in_.number(1);
        opcode_base_ = in_.number(1);
        for (uint64_t i = 1; i < opcode_base_; ++i) lengths_[i] = uint8_t(in_.number(1));
        while (!in_.done() && *in_.text()) {} // folders
        files_ = in_;
        in_    = program;
        return line_range_ != 0;
    }

    const char* file(uint64_t number) {
        auto files = files_;
        while (true) {
            auto name = files.text();
            if (!*name) return nullptr;
            if (--number == 0) return name;
            for (int i = 0; i != 3; ++i) files.unsigned_leb(); // folder, time, size
        }
    }

    Step step(Row& row) {
        auto op = in_.number(1);
        if (op == 0) return extended(row);
        if (op >= opcode_base_) {
            op -= opcode_base_;
            row.address += op / line_range_ * min_length_;
            row.line += uint64_t(line_base_ + int64_t(op % line_range_));
            return NewRow;
        }
        switch (op) {
            case 1: return NewRow;                                                          // copy
            case 2: row.address += in_.unsigned_leb() * min_length_; break;                 // advance_pc
            case 3: row.line += uint64_t(in_.signed_leb()); break;                          // advance_line
            case 4: row.file = in_.unsigned_leb(); break;                                   // set_file
            case 8: row.address += (255 - opcode_base_) / line_range_ * min_length_; break; // const_add_pc
            case 9: row.address += in_.number(2); break;                                    // fixed_advance_pc
            default:
                for (int i = lengths_[op]; i > 0; --i) in_.unsigned_leb();
        }
        return None;
    }

    Step extended(Row& row) {
        auto length = in_.unsigned_leb();
        auto next   = in_;
        next.skip(length);
        auto op = in_.number(1);
        if (op == 2) row.address = elf_.address(section_, in_.at()); // set_address
        in_ = next;
        return op == 1 ? EndSequence : None;
    }

    const Elf& elf_;
    const Elf::Bytes& section_;
    Reader in_, files_{nullptr, nullptr};
    uint64_t pc_ = 0, min_length_ = 1, line_range_ = 1, opcode_base_ = 1;
    int8_t line_base_     = 0;
    uint8_t lengths_[256] = {};
};

} // namespace

Line find_line(const Elf& elf, uint64_t pc) {
    auto section = elf.section(".debug_line");
    Reader units(section.begin, section.end);
    while (!units.done()) {
        auto length = units.number(4);
        if (length >= 0xfffffff0) break; // 64-bit DWARF
        auto begin = units.at();
        units.skip(length);
        if (auto line = Table(elf, section, begin, units.at()).find(pc); line.file) return line;
    }
    return {};
}

} // namespace mim::runtime
