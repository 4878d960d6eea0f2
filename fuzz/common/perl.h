// SPDX-License-Identifier: MIT
// Patterns as Perl reads them and as plug/regex/README.md restricts them, matched by trying one way after the other. It shares nothing with
// plug/regex: what that makes of a text must match the same.
#pragma once
#include <bitset>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuzz {

/// One character: of ASCII, any other byte, or others in UTF-8.
struct CharSet {
    std::bitset<128> ascii                          = {};
    bool high                                       = false; ///< any byte that is no ASCII, if there are no `wide` ones
    std::vector<std::pair<uint32_t, uint32_t>> wide = {};
};

struct PerlNode {
    enum Op { Chars, Place, Sequence, Ways, Repeat, Group } op;
    CharSet chars = {};
    char place    = 0;         ///< `A`, `z`, `^`, `$`, `b`, `B`, `<` behind no word, `>` before none
    uint64_t min = 0, max = 0; ///< Repeat
    bool lazy                  = false;
    unsigned number            = 0; ///< Group
    std::vector<PerlNode> kids = {};

    /// How many parts it has where what is repeated counts as often as it must be.
    uint64_t size() const;
};

struct Perl {
    PerlNode root;
    unsigned groups = 0;
};

/// Nothing if the text is no pattern.
std::optional<Perl> parse_perl(std::string_view);

class PerlMatch {
public:
    /// Thrown when there are too many ways to try.
    struct TooLong {};
    using Next = std::function<bool(size_t)>;

    PerlMatch(const Perl& pattern, std::string_view subject)
        : pattern_(pattern)
        , subject_(subject) {}

    /// Where the first match from a position on ends with which `accept` agrees.
    std::optional<size_t> match(size_t pos, const Next& accept);
    /// Of that match: begin and end of each group from 1 on; -1: it took no part.
    std::vector<int64_t> groups;

private:
    bool go(const PerlNode&, size_t pos, const Next&);
    bool sequence(const PerlNode&, size_t kid, size_t pos, const Next&);
    bool repeat(const PerlNode&, uint64_t min, uint64_t max, size_t pos, const Next&);
    bool is_place(char, size_t pos) const;
    size_t length(const CharSet&, size_t pos) const;

    const Perl& pattern_;
    std::string_view subject_;
    unsigned steps_ = 0, depth_ = 0;
};

} // namespace fuzz
