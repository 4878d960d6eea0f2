// SPDX-License-Identifier: MIT
#include "type.h"

#include <algorithm>

namespace agree {

using std::string;
using std::to_string;

bool Type::has_var() const {
    return kind == Var || kind == Place || std::any_of(elems.begin(), elems.end(), [](auto& e) { return e.has_var(); });
}

bool Type::has_function() const {
    return kind == Fun || kind == Rec || std::any_of(elems.begin(), elems.end(), [](auto& e) { return e.has_function(); });
}

namespace {

/// The head of a type, as apartness defines it.
enum class Head : uint8_t { Nat, Idx, Pi, Sigma, Tag, Unknown };

Head head(const Type& t) {
    switch (t.kind) {
        case Type::Nat: return Head::Nat;
        case Type::Idx:
        case Type::Place: return Head::Idx;
        case Type::Fun: return Head::Pi;
        case Type::Tuple:
        case Type::Array:
        case Type::Pair: return Head::Sigma;
        case Type::Tag: return Head::Tag;
        case Type::Rec: // depends on how it is made
        case Type::Union:
        case Type::Var: break;
    }
    return Head::Unknown;
}

Type element(const Type& t, uint64_t i) {
    if (t.kind != Type::Pair) return t.elem(i);
    return i == 0 ? nat() : place("");
}

bool apart_tuples(const Type& a, const Type& b) {
    auto arity = [](const Type& t) { return t.kind == Type::Pair ? 2 : t.arity(); };
    if (arity(a) != arity(b)) return true;
    for (uint64_t i = 0, n = arity(a); i != n; ++i)
        if (apart(element(a, i), element(b, i))) return true;
    return false;
}

} // namespace

/// Tags are apart from each other if their indices differ, and from what their own type is apart from.
bool apart(const Type& a, const Type& b) {
    auto x = head(a), y = head(b);
    if (x == Head::Unknown || y == Head::Unknown) return false;
    if (x == Head::Tag && y == Head::Tag) return a.size == b.size ? a.name != b.name : true;
    if (x == Head::Tag) return apart(idx(a.size), b);
    if (y == Head::Tag) return apart(a, idx(b.size));
    if (x != y) return true;
    switch (x) {
        case Head::Idx: return a.kind == Type::Idx && b.kind == Type::Idx && a.size != b.size;
        case Head::Pi: return apart(a.elems[0], b.elems[0]) || apart(a.elems[1], b.elems[1]);
        case Head::Sigma: return apart_tuples(a, b);
        default: return false;
    }
}

string size_text(uint64_t n) { return n == 0 ? "i64" : to_string(n); }
string index_text(uint64_t i, uint64_t n) { return "(" + to_string(i) + ":(Idx " + size_text(n) + "))"; }

static string list(const std::vector<Type>& types, string (*show)(const Type&), const char* separator) {
    string s;
    for (auto& t : types) s += (s.empty() ? "" : separator) + show(t);
    return s;
}

string text(const Type& t) {
    switch (t.kind) {
        case Type::Nat: return "Nat";
        case Type::Idx: return t.size == 2 ? "Bool" : "(Idx " + size_text(t.size) + ")";
        case Type::Array: return "«" + to_string(t.size) + "; " + text(t.elems[0]) + "»";
        case Type::Union: return "(" + list(t.elems, text, " ∪ ") + ")";
        case Type::Tuple: return "[" + list(t.elems, text, ", ") + "]";
        case Type::Tag: return "⦃" + index_text(std::stoull(t.name), t.size) + "⦄";
        case Type::Fun: return "(" + text(t.elems[0]) + " → " + text(t.elems[1]) + ")";
        case Type::Pair: return "Sized";
        case Type::Place: return "(Idx " + t.name + ")";
        case Type::Var:
        case Type::Rec: break;
    }
    return t.name;
}

string least(const Type& t) {
    switch (t.kind) {
        case Type::Nat: return "0";
        case Type::Idx: return t.size == 2 ? "ff" : index_text(0, t.size);
        case Type::Tag: return index_text(std::stoull(t.name), t.size);
        case Type::Pair: return "(size_and_index (0, 0I64))";
        case Type::Place: return "(%core.idx " + t.name + " 0 0)";
        case Type::Rec: return "(" + t.name + "_from " + least(t.elems[1]) + ")";
        case Type::Var: return "";
        default: break;
    }
    for (auto& e : t.elems)
        if (least(e).empty()) return "";
    if (t.kind == Type::Fun) return "(λ (_: " + text(t.elems[0]) + "): " + text(t.elems[1]) + " = " + least(t.elems[1]) + ")";
    if (t.kind == Type::Array) return "‹" + to_string(t.size) + "; " + least(t.elems[0]) + "›";
    if (t.kind == Type::Union) return "(" + least(t.elems[0]) + " inj " + text(t) + ")";
    return "(" + list(t.elems, least, ", ") + ")";
}

unsigned bits(const Type& t) {
    unsigned n = 0;
    for (auto max = t.size - 1; max; max /= 2) ++n; // 2^64 - 1 for 2^64
    return n;
}

bool is_power_of_two(const Type& t) { return (t.size & (t.size - 1)) == 0; }

} // namespace agree
