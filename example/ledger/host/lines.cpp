// SPDX-License-Identifier: MIT
#include "ledger/host/lines.h"

#include <algorithm>
#include <charconv>

namespace ledger {

namespace {

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Reader {
public:
    explicit Reader(std::string_view text)
        : text_(text) {}

    /// False at the end of the text, and after a fault.
    bool line(Line& line) {
        skip();
        if (at_ == text_.size()) return false;
        line.begin = static_cast<uint32_t>(at_);
        line.name  = word(is_letter);
        if (line.name.empty()) return expected("a name");
        if (!take('=')) return expected("`=`");
        do {
            uint64_t number = 0;
            skip();
            auto begin  = at_;
            auto digits = word(is_digit);
            auto end    = digits.data() + digits.size();
            if (digits.empty()) return expected("a number");
            if (line.numbers.empty()) line.sum = static_cast<uint32_t>(begin);
            if (std::from_chars(digits.data(), end, number).ec != std::errc())
                return fail(begin, "the number does not fit in 64 bits");
            line.numbers.push_back(number);
            line.end = static_cast<uint32_t>(at_);
        } while (take('+'));
        return true;
    }

    std::optional<Fault> fault;

private:
    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    std::string word(bool (*belongs)(char)) {
        skip();
        auto begin = at_;
        while (at_ < text_.size() && belongs(text_[at_])) ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }
    bool take(char c) {
        skip();
        bool is_there = at_ < text_.size() && text_[at_] == c;
        at_ += is_there;
        return is_there;
    }
    bool expected(const std::string& what) {
        skip();
        return fail(at_, "expected " + what);
    }
    bool fail(size_t begin, std::string what) {
        auto end = std::max(at_, std::min(begin + 1, text_.size()));
        fault    = Fault{static_cast<uint32_t>(begin), static_cast<uint32_t>(end), std::move(what)};
        return false;
    }

    std::string_view text_;
    size_t at_ = 0;
};

} // namespace

std::optional<Fault> read(std::string_view text, std::vector<Line>& lines) {
    Reader reader(text);
    for (Line line; reader.line(line); line = {}) lines.push_back(line);
    return reader.fault;
}

std::string lay_out(const std::vector<Line>& lines) {
    std::string text;
    for (auto& line : lines) {
        text += line.name + " =";
        for (size_t i = 0; i != line.numbers.size(); ++i) text += (i == 0 ? " " : " + ") + std::to_string(line.numbers[i]);
        text += '\n';
    }
    return text;
}

} // namespace ledger
