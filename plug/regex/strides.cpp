// SPDX-License-Identifier: MIT
// Tables for the schemes that take several characters in a step. Characters have codes; what two or four of them do to each state is one row. Code 0, of
// the end of the subject and all behind it, changes nothing.
#include <bit>
#include <string_view>
#include <unordered_map>

#include "plan.h"
#include "regex.h"
#include "tables.h"
#include "vec/annexes.h"

namespace mim::plug::regex {

namespace {

/// Codes of the classes that characters have, from 1 on; 0: none has. A terminator has one if subjects are sized.
Ids codes_of(const Dfa& dfa, bool sized, uint32_t& count) {
    Ids codes(dfa.classes);
    count = 0;
    for (unsigned c = sized ? 0 : 1; c != 256; ++c)
        if (auto& code = codes[dfa.class_of[c]]; code == 0) code = ++count;
    return codes;
}

unsigned bits_of(const Dfa& dfa, bool sized) {
    uint32_t count;
    codes_of(dfa, sized, count);
    return unsigned(std::bit_width(count));
}

class Strides {
public:
    Strides(World& w, const Dfa& dfa, bool sized, unsigned chars)
        : w_(w)
        , dfa_(dfa)
        , sized_(sized)
        , chars_(chars) {
        uint32_t count;
        codes_    = codes_of(dfa, sized, count);
        bits_     = unsigned(std::bit_width(count));
        class_of_ = Ids(1u << bits_, ~0u);
        for (uint32_t k = 0; k != dfa.classes; ++k)
            if (codes_[k] != 0) class_of_[codes_[k]] = k;
    }

    /// A row for each number that codes make, the first character's in the lowest bits: where they lead from so many states.
    Ids rows(uint32_t states) const {
        Ids rows(states);
        for (uint32_t q = 0; q != states; ++q) rows[q] = q < dfa_.states ? q : Dfa::dead;
        for (unsigned j = 0; j != chars_; ++j) {
            auto before = rows.size(); // code 0 changes nothing
            rows.reserve(before << bits_);
            for (size_t code = 1; code != class_of_.size(); ++code)
                for (size_t i = 0; i != before; ++i) rows.push_back(step(rows[i], class_of_[code]));
        }
        return rows;
    }
    /// The arguments of a scheme, with its own ones in the middle.
    const Def* arguments(const DefVec& scheme, const Def* rows, const Def* accepts) const {
        DefVec bytes;
        for (unsigned c = 0; c != 256; ++c) bytes.push_back(w_.lit_idx(256, c == 0 && !sized_ ? 0 : codes_[dfa_.class_of[c]]));
        auto ascii = w_.lit_bool(std::equal(bytes.begin() + 129, bytes.end(), bytes.begin() + 128));
        DefVec all{w_.tuple({w_.lit_bool(sized_), w_.lit_bool(chars_ == 4), ascii}), w_.lit(w_.i64_type(), bits_)};
        all.insert(all.end(), scheme.begin(), scheme.end());
        all.insert(all.end(), {w_.tuple(bytes), rows, accepts});
        return w_.tuple(all);
    }

private:
    /// There are codes that no character has.
    uint32_t step(uint32_t q, uint32_t cls) const { return cls == ~0u ? Dfa::dead : dfa_.to[dfa_.cell(q, cls)]; }

    World& w_;
    const Dfa& dfa_;
    bool sized_;
    unsigned chars_, bits_;
    Ids codes_, class_of_;
};

/// Characters in a step of `strides`: four where their rows fit into the cache of data, else two; 0 if these have too many.
unsigned stride(const Dfa& dfa, bool sized) {
    auto bits = bits_of(dfa, sized);
    auto size = [&](unsigned chars) {
        return bits * chars > 16 ? ~size_t(0) : size_t(std::bit_ceil(dfa.states)) << bits * chars;
    };
    return size(4) <= 1u << 14 ? 4 : size(2) <= 1u << 16 ? 2 : 0;
}

} // namespace

unsigned lanes_of(const Dfa& dfa) { return std::max(16u, std::bit_ceil(dfa.states)); }
unsigned shuffle_length(const Dfa& dfa, bool sized) { return bits_of(dfa, sized) < 4 && lanes_of(dfa) == 16 ? 4 : 2; }
unsigned stride_length(const Dfa& dfa, bool sized) { return stride(dfa, sized); }

bool fits_shuffles(const Dfa& dfa, bool sized) {
    if (dfa.states > 64 || !dfa.is_whole()) return false;
    return 2 * bits_of(dfa, sized) + unsigned(std::countr_zero(lanes_of(dfa))) <= 16;
}
bool fits_strides(const Dfa& dfa, bool sized) { return dfa.is_whole() && stride(dfa, sized) != 0; }

const Def* shuffles(World& w, const Dfa& dfa, bool sized) {
    auto lanes = lanes_of(dfa);
    Strides s(w, dfa, sized, shuffle_length(dfa, sized));
    auto type = w.idx(lanes);
    auto from = w.apply<vec::from>({w.lit_nat(lanes), type});
    auto all  = s.rows(lanes);
    std::unordered_map<std::string_view, const Def*> known; // most numbers do what others do
    DefVec rows;
    for (auto row = all.data(); row != all.data() + all.size(); row += lanes) {
        auto& def = known[{reinterpret_cast<const char*>(row), lanes * sizeof *row}];
        if (!def) def = w.app(from, array(w, lanes, std::countr_zero(lanes), [&](size_t q) { return row[q]; }));
        rows.push_back(def);
    }
    uint64_t accepts = 0;
    for (uint32_t q = 0; q != dfa.states; ++q) accepts |= uint64_t(dfa.accepts[dfa.at(q, End)]) << q;
    auto size = w.lit(w.i64_type(), uint64_t(std::countr_zero(lanes)));
    return w.call(run::shuffles, s.arguments({size}, w.tuple(rows), w.lit(w.i64_type(), accepts)));
}

const Def* strides(World& w, const Dfa& dfa, bool sized) {
    Strides s(w, dfa, sized, stride(dfa, sized));
    auto places = std::bit_ceil(dfa.states); // a row is found by a shift
    DefVec next, accepts;
    DefVec literals;
    for (uint32_t q = 0; q != dfa.states; ++q) literals.push_back(w.lit(w.idx(places), q));
    for (auto to : s.rows(places)) next.push_back(literals[to]);
    for (uint32_t q = 0; q != places; ++q) accepts.push_back(w.lit_bool(q < dfa.states && dfa.accepts[dfa.at(q, End)]));
    auto size = w.lit(w.i64_type(), uint64_t(std::countr_zero(places)));
    return w.call(run::strides, s.arguments({size}, w.tuple(next), w.tuple(accepts)));
}

} // namespace mim::plug::regex
