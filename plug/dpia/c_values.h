// SPDX-License-Identifier: MIT
// Expressions of C as a graph, and sizes as polynomials. Equal expressions are one node, so what is used twice is named.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/polynomial.h"
#include "terms.h"

namespace mim::plug::dpia {

/// Operations on sizes, which all code has.
enum class SizeOp : uint8_t { None, Less, Equal, Quotient, Rest, Difference, Min, Max, Power };

/// In the text, `$0$` is the first operand.
struct CNode {
    std::string text, type;
    std::vector<const CNode*> args = {};
    enum Kind : uint8_t {
        Atom,   ///< a name or a number, never named again
        Call,   ///< binds as a name does
        Infix,  ///< stands in brackets where it is an operand
        Select, ///< only one of the last two operands is computed
    } kind;
    SizeOp op = SizeOp::None;
};
using CRef = const CNode*;

/// Sizes and indices. Names of C, and expressions that nothing decides, are variables.
class Sizes {
public:
    using Var = Polynomial::Var;

    Polynomial name(std::string text, std::optional<Polynomial> bound = {});
    Polynomial opaque(CRef node);
    /// A quotient and a rest, exact where ranges decide it.
    std::pair<Polynomial, Polynomial> divide(const Polynomial& p, const Polynomial& d);
    bool is_less(const Polynomial& a, const Polynomial& b);
    CRef node(const Polynomial&);
    /// The sum or product that a node is.
    const Polynomial* sum_of(CRef) const;
    CRef node_of(Var x) const { return vars_[x].node; }
    CRef operation(SizeOp, std::vector<CRef> args);
    Polynomial size(SizeOp op, std::vector<CRef> args) { return opaque(operation(op, std::move(args))); }
    std::string text(const Polynomial& p);
    /// This product has a name of the user.
    void known_as(const Polynomial& p, const std::string& name) { known_.emplace_back(p, name); }
    void is_at_least(Var x, uint64_t n) { vars_[x].at_least = std::max(vars_[x].at_least, n); }
    uint64_t least(Var x) const { return vars_[x].at_least; }
    void set_least(Var x, uint64_t n) { vars_[x].at_least = n; }
    /// It is not made of names that were there before this many.
    bool depends_on_later(const Polynomial&, size_t first);
    bool is_early(CRef, size_t first);
    bool is_name(Var x) const { return vars_[x].node->kind == CNode::Atom; }
    size_t num_vars() const { return vars_.size(); }

    CRef make(CNode);
    CRef atom(std::string text, std::string type) { return make({std::move(text), std::move(type), {}, CNode::Atom}); }
    CRef call(std::string text, std::string type, std::vector<CRef> args) {
        return make({std::move(text), std::move(type), std::move(args), CNode::Call});
    }
    CRef infix(std::string text, std::string type, std::vector<CRef> args) {
        return make({std::move(text), std::move(type), std::move(args), CNode::Infix});
    }

private:
    struct Entry {
        CRef node;
        std::optional<Polynomial> bound = {}; ///< it is less
        uint64_t at_least               = 0;
    };
    Polynomial beyond_least(const Polynomial&) const;
    std::string factored(std::map<Polynomial::Monomial, Polynomial::Number> terms, std::vector<CRef>& args, bool is_factor);
    CRef written(const Polynomial&);
    std::string sum(const Polynomial&, std::vector<CRef>& args, bool is_factor);
    std::string factor(Var, std::vector<CRef>& args);

    std::vector<Entry> vars_;
    std::map<CRef, Var> var_of_;
    std::map<CRef, Polynomial> sums_;
    std::vector<std::pair<Polynomial, std::string>> known_;
    std::deque<CNode> nodes_;
    std::map<std::tuple<std::string, std::string, std::vector<CRef>>, CRef> interned_;
};

struct CValue;
using CValueRef = std::shared_ptr<const CValue>;
/// A value that can be read: a number, an index or a size, a pair, or an array, which is a function of C++.
struct CValue {
    CRef scalar                    = nullptr;
    std::optional<Polynomial> size = {}; ///< of a scalar
    CValueRef first = {}, second = {};
    std::function<CValueRef(const Polynomial& index)> element = {};
};

} // namespace mim::plug::dpia
