// SPDX-License-Identifier: MIT
#include "driver/rewritten.h"

#include <algorithm>
#include <vector>

#include "driver/compilation.h"

namespace mim {

namespace {

class Rewriting {
public:
    Rewriting(std::string_view text, std::vector<OperatorCall> calls)
        : text_(text)
        , calls_(std::move(calls)) {}

    std::string run() {
        // a function that is read twice has its calls twice
        std::ranges::sort(calls_, {}, place);
        auto [first, last] = std::ranges::unique(calls_, {}, place);
        calls_.erase(first, last);
        write(0, static_cast<uint32_t>(text_.size()));
        return std::move(out_);
    }

private:
    /// Outer calls stand before those in their operands.
    static std::pair<uint32_t, uint32_t> place(const OperatorCall& call) { return {call.call.begin, ~call.call.end}; }

    std::string_view between(uint32_t begin, uint32_t end) const { return text_.substr(begin, end - begin); }
    bool has_comment(uint32_t begin, uint32_t end) const {
        auto piece = between(begin, end);
        return piece.find("//") != piece.npos || piece.find("/*") != piece.npos;
    }

    /// A piece of the text, with the calls in it as operators.
    void write(uint32_t begin, uint32_t end) {
        auto at   = begin;
        auto call = std::ranges::lower_bound(calls_, std::pair(begin, ~end), {}, place);
        while (call != calls_.end() && call->call.begin < end) {
            if (has_comment(*call)) {
                ++call;
                continue;
            }
            out_ += between(at, call->call.begin);
            write(*call);
            at   = call->call.end;
            call = std::ranges::lower_bound(calls_, std::pair(at, uint32_t(0)), {}, place);
        }
        out_ += between(at, end);
    }

    /// In `(ff, b)#a`, the left operand of `a && b` stands behind the right one.
    bool has_comment(const OperatorCall& call) const {
        auto& left  = call.left.span ? call.left.span : call.right.span;
        auto& first = std::min(left, call.right.span, [](Span a, Span b) { return a.begin < b.begin; });
        auto& last  = std::max(left, call.right.span, [](Span a, Span b) { return a.begin < b.begin; });
        return has_comment(call.call.begin, first.begin) || (first.end < last.begin && has_comment(first.end, last.begin))
               || has_comment(last.end, call.call.end);
    }

    /// `f (a, b)` → `((a) + (b))`: the formatter removes the brackets that are not needed.
    void write(const OperatorCall& call) {
        auto& left  = call.left;
        auto& right = call.right;
        auto op     = call.op.str();
        out_ += "(";
        if (!left.span) {
            out_ += op;
            operand(right, false);
        } else {
            operand(left, call.has_one_type && !right.is_literal);
            out_ += " " + op + " ";
            operand(right, call.has_one_type && !left.is_literal);
        }
        out_ += ")";
    }

    void operand(const OperatorCall::Operand& operand, bool may_be_bare) {
        auto [file, begin, end] = operand.span;
        if (operand.is_literal) {
            out_ += may_be_bare ? bare(operand.span) : between(begin, end);
            return;
        }
        out_ += "(";
        write(begin, end);
        out_ += ")";
    }

    /// A literal without its type: the number in front of `:`, `_`, `I32` or small digits. One with a sign stays as it is.
    std::string_view bare(Span literal) const {
        auto all        = between(literal.begin, literal.end);
        bool is_hex     = all.starts_with("0x") || all.starts_with("0X");
        size_t n        = 0;
        auto is_of_this = [&](char c) {
            bool is_sign = (c == '+' || c == '-') && n > 0 && !is_hex && (all[n - 1] == 'e' || all[n - 1] == 'E');
            return std::isxdigit(static_cast<unsigned char>(c)) || c == 'x' || c == 'X' || c == '.' || c == 'p' || c == 'P'
                   || is_sign;
        };
        while (n < all.size() && is_of_this(all[n])) ++n;
        return n == 0 ? all : all.substr(0, n);
    }

    std::string_view text_;
    std::vector<OperatorCall> calls_;
    std::string out_;
};

} // namespace

std::optional<std::string> with_operators(const Options& options, const std::string& path, const std::string& text) {
    std::optional<std::string> result;
    auto rewrite = [&](Compilation& c) {
        c.session.keep_operator_calls();
        if (!c.check()) return static_cast<int>(kInputError);
        result = Rewriting(text, c.session.operator_calls()).run();
        return static_cast<int>(kDone);
    };
    compile(options, path, rewrite, path == "-" ? std::optional(text) : std::nullopt);
    return result;
}

} // namespace mim
