// SPDX-License-Identifier: MIT
#include "type.h"

#include <algorithm>

namespace agree {

using std::string;
using std::to_string;

bool Type::has_var() const {
    return kind == Var || std::any_of(elems.begin(), elems.end(), [](auto& e) { return e.has_var(); });
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
        case Type::Var: break;
    }
    return t.name;
}

string least(const Type& t) {
    switch (t.kind) {
        case Type::Nat: return "0";
        case Type::Idx: return t.size == 2 ? "ff" : index_text(0, t.size);
        case Type::Var: return "";
        default: break;
    }
    if (t.has_var()) return "";
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
