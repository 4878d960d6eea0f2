// SPDX-License-Identifier: MIT
// Where an effect happens that several blocks ask for: once on each path.
//
// Tokens order effects, so it happens in the first of these blocks that a path comes to. A block that paths come to only after it has
// happened takes its value from the blocks before: where different ones meet, values are merged as in SSA form (Cytron et al.,
// "Efficiently Computing Static Single Assignment Form").
#pragma once
#include "analysis/program.h"

namespace mim {

struct Once {
    std::vector<uint32_t> happens; ///< in these blocks
    std::vector<uint32_t> merges;  ///< at the beginning of these, its value is that of whichever block came before
    bool is_asked = true; ///< on each path where it happens; else it happens on others, too, since there is no block for it
};

/// The effects of one function.
class Placement {
public:
    explicit Placement(const Function& fn)
        : fn_(fn) {}

    /// `asks`: the blocks that ask for an effect; none dominates another. `early`: where its token comes from, once for each time that
    /// this is entered.
    Once place(const std::vector<uint32_t>& asks, uint32_t early);

private:
    class Placing;
    const Function& fn_;
    std::vector<uint32_t> components_; ///< of blocks, once they are needed: control goes to the same one or a smaller one
};

} // namespace mim
