// SPDX-License-Identifier: MIT
// Types with parameters whose definition is being read: `rec F (x: T): * = …`. In there, `F x` is a placeholder for the type itself, and any
// other argument would make a further type of each.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sema/pending_function.h"
#include "sema/sema_base.h"

namespace mim {

struct OpenType {
    Symbol name;
    Span span;
    const PendingFunction* fun; ///< its parameters
    const Def* hole;            ///< the type of which these are the parameters
};

class OpenTypes : SemaBase {
public:
    explicit OpenTypes(const Context& context)
        : SemaBase(context) {}

    /// While it lives, the definition of this name is read; null: it has no parameters.
    class Reading {
    public:
        Reading(OpenTypes& types, const OpenType* type, Symbol name)
            : types_(types)
            , outer_(std::exchange(types.current_, type))
            , outer_name_(std::exchange(types.name_, name)) {}
        ~Reading() { types_.current_ = outer_, types_.name_ = outer_name_; }
        Reading(const Reading&)            = delete;
        Reading& operator=(const Reading&) = delete;

    private:
        OpenTypes& types_;
        const OpenType* outer_;
        Symbol outer_name_;
    };

    /// The type applied to these arguments, of which null is `_`; poison after a report.
    Res apply(const OpenType&, Span, std::span<const Arg> args);
    /// Its name alone is no type.
    Res report(const OpenType&, Span);

private:
    bool has_parameters_of(const OpenType&, const OpenType& other);
    bool is_own(const OpenType&, std::span<const Arg> args);
    std::string own_application(const OpenType&);

    const OpenType* current_ = nullptr;
    Symbol name_; ///< of what is read
};

/// Puts the parameters of one function in the place of those of another one with the same groups.
const Def* with_parameters_of(World&, const Def*, const PendingFunction& from, const PendingFunction& to);

} // namespace mim
