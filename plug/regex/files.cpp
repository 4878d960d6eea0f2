// SPDX-License-Identifier: MIT
// Files with a pattern, `NAME.regex`, as programs: functions that C can call. In `NAME.regex_lines` it is a pattern within lines.
#include <string_view>

#include "regex.h"

namespace mim::plug::regex {

namespace {

constexpr std::string_view functions = R"(
/// Whether all of the n characters match.
fun extern regex_full_match (mem: %mem.M, n: Nat, text: %regex.Chars n): [%mem.M, Bool] = {
    let (mem, found, _) = %regex.prefix (%regex.full pattern) (mem, text, %core.bitcast (%regex.Pos n) 0);
    return (mem, found)
};
/// Which of k subjects match, where `sizes` says how many characters each has; and how many of them do.
fun extern regex_full_matches (mem: %mem.M, k: Nat, texts: %mem.Ptr «k; %regex.Text», sizes: %mem.Ptr «k; Nat», found: %mem.Ptr «k; Bool»):
    [%mem.M, Nat] = %regex.each pattern ((mem, texts, sizes, found), return);
/// Whether a match begins at the first character, and where it ends.
fun extern regex_prefix_match (mem: %mem.M, n: Nat, text: %regex.Chars n, to: %mem.Ptr Nat): [%mem.M, Bool] = {
    let (mem, found, at) = %regex.prefix pattern (mem, text, %core.bitcast (%regex.Pos n) 0);
    return (%mem.store (mem, to, %core.bitcast Nat at), found)
};
/// Whether there is a match from a position on, and where the leftmost one begins and ends; `after_empty`: behind an empty match there.
fun extern regex_next (mem: %mem.M, n: Nat, text: %regex.Chars n, from: Nat, after_empty: Bool, span: %mem.Ptr «2; Nat»):
    [%mem.M, Bool] = {
    let (mem, found, begin, to) = %regex.next pattern (mem, text, %core.bitcast (%regex.Pos n) from, after_empty);
    return (%mem.store (mem, span, (%core.bitcast Nat begin, %core.bitcast Nat to)), found)
};
/// How many matches there are.
fun extern regex_count (mem: %mem.M, n: Nat, text: %regex.Chars n): [%mem.M, Nat] = return (%regex.count pattern (mem, text));
)";

/// A literal of Mim with these bytes.
std::string literal(std::string_view text) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string result             = "\"";
    for (auto c : text) {
        auto byte = static_cast<unsigned char>(c);
        if (byte >= ' ' && byte < 127 && c != '"' && c != '\\') result += c;
        else result += "\\x", result += digits[byte >> 4], result += digits[byte & 15];
    }
    return result + '"';
}

/// Whether the text is a pattern; if not, that is reported in the file.
bool check(FrontEndContext& c, std::string_view text) {
    try {
        return parse_text(c.world, std::string(text)) != nullptr;
    } catch (const Error& e) {
        DiagArgs args;
        for (auto& arg : e.args) args.push_back(std::get<std::string>(arg));
        auto part = e.part.value_or(Error::Part{0, text.size(), ""});
        c.diags.report(e.id, {c.file, uint32_t(part.begin), uint32_t(part.end)}, std::move(args));
        return false;
    }
}

} // namespace

std::optional<std::string> read_pattern(FrontEndContext& c) {
    auto text = c.text;
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (!check(c, text)) return {};
    auto pattern = "%regex.parse @" + std::to_string(text.size()) + ' ' + literal(text);
    if (c.extension == "regex_lines") pattern = "%regex.lines (" + pattern + ')';
    return "plugin regex;\nlet pattern = " + pattern + ";\n" + std::string(functions);
}

} // namespace mim::plug::regex
