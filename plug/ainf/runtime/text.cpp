// SPDX-License-Identifier: MIT
// Text to values and back. A float is written with the fewest digits that denote it, as Python does.
#include "text.h"

#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <initializer_list>

namespace mim::ainf {

namespace {

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
            case Type::Nat: return put(t, natural("a number of 64 bits is expected"));
            case Type::Index: return put(t, index());
            case Type::Float: return number(t);
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
    uint64_t index() {
        for (bool is_true : {false, true}) {
            auto word = is_true ? "true" : "false";
            if (strncmp(at_, word, strlen(word)) != 0) continue;
            at_ += strlen(word);
            return is_true;
        }
        return natural("an index is expected");
    }
    void number(const Type& t) {
        char* end;
        auto x = strtod(at_, &end);
        if (end == at_) return fail("a number is expected");
        at_ = end;
        uint64_t word;
        memcpy(&word, &x, sizeof word);
        put(t, word);
    }
    void pair(Type& t) {
        if (!eat('(')) return fail("a pair, `(a, b)`, is expected");
        parts(t);
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
        do {
            value(*t.first);
            ++n;
        } while (!fail_ && eat(','));
        if (!fail_ && !eat(']')) fail("`,` or `]` is expected");
        count(t, n);
    }
    void file(Type& t);
    bool header(FILE*, Type& t);

    Program& program_;
    const char* at_;
    const char* fail_ = nullptr;
};

/// The type of the elements of an array of any rank.
Type& innermost(Type& t) { return t.kind == Type::Array ? innermost(*t.first) : t; }

/// The text in front of the elements of a file of NumPy, which has their type and the lengths.
bool Reader::header(FILE* in, Type& t) {
    unsigned char head[10];
    if (fread(head, 1, 10, in) != 10 || memcmp(head, "\x93NUMPY", 6) != 0 || head[6] != 1) return false;
    size_t size = head[8] + 256u * head[9];
    auto text   = static_cast<char*>(calloc(size + 1, 1));
    if (fread(text, 1, size, in) != size || strstr(text, "'fortran_order': True")) return false;
    auto& cell   = innermost(t);
    bool is_flt  = strstr(text, "'<f8'");
    bool is_word = strstr(text, "'<u8'") || strstr(text, "'<i8'");
    bool fits    = cell.kind == Type::Float ? is_flt : cell.kind != Type::Pair && is_word;
    auto shape   = strstr(text, "'shape': (");
    if (!fits || !shape) return false;
    shape += strlen("'shape': (");
    for (auto level = &t; level->kind == Type::Array; level = level->first) {
        char* end;
        auto n = strtoull(shape, &end, 10);
        if (end == shape) return false;
        count(*level, n);
        shape = end;
        while (*shape == ',' || *shape == ' ') ++shape;
    }
    return *shape == ')';
}

void Reader::file(Type& t) {
    auto in = fopen(at_ + 1, "rb");
    if (!in) return fail("the file cannot be read");
    bool is_good = header(in, t);
    uint64_t n   = 1;
    for (auto level = &t; level->kind == Type::Array; level = level->first) n *= level->count;
    uint64_t word;
    for (uint64_t i = 0; is_good && i != n; ++i) {
        is_good = fread(&word, sizeof word, 1, in) == 1;
        put(innermost(t), word);
    }
    fclose(in);
    at_ += strlen(at_);
    if (!is_good) fail("the file is no array of this type: a .npy file of `<f8`, `<u8` or `<i8` in the order of C is expected");
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
            case Type::Nat:
            case Type::Index: snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(next(t))); return put(text);
            case Type::Float: return number(next(t));
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
    void number(uint64_t word);

    const Program& program_;
    Growing<size_t> places_; ///< in the leaves
    Growing<char> text_;
};

void Writer::number(uint64_t word) {
    double x;
    memcpy(&x, &word, sizeof x);
    if (std::isnan(x)) return put("nan");
    if (std::isinf(x)) return put(x < 0 ? "-inf" : "inf");
    char text[64];
    int precision = 0;
    do snprintf(text, sizeof text, "%.*e", precision, x);
    while (strtod(text, nullptr) != x && ++precision != 17);
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

} // namespace mim::ainf
