// SPDX-License-Identifier: MIT
// Tables for `%regex.run.shuffles`. Characters have codes; what two or four of them do to each of up to sixteen states is one row of sixteen
// bytes. Code 0, of the terminator and all behind it, changes nothing.
#include "plan.h"
#include "regex.h"
#include "vec/annexes.h"

namespace mim::plug::regex {

namespace {

/// Codes of the classes that characters have, from 1 on; 0: none has.
std::vector<unsigned> codes_of(const Dfa& dfa, unsigned& count) {
    std::vector<unsigned> codes(dfa.classes);
    count = 0;
    for (unsigned c = 1; c != 256; ++c)
        if (auto& code = codes[dfa.class_of[c]]; code == 0) code = ++count;
    return codes;
}

} // namespace

bool fits_shuffles(const Dfa& dfa) {
    unsigned count;
    codes_of(dfa, count);
    return dfa.states <= 16 && dfa.is_whole() && count < 16;
}

const Def* shuffles(World& w, const Dfa& dfa) {
    unsigned count;
    auto codes = codes_of(dfa, count);
    bool four  = count < 8;
    auto bits = four ? 3u : 4u, chars = four ? 4u : 2u;
    std::vector<uint32_t> class_of(count + 1);
    for (uint32_t k = 0; k != dfa.classes; ++k)
        if (codes[k] != 0) class_of[codes[k]] = k;
    auto type = w.idx(16);
    auto from = w.app(w.annex(vec::from(0)), {w.lit_nat(16), type});
    std::vector<const Def*> rows, bytes;
    for (unsigned i = 0; i != 1u << bits * chars; ++i) {
        std::vector<const Def*> row;
        for (uint32_t q = 0; q != 16; ++q) {
            auto state = q;
            for (unsigned j = 0; j != chars; ++j) {
                auto code = i >> bits * j & ((1u << bits) - 1);
                if (code > count || q >= dfa.states) state = Dfa::dead;
                else if (code != 0) state = dfa.to[dfa.cell(state, class_of[code])];
            }
            row.push_back(w.lit(type, state));
        }
        rows.push_back(w.app(from, w.tuple(Defs(row))));
    }
    uint64_t accepts = 0;
    for (uint32_t q = 0; q != dfa.states; ++q) accepts |= uint64_t(dfa.accepts[dfa.at(q, End)]) << q;
    for (unsigned c = 0; c != 256; ++c) bytes.push_back(w.lit_idx(256, c == 0 ? 0 : codes[dfa.class_of[c]]));
    auto tables = w.tuple({w.lit_bool(four), w.tuple(Defs(bytes)), w.tuple(Defs(rows)), w.lit(w.i64_type(), accepts)});
    return w.call(w.annex(run::shuffles), {tables});
}

} // namespace mim::plug::regex
