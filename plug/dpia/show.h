// SPDX-License-Identifier: MIT
// The texts of programs for people share names and literals.
#pragma once
#include <initializer_list>
#include <map>
#include <set>
#include <string>

#include "terms.h"

namespace mim::plug::dpia {

class Shown : public Phrases {
public:
    using Phrases::Phrases;

protected:
    static std::string line(size_t depth) { return "\n" + std::string(2 * depth, ' '); }
    /// A name that nothing else has.
    std::string fresh(std::string base);
    std::string literal(const Lit*);
    static std::string space(const Def* address_space);
    /// Each part gives names to what it binds, so the first one has to be made first; operands of `+` are made in any
    /// order.
    static std::string in_order(std::initializer_list<std::string> parts);

    std::map<const Def*, std::string> names_;
    std::set<std::string> used_;
    std::map<std::string, size_t> last_; ///< the number at the end of the last name that was made of this one
};

} // namespace mim::plug::dpia
