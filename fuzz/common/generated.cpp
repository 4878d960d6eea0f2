// SPDX-License-Identifier: MIT
#include "common/generated.h"

#include "batch.h"
#include "mutant.h"

namespace fuzz {

std::string text_of(const std::string& input, const agree::GenOptions& options) {
    if (input.empty() || (input[0] != 1 && input[0] != 2)) return input;
    auto choices = reinterpret_cast<const uint8_t*>(input.data()) + 1;
    auto program = agree::generate(agree::Random(choices, input.size() - 1), "t", options);
    if (input[0] == 2) {
        agree::Random random(choices, input.size() - 1);
        agree::mutate(program.tree, random, options);
    }
    return agree::module_text({program});
}

} // namespace fuzz
