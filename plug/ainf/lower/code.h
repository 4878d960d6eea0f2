// SPDX-License-Identifier: MIT
// Values of a list as code of the host. Functions, and arrays that are not in memory, are functions of C++, so nothing
// of them is left where they are used. Values in memory lie in *leaves*: a scalar outside of arrays is one, and so
// is each array of any rank whose elements are scalars or pairs of scalars. An array of pairs that have arrays is as a
// pair of arrays.
#pragma once
#include <functional>
#include <memory>
#include <unordered_map>

#include "ainf/list/types.h"

namespace mim::plug::ainf {

struct Code;
using CodeRef = std::shared_ptr<const Code>;

struct Code {
    const Def* scalar                           = nullptr;
    CodeRef first                               = {};
    CodeRef second                              = {};
    std::function<CodeRef(const CodeRef&)> call = {};
    std::function<CodeRef(const Def*)> element  = {};
    std::function<DefVec()> leaves              = {}; ///< of an array in memory
};

struct Leaf {
    DefVec dims;
    const Def* cell; ///< a type of lists
};

/// Numbers of lists as numbers of the host: a `Nat` is an I64, an index itself. In words, an index is an I64 as well.
enum class Form : uint8_t { Inside, Words };

class Coder {
public:
    explicit Coder(World& w)
        : w(w) {}

    CodeRef scalar(const Def*);
    CodeRef pair(CodeRef first, CodeRef second) { return make({.first = std::move(first), .second = std::move(second)}); }
    CodeRef make(Code c) { return std::make_shared<const Code>(std::move(c)); }

    bool has_function(const Def* type) const;
    bool has_array(const Def* type) const;
    /// It lies in memory in the same way in both forms.
    bool is_word(const Def* type) const;
    /// The leaves of values of a type without functions.
    std::vector<Leaf> leaves(const Def* type) const;
    const Def* cell_type(const Def* type, Form) const;
    const Def* leaf_type(const Leaf&, Form) const;
    /// The rank, the extents and the type of an element of a leaf, as `%tensor.load` and `%tensor.store` take them.
    const Def* shape(const Leaf&, Form) const;

    /// A value in memory.
    DefVec store(const Def* type, const CodeRef&, Form = Form::Inside);
    CodeRef load(const Def* type, const DefVec& leaves, Form = Form::Inside);
    /// The same value, where it is in memory.
    CodeRef stored(const Def* type, const CodeRef& c) { return load(type, store(type, c)); }

    /// The array of these extents whose element at an index is `element` of it.
    const Def* generate(const DefVec& dims, const Def* type, const std::function<const Def*(const DefVec&)>& element);

    const Def* i64() { return w.i64_type(); }
    const Def* word(uint64_t n) { return w.lit(i64(), n); }
    const Def* as_word(const Def* index);

private:
    struct InMemory {
        DefVec all;
        std::vector<Leaf> shapes;
        Form form;
    };
    bool is_cell(const Def* type) const;
    void add_leaves(const Def* type, const DefVec& dims, bool is_element, std::vector<Leaf>&) const;
    size_t num_leaves(const Def* type, bool is_element) const;
    const Def* encode(const Def* type, const CodeRef&, Form);
    CodeRef decode(const Def* type, const Def*, Form);
    void store_into(DefVec&, const Def* type, const CodeRef&, bool is_element, Form);
    void store_array(DefVec&, const Def* type, const CodeRef&, Form);
    CodeRef load_from(const Def* type, size_t first, const DefVec& index, const std::shared_ptr<const InMemory>&);
    const Def* part_of(const InMemory&, size_t leaf, const DefVec& index);

    World& w;
    std::unordered_map<const Def*, CodeRef> scalars_;
};

} // namespace mim::plug::ainf
