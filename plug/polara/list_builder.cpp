// SPDX-License-Identifier: MIT
#include "polara/list_builder.h"

#include "polara/diagnostics.h"

namespace mim::plug::polara {

constexpr size_t kMaxBindings = 1 << 20;

ainf::Operand ListBuilder::add(ainf::Primitive p) {
    if (list_.bindings.size() == kMaxBindings) throw Error(diag::too_large(kMaxBindings, "bindings"));
    auto number = static_cast<uint32_t>(list_.bindings.size());
    list_.bindings.push_back({number, env_, std::move(p)});
    return {false, number};
}

ListBuilder::Inside::Inside(ListBuilder& builder, ainf::Frame f)
    : builder_(builder)
    , names_(f.is_condition()             ? 0
             : f.kind == ainf::Kind::Fold ? 2
                                          : 1) {
    bool is_full = builder.env_.size() == ainf::kMaxFrames;
    if (is_full) throw Error(diag::too_large(ainf::kMaxFrames, "functions, loops and branches inside of each other"));
    builder.env_.push_back(std::move(f));
    builder.depth_ += names_;
}

ListBuilder::Inside::~Inside() {
    builder_.depth_ -= names_;
    builder_.env_.pop_back();
}

} // namespace mim::plug::polara
