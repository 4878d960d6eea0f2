// SPDX-License-Identifier: MIT
// Text to values and back. A float is written with the fewest digits that denote it, as Python does.
#include "text.h"

#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <limits>

namespace mim::cli {

namespace {

/// The nearest number in half precision, ties to even.
uint64_t half_of(double x) {
    uint64_t sign = std::signbit(x) ? 0x8000 : 0;
    auto a        = std::fabs(x);
    if (std::isnan(x)) return 0x7e00;
    if (a >= 65520) return sign | 0x7c00;
    int exponent;
    std::frexp(a, &exponent);
    auto step = a < 0x1p-14 ? 0x1p-24 : std::ldexp(1.0, exponent - 11);
    // Near 2^52, numbers have no fraction: the sum is rounded to an integer. Programs that link with this need no library of C's functions.
    volatile double sum = a / step + 0x1p52;
    auto n              = static_cast<uint64_t>(sum - 0x1p52);
    if (a < 0x1p-14) return sign | n;
    return sign | ((static_cast<uint64_t>(exponent + 13) << 10) + n); // n has its leading bit, which counts the exponent
}

double double_of_half(uint64_t word) {
    auto exponent = static_cast<int>(word >> 10 & 31);
    auto fraction = static_cast<double>(word & 0x3ff);
    double a      = exponent == 0 ? fraction * 0x1p-24 : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) a = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL;
    return (word & 0x8000) != 0 ? -a : a;
}

/// The word of a number, which the text begins with.
uint64_t word_of(const Type& t, double x, const char* text) {
    uint64_t word = 0;
    if (t.kind == Type::Half) return half_of(x);
    if (t.kind == Type::Single) {
        float y = strtof(text, nullptr);
        memcpy(&word, &y, sizeof y);
    } else {
        memcpy(&word, &x, sizeof word);
    }
    return word;
}

class Reader {
public:
    Reader(Program& program, const char* text)
        : program_(program)
        , at_(text) {}

    const char* run(Type& type) {
        value(type);
        skip();
        if (!fail_ && *at_ != 0) fail("there is more behind the value");
        return fail_;
    }

private:
    void fail(const char* why) {
        if (!fail_) fail_ = why;
    }
    void skip() {
        while (*at_ == ' ' || *at_ == '\n') ++at_;
    }
    bool eat(char c) {
        skip();
        if (*at_ != c) return false;
        ++at_;
        return true;
    }
    void put(const Type& t, uint64_t word) { program_.leaves[t.leaf].push(word); }

    void value(Type& t) {
        if (fail_) return;
        skip();
        switch (t.kind) {
            case Type::Nat: return put(t, natural("a natural number below 2^64 is expected"));
            case Type::Index: return put(t, index(t));
            case Type::Float:
            case Type::Single:
            case Type::Half: return number(t);
            case Type::Bool: return truth(t);
            case Type::Signed:
            case Type::Unsigned: return integer(t);
            case Type::Pair: return pair(t);
            case Type::Array: break;
        }
        if (*at_ == '@') return file(t);
        array(t);
    }
    uint64_t natural(const char* what) {
        if (!isdigit(static_cast<unsigned char>(*at_))) return fail(what), 0;
        char* end;
        errno       = 0;
        auto result = strtoull(at_, &end, 10);
        bool is_bad = errno != 0 || *end == '.' || *end == 'e';
        at_         = end;
        if (is_bad) fail(what);
        return result;
    }
    /// Takes `true` or `false`.
    bool eat_truth(uint64_t& value) {
        for (bool is_true : {false, true}) {
            auto word = is_true ? "true" : "false";
            if (strncmp(at_, word, strlen(word)) != 0) continue;
            at_ += strlen(word);
            value = is_true;
            return true;
        }
        return false;
    }
    /// Truth is an index below 2.
    uint64_t index(const Type& t) {
        uint64_t value;
        bool is_truth = t.size.size == 1 && t.size[0].sizes.size == 0 && t.size[0].coefficient == 2;
        return eat_truth(value) ? value : natural(is_truth ? "`true` or `false` is expected" : "an index is expected");
    }
    void number(const Type& t) {
        char* end;
        auto x = strtod(at_, &end);
        if (end == at_) return fail("a number is expected");
        put(t, word_of(t, x, at_));
        at_ = end;
    }
    void truth(const Type& t) {
        uint64_t value;
        if (!eat_truth(value)) return fail("`true` or `false` is expected");
        put(t, value);
    }
    void integer(const Type& t) {
        bool is_negative = *at_ == '-';
        bool has_sign    = t.kind == Type::Signed;
        if (is_negative && !has_sign) return fail("a number that is not negative is expected");
        at_ += is_negative;
        auto size = natural("an integer is expected");
        auto bits = 8 * t.bytes - (has_sign ? 1 : 0);
        auto most = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
        if (size > most + (is_negative ? 1 : 0)) return fail("the number does not fit its type");
        auto word = is_negative ? 0 - size : size;
        put(t, t.bytes == 8 ? word : word & ((uint64_t(1) << (8 * t.bytes)) - 1));
    }
    void pair(Type& t) {
        if (!eat('(')) return fail("a pair, `(a, b)`, is expected");
        ++depth_;
        parts(t);
        --depth_;
        if (!fail_ && !eat(')')) fail("`)` is expected");
    }
    /// (a, b, c) is (a, (b, c)).
    void parts(Type& t) {
        value(*t.first);
        if (!fail_ && !eat(',')) return fail("`,` is expected");
        skip();
        bool goes_on = t.second->kind == Type::Pair && *at_ != '(';
        if (goes_on) parts(*t.second);
        else value(*t.second);
    }
    void count(Type& t, uint64_t n) {
        if (t.has_count && t.count != n) fail("rows have different lengths");
        t.has_count = true;
        t.count     = n;
    }
    void array(Type& t) {
        if (!eat('[')) return fail("an array, `[a, b]`, is expected");
        uint64_t n = 0;
        if (eat(']')) return count(t, 0);
        ++depth_;
        do {
            value(*t.first);
            ++n;
        } while (!fail_ && eat(','));
        --depth_;
        if (!fail_ && !eat(']')) fail("`,` or `]` is expected");
        count(t, n);
    }
    /// The name of a file has no comma and no bracket inside of brackets.
    void file(Type& t);
    const char* header(FILE*, Type& t);
    const char* lengths(const char* shape, Type& t);
    const char* elements(FILE*, const Type& t);

    Program& program_;
    const char* at_;
    uint32_t depth_       = 0; ///< of brackets: the name of a file ends with them
    const char* fail_     = nullptr;
    bool has_signed_file_ = false; ///< and a natural number is expected
};

/// The type of the elements of an array of any rank.
const Type& innermost(const Type& t) { return t.kind == Type::Array ? innermost(*t.first) : t; }

constexpr const char* kSigned = "'<i8'";

bool is_natural(const Type& cell) { return cell.kind == Type::Nat || cell.kind == Type::Index; }

/// NumPy's name of the type, as it stands in a header; empty if it has none.
struct CellName {
    char text[8] = "";
    explicit CellName(const Type& cell) {
        if (cell.kind == Type::Pair) return;
        bool is_unsigned = is_natural(cell) || cell.kind == Type::Unsigned;
        bool is_bool     = cell.kind == Type::Bool;
        char letter      = is_bool ? 'b' : is_unsigned ? 'u' : cell.kind == Type::Signed ? 'i' : 'f';
        auto bytes       = is_bool ? 1 : cell.bytes;
        snprintf(text, sizeof text, "'%c%c%u'", bytes == 1 ? '|' : '<', letter, bytes);
    }
};

/// Null, or the fault. Natural numbers may have a sign in the file.
const char* check_cell(const char* header, const Type& cell) {
    CellName name(cell);
    if (!*name.text) return "a .npy file has no pairs";
    if (strstr(header, name.text) || (is_natural(cell) && strstr(header, kSigned))) return nullptr;
    constexpr size_t room = 100;
    auto fault            = static_cast<char*>(calloc(room, 1));
    auto other            = is_natural(cell) ? " or '<i8'" : "";
    snprintf(fault, room, "the .npy file has elements of another type than %s%s", name.text, other);
    return fault;
}

/// Reads the header of a file of NumPy, which has the type of the elements and the lengths. Returns the fault, or
/// null.
const char* Reader::header(FILE* in, Type& t) {
    unsigned char head[10];
    if (fread(head, 1, 10, in) != 10 || memcmp(head, "\x93NUMPY", 6) != 0) return "the file is no .npy file";
    if (head[6] != 1) return "the .npy file has another version than 1";
    size_t size = head[8] + 256u * head[9];
    auto text   = static_cast<char*>(calloc(size + 1, 1));
    if (fread(text, 1, size, in) != size) return "the .npy file ends within its header";
    if (strstr(text, "'fortran_order': True")) return "the .npy file is in the order of Fortran, and not of C";
    if (auto fault = check_cell(text, innermost(t))) return fault;
    has_signed_file_ = is_natural(innermost(t)) && strstr(text, kSigned);
    auto key         = "'shape': (";
    auto shape       = strstr(text, key);
    return shape ? lengths(shape + strlen(key), t) : "the .npy file has no shape";
}

const char* Reader::lengths(const char* shape, Type& t) {
    for (auto level = &t; level->kind == Type::Array; level = level->first) {
        char* end;
        auto n = strtoull(shape, &end, 10);
        if (end == shape) return "the .npy file has too few dimensions";
        count(*level, n);
        shape = end;
        while (*shape == ',' || *shape == ' ') ++shape;
    }
    return *shape == ')' ? nullptr : "the .npy file has too many dimensions";
}

/// Whether the number of elements is one of 64 bits, which it becomes.
bool count_elements(const Type& t, uint64_t& n) {
    n         = 1;
    bool fits = true;
    for (auto level = &t; level->kind == Type::Array; level = level->first) {
        if (level->count == 0) return n = 0, true;
        fits &= !__builtin_mul_overflow(n, level->count, &n);
    }
    return fits;
}

/// Null, or what is wrong.
const char* Reader::elements(FILE* in, const Type& t) {
    auto ends_early = "the .npy file ends before its last element";
    uint64_t n;
    if (!count_elements(t, n)) return ends_early;
    auto& cell = innermost(t);
    auto bytes = cell.kind == Type::Bool ? 1 : cell.bytes;
    for (uint64_t i = 0; i != n; ++i) {
        uint64_t word = 0;
        if (fread(&word, bytes, 1, in) != 1) return ends_early;
        if (has_signed_file_ && word >> 63 != 0) return "the .npy file has a number below 0";
        put(cell, word);
    }
    return nullptr;
}

void Reader::file(Type& t) {
    ++at_;
    auto length = depth_ == 0 ? strlen(at_) : strcspn(at_, ",)]");
    auto path   = strndup(at_, length);
    at_ += length;
    auto in = fopen(path, "rb");
    if (!in) return fail("the file cannot be read");
    auto why = header(in, t);
    if (!why) why = elements(in, t);
    fclose(in);
    if (why) fail(why);
}

class Writer {
public:
    explicit Writer(const Program& program)
        : program_(program) {
        for (size_t i = 0; i != program.leaves.size; ++i) places_.push(0);
    }

    Growing<char> run() {
        value(*program_.result);
        put("\n");
        return text_;
    }

private:
    void put(const char* text) {
        for (; *text; ++text) text_.push(*text);
    }
    uint64_t next(const Type& t) { return program_.leaves[t.leaf][places_[t.leaf]++]; }
    void value(const Type& t) {
        char text[64];
        switch (t.kind) {
            case Type::Float:
            case Type::Single:
            case Type::Half: return number(t, next(t));
            case Type::Bool: return put(next(t) != 0 ? "true" : "false");
            case Type::Nat:
            case Type::Index:
            case Type::Unsigned: snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(next(t))); return put(text);
            case Type::Signed: {
                auto shift = 64 - 8 * t.bytes;
                auto value = static_cast<int64_t>(next(t) << shift) >> shift;
                snprintf(text, sizeof text, "%lld", static_cast<long long>(value));
                return put(text);
            }
            case Type::Pair:
                put("(");
                value(*t.first);
                put(", ");
                value(*t.second);
                return put(")");
            case Type::Array: break;
        }
        auto n = value_of(program_, t.size);
        put("[");
        for (uint64_t i = 0; i != n; ++i) {
            if (i != 0) put(", ");
            value(*t.first);
        }
        put("]");
    }
    void number(const Type&, uint64_t word);

    const Program& program_;
    Growing<size_t> places_; ///< in the leaves
    Growing<char> text_;
};

void Writer::number(const Type& t, uint64_t word) {
    double x = double_of_half(word);
    if (t.kind == Type::Float) memcpy(&x, &word, sizeof x);
    float single = 0;
    if (t.kind == Type::Single) memcpy(&single, &word, sizeof single), x = double(single);
    auto denotes = [&](const char* text) { return word_of(t, strtod(text, nullptr), text) == word; };
    if (std::isnan(x)) return put("nan");
    if (std::isinf(x)) return put(x < 0 ? "-inf" : "inf");
    char text[64];
    int precision = 0;
    do snprintf(text, sizeof text, "%.*e", precision, x);
    while (!denotes(text) && ++precision != 17);
    auto exponent = strtol(strchr(text, 'e') + 1, nullptr, 10);
    if (exponent >= -4 && exponent < 16) {
        auto digits = precision - exponent;
        snprintf(text, sizeof text, "%.*f", int(digits < 1 ? 1 : digits), x);
    }
    put(text);
}

} // namespace

const char* read_argument(Program& program, Type& type, const char* text) { return Reader(program, text).run(type); }

Growing<char> text_of(const Program& program) { return Writer(program).run(); }

} // namespace mim::cli
