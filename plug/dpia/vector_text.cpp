// SPDX-License-Identifier: MIT
#include "vector_text.h"

#include <algorithm>

#include "c_statement.h"

namespace mim::plug::dpia {

// ---- C compilers

CScalar VectorText::vector(const CScalar& lane, unsigned lanes) {
    auto name = this->name(lane, lanes);
    return types_.emplace(name, CScalar{CScalar::Vector, lane.bits, name, lanes, lane.name}).first->second;
}

CScalar VectorText::bits_of(const CScalar& t) {
    auto lane = "uint" + std::to_string(t.bits) + "_t";
    return vector({CScalar::Unsigned, t.bits, lane}, t.lanes);
}

std::string VectorText::name(const CScalar& lane, unsigned lanes) const {
    auto letter = lane.kind == CScalar::Float ? "f" : lane.kind == CScalar::Signed ? "i" : "u";
    return "vec_" + std::string(letter) + std::to_string(lane.bits) + "x" + std::to_string(lanes);
}

/// `_a` is in memory where a vector may begin, `_u` where a lane may begin.
std::string VectorText::declarations() const {
    std::string all;
    for (auto& [name, t] : types_) {
        auto bytes = std::to_string(t.lanes * t.bits / 8);
        auto lane  = std::to_string(t.bits / 8);
        all += "typedef " + t.lane + " " + name + " __attribute__((vector_size(" + bytes + ")));\n";
        all += "typedef " + name + " " + name + "_a __attribute__((may_alias));\n";
        all += "typedef " + name + " " + name + "_u __attribute__((aligned(" + lane + "), may_alias));\n";
    }
    return all;
}

static std::string operands(unsigned first, unsigned last, bool is_same) {
    std::string text;
    for (auto i = first; i != last; ++i) text += (i == first ? "$" : ", $") + std::to_string(is_same ? 0 : i) + "$";
    return text;
}

std::string VectorText::zero(const CScalar& t) const { return "(" + t.name + "){0}"; }
std::string VectorText::made(const CScalar& t, bool is_same) const {
    return "(" + t.name + "){" + operands(0, t.lanes, is_same) + "}";
}
std::string VectorText::lane(const CScalar&, unsigned i) const { return "$0$[" + std::to_string(i) + "]"; }
std::string VectorText::any_lane(const CScalar&) { return "$0$[$1$]"; }
std::string VectorText::load(const CScalar& t, const std::string& place, bool is_aligned) const {
    return "*(const " + t.name + (is_aligned ? "_a" : "_u") + "*)" + place;
}
std::string VectorText::store(const CScalar& t, const std::string& place) const { return "*(" + t.name + "_u*)" + place; }
std::string VectorText::lane_of_variable(const CScalar&, const std::string& name, const std::string& i) const {
    return name + "[" + i + "]";
}
std::string VectorText::bits_as(const CScalar& t, const std::string& text) const {
    bool has_operator = text.find(' ') != text.npos;
    return "((" + t.name + ")" + (has_operator ? "(" + text + ")" : text) + ")";
}
std::string VectorText::converted(const CScalar& t, const std::string& text) const {
    return "__builtin_convertvector(" + text + ", " + t.name + ")";
}
std::string VectorText::blended(const CScalar& t) const {
    auto bits = types_.at(name({CScalar::Unsigned, t.bits, {}}, t.lanes));
    return bits_as(t, "($0$ & " + bits_as(bits, "$1$") + ") | (~$0$ & " + bits_as(bits, "$2$") + ")");
}
CRef VectorText::operation(Sizes& sizes, const CScalar& result, const std::string& text, const std::vector<CRef>& args,
                           CNode::Kind kind) {
    return sizes.make({text, result.name, args, kind});
}

// ---- OpenCL

static constexpr unsigned kWidest = 16;

static bool is_wide(const CScalar& t) { return t.lanes > kWidest; }

/// The type of a piece, or the vector itself.
static std::string piece_name(const CScalar& t) { return t.name.substr(0, t.name.find("x")); }

std::string OpenClVectors::name(const CScalar& lane, unsigned lanes) const {
    constexpr std::pair<unsigned, const char*> names[] = {{8, "char"}, {16, "short"}, {32, "int"}, {64, "long"}};
    auto whole    = std::ranges::find_if(names, [&](auto& n) { return n.first == lane.bits; })->second;
    auto base     = std::string(lane.kind == CScalar::Signed ? "" : "u") + whole;
    bool is_float = lane.kind == CScalar::Float && lane.bits != 16;
    if (is_float) base = lane.bits == 64 ? "double" : "float";
    if (lanes <= kWidest) return base + std::to_string(lanes);
    return base + std::to_string(kWidest) + "x" + std::to_string(lanes / kWidest);
}

std::string OpenClVectors::declarations() const {
    std::string all;
    for (auto& [name, t] : types_) {
        if (!is_wide(t)) continue;
        all += "typedef struct {\n    " + piece_name(t) + " part[" + std::to_string(t.lanes / kWidest) + "];\n} " + name + ";\n";
    }
    for (auto& [rest, head] : functions_) all += (all.empty() ? "" : "\n") + head + rest;
    if (!all.empty()) all += "\n";
    return all;
}

/// The name of a function that is declared once. `rest` is what follows the name.
std::string OpenClVectors::function(const std::string& base, const std::string& result, const std::string& rest) {
    auto& head = functions_[rest];
    auto start = result + " ";
    if (head.empty()) head = start + base + "_" + std::to_string(functions_.size());
    return head.substr(start.size());
}

/// One text for each piece, in which `@` is its number.
static std::string for_pieces(const CScalar& t, const std::string& separator, const std::string& text) {
    std::string all;
    for (unsigned i = 0; i != t.lanes / kWidest; ++i) {
        auto one = text;
        replace_all(one, "@", std::to_string(i));
        all += (i == 0 ? "" : separator) + one;
    }
    return all;
}

std::string OpenClVectors::zero(const CScalar& t) const { return "(" + piece_name(t) + ")(0)"; }
std::string OpenClVectors::any(const CScalar& t) const {
    return is_wide(t) ? "(" + t.name + "){{" + for_pieces(t, ", ", zero(t)) + "}}" : zero(t);
}

std::string OpenClVectors::made(const CScalar& t, bool is_same) const {
    if (!is_wide(t)) return "(" + t.name + ")(" + (is_same ? "$0$" : operands(0, t.lanes, false)) + ")";
    std::string all;
    for (unsigned first = 0; first != t.lanes; first += kWidest) {
        auto lanes = is_same ? "$0$" : operands(first, first + kWidest, false);
        all += (first == 0 ? "(" : ", (") + piece_name(t) + ")(" + lanes + ")";
    }
    return "(" + t.name + "){{" + all + "}}";
}

static std::string selector(const CScalar& t, unsigned i) {
    auto part = is_wide(t) ? ".part[" + std::to_string(i / kWidest) + "]" : "";
    return part + ".s" + "0123456789abcdef"[i % kWidest];
}

std::string OpenClVectors::lane(const CScalar& t, unsigned i) const { return "$0$" + selector(t, i); }

std::string OpenClVectors::any_lane(const CScalar& t) {
    auto rest = "(" + t.name + " v, ulong i) {\n    return ((" + t.lane + "*)&v)[i];\n}\n";
    return function("lane", t.lane, rest) + "($0$, $1$)";
}

std::string OpenClVectors::lane_of_variable(const CScalar& t, const std::string& name, const std::string& i) const {
    bool is_known = std::ranges::all_of(i, [](unsigned char c) { return std::isdigit(c); });
    if (is_known) return name + selector(t, static_cast<unsigned>(std::stoul(i)));
    return "((" + t.lane + "*)&" + name + ")[" + i + "]";
}

std::string OpenClVectors::load(const CScalar& t, const std::string& place, bool) const {
    if (!is_wide(t)) return "vload" + std::to_string(t.lanes) + "(0, " + place + ")";
    return "(" + t.name + "){{" + for_pieces(t, ", ", "vload16(@, " + place + ")") + "}}";
}

std::string OpenClVectors::store(const CScalar& t, const std::string& place) const {
    if (!is_wide(t)) return "vstore" + std::to_string(t.lanes) + "($=$, 0, " + place + ")";
    return for_pieces(t, ", ", "vstore16($=$.part[@], @, " + place + ")");
}

std::string OpenClVectors::bits_as(const CScalar& t, const std::string& text) const {
    return "as_" + piece_name(t) + "(" + text + ")";
}
std::string OpenClVectors::converted(const CScalar& t, const std::string& text) const {
    return "convert_" + piece_name(t) + "(" + text + ")";
}

/// A wide one is a function whose loop goes over the pieces.
CRef OpenClVectors::operation(Sizes& sizes, const CScalar& result, const std::string& text, const std::vector<CRef>& args,
                              CNode::Kind kind) {
    if (!is_wide(result)) return VectorText::operation(sizes, result, text, args, kind);
    std::string parameters, operands, of_piece = text;
    for (size_t i = 0; i != args.size(); ++i) {
        auto name    = std::string(1, static_cast<char>('a' + i));
        auto operand = "$" + std::to_string(i) + "$";
        auto comma   = i == 0 ? "" : ", ";
        parameters += comma + args[i]->type + " " + name;
        operands += comma + operand;
        replace_all(of_piece, operand, name + ".part[i]");
    }
    auto rest = "(" + parameters + ") {\n    " + result.name + " result;\n    for (int i = 0; i < "
                + std::to_string(result.lanes / kWidest) + "; ++i) result.part[i] = " + of_piece + ";\n    return result;\n}\n";
    return sizes.call(function("lanes", result.name, rest) + "(" + operands + ")", result.name, args);
}

// ---- masks

CRef LaneMasks::mask(const CScalar& t, const std::string& test, const std::vector<CRef>& args) {
    auto bits = text_->bits_of(t);
    return operation(bits, text_->bits_as(bits, test), args);
}

CRef LaneMasks::blended(const CScalar& t, CRef mask, CRef a, CRef b) { return operation(t, text_->blended(t), {mask, a, b}); }

CRef LaneMasks::truth_of(const CScalar& t, CRef mask) {
    auto bytes  = text_->bits_of({CScalar::Bool, 8, {}, t.lanes});
    auto text   = t.bits == 8 ? "(-$0$)" : text_->converted(bytes, "-$0$");
    auto result = operation(bytes, text, {mask});
    masks_.emplace(result, mask);
    return result;
}

CRef LaneMasks::mask_of(const CScalar& t, CRef truth) {
    auto bits  = text_->bits_of(t);
    auto known = masks_.find(truth);
    if (known != masks_.end() && known->second->type == bits.name) return known->second;
    return operation(bits, "(-" + text_->converted(bits, "$0$") + ")", {truth});
}

} // namespace mim::plug::dpia
