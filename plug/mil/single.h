// SPDX-License-Identifier: MIT
// Types that have one constructor: `Func`, `Proc`, `Init` and such types of the program. Their values are those of the
// fields (doc/adr/0049).
#pragma once
#include <functional>
#include <unordered_set>
#include <vector>

#include "stages.h"

namespace mim::plug::mil {

class Singles {
public:
    /// `types` are those of the program as it is.
    Singles(Source&, Program&, const ProgramTypes& types);

    /// `Func`, `Proc` and `Init` are erased in any case: types are not inferred again.
    void find_for_code();
    /// None of those that inference would not do without.
    void find_for_text();
    /// Rewrites the program.
    void erase();
    /// The type without them.
    Type* type(Type*);

private:
    void find();
    void look(Type*);
    void look_everywhere();
    void look_at_main();
    void keep_cycles();
    bool is_builtin(uint32_t data) const;
    uint32_t find_data(Type* head) const;
    void change_order();

    Source& source_;
    Program& p_;
    Types& types_;
    const ProgramTypes& found_;
    std::vector<bool> is_single_; ///< of data types
    std::unordered_map<Type*, uint32_t> datas_;
    std::unordered_map<Type*, Type*> known_;
    std::unordered_set<Type*> seen_;
    bool has_applied_variables_ = false; ///< `m a`: what stands for m must be a constructor of types
};

/// The most values for one of a data type; 0 if it stays.
using VectorLimits = std::function<size_t(const Program&, uint32_t data)>;

/// False if all values stay as they are. Types are to be found again.
bool make_vectors(FrontEndContext&, Source&, const VectorLimits&);

/// Values of `Func` and `Proc` are the closures in them, in a program whose types have no end.
void erase_functions(Program&);

} // namespace mim::plug::mil
