// SPDX-License-Identifier: MIT
// The arguments of a program, from the command line, and its result, as text. A signature tells their types:
//
//     signature = names of sizes, each with ';' behind it, { "?" rule } "|" { NAME ":" type } ">" type
//     type      = "n" | "f" | "i" size | "a" size type | "p" type type | "b" | ("s" | "u") BYTES | "e" | "h"
//     rule      = ("/" | "-") size size          one more size, which is a quotient, or a difference, of others
//               | ("d" | "l" | "s" | "q") size size TEXT ";"          what must hold: a | b, a <= b, a < b, a == b
//     size      = { COEFFICIENT { factor } "," } ";"          a sum of products
//     factor    = "v" INDEX OF A SIZE | ("^" | "/" | "%" | "<" | ">") size size          in types: a power, …, the smaller one, the larger one
//
// `n` is a number of 64 bits, `f` one in double precision, `e` in single, `h` in half; `b` a truth value, `s` and `u`
// are integers with and without a sign. A size that is given as `NAME=NUMBER`, before the arguments, is known.
//
// Values lie in *leaves*, arrays of words: a scalar outside of arrays is one, and so is each array whose elements are
// scalars or pairs of scalars. An array of pairs that have arrays is as a pair of arrays.
#pragma once
#include <cstddef>
#include <cstdint>

namespace mim::cli {

/// Memory that grows; it is never given back, since a program has one.
template<class T>
struct Growing {
    T* data     = nullptr;
    size_t size = 0;
    size_t room = 0;
    void push(const T&);
    T& operator[](size_t i) { return data[i]; }
    const T& operator[](size_t i) const { return data[i]; }
};

/// Wide enough for sizes of 64 bits with a sign.
__extension__ using Wide = __int128;

struct Operation;
struct Product {
    Wide coefficient;
    Growing<uint32_t> sizes;
    Growing<Operation> operations;
};
using Size = Growing<Product>;
struct Operation {
    char kind;
    Size left, right;
};

struct Type {
    enum Kind : char {
        Nat      = 'n',
        Float    = 'f',
        Index    = 'i',
        Array    = 'a',
        Pair     = 'p',
        Bool     = 'b',
        Signed   = 's',
        Unsigned = 'u',
        Single   = 'e',
        Half     = 'h',
    } kind;
    unsigned bytes = 8;  ///< of an integer, and of a float
    Size size      = {}; ///< of Index and Array
    Type* first    = nullptr;
    Type* second   = nullptr;
    uint32_t leaf  = 0; ///< of a scalar, which is every `step`th word of it from the word `begin` on
    uint32_t begin = 0;
    uint32_t step  = 1;
    bool has_count = false;
    uint64_t count = 0; ///< the length that an argument has here
};

struct Parameter {
    const char* name;
    size_t name_size;
    Type* type;
};

/// What sizes have to do with each other.
struct Rule {
    char kind;
    Size left, right;
    uint32_t name; ///< the size that it is, if it is one
    const char* text;
    size_t text_size;
};

using Words = Growing<uint64_t>;

/// A program with its arguments.
struct Program {
    struct SizeName {
        const char* name;
        size_t name_size;
        bool is_known;
        uint64_t value;
    };
    Growing<SizeName> sizes;
    Growing<Rule> rules;
    Growing<Parameter> parameters;
    Type* result = nullptr;
    Growing<Words> leaves; ///< of all parameters, then of the result
};

/// A program whose sizes and leaves are not known yet.
Program* make_program(const char* signature);
/// Reads the arguments behind the first one. If they do not fit the signature, `message` says why, and the result is
/// null.
Program* read_program(int argc, const char* const* argv, const char* signature, char* message, size_t room);
/// The number that a size is once all names are known.
uint64_t value_of(const Program&, const Size&);
/// The result of the program as text, with a newline.
Growing<char> text_of(const Program&);

} // namespace mim::cli
