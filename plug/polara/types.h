// SPDX-License-Identifier: MIT
// Types and sizes that are not known yet, and equations between them.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "polara/tree.h"

namespace mim::plug::polara {

class Types {
public:
    explicit Types(Program& program)
        : program_(program) {}

    /// @name making
    ///@{
    Type* meta() { return make({}); }
    Type* nat() { return make({.kind = Type::Nat}); }
    Type* flt() { return make({.kind = Type::Flt}); }
    Type* fin(Polynomial size) { return make({.kind = Type::Fin, .size = std::move(size)}); }
    Type* boolean() { return fin(Polynomial::number(2)); }
    Type* fun(Type* dom, Type* codom) { return make({.kind = Type::Fun, .first = dom, .second = codom}); }
    Type* pair(Type* first, Type* second) { return make({.kind = Type::Pair, .first = first, .second = second}); }
    Type* array(Polynomial size, Type* elem) { return make({.kind = Type::Array, .first = elem, .size = std::move(size)}); }
    Type* broken() { return make({.kind = Type::Broken}); }
    /// A size that is not known yet.
    Polynomial size_meta();
    /// A size that a definition is for; its uses put others in its place.
    Polynomial::Var size_name(std::string_view name);
    ///@}

    /// The type as far as it is known.
    Type* resolve(Type*);
    Polynomial resolve(Polynomial);
    bool unify(Type*, Type*);
    bool unify(const Polynomial&, const Polynomial&);
    /// Whether parts of it are not known.
    bool is_open(Type*);
    bool is_open(const Polynomial&);
    /// Why it cannot be a size, whatever its variables stand for; null if it can.
    static const char* fault(const Polynomial&);
    /// Tries again what waited for other sizes. False if something is wrong.
    bool solve_waiting();
    /// Equations between sizes that are left.
    size_t num_waiting() const { return waiting_.size(); }
    void forget_waiting() { waiting_.clear(); }
    /// The type with other sizes for those of a definition.
    Type* instantiate(Type*, const std::map<Polynomial::Var, Polynomial>&);

    std::string text(Type*, bool is_inner = false);
    std::string text(Polynomial);
    static std::string text(Polynomial::Number);
    std::string_view name(Polynomial::Var x) const { return sizes_[x].name; }

private:
    struct Size {
        std::string_view name; ///< empty: not known yet
        std::optional<Polynomial> value = {};
    };
    Type* make(Type t) { return &program_.types.emplace_back(std::move(t)); }
    bool occurs(Type* meta, Type*);
    bool unify_parts(Type*, Type*);

    Program& program_;
    std::vector<Size> sizes_;
    std::vector<Polynomial> waiting_; ///< each is 0
};

} // namespace mim::plug::polara
