// SPDX-License-Identifier: MIT
// Data types whose values keep their form in passes that change it: those that contain themselves, and those with
// parameters in which a part of the program is general.
#pragma once
#include <unordered_set>
#include <vector>

#include "stages.h"

namespace mim::plug::mil {

class FixedTypes {
public:
    /// `types` are those of the program as it is.
    FixedTypes(const Program&, Types&, const ProgramTypes& types);

    bool is_fixed(uint32_t data) const { return is_fixed_[data]; }
    void fix(uint32_t data) { is_fixed_[data] = true; }
    /// kNone if the head of a type is something else.
    uint32_t find_data(Type* head) const;
    /// The function that is applied to the arguments.
    Type* head_of(Type*, std::vector<Type*>& arguments) const;

private:
    void look(Type*, bool is_declared);
    bool has_variable(Type*, bool is_declared);
    void look_everywhere();
    void fix_recursive();

    const Program& p_;
    Types& types_;
    const ProgramTypes& found_;
    std::vector<bool> is_fixed_;
    std::unordered_map<Type*, uint32_t> datas_;
    std::unordered_set<Type*> general_, seen_;
    bool has_applied_variables_ = false; ///< `m a`: what stands for m must be a constructor of types
};

} // namespace mim::plug::mil
