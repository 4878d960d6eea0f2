// SPDX-License-Identifier: MIT
// Signatures, and the sizes of a program from the lengths of its arguments.
#include "program.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "text.h"

namespace mim::cli {

/// At most 2^64, which is no size.
static Wide value_of(const Program&, const Operation&);

namespace {

class Signature {
public:
    explicit Signature(const char* text)
        : at_(text) {}

    Program* run() {
        auto program = static_cast<Program*>(calloc(1, sizeof(Program)));
        while (*at_ != '|') {
            if (*at_ == '?') {
                rule(*program);
                continue;
            }
            auto begin = at_;
            at_        = strchr(at_, ';');
            program->sizes.push({begin, size_t(at_ - begin), false, 0});
            ++at_;
        }
        ++at_;
        while (*at_ != '>') {
            auto begin = at_;
            at_        = strchr(at_, ':');
            Parameter p{begin, size_t(at_ - begin), nullptr};
            ++at_;
            p.type = type();
            place(*program, *p.type, false);
            program->parameters.push(p);
        }
        ++at_;
        program->result = type();
        place(*program, *program->result, false);
        return program;
    }

private:
    void rule(Program& program) {
        Rule r{};
        r.kind  = at_[1];
        at_     = at_ + 2;
        r.left  = size();
        r.right = size();
        r.text  = at_;
        if (r.kind == '/' || r.kind == '-') {
            r.name = uint32_t(program.sizes.size);
            program.sizes.push({at_, 0, false, 0});
        } else {
            auto end    = strchr(at_, ';');
            r.text_size = size_t(end - at_);
            at_         = end + 1;
        }
        program.rules.push(r);
    }
    void factor(Product& product) {
        auto kind = *at_++;
        if (kind == 'v') {
            char* end;
            product.sizes.push(uint32_t(strtoul(at_, &end, 10)));
            at_ = end;
            return;
        }
        Operation operation{kind, size(), {}};
        operation.right = size();
        product.operations.push(operation);
    }
    Size size() {
        Size sum;
        while (*at_ != ';') {
            Product product{};
            char* end;
            bool is_negative    = *at_ == '-';
            product.coefficient = Wide(strtoull(at_ + is_negative, &end, 10));
            if (is_negative) product.coefficient = -product.coefficient;
            at_ = end;
            while (*at_ != ',') factor(product);
            ++at_;
            sum.push(product);
        }
        ++at_;
        return sum;
    }
    Type* type() {
        auto result   = static_cast<Type*>(calloc(1, sizeof(Type)));
        result->kind  = Type::Kind(*at_++);
        result->bytes = result->kind == Type::Single ? 4 : result->kind == Type::Half ? 2 : 8;
        if (result->kind == Type::Signed || result->kind == Type::Unsigned) result->bytes = unsigned(*at_++ - '0');
        if (result->kind == Type::Index || result->kind == Type::Array) result->size = size();
        if (result->kind == Type::Array || result->kind == Type::Pair) result->first = type();
        if (result->kind == Type::Pair) result->second = type();
        return result;
    }
    static bool has_array(const Type& t) {
        return t.kind == Type::Array || (t.kind == Type::Pair && (has_array(*t.first) || has_array(*t.second)));
    }
    static uint32_t num_scalars(const Type& t) {
        return t.kind == Type::Pair ? num_scalars(*t.first) + num_scalars(*t.second) : 1;
    }
    /// Components of a pair of scalars lie beside each other.
    static void put(Type& t, uint32_t leaf, uint32_t begin, uint32_t step) {
        t.leaf = leaf, t.begin = begin, t.step = step;
        if (t.kind != Type::Pair) return;
        put(*t.first, leaf, begin, step);
        put(*t.second, leaf, begin + num_scalars(*t.first), step);
    }
    void place(Program& program, Type& t, bool is_element) {
        bool is_cell = t.kind != Type::Array && !has_array(t) && (is_element || t.kind != Type::Pair);
        if (is_cell) {
            put(t, uint32_t(program.leaves.size), 0, num_scalars(t));
            program.leaves.push({});
        } else if (t.kind == Type::Array) {
            place(program, *t.first, true);
        } else {
            place(program, *t.first, is_element);
            place(program, *t.second, is_element);
        }
    }

    const char* at_;
};

/// The text of an error in arguments.
struct Message {
    char* text;
    size_t room;
    bool is_set = false;
    __attribute__((format(printf, 2, 3))) void set(const char* format, ...) {
        if (is_set) return;
        is_set = true;
        va_list args;
        va_start(args, format);
        vsnprintf(text, room, format, args);
        va_end(args);
    }
};

class Arguments {
public:
    Arguments(Program& program, Message& message)
        : program_(program)
        , message_(message) {}

    bool run(int argc, const char* const* argv) {
        while (argc > 1 && take_size(argv[1])) --argc, ++argv;
        if (message_.is_set) return false;
        size_t given = argc > 0 ? size_t(argc) - 1 : 0;
        if (given != program_.parameters.size) {
            auto n = program_.parameters.size;
            message_.set("the program takes %zu argument%s, and gets %zu", n, n == 1 ? "" : "s", given);
            return false;
        }
        for (size_t i = 0; i != given; ++i) {
            auto& p   = program_.parameters[i];
            auto fail = read_argument(program_, *p.type, argv[i + 1]);
            if (!fail) continue;
            message_.set("argument `%.*s`: %s", int(p.name_size), p.name, fail);
            return false;
        }
        while (solve_some() || derive_some()) {}
        for (size_t i = 0; i != program_.rules.size && !message_.is_set; ++i) check_rule(program_.rules[i]);
        if (message_.is_set) return false;
        for (size_t i = 0; i != program_.sizes.size; ++i) {
            auto& size = program_.sizes[i];
            if (!size.is_known)
                message_.set("the size `%.*s` follows from no argument: give it in front of these, as `%.*s=4`",
                             int(size.name_size), size.name, int(size.name_size), size.name);
        }
        for (size_t i = 0; i != given && !message_.is_set; ++i) {
            check(*program_.parameters[i].type, program_.parameters[i]);
        }
        if (!message_.is_set) check_sizes(*program_.result);
        return !message_.is_set;
    }

private:
    /// A size as a sum of what is known, and one name with its factor.
    struct Equation {
        Wide known      = 0;
        Wide factor     = 0;
        uint32_t name   = 0;
        bool is_unknown = false; ///< there is more than one name, or it is not linear
    };
    Equation equation(const Size& size) const {
        Equation e;
        for (size_t i = 0; i != size.size; ++i) {
            Wide product = size[i].coefficient;
            int names    = 0;
            uint32_t one = 0;
            for (size_t j = 0; j != size[i].operations.size; ++j) {
                auto& operation = size[i].operations[j];
                if (is_known(operation.left) && is_known(operation.right)) product *= value_of(program_, operation);
                else e.is_unknown = true;
            }
            for (size_t j = 0; j != size[i].sizes.size; ++j) {
                auto name = size[i].sizes[j];
                if (program_.sizes[name].is_known) product *= Wide(program_.sizes[name].value);
                else one = name, ++names;
            }
            if (names == 0) {
                e.known += product;
                continue;
            }
            bool is_other = e.factor != 0 && e.name != one;
            if (names > 1 || is_other) e.is_unknown = true;
            e.name = one;
            e.factor += product;
        }
        return e;
    }
    /// The number of times that a known base is in the length: of what is c * base^k, where all but k is known.
    bool solve_power(const Type& t, const Parameter& p) {
        auto& product = t.size[0];
        bool is_power = t.size.size == 1 && product.operations.size == 1 && product.operations[0].kind == '^';
        if (!is_power || !is_known(product.operations[0].left)) return false;
        auto e    = equation(product.operations[0].right);
        auto base = equation(product.operations[0].left).known;
        Wide c    = product.coefficient;
        for (size_t i = 0; i != product.sizes.size; ++i) {
            auto& size = program_.sizes[product.sizes[i]];
            if (!size.is_known) return false;
            c *= Wide(size.value);
        }
        bool is_one = !e.is_unknown && e.factor != 0;
        if (!is_one || base < 2 || c <= 0) return false;
        Wide times = 0, length = c;
        for (; length < Wide(t.count); ++times) length *= base;
        auto rest  = times - e.known;
        auto& size = program_.sizes[e.name];
        if (length != Wide(t.count) || rest % e.factor != 0 || rest / e.factor < 0) {
            message_.set("argument `%.*s`: no `%.*s` fits an array of length %llu", int(p.name_size), p.name, int(size.name_size),
                         size.name, static_cast<unsigned long long>(t.count));
            return false;
        }
        size.is_known = true;
        size.value    = uint64_t(rest / e.factor);
        return true;
    }
    bool solve(const Type& t, const Parameter& p) {
        bool has_changed = t.kind == Type::Array && t.has_count && solve_power(t, p);
        if (t.kind == Type::Array && t.has_count) {
            auto e      = equation(t.size);
            auto rest   = Wide(t.count) - e.known;
            bool is_one = !e.is_unknown && e.factor != 0;
            if (is_one && rest % e.factor == 0 && rest / e.factor >= 0) {
                program_.sizes[e.name].is_known = true;
                program_.sizes[e.name].value    = uint64_t(rest / e.factor);
                has_changed                     = true;
            } else if (is_one) {
                message_.set("argument `%.*s`: no `%.*s` fits an array of length %llu", int(p.name_size), p.name,
                             int(program_.sizes[e.name].name_size), program_.sizes[e.name].name,
                             static_cast<unsigned long long>(t.count));
            }
        }
        if (t.first && solve(*t.first, p)) has_changed = true;
        if (t.second && solve(*t.second, p)) has_changed = true;
        return has_changed;
    }
    bool solve_some() {
        bool has_changed = false;
        for (size_t i = 0; i != program_.parameters.size && !message_.is_set; ++i)
            has_changed |= solve(*program_.parameters[i].type, program_.parameters[i]);
        return has_changed && !message_.is_set;
    }
    /// `NAME=NUMBER`.
    bool take_size(const char* text) {
        auto equals = strchr(text, '=');
        if (!equals) return false;
        for (size_t i = 0; i != program_.sizes.size; ++i) {
            auto& size   = program_.sizes[i];
            bool is_name = size.name_size == size_t(equals - text) && strncmp(size.name, text, size.name_size) == 0;
            if (!is_name) continue;
            char* end;
            size.value    = strtoull(equals + 1, &end, 10);
            size.is_known = true;
            if (end == equals + 1 || *end != 0) message_.set("`%s` gives `%.*s` no number", text, int(size.name_size), size.name);
            return true;
        }
        return false;
    }
    bool is_known(const Size& size) const {
        auto e = equation(size);
        return !e.is_unknown && e.factor == 0;
    }
    /// The one name that is not known in a sum which is as much as another one.
    bool settle(const Size& sum, const Size& other) {
        if (!is_known(other)) return false;
        auto e      = equation(sum);
        auto rest   = equation(other).known - e.known;
        bool is_one = !e.is_unknown && e.factor != 0 && rest % e.factor == 0 && rest / e.factor >= 0;
        if (!is_one) return false;
        program_.sizes[e.name].is_known = true;
        program_.sizes[e.name].value    = uint64_t(rest / e.factor);
        return true;
    }
    /// Quotients and differences of sizes that are known, and what equations say.
    bool derive_some() {
        bool has_changed = false;
        for (size_t i = 0; i != program_.rules.size; ++i) {
            auto& r = program_.rules[i];
            if (r.kind == 'q' && (settle(r.left, r.right) || settle(r.right, r.left))) has_changed = true;
            bool is_size  = r.kind == '/' || r.kind == '-';
            bool is_ready = is_size && !program_.sizes[r.name].is_known && is_known(r.left) && is_known(r.right);
            if (!is_ready) continue;
            auto left = equation(r.left).known, right = equation(r.right).known;
            auto& size    = program_.sizes[r.name];
            bool has_none = r.kind == '/' ? right <= 0 : right > left; // some rule says so
            size.is_known = has_changed = true;
            size.value                  = has_none ? 0 : uint64_t(r.kind == '/' ? left / right : left - right);
        }
        return has_changed;
    }
    void check_rule(const Rule& r) {
        bool is_size = r.kind == '/' || r.kind == '-';
        if (is_size || !is_known(r.left) || !is_known(r.right)) return;
        auto a = equation(r.left).known, b = equation(r.right).known;
        bool holds = r.kind == 'd' ? a > 0 && b >= 0 && b % a == 0 : r.kind == 'l' ? a <= b : r.kind == 's' ? a < b : a == b;
        if (holds) return;
        message_.set("`%.*s` does not hold: %lld and %lld", int(r.text_size), r.text, static_cast<long long>(a),
                     static_cast<long long>(b));
    }
    bool check_size(const Size& size) {
        auto value = equation(size).known;
        if (value >= 0 && (value >> 64) == 0) return true;
        message_.set("a size of the program is %s with these arguments", value < 0 ? "negative" : "2^64 or more");
        return false;
    }
    void check_sizes(const Type& t) {
        if (t.kind == Type::Array || t.kind == Type::Index) check_size(t.size);
        if (t.first) check_sizes(*t.first);
        if (t.second) check_sizes(*t.second);
    }
    void check_indices(const Type& t, uint64_t size, const Parameter& p) {
        auto& words = program_.leaves[t.leaf];
        for (size_t i = t.begin; i < words.size; i += t.step) {
            if (words[i] < size) continue;
            message_.set("argument `%.*s`: %llu is no fin %llu", int(p.name_size), p.name,
                         static_cast<unsigned long long>(words[i]), static_cast<unsigned long long>(size));
        }
    }
    void check(const Type& t, const Parameter& p) {
        bool is_sized = t.kind == Type::Array || t.kind == Type::Index;
        if (is_sized && !check_size(t.size)) return;
        auto size = is_sized ? value_of(program_, t.size) : 0;
        if (t.kind == Type::Array && t.has_count && t.count != size)
            message_.set("argument `%.*s`: an array has %llu elements, and %llu are expected", int(p.name_size), p.name,
                         static_cast<unsigned long long>(t.count), static_cast<unsigned long long>(size));
        if (t.kind == Type::Index) check_indices(t, size, p);
        if (t.first) check(*t.first, p);
        if (t.second) check(*t.second, p);
    }

    Program& program_;
    Message& message_;
};

} // namespace

static Wide value_of(const Program& program, const Operation& operation) {
    Wide a = value_of(program, operation.left), b = value_of(program, operation.right);
    Wide most = Wide(1) << 64, power = 1;
    switch (operation.kind) {
        case '/': return b == 0 ? 0 : a / b;
        case '%': return b == 0 ? a : a % b;
        case '<': return a < b ? a : b;
        case '>': return a > b ? a : b;
        default: break;
    }
    if (a < 2) return b == 0 ? 1 : a;
    for (; b != 0 && power < most; --b) power *= a;
    return power < most ? power : most;
}

uint64_t value_of(const Program& program, const Size& size) {
    Wide sum = 0;
    for (size_t i = 0; i != size.size; ++i) {
        Wide product = size[i].coefficient;
        for (size_t j = 0; j != size[i].operations.size; ++j) product *= value_of(program, size[i].operations[j]);
        for (size_t j = 0; j != size[i].sizes.size; ++j) product *= Wide(program.sizes[size[i].sizes[j]].value);
        sum += product;
    }
    return uint64_t(sum);
}

Program* make_program(const char* signature) { return Signature(signature).run(); }

Program* read_program(int argc, const char* const* argv, const char* signature, char* message, size_t room) {
    auto program = make_program(signature);
    Message what{message, room};
    return Arguments(*program, what).run(argc, argv) ? program : nullptr;
}

} // namespace mim::cli
