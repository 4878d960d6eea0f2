// SPDX-License-Identifier: MIT
#include "eval/value.h"

namespace mim::eval {

bool same_ptr(const Value& a, const Value& b) {
    if (!a.obj || !b.obj) return a.obj == b.obj;
    return a.ptr().alloc == b.ptr().alloc && a.ptr().offset == b.ptr().offset;
}

std::string show(const Value& v) {
    switch (v.kind) {
        case Kind::Num: return std::to_string(v.bits);
        case Kind::Size64: return "2^64";
        case Kind::Token: return "token";
        case Kind::Poison: return "uninitialised";
        case Kind::Tuple: {
            std::string s = "(";
            for (auto& e : v.tuple().elems) {
                if (s.size() > 1) s += ", ";
                if (s.size() > 10'000) return s + "…)";
                s += show(e);
            }
            return s + ")";
        }
        case Kind::Inj: return show(v.inj().value) + " inj";
        case Kind::Dual: return show(v.dual().number) + " and a change";
        case Kind::Thunk: return v.thunk().value ? show(v.thunk().value) : "unevaluated";
        case Kind::Pack: return "pack";
        case Kind::Closure: return "function";
        case Kind::Axiom: return v.axiom().axm ? v.axiom().axm->axiom().name.str() : "Idx";
        case Kind::Host: return "host function";
        case Kind::Type: return "type";
        case Kind::Ptr: return v.obj ? "pointer" : "null";
        case Kind::None: break;
    }
    return "nothing";
}

} // namespace mim::eval
