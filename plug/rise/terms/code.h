// SPDX-License-Identifier: MIT
// Values of a program as code of the host. Arrays that are not in memory are functions of C++: nothing of a view is
// left where it is read. Values in memory lie in *leaves*: a scalar outside of arrays is one, and so is each array of
// any rank whose elements are scalars or pairs of scalars. An array of pairs that have arrays is as a pair of arrays.
// Numbers without a sign, `Nat`s and indices are words of the host; indices have 64 bits.
#pragma once
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "scalars.h"

namespace mim::plug::rise {

/// An array or a vector.
ArrayType isa_row(World&, const Def* type);
/// One of these, or a pair that has one.
bool has_rows(World&, const Def* type);

struct Code;
using CodeRef = std::shared_ptr<const Code>;
struct Code {
    const Def* scalar = nullptr;
    CodeRef first = {}, second = {};
    std::function<CodeRef(const Def* index)> element = {};
    std::function<DefVec()> leaves                   = {}; ///< of an array in memory
};

struct Leaf {
    DefVec dims;
    const Def* cell; ///< a type of RISE
};

/// That of a function or a process: 0 if all is well.
const Def* status_type(World&);
const Def* status_of(World&, uint64_t status);

/// In words, each scalar is an I64: as arguments and results have them.
enum class Form : uint8_t { Inside, Words };

class Coder {
public:
    explicit Coder(World& w)
        : w(w) {}

    CodeRef scalar(const Def*);
    CodeRef pair(CodeRef first, CodeRef second) { return make({.first = std::move(first), .second = std::move(second)}); }
    /// An element that is asked for twice is made once.
    CodeRef array(std::function<CodeRef(const Def* index)> element);
    /// The first where the condition holds, else the second; of each, only what is read is made.
    CodeRef choose(const Def* type, const Def* condition, const CodeRef& a, const CodeRef& b);
    CodeRef make(Code c) { return std::make_shared<const Code>(std::move(c)); }

    /// @name memory
    ///@{
    std::vector<Leaf> leaves(const Def* type) const;
    const Def* leaf_type(const Leaf&, Form);
    const Def* zeros(const Leaf&, Form);
    /// The rank, the extents and the type of an element of a leaf.
    const Def* shape(const Leaf&, Form);
    DefVec store(const Def* type, const CodeRef&, Form = Form::Inside);
    CodeRef load(const Def* type, const DefVec& leaves, Form = Form::Inside);
    /// The leaves of a value as one, and back.
    const Def* all_of(const Def* type, const CodeRef& c) { return w.tuple(store(type, c)); }
    CodeRef parts(const Def* type, const Def* all);
    const Def* memory_type(const Def* type);
    const Def* generate(const DefVec& dims, const Def* type, const std::function<const Def*(const DefVec&)>& element);
    ///@}

    /// @name numbers
    ///@{
    const Def* i64() { return w.i64_type(); }
    const Def* word(uint64_t n) { return w.lit(i64(), n); }
    /// A size that may have the operations of this plugin, as one that has those of the host.
    const Def* size(const Def*);
    const Def* size_word(const Def* n);
    /// That of a `Nat`, by a loop.
    const Def* power(const Def* base, const Def* exponent);
    const Def* add(const Def*, const Def*);
    const Def* sub(const Def*, const Def*);
    const Def* mul(const Def*, const Def*);
    const Def* div(const Def*, const Def*);
    const Def* rem(const Def*, const Def*);
    const Def* less(const Def*, const Def*);
    /// The value of a scalar, or of a pair of such, of the host whose bits are 0.
    const Def* zero(const Def* type);
    /// The type of a scalar in the host.
    const Def* scalar_type(const Def* type);
    /// The bits of a scalar, in the least of 64, and back.
    const Def* to_word(const Def* type, const Def*);
    const Def* from_word(const Def* type, const Def*);
    ///@}

private:
    struct InMemory {
        DefVec all;
        std::vector<Leaf> shapes;
        Form form;
    };
    void add_leaves(const Def* type, const DefVec& dims, bool is_element, std::vector<Leaf>&) const;
    size_t num_leaves(const Def* type, bool is_element) const;
    const Def* cell_type(const Def* type, Form);
    const Def* encode(const Def* type, const CodeRef&, Form);
    CodeRef decode(const Def* type, const Def*, Form);
    void store_into(DefVec&, const Def* type, const CodeRef&, bool is_element, Form);
    void store_array(DefVec&, const Def* type, const CodeRef&, Form);
    CodeRef load_from(const Def* type, size_t first, const DefVec& index, const std::shared_ptr<const InMemory>&);
    const Def* part_of(const InMemory&, size_t leaf, const DefVec& index);

    World& w;
    std::unordered_map<const Def*, CodeRef> scalars_;
};

/// Operations on scalars of these types.
class Arithmetic {
public:
    Arithmetic(World& w, Coder& c)
        : w(w)
        , c_(c) {}

    const Def* number(uint16_t op, const ScalarType&, const Def* type, const Def* a, const Def* b);
    const Def* unary(uint16_t op, const ScalarType&, const Def* type, const Def* a);
    const Def* compare(uint16_t op, const ScalarType&, const Def* type, const Def* a, const Def* b);
    const Def* fma(const Def* type, const Def* a, const Def* b, const Def* c);
    const Def* cast(const Def* from, const Def* to, const Def* a);

private:
    const Def* whole(uint16_t op, const ScalarType&, const Def* a, const Def* b);
    const Def* divided(bool is_quotient, const ScalarType&, const Def* a, const Def* b);
    const Def* zero(const Def* like);
    const Def* negated(const Def* a);
    const Def* negative(const Def* a);

    World& w;
    Coder& c_;
};

} // namespace mim::plug::rise
