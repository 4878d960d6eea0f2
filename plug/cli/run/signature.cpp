// SPDX-License-Identifier: MIT
#include "cli/run/signature.h"

#include <algorithm>

namespace mim::plug::cli {

std::string number_text(Polynomial::Number n) {
    std::string digits;
    for (auto rest = n < 0 ? -n : n; rest != 0 || digits.empty(); rest /= 10)
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    return n < 0 ? "-" + digits : digits;
}

bool Signature::write_name(Polynomial::Var x, const Operations& operations) {
    auto operation = operations ? operations(x) : std::nullopt;
    if (operation) {
        text += operation->op;
        bool is_known = write(operation->left, operations);
        return write(operation->right, operations) && is_known;
    }
    auto found = std::ranges::find(sizes_, x);
    text += "v" + std::to_string(found - sizes_.begin());
    return found != sizes_.end();
}

bool Signature::write(const Polynomial& sum, const Operations& operations) {
    bool is_known = true;
    for (auto& [monomial, coefficient] : sum.terms()) {
        text += number_text(coefficient);
        for (auto x : monomial) is_known &= write_name(x, operations);
        text += ",";
    }
    text += ";";
    return is_known;
}

} // namespace mim::plug::cli
