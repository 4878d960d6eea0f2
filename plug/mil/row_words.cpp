// SPDX-License-Identifier: MIT
#include "row_words.h"

#include "retype.h"

namespace mim::plug::mil {

// ---- primitives
// -----------------------------------------------------------------------------------------------------------------

namespace {

/// The type of one that the program does not declare: `w` is a word, `f` a flag, `a` and `b` are any types, `r` is a row of
/// n bits, and `n` a proxy of that.
struct Declared {
    Op op;
    const char *name, *domain, *range;
};

constexpr Declared kDeclared[] = {
    {Op::Not, "not", "w", "w"},
    {Op::Neg, "neg", "w", "w"},
    {Op::And, "and", "ww", "w"},
    {Op::Or, "or", "ww", "w"},
    {Op::Xor, "xor", "ww", "w"},
    {Op::Add, "add", "ww", "w"},
    {Op::Sub, "sub", "ww", "w"},
    {Op::Mul, "mul", "ww", "w"},
    {Op::Shl, "shl", "ww", "w"},
    {Op::Lshr, "lshr", "ww", "w"},
    {Op::Eq, "primEq", "ww", "f"},
    {Op::Neq, "primNeq", "ww", "f"},
    {Op::Ult, "primUlt", "ww", "f"},
    {Op::FlagToWord, "flagToWord", "f", "w"},
    {Op::WordToFlag, "wordToFlag", "w", "f"},
    {Op::As, "primAs", "a", "b"},
    {Op::Zeros, "primZeros", "n", "r"},
    {Op::Part, "primPart", "rnw", "w"},
    {Op::Put, "primPut", "rnww", "r"},
};

mil::Primitive declared(Source& source, const Declared& d) {
    auto& types = source.types;
    mil::Primitive made;
    made.name   = d.name;
    made.purity = "pure";
    made.code   = static_cast<uint32_t>(d.op);
    ++types.level;
    Type* any[] = {types.fresh(), types.fresh()};
    --types.level;
    auto side = [&](std::string_view letters, std::vector<TypeExpr*>& texts) {
        std::vector<Type*> all;
        for (auto c : letters) {
            all.push_back(c == 'w'   ? types.con("Word")
                          : c == 'f' ? types.con("Flag")
                          : c == 'r' ? types.apply(types.con("Bit"), any[0])
                          : c == 'n' ? types.apply(types.con("ProxyNat"), any[0])
                          : c == 'a' ? any[0]
                                     : any[1]);
            texts.push_back(express(source, all.back(), {{any[0], d.domain[0] == 'a' ? "a" : "n"}, {any[1], "b"}}));
        }
        return types.tuple(all);
    };
    auto domain = side(d.domain, made.domain);
    auto range  = side(d.range, made.range);
    made.scheme = {{any[0], any[1]}, types.apply(types.con(">>="), {domain, range})};
    return made;
}

} // namespace

uint32_t RowWords::primitive(Op op) {
    if (auto known = primitives_.find(op); known != primitives_.end()) return known->second;
    auto& p    = b_.program;
    auto is_it = [&](auto& primitive) { return primitive.code == static_cast<uint32_t>(op); };
    auto found = std::ranges::find_if(p.primitives, is_it);
    if (found != p.primitives.end()) return primitives_[op] = static_cast<uint32_t>(found - p.primitives.begin());
    return primitives_[op] = add_primitive(declared(source_, *std::ranges::find(kDeclared, op, &Declared::op)));
}

uint32_t RowWords::add_primitive(mil::Primitive made) {
    auto& p    = b_.program;
    auto index = add(p.primitives, std::move(made));
    p.order.insert(p.order.begin(), {Program::PrimitiveKind, index});
    return index;
}

Tail RowWords::same(Atom a, Type* from, Type* to) {
    auto& types  = source_.types;
    auto& all    = b_.program.primitives;
    auto type    = types.apply(types.con(">>="), {types.tuple({from}), types.tuple({to})});
    auto text    = types.text(type);
    size_t count = 0;
    for (uint32_t i = 0; i != all.size(); ++i) {
        if (!all[i].name.starts_with("primSame$")) continue;
        ++count;
        if (types.text(all[i].scheme.type) == text) return tail(Tail::Primitive, i, {a}, at_);
    }
    mil::Primitive made;
    made.name   = "primSame$" + std::to_string(count + 1);
    made.purity = "pure";
    made.code   = static_cast<uint32_t>(Op::Same);
    made.domain = {express(source_, from, {})};
    made.range  = {express(source_, to, {})};
    made.scheme = {{}, type};
    return tail(Tail::Primitive, add_primitive(std::move(made)), {a}, at_);
}

void RowWords::branch(Atom flag, Jump yes, Jump no) {
    auto& code   = b_.code();
    code.end     = Code::If;
    code.subject = flag;
    code.arms    = {{kNone, std::move(yes)}, {kNone, std::move(no)}};
}

// ---- rows
// -----------------------------------------------------------------------------------------------------------------------

RowWords::Parts RowWords::fitted(Parts x, size_t size) const {
    x.resize(size, number(0));
    return x;
}

/// Its least bits.
RowWords::Parts RowWords::cut(Parts x, uint64_t width) {
    x         = fitted(std::move(x), count(width));
    auto rest = width % bits();
    if (rest != 0) x.back() = word(Op::And, x.back(), number((uint64_t(1) << rest) - 1));
    return x;
}

Tail RowWords::row(const Parts& x, Type* type, uint32_t width) {
    if (x.empty()) return tail_of(Op::As, {number(0)});
    if (x.size() == 1) return tail_of(Op::As, {x[0]});
    Atom size{Atom::Proxy, width};
    auto made = word(Op::Zeros, size);
    auto bits = source_.types.bits(width);
    for (size_t i = 0; i != x.size(); ++i) made = b_.emit(tail_of(Op::Put, {made, size, number(i), x[i]}), "r");
    bool is_bits = source_.types.text(type) == source_.types.text(bits);
    return is_bits ? tail(Tail::Return, kNone, {made}, at_) : same(made, bits, type);
}

RowWords::Parts RowWords::parts(Atom a, Type* type, uint32_t width) {
    auto size = count(width);
    if (size == 0) return {};
    if (size == 1) return {word(Op::As, a)};
    auto bits    = source_.types.bits(width);
    bool is_bits = source_.types.text(type) == source_.types.text(bits);
    auto own     = is_bits ? a : b_.emit(same(a, type, bits), "r");
    Parts result;
    for (uint32_t i = 0; i != size; ++i)
        result.push_back(b_.emit(tail_of(Op::Part, {own, {Atom::Proxy, width}, number(i)}), "w"));
    return result;
}

RowWords::Parts RowWords::each(Op op, const Parts& x, const Parts& y) {
    Parts result;
    for (size_t i = 0; i != x.size(); ++i) result.push_back(word(op, x[i], y[i]));
    return result;
}

RowWords::Parts RowWords::shifted(const Parts& x, uint64_t left, uint64_t right) {
    auto words = static_cast<int64_t>(left / bits()) - static_cast<int64_t>(right / bits());
    auto size  = static_cast<int64_t>(x.size());
    auto up = left % bits(), down = right % bits();
    Parts result;
    for (int64_t i = 0; i != size; ++i) {
        auto at = [&](int64_t j) { return j >= 0 && j < size ? x[static_cast<size_t>(j)] : number(0); };
        auto w  = at(i - words);
        if (up != 0) {
            auto rest = word(Op::Lshr, at(i - words - 1), number(bits() - up));
            w         = word(Op::Or, word(Op::Shl, w, number(up)), rest);
        }
        if (down != 0) {
            auto rest = word(Op::Shl, at(i - words + 1), number(bits() - down));
            w         = word(Op::Or, word(Op::Lshr, w, number(down)), rest);
        }
        result.push_back(w);
    }
    return result;
}

Atom RowWords::any(const Parts& x) {
    auto result = number(0);
    for (auto& w : x) result = word(Op::Or, result, w);
    return truth(Op::Neq, result, number(0));
}

} // namespace mim::plug::mil
