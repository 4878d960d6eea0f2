// SPDX-License-Identifier: MIT
// Types and sizes that are not known yet, and equations between them.
#pragma once
#include <deque>
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
    /// A function, a pair or an array of which nothing else is known.
    Type* open(Type::Kind kind) {
        if (kind == Type::Array) return array(size_meta(), meta());
        return make({.kind = kind, .first = meta(), .second = meta()});
    }
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
    bool is_open(Type* t) {
        return any(t, [this](Type* part) { return is_open_part(part); });
    }
    bool is_open(const Polynomial&);
    /// The first one of these whose type is open; null if there is none.
    template<class T>
    T* find_open(const std::vector<T*>& all) {
        return find_any(all, [this](T&, Type* part) { return is_open_part(part); });
    }
    bool has_function(Type*);
    /// Whether some part of the type has the property. A part that is there several times is looked at once.
    template<class Property>
    bool any(Type* t, Property property) {
        ++visit_;
        return any_part(t, property);
    }
    /// The first one of these whose type has such a part; their types may share parts. Null if there is none.
    template<class T, class Property>
    T* find_any(const std::vector<T*>& all, Property property) {
        ++visit_;
        for (auto x : all) {
            auto is_such = [&](Type* part) { return property(*x, part); };
            if (any_part(x->type, is_such)) return x;
        }
        return nullptr;
    }
    /// Keeps the expression until the type is known.
    void wait(Type*, Expr*);
    /// An expression that waited, and whose type is known now; null if there is none.
    Expr* take_woken();
    /// Why it cannot be a size, whatever its variables stand for; null if it can.
    static const char* fault(const Polynomial&);
    /// Tries again what waited for other sizes. False if something is wrong.
    bool solve_waiting();
    /// Equations between sizes that are left.
    size_t num_waiting() const { return waiting_.size(); }
    void forget_waiting() { waiting_.clear(); }
    /// The type with other sizes for those of a definition.
    Type* instantiate(Type*, const std::map<Polynomial::Var, Polynomial>&);

    /// Not all of it if it is long.
    std::string text(Type*);
    std::string text(const Polynomial&);

private:
    struct Size {
        std::string_view name; ///< empty: not known yet
        std::optional<Polynomial> value = {};
    };
    Type* make(Type t) { return &program_.types.emplace_back(std::move(t)); }
    template<class Property>
    bool any_part(Type* t, Property& property) {
        t = resolve(t);
        if (t->visit == visit_) return false;
        t->visit = visit_;
        return property(t) || (t->first && any_part(t->first, property)) || (t->second && any_part(t->second, property));
    }
    bool is_open_part(Type* part) { return part->kind == Type::Meta || is_open(part->size); }
    bool link(Type* meta, Type*);
    bool unify_parts(Type*, Type*);
    std::string part_text(Type*, bool is_inner, size_t& room);

    Program& program_;
    std::vector<Size> sizes_;
    std::vector<Polynomial> waiting_; ///< each is 0
    std::deque<Expr*> woken_;
    uint32_t visit_ = 0;
};

} // namespace mim::plug::polara
