// SPDX-License-Identifier: MIT
// A line `NAME = N + N + …` of a `.calc` file is a function of no arguments. `--emit calc` lists the functions that are visible outside.
// Its options choose how; its commands add numbers, and fail in all ways.
#include <algorithm>
#include <charconv>
#include <csignal>
#include <stdexcept>

#include "backend/emit.h"
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
    auto most = c.settings.number("calc.most");
    if (c.text.size() > most) return c.error(0, 1, "it has more than " + std::to_string(most) + " bytes"), std::nullopt;
    if (c.text.starts_with("throw")) throw std::runtime_error("thrown by the front end");
    if (c.text.starts_with("crash")) std::raise(SIGSEGV);
    return Reader(c).file();
}

std::optional<std::string> list(BackEndContext& c) {
    auto lines = c.settings.text("calc.title");
    if (!lines.empty()) lines += "\n";
    if (c.settings.flag("calc.count")) lines += std::to_string(c.world.externals.size()) + "\n";
    for (auto& e : c.world.externals) lines += std::string(e.name.view()) + ": " + show(c.world, e.lam->type()) + "\n";
    return lines;
}

std::optional<std::string> refuse(BackEndContext& c) {
    for (auto& e : c.world.externals)
        if (e.name.view() == "silent") return {};
        else if (e.name.view() == "thrown") throw std::runtime_error("thrown by the back end");
        else if (e.name.view() == "crash") std::raise(SIGSEGV);
    c.error("`" + std::string(c.world.externals.all().front().name.view()) + "` is not to its taste",
            c.world.externals.all().front().lam);
    return {};
}

/// Words with one space between them. Files that begin with some words are for what may go wrong.
std::optional<std::string> lay_out(FormatContext& c) {
    if (c.text.starts_with("throw")) throw std::runtime_error("thrown by the formatter");
    if (c.text.starts_with("crash")) std::raise(SIGSEGV);
    if (c.text.starts_with("silent")) return {};
    if (c.text.starts_with("grow")) return std::string(c.text) + "!";
    if (c.text.starts_with("=")) return c.error(0, 1, "expected a name"), std::nullopt;
    std::string text(c.text);
    for (size_t at; (at = text.find("  ")) != text.npos;) text.erase(at, 1);
    return text;
}

std::string verify_third(World&, const Def*, const Def* arg) {
    auto n = isa_lit(arg);
    if (!n) return {};
    if (n->value() == 1) throw std::runtime_error("thrown by the verifier");
    if (n->value() == 2) std::raise(SIGSEGV);
    return n->value() % 3 == 0 ? "" : "3 does not divide it";
}

backend::Value emit_foreign(backend::Emit& e, const Def* app) {
    return e.call("calc_foreign", e.int_type(64), {e.emit(app->as<App>()->arg())});
}

const Def* normalize_succ(const Redex& redex) {
    auto n = value(redex.arg);
    if (n == 13) std::raise(SIGSEGV);
    return n ? redex.w.lit_nat(*n + 1) : nullptr;
}

const Def* normalize_twice(const Redex& redex) {
    auto n = value(redex.arg);
    return n ? redex.w.lit_nat(*n * 2) : nullptr;
}

int sum(CommandContext& c) {
    uint64_t total = 0;
    for (auto& word : c.operands()) {
        uint64_t n = 0;
        bool ok    = std::from_chars(word.data(), word.data() + word.size(), n).ec == std::errc();
        if (!ok) return c.error("mim: `" + word + "` is no number\n"), 2;
        total += n;
    }
    for (auto& text : c.values("--before")) c.print(text + "\n");
    bool is_twice = c.has("--twice");
    auto result   = is_twice ? 2 * total : total;
    auto color    = c.is_colored() ? "\033[1m" : "";
    c.print(color + std::to_string(result) + "\n");
    return c.last_of({"--good", "--bad"}) == "--bad" ? 1 : 0;
}

int fail(CommandContext& c) {
    auto& how = c.operands().front();
    if (how == "throw") throw std::runtime_error("thrown by the command");
    if (how == "crash") std::raise(SIGSEGV);
    if (how == "memory") throw std::bad_alloc();
    if (how == "setting") Settings::none().flag("calc.count");
    return 3;
}

void add_commands(PluginBuilder& p) {
    CommandSpec add{.name     = "sum",
                    .operands = "N…",
                    .summary  = "the sum of numbers",
                    .options  = {{"--twice", "-t", "", "two times that"},
                                 {"--before", "-b", "TEXT", "a line before it"},
                                 {"--good", "", "", "end with 0"},
                                 {"--bad", "", "", "end with 1"}}};
    add.min_operands = 1;
    p.command(add, sum);
    CommandSpec bad{.name = "fail", .operands = "HOW", .summary = "fails", .status = "exit status: never 0", .failure = 2};
    bad.min_operands = bad.max_operands = 1;
    p.command(bad, fail);
}

void init(PluginBuilder& p) {
    p.option("title", "", "the first line of a list");
    p.option("count", false, "begin a list with its length");
    p.option("most", 1000, "bytes that a file may have");
    add_commands(p);
    p.normalizer("normalize_succ", normalize_succ);
    p.normalizer("normalize_twice", normalize_twice);
    p.front_end("calc", read);
    p.formatter("calc", lay_out);
    p.front_end("calc_plain", read);
    p.axiom("%calc.third").verifier(verify_third);
    p.axiom("%calc.foreign").emit("llvm", emit_foreign);
    p.library({.name = "calc_foreign", .system_libraries = {"m"}, .advice = "build it", .plugin = {}, .folder = {}});
    p.back_end("calc", ".txt", "the functions visible outside", list);
    p.back_end("refused", ".txt", "nothing: it is always refused", refuse);
}

} // namespace

MIM_PLUGIN(calc, init)
