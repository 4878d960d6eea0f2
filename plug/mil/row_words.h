// SPDX-License-Identifier: MIT
// Code on rows that are wider than a word: a row is its words, least first.
#pragma once
#include "lower.h"
#include "primitives.h"

namespace mim::plug::mil {

class RowWords {
protected:
    /// The primitives are those of the builder's program; it gets those that it does not have.
    RowWords(Source& source, CodeBuilder& b)
        : source_(source)
        , b_(b) {}
    ~RowWords() = default;

    using Parts = std::vector<Atom>;

    /// @name single words
    ///@{
    uint32_t primitive(Op);
    Tail tail_of(Op op, Atoms args) { return tail(Tail::Primitive, primitive(op), std::move(args), at_); }
    Atom word(Op op, Atom a, Atom b) { return b_.emit(tail_of(op, {a, b}), "w"); }
    Atom word(Op op, Atom a) { return b_.emit(tail_of(op, {a}), "w"); }
    Atom number(uint64_t n) const { return {Atom::Word, n & b_.program.mask()}; }
    Atom truth(Op comparison, Atom a, Atom b) { return word(Op::FlagToWord, word(comparison, a, b)); }
    ///@}

    /// @name rows
    ///@{
    uint32_t bits() const { return b_.program.word_bits; }
    uint32_t count(uint64_t width) const { return static_cast<uint32_t>((width + bits() - 1) / bits()); }
    Parts fitted(Parts, size_t count) const;
    Parts cut(Parts, uint64_t width);
    /// The words of a row of this type.
    Parts parts(Atom, Type*, uint32_t width);
    /// The row of this type that has these words.
    Tail row(const Parts&, Type*, uint32_t width);
    /// The same bits at another type. Both types are those of a primitive that is for them alone: nothing else in a program
    /// says that a row is a wide one.
    Tail same(Atom, Type* from, Type* to);
    Parts each(Op op, const Parts& x, const Parts& y);
    /// By a known number of places, to the left and then to the right; it keeps its size.
    Parts shifted(const Parts&, uint64_t left, uint64_t right);
    Atom any(const Parts&);
    ///@}

    /// Goes on in one of two blocks.
    void branch(Atom flag, Jump yes, Jump no);

    Source& source_;
    CodeBuilder& b_;
    Span at_;

private:
    uint32_t add_primitive(mil::Primitive);

    std::unordered_map<Op, uint32_t> primitives_;
};

} // namespace mim::plug::mil
