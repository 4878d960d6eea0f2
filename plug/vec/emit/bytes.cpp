// SPDX-License-Identifier: MIT
// Look-ups in tables of bytes, by the shuffles that processors have: `pshufb` looks up in 16 bytes, `vpermb` in 16, 32 or 64, `vpermi2b` in
// 128, NEON's `tbl` in up to 64. Indices are cut into registers; a table that is too large for one instruction is cut into pieces, of
// which the upper bits of the index choose one. All indices are below the size of the table.
#include <algorithm>
#include <bit>

#include "emit/vector.h"

namespace mim::plug::vec {

namespace {

/// One kind of look-up: k indices at once, in tables of `size` bytes.
struct Shuffle {
    unsigned k, size;
    enum Form : uint8_t { Pshufb, Permb, Perm2b, Tbl } form;
    const char* name;
};

/// The best there is for this table and this many indices; nothing if the processor has none.
std::optional<Shuffle> choose(Emit& e, unsigned n, unsigned k) {
    if (e.has("neon")) {
        static constexpr const char* names[] = {"llvm.aarch64.neon.tbl1", "llvm.aarch64.neon.tbl2", "llvm.aarch64.neon.tbl3",
                                                "llvm.aarch64.neon.tbl4"};
        auto registers                       = std::min(4u, (n + 15) / 16);
        return Shuffle{16, 16 * registers, Shuffle::Tbl, names[registers - 1]};
    }
    bool wide = k > 32 && e.has("avx512bw"), middle = k > 16 && e.has("avx2");
    if (n <= 16) {
        if (wide) return Shuffle{64, 16, Shuffle::Pshufb, "llvm.x86.avx512.pshuf.b.512"};
        if (middle) return Shuffle{32, 16, Shuffle::Pshufb, "llvm.x86.avx2.pshuf.b"};
    } else if (e.has("avx512vbmi") && e.has("avx512vl")) {
        if (n <= 32 && k <= 32) return Shuffle{32, 32, Shuffle::Permb, "llvm.x86.avx512.permvar.qi.256"};
        if (n <= 64) return Shuffle{64, 64, Shuffle::Permb, "llvm.x86.avx512.permvar.qi.512"};
        return Shuffle{64, 128, Shuffle::Perm2b, "llvm.x86.avx512.vpermi2var.qi.512"};
    } else if (wide) {
        return Shuffle{64, 16, Shuffle::Pshufb, "llvm.x86.avx512.pshuf.b.512"};
    } else if (middle) {
        return Shuffle{32, 16, Shuffle::Pshufb, "llvm.x86.avx2.pshuf.b"};
    }
    if (e.has("ssse3")) return Shuffle{16, 16, Shuffle::Pshufb, "llvm.x86.ssse3.pshuf.b.128"};
    return {};
}

class Bytes {
public:
    Bytes(Emit& e, const Shuffle& s, Value table, unsigned n, const std::vector<uint64_t>* known)
        : e(e)
        , s(s) {
        for (unsigned first = 0; first < n; first += s.size) {
            pieces_.push_back(piece(table, n, first));
            if (known) pieces_.back().same = same(*known, first, std::min(n, first + s.size));
        }
    }

    /// The bytes at these indices.
    Value look_up(Value at) const {
        std::vector<Value> found;
        for (auto& p : pieces_) found.push_back(one(p, at));
        for (unsigned bit = s.size; found.size() > 1; bit *= 2) { // neighbours differ in this bit of the index
            auto mask   = e.int_const(e.type_of(at), bit);
            auto is_set = e.cmp(Ne, e.bin(And, at, mask), e.zero(e.type_of(at)));
            std::vector<Value> next;
            for (size_t i = 0; i < found.size(); i += 2)
                next.push_back(i + 1 == found.size() ? found[i] : e.select(is_set, found[i + 1], found[i]));
            found = std::move(next);
        }
        return found[0];
    }

private:
    struct Piece {
        std::vector<Value> registers;      ///< of one table
        std::optional<uint64_t> same = {}; ///< what all of its bytes are
    };

    static std::optional<uint64_t> same(const std::vector<uint64_t>& bytes, unsigned first, unsigned end) {
        auto begin = bytes.begin() + first;
        return std::all_of(begin, bytes.begin() + end, [&](auto b) { return b == *begin; }) ? std::optional(*begin)
                                                                                            : std::nullopt;
    }

    /// Bytes first, …, first + size - 1, in registers as the instruction wants them.
    Piece piece(Value table, unsigned n, unsigned first) const {
        unsigned bytes = s.form == Shuffle::Tbl ? 16 : s.k;
        Piece result;
        if (s.form == Shuffle::Pshufb || s.form == Shuffle::Permb) { // the table as often as it fits
            std::vector<int> mask;
            for (unsigned i = 0; i != s.k; ++i) mask.push_back(first + i % s.size < n ? int(first + i % s.size) : -1);
            return {{e.shuffle(table, e.undef(e.type_of(table)), mask)}};
        }
        for (unsigned i = 0; i != s.size; i += bytes) result.registers.push_back(slice(e, table, n, first + i, bytes));
        return result;
    }

    Value one(const Piece& p, Value at) const {
        auto i8 = e.int_type(8);
        if (p.same) return e.int_const(e.type_of(at), *p.same);
        auto& registers = p.registers;
        switch (s.form) {
            case Shuffle::Pshufb: { // a set upper bit yields 0, the others but the lowest four do not count
                return e.intrinsic(s.name, {},
                                   {registers[0], pieces_.size() > 8 ? e.bin(And, at, e.int_const(e.type_of(at), 15)) : at});
            }
            case Shuffle::Permb: return e.intrinsic(s.name, {}, {registers[0], at});
            case Shuffle::Perm2b: return e.intrinsic(s.name, {}, {registers[0], at, registers[1]});
            case Shuffle::Tbl: break;
        }
        auto mask               = e.int_const(e.type_of(at), s.size - 1); // what is not below the size yields 0
        std::vector<Value> args = registers;
        args.push_back(pieces_.size() > 1 ? e.bin(And, at, mask) : at);
        std::vector<Type> types{e.vector_type(i8, 16)};
        return e.intrinsic(s.name, types, args, 0);
    }

    Emit& e;
    const Shuffle& s;
    std::vector<Piece> pieces_;
};

} // namespace

Value look_up_bytes(Emit& e, Value table, unsigned n, Value at, unsigned k, Value bytes_at, const std::vector<uint64_t>* known) {
    auto s = choose(e, n, k);
    if (!s) return {};
    bool is_modular = (s->form == Shuffle::Permb || s->form == Shuffle::Perm2b) && s->size == n; // the upper bits do not count
    if (bytes_at && is_modular) at = bytes_at;
    Bytes bytes(e, *s, table, n, known);
    std::vector<Value> parts;
    for (unsigned first = 0; first < k; first += s->k) parts.push_back(bytes.look_up(slice(e, at, k, first, s->k)));
    auto count = unsigned(parts.size());
    auto all   = join(e, std::move(parts), s->k);
    return slice(e, all, std::max(1u, s->k * unsigned(std::bit_ceil(count))), 0, k);
}

} // namespace mim::plug::vec
