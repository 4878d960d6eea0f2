// SPDX-License-Identifier: MIT
// Values of a list as code of the host. Functions, and arrays that are not in memory, are functions of C++, so nothing
// of them is left where they are used. Values in memory lie in leaves.
#pragma once
#include <functional>
#include <memory>
#include <unordered_map>

#include "ainf/list/leaves.h"
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

class Coder {
public:
    explicit Coder(World& w)
        : w(w) {}

    CodeRef scalar(const Def*);
    CodeRef pair(CodeRef first, CodeRef second) { return make({.first = std::move(first), .second = std::move(second)}); }
    CodeRef make(Code c) { return std::make_shared<const Code>(std::move(c)); }

    bool has_function(const Def* type) const;
    /// It lies in memory in the same way in both forms.
    bool is_word(const Def* type) const;
    /// The rank, the extents and the type of an element of a leaf, as `%tensor.load` and `%tensor.store` take them.
    const Def* shape(const Leaf&, Form) const;

    /// A value in memory.
    DefVec store(const Def* type, const CodeRef&, Form = Form::Inside);
    /// A value as an element of an array in memory.
    DefVec element(const Def* type, const CodeRef&);
    CodeRef load(const Def* type, const DefVec& leaves, Form = Form::Inside);
    /// The same value, where it is in memory.
    CodeRef stored(const Def* type, const CodeRef& c) { return load(type, store(type, c)); }

    /// The leaves of a value as one, and back.
    const Def* all_of(const Def* type, const CodeRef& c) { return w.tuple(store(type, c)); }
    CodeRef parts(const Def* type, const Def* all);

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
    size_t num_leaves(const Def* type, bool is_element) const {
        return is_element ? leaves_of_element(w, type).size() : leaves(w, type).size();
    }
    /// Parts of a pair lie beside each other if it is an element and has no arrays, else apart.
    bool is_apart(const Def* type, bool is_element) const { return isa_pair(w, type) && (!is_element || has_array(w, type)); }
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
