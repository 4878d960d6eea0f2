// SPDX-License-Identifier: MIT
// Types of LC and MIL, and unification. A type is a constructor, a variable, or an application of one type to another,
// so variables may stand for constructors as well. Kinds have the same form.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mim::plug::mil {

struct Type {
    enum Kind : uint8_t {
        Con,
        Apply,
        Var,    ///< to be found; `first` is what was found
        Rigid,  ///< a variable of a signature: it is only itself
        Broken, ///< of what had an error: it agrees with everything
    };
    Kind kind;
    uint32_t level; ///< of variables: how many definitions are around the one that they belong to
    std::string name;
    Type* first  = nullptr;
    Type* second = nullptr;
};

/// A type whose variables may be any types.
struct Scheme {
    std::vector<Type*> variables;
    Type* type = nullptr;
};

enum class Agreement : uint8_t { Same, Different, Infinite };

class Types {
public:
    /// @name making types
    ///@{
    Type* con(std::string_view name);
    /// A number in a type.
    Type* number(uint64_t n) { return con(std::to_string(n)); }
    Type* bits(uint64_t width) { return apply(con("Bit"), number(width)); }
    /// `Word` and `Flag` are rows of so many bits, and of one.
    void set_word(unsigned bits);
    /// A constructor that is none of that name that is there already.
    Type* new_con(std::string_view name) { return make(Type::Con, name); }
    Type* apply(Type* function, Type* argument);
    Type* apply(Type* function, const std::vector<Type*>& arguments);
    Type* function(Type* domain, Type* codomain) { return apply(con("->"), {domain, codomain}); }
    /// The tuple of MIL: `[t, …]`.
    Type* tuple(const std::vector<Type*>& parts);
    Type* fresh() { return make(Type::Var); }
    Type* rigid(std::string_view name) { return make(Type::Rigid, name); }
    Type* broken() { return &broken_; }
    ///@}

    /// @name levels of definitions
    ///@{
    uint32_t level = 0;
    /// All variables that belong to a definition within the level around it become its parameters.
    Scheme generalize(Type*);
    Type* instantiate(const Scheme&);
    /// Its variables belong to the definition around.
    void lower(Type*);
    /// The scheme's type with variables that are only themselves.
    Type* skolemize(const Scheme&);
    /// A part that is still unknown is `Unit`, and an area `String`: no value shows it. A number and a label are as well, up to
    /// `closes_sizes`: until then it is an error if somebody asks.
    Type* closed(Type*);
    bool closes_sizes = false;
    enum class Part : uint8_t { Any, Area, Number, Label };
    /// The parameters of a constructor are such.
    void set_parts(Type* constructor, std::vector<Part> parameters) { parts_[constructor] = std::move(parameters); }
    /// With these types in place of variables.
    Type* replaced(Type* t, const std::unordered_map<Type*, Type*>& meanings) { return copy(t, meanings); }
    ///@}

    Type* resolve(Type*);
    Agreement unify(Type*, Type*);
    /// The parts of `constructor t …`; nothing if it is something else.
    bool is_apply(Type*, std::string_view constructor, std::vector<Type*>& arguments);
    bool is_broken(Type*);
    /// The value of a number.
    std::optional<uint64_t> number_of(Type*);
    std::string text(Type*);
    /// `{stored, …} closure`, of a type `[stored, …] >>= closure`.
    std::string stored_text(Type*);
    /// Two types in one message: the same variable has the same name in both.
    std::pair<std::string, std::string> texts(Type*, Type*);

private:
    using Names = std::unordered_map<Type*, std::string>;

    Type* make(Type::Kind, std::string_view name = {});
    bool admits(Type* variable, Type*, Agreement&);
    /// In place of an unknown argument.
    Type* closed_argument(Type* function);
    void collect(Type*, std::vector<Type*>&);
    Type* copy(Type*, const std::unordered_map<Type*, Type*>&);
    /// `Word` or `Flag`, where it is one.
    std::string_view name_of_bits(Type*);
    std::string text(Type*, int strength, Names&);
    std::string flat(Type*, int strength, Names&);

    std::deque<Type> all_;
    std::unordered_map<std::string, Type*> cons_;
    std::unordered_map<Type*, std::vector<Part>> parts_; ///< the parameters of constructors
    Type broken_{Type::Broken, 0, "?"};
};

} // namespace mim::plug::mil
