// SPDX-License-Identifier: MIT
// The text of signatures (runtime/program.h).
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/polynomial.h"

namespace mim::plug::cli {

std::string number_text(Polynomial::Number);

/// A signature that grows.
class Signature {
public:
    /// A name that stands for an operation on sizes: `^`, `/`, `%`, `<`, the smaller one, or `>`.
    struct Operation {
        char op;
        Polynomial left, right;
    };
    using Operations = std::function<std::optional<Operation>(Polynomial::Var)>;

    std::string text;

    /// The program has one more size.
    void add_size(Polynomial::Var x) { sizes_.push_back(x); }
    void add_size(std::string_view name, Polynomial::Var x) {
        text += std::string(name) + ";";
        add_size(x);
    }
    /// Writes a size as a sum of products. False if it has other names than the sizes of the program, and those that stand for operations.
    bool write(const Polynomial&, const Operations& = {});

private:
    bool write_name(Polynomial::Var, const Operations&);
    std::vector<Polynomial::Var> sizes_;
};

} // namespace mim::plug::cli
