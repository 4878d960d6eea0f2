// SPDX-License-Identifier: MIT
// Values that go through memory of their own, since they are put together or taken apart there.
#pragma once
#include "backend/llvm/code_builder.h"
#include "backend/llvm/large.h"

namespace mim::backend::llvm {

class Spills {
public:
    explicit Spills(CodeBuilder& build)
        : build_(build) {}

    /// Memory that holds the value now.
    Value spill(Value);
    /// Memory that holds it, of which parts are read at once and nothing else happens with it.
    Value view(Value);
    /// The value that was put together in memory of its own.
    Value unspill(Type, Value mem);

    /// For large.h, when the function is finished.
    const Places& places() const { return places_; }
    void begin_function() { places_ = {}; }

private:
    CodeBuilder& build_;
    Places places_; ///< of this function
};

} // namespace mim::backend::llvm
