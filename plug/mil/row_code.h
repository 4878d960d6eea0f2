// SPDX-License-Identifier: MIT
// Code of generators for rows that are wider than a word: a row is its words, least first, and the code of a generator
// computes with those.
#pragma once
#include "row_words.h"

namespace mim::plug::mil {

class RowCode : RowWords {
public:
    RowCode(Source&, CodeBuilder&);

    struct Operand {
        Atom value;
        Type* type;
        uint32_t width; ///< in bits; that of a word for all but rows
    };
    struct Use {
        std::string_view generator;
        const std::vector<uint64_t>& numbers; ///< its arguments
        std::vector<Operand> operands;
        Type* type;
        uint32_t width; ///< of the result, if it is a row
        Span at;
    };
    /// The result of the generator, at the end of the code: a row of the width, a `Flag` as a word, or a `Maybe`.
    Tail operator()(const Use&);

private:
    /// @name rows
    ///@{
    Atom high_product(Atom a, Atom b);
    Parts operand(const Use& use, size_t i) {
        auto& o = use.operands[i];
        return parts(o.value, o.type, o.width);
    }
    Tail result(const Use& use, Parts words) { return row(cut(std::move(words), use.width), use.type, use.width); }
    Parts constant(uint64_t n, uint64_t width) const;
    Parts sum(const Parts& x, const Parts& y);
    Parts difference(const Parts& x, const Parts& y, Atom& borrow);
    using RowWords::shifted;
    Parts shifted(const Parts&, Atom amount, bool is_left);
    Parts chosen(Atom mask, const Parts& x, const Parts& y);
    Parts bit(Atom place, uint64_t width);
    Atom less(const Parts& x, const Parts& y);
    Atom compared(std::string_view how, Parts x, Parts y, uint64_t width);
    ///@}

    /// @name loops
    ///@{
    /// A block with parameters for all parts of these rows, and a number behind them.
    struct Loop {
        uint32_t block;
        std::vector<Parts> rows;
        Atom count;
    };
    Loop loop(const std::vector<size_t>& sizes);
    Tail enter(const Loop&, const std::vector<Parts>&, Atom count);
    /// Goes on in a block where it is 0, and returns; the code goes on in another one.
    void leave_at_zero(const Loop&, const Parts& result, const Use&);
    Tail product(const Parts& x, const Parts& y, const Use&);
    Tail quotient(const Parts& x, const Parts& y, uint64_t width, bool is_remainder, const Use&);
    ///@}

    Tail of_bits(std::string_view how, const Use&);
    Tail of_places(std::string_view how, const Use&);
    Tail nonzero(const Use&);

    uint32_t just_, nothing_; ///< constructors
};

} // namespace mim::plug::mil
