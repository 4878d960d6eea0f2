// SPDX-License-Identifier: MIT
// A line `NAME = N + N + …` of a `.calc` file is a function of no arguments. `--emit calc` lists the functions that are visible outside.
#include <algorithm>
#include <stdexcept>

#include "driver/plugin.h"
#include "kit/match.h"
#include "sema/reflect.h"

using namespace mim;

namespace {

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Reader {
public:
    explicit Reader(FrontEndContext& c)
        : c_(c)
        , text_(c.text) {}

    std::optional<std::string> file() {
        std::string mim = "plugin core;\n";
        while (skip(), pos_ < text_.size()) {
            auto name = word(is_letter, "a name");
            if (!name || !expect('=')) return {};
            auto sum = word(is_digit, "a number");
            while (sum && (skip(), pos_ < text_.size()) && text_[pos_] == '+') {
                ++pos_;
                auto next = word(is_digit, "a number");
                if (!next) return {};
                sum = "%core.nat.add (" + *sum + ", " + *next + ")";
            }
            if (!sum) return {};
            mim += "fun extern " + *name + " (): Nat = return (" + *sum + ");\n";
        }
        return mim;
    }

private:
    void skip() {
        while (pos_ < text_.size() && (text_[pos_] == ' ' || text_[pos_] == '\n')) ++pos_;
    }
    std::optional<std::string> word(bool (*belongs)(char), const char* what) {
        skip();
        auto begin = pos_;
        while (pos_ < text_.size() && belongs(text_[pos_])) ++pos_;
        if (pos_ != begin) return std::string(text_.substr(begin, pos_ - begin));
        c_.error(begin, std::min<uint32_t>(begin + 1, text_.size()), std::string("expected ") + what);
        return {};
    }
    bool expect(char c) {
        skip();
        if (pos_ < text_.size() && text_[pos_] == c) return ++pos_, true;
        c_.error(pos_, std::min<uint32_t>(pos_ + 1, text_.size()), std::string("expected `") + c + "`");
        return false;
    }

    FrontEndContext& c_;
    std::string_view text_;
    uint32_t pos_ = 0;
};

std::optional<std::string> read(FrontEndContext& c) {
    if (c.text.starts_with("throw")) throw std::runtime_error("thrown by the front end");
    return Reader(c).file();
}

std::optional<std::string> list(BackEndContext& c) {
    std::string lines;
    for (auto& e : c.world.externals()) lines += std::string(e.name.view()) + ": " + show(c.world, e.lam->type()) + "\n";
    return lines;
}

std::optional<std::string> refuse(BackEndContext& c) {
    for (auto& e : c.world.externals())
        if (e.name.view() == "silent") return {};
        else if (e.name.view() == "thrown") throw std::runtime_error("thrown by the back end");
    c.error("`" + std::string(c.world.externals().front().name.view()) + "` is not to its taste",
            c.world.externals().front().lam);
    return {};
}

const Def* normalize_succ(const Redex& redex) {
    auto n = value(redex.arg);
    return n ? redex.w.lit_nat(*n + 1) : nullptr;
}

const Def* normalize_twice(const Redex& redex) {
    auto n = value(redex.arg);
    return n ? redex.w.lit_nat(*n * 2) : nullptr;
}

void init(PluginBuilder& p) {
    p.normalizer("normalize_succ", normalize_succ);
    p.normalizer("normalize_twice", normalize_twice);
    p.front_end("calc", read);
    p.back_end("calc", ".txt", "the functions visible outside", list);
    p.back_end("refused", ".txt", "nothing: it is always refused", refuse);
}

} // namespace

MIM_PLUGIN(calc, init)
