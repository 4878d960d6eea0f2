// SPDX-License-Identifier: MIT
#include "driver/rewritten.h"

#include <algorithm>
#include <vector>

#include "driver/compilation.h"

namespace mim {

namespace {

/// A piece of text and what stands in its place.
struct Edit {
    uint32_t begin, end;
    std::string text;
    int64_t order; ///< of those at one place: ends of calls, inner ones first, then beginnings, outer ones first
};

class Rewriting {
public:
    Rewriting(std::string_view text, std::vector<OperatorCall> calls)
        : text_(text)
        , calls_(std::move(calls)) {}

    std::string run() {
        // a function that is read twice has its calls twice
        auto place = [](const OperatorCall& call) { return std::pair(call.call.begin, ~call.call.end); };
        std::ranges::sort(calls_, {}, place);
        auto [first, last] = std::ranges::unique(calls_, {}, place);
        calls_.erase(first, last);
        for (auto& call : calls_) rewrite(call);
        return result();
    }

private:
    std::string_view between(uint32_t begin, uint32_t end) const { return text_.substr(begin, end - begin); }
    bool has_comment(uint32_t begin, uint32_t end) const { return between(begin, end).find("//") != std::string_view::npos; }

    /// `f (a, b)` → `((a) + (b))`: the formatter removes the brackets that are not needed.
    void rewrite(const OperatorCall& call) {
        auto& left     = call.left;
        auto& right    = call.right;
        bool is_prefix = !left.span;
        auto first     = is_prefix ? right.span.begin : left.span.begin;
        auto gap       = is_prefix ? Span{} : Span{call.call.file, left.span.end, right.span.begin};
        if (has_comment(call.call.begin, first) || has_comment(gap.begin, gap.end) || has_comment(right.span.end, call.call.end))
            return;
        ++order_;
        auto op = call.op.str();
        edit(call.call.begin, first, is_prefix ? "(" + op : "(");
        if (!is_prefix) {
            operand(left, call.has_one_type && !right.is_literal);
            edit(gap.begin, gap.end, " " + op + " ");
        }
        operand(right, !is_prefix && call.has_one_type && !left.is_literal);
        close(right.span.end, call.call.end);
    }

    void operand(const OperatorCall::Operand& operand, bool may_be_bare) {
        auto [file, begin, end] = operand.span;
        if (!operand.is_literal) {
            edit(begin, begin, "(");
            close(end, end);
        } else if (may_be_bare) {
            edit(begin, end, std::string(bare(operand.span)));
        }
    }

    void edit(uint32_t begin, uint32_t end, std::string text) { edits_.push_back({begin, end, std::move(text), order_}); }
    void close(uint32_t begin, uint32_t end) { edits_.push_back({begin, end, ")", -order_}); }

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

    /// Edits of calls that lie in each other do not overlap.
    std::string result() {
        std::ranges::stable_sort(edits_, {}, [](const Edit& edit) { return std::pair(edit.begin, edit.order); });
        std::string out;
        uint32_t at = 0;
        for (auto& edit : edits_) {
            out += between(at, edit.begin);
            out += edit.text;
            at = edit.end;
        }
        return out += text_.substr(at);
    }

    std::string_view text_;
    std::vector<OperatorCall> calls_;
    std::vector<Edit> edits_;
    int64_t order_ = 0; ///< of the call that is rewritten
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
