// SPDX-License-Identifier: MIT
// What the C functions of test programs do. An argument is the C function's whole domain, evaluated; a token in front is handed
// back in front of the result, so that `cfun putchar [%mem.M, I32]: [%mem.M, I32]` and `cfun abs [I32]: I32` both work.
#include "eval/hosts.h"

#include <cstdlib>

#include "eval/eval.h"

namespace mim::eval {

namespace {
/// The arguments without the token.
Values plain(const Value& arg, bool& has_token) {
    Values r;
    has_token = arg.is(Kind::Token);
    if (has_token) return r;
    if (!arg.is(Kind::Tuple)) return {arg};
    for (auto& e : arg.tuple().elems)
        if (e.is(Kind::Token)) has_token = true;
        else r.push_back(e);
    return r;
}

using Fn = Value (*)(Machine&, const Values&);

/// A function of `n` arguments; a result None means that it yields nothing but the token.
void add(Machine& m, const char* name, size_t n, Fn fn) {
    m.hosts().add(name, [=](Machine& m, Value arg) {
        bool has_token;
        auto args = plain(arg, has_token);
        if (args.size() < n) m.fail(std::string("`") + name + "` got too few arguments", nullptr);
        auto result = fn(m, args);
        if (!result) return has_token ? Value::token() : m.tuple({});
        return has_token ? m.tuple({Value::token(), result}) : result;
    });
}

std::string c_string(Machine& m, const Value& ptr) {
    std::string s;
    auto p = m.force(ptr);
    for (uint64_t i = 0;; ++i) {
        auto c = m.memory().load_byte(p, i);
        if (c == 0) return s;
        s += static_cast<char>(c);
    }
}

uint64_t abs_of(uint64_t v, uint64_t s) { return mod_signed(std::abs(static_cast<long long>(signed_of(v, s))), s); }
constexpr uint64_t i32 = 1ull << 32;
} // namespace

void add_c_functions(Machine& m) {
    for (auto name : {"putchar", "putchar_unlocked"})
        add(m, name, 1, [](Machine& m, const Values& a) {
            auto c = m.num(a[0]) & 0xff;
            m.hosts().print(std::string(1, static_cast<char>(c)));
            return Value::num(c);
        });
    add(m, "puts", 1, [](Machine& m, const Values& a) {
        m.hosts().print(c_string(m, a[0]) + "\n");
        return Value::num(1);
    });
    add(m, "exit", 1, [](Machine& m, const Values& a) -> Value { m.hosts().exit(static_cast<int>(m.num(a[0]))); });
    add(m, "abort", 0, [](Machine& m, const Values&) -> Value { m.hosts().exit(134); });
    add(m, "abs", 1, [](Machine& m, const Values& a) { return Value::num(abs_of(m.num(a[0]), i32)); });
    add(m, "labs", 1, [](Machine& m, const Values& a) { return Value::num(abs_of(m.num(a[0]), 0)); });
    add(m, "strlen", 1, [](Machine& m, const Values& a) { return Value::num(c_string(m, a[0]).size()); });
    add(m, "atoi", 1,
        [](Machine& m, const Values& a) { return Value::num(mod_signed(std::atoi(c_string(m, a[0]).c_str()), i32)); });
    add(m, "toupper", 1, [](Machine& m, const Values& a) {
        auto c = m.num(a[0]);
        return Value::num(c >= 'a' && c <= 'z' ? c - 32 : c);
    });
}

const HostFn* Hosts::find(const std::string& name) const {
    auto it = fns_.find(name);
    return it == fns_.end() ? nullptr : &it->second;
}

void Hosts::print(std::string_view text) {
    budget_.before_effect();
    if (output_.size() + text.size() > limit_) throw Failure{"the program prints more than allowed", nullptr};
    output_ += text;
}

void Hosts::exit(int code) const {
    budget_.before_effect();
    throw Exit{code};
}

} // namespace mim::eval
