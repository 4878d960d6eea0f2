// SPDX-License-Identifier: MIT
// The rules on computations.
#include <algorithm>

#include "primitives.h"
#include "rewriter.h"

namespace mim::plug::mil {

static constexpr uint32_t kDeepestShape = 3;

/// `C i v` where v = C(…)
bool Rewriter::selector(Tail& t) {
    auto object = t.op == Tail::Select ? made(t.args[0]) : nullptr;
    if (!object || object->op != Tail::Build || object->target != t.target) return false;
    Tail after{Tail::Return, kNone, 0, {object->args[t.index]}, t.at};
    note(Rule::Selector, t, after);
    t = std::move(after);
    return true;
}

/// 8: what has a name is not computed again.
bool Rewriter::common(Tail& t) {
    if (!has_same_type(t)) return false;
    auto known = known_.find(key(t));
    if (known == known_.end()) return false;
    Tail after{Tail::Return, kNone, 0, {known->second}, t.at};
    note(Rule::Common, t, after);
    t = std::move(after);
    return true;
}

/// 9 to 15
bool Rewriter::compute(Tail& t) {
    auto better = o_.algebra.simplify(t, p_);
    if (!better) return false;
    note(Rule::Algebra, t, better->back().tail);
    t = better->back().tail;
    better->pop_back();
    for (auto& s : *better) keep(std::move(s));
    return true;
}

/// 9 and 11 of signed division: by a constant other than 0.
bool Rewriter::quotient(Tail& t) {
    auto op      = t.op == Tail::Primitive ? static_cast<Op>(p_.primitives[t.target].code) : Op::Not;
    bool divides = (op == Op::Div || op == Op::Rem) && t.args[1].kind == Atom::Word && t.args[1].number != 0;
    if (!divides) return false;
    auto unused = 64 - p_.word_bits;
    auto sign   = [&](uint64_t v) { return static_cast<int64_t>(v << unused) >> unused; };
    auto by     = sign(t.args[1].number);
    Tail after{Tail::Return, kNone, 0, {}, t.at};
    if (by == 1 && op == Op::Div) {
        after.args = {t.args[0]};
    } else if ((by == 1 || by == -1) && op == Op::Rem) {
        after.args = {{Atom::Word, 0}};
    } else if (t.args[0].kind == Atom::Word) {
        auto a      = t.args[0].number;
        auto result = by == -1 ? 0 - a : static_cast<uint64_t>(op == Op::Div ? sign(a) / by : sign(a) % by);
        after.args  = {{Atom::Word, result & p_.mask()}};
    } else {
        return false;
    }
    note(Rule::Algebra, t, after);
    t = std::move(after);
    return true;
}

/// 17: `f @ a` where f = k{s} is what the closure does.
bool Rewriter::known_closure(Tail& t) {
    auto object = t.op == Tail::Enter ? made(t.args[0]) : nullptr;
    if (!object || object->op != Tail::Closure) return false;
    auto& k      = p_.closures[object->target];
    bool is_fine = k.stored.size() == object->args.size() && k.params.size() + 1 == t.args.size();
    if (!is_fine || !may_grow(0)) return false;
    Renaming names(p_);
    for (size_t i = 0; i != k.stored.size(); ++i) names.set(k.stored[i], object->args[i]);
    for (size_t i = 0; i != k.params.size(); ++i) names.set(k.params[i], t.args[i + 1]);
    auto after    = names(k.tail);
    after.results = t.results;
    note(Rule::KnownClosure, t, after);
    t = std::move(after);
    return true;
}

// ---- conversions: the same bits at another type
// ------------------------------------------------------------------------------------------------

bool Rewriter::is_word(const Atom& a) const {
    return a.kind == Atom::Var ? o_.words.contains(static_cast<uint32_t>(a.number)) : a.kind == Atom::Word;
}

Atom Rewriter::converted(const Atom& a) const {
    if (a.kind == Atom::Top) {
        auto& t          = p_.tops[a.number].tail;
        bool is_constant = is_conversion(p_, t) && t.args[0].kind == Atom::Word;
        return is_constant ? t.args[0] : a;
    }
    auto found = a.kind == Atom::Var ? conversions_.find(static_cast<uint32_t>(a.number)) : conversions_.end();
    return found == conversions_.end() ? a : converted(found->second);
}

/// A word that became a value of another type is the same word again. `primRet((x))` is `return x`.
bool Rewriter::conversion(Tail& t) {
    if (t.op != Tail::Primitive) return false;
    auto after    = t;
    bool is_other = is_conversion(p_, t);
    if (static_cast<Op>(p_.primitives[t.target].code) == Op::Ret) after = {Tail::Return, kNone, 0, t.args, t.at};
    else
        for (size_t i = 0; i != t.args.size(); ++i) {
            auto from       = converted(t.args[i]);
            bool is_allowed = is_other || (takes_word(p_, t, i) && is_word(from));
            if (is_allowed) after.args[i] = from;
        }
    if (after.op == t.op && after.args == t.args) return false;
    note(Rule::Algebra, t, after);
    t = std::move(after);
    return true;
}

/// A word that is converted to a word is itself.
bool Rewriter::same_word(const Statement& s, Tail& t) {
    bool gives_word = is_conversion(p_, t) && s.binds.size() == 1 && s.binds[0] != kNone && o_.words.contains(s.binds[0]);
    if (!gives_word || !is_word(converted(t.args[0]))) return false;
    Tail after{Tail::Return, kNone, 0, {converted(t.args[0])}, t.at};
    note(Rule::Algebra, t, after);
    t = std::move(after);
    return true;
}

Shape Rewriter::shape(const Atom& a, unsigned depth) const {
    bool is_known = a.kind == Atom::Flag || (a.kind == Atom::Top && made(a));
    if (is_known) return {Shape::Known, kNone, a};
    auto object = a.kind == Atom::Var && depth != 0 ? made(a) : nullptr;
    if (!object) return {Shape::Unknown, kNone, a};
    Shape result{object->op == Tail::Build ? Shape::Built : Shape::Closed, object->target, a};
    for (auto& part : object->args) result.parts.push_back(shape(part, depth - 1));
    return result;
}

static void collect(const Shape& s, Atoms& args) {
    if (s.kind == Shape::Unknown) args.push_back(s.atom);
    for (auto& part : s.parts) collect(part, args);
}

std::vector<Shape> Rewriter::shapes_of(uint32_t block, const Atoms& args, bool with_constants) const {
    std::vector<Shape> shapes;
    auto depth = kDeepestShape - std::min(kDeepestShape, p_.blocks[block].known); // in all derivations together
    for (size_t i = 0; i != args.size(); ++i) {
        auto first  = static_cast<size_t>(std::ranges::find(args, args[i]) - args.begin());
        bool is_new = first == i || (args[i].kind != Atom::Var && !with_constants);
        if (!is_new) shapes.push_back({Shape::Repeated, static_cast<uint32_t>(first), args[i]});
        else shapes.push_back(o_.inspects(block, i) ? shape(args[i], depth) : Shape{Shape::Unknown, kNone, args[i]});
    }
    return shapes;
}

/// 18: a block that looks into an argument is called with what that is made of. Repeated arguments are passed once; where
/// they are constants, only if there is such a block: the first call of a recursive one goes on as the others do.
bool Rewriter::known_structure(uint32_t& block, Atoms& args, const Tail& before) {
    auto shapes = shapes_of(block, args, true);
    if (!o_.has_shapes(block, shapes)) shapes = shapes_of(block, args, false);
    if (std::ranges::all_of(shapes, [](auto& s) { return s.kind == Shape::Unknown; })) return false;
    auto derived = o_.with_shapes(block, shapes);
    if (derived == kNone) return false;
    args.clear();
    for (auto& s : shapes) collect(s, args);
    block = derived;
    note(Rule::KnownStructure, before, o_.report.is_traced ? p_.blocks[derived].name : std::string());
    return true;
}

/// Until no rule is for it.
void Rewriter::improve(Tail& t) {
    for (;;) {
        bool is_better = selector(t) || known_closure(t) || conversion(t) || quotient(t) || common(t) || compute(t);
        if (is_better) continue;
        auto before = t;
        if (t.op != Tail::Block || !known_structure(t.target, t.args, before)) return;
    }
}

} // namespace mim::plug::mil
