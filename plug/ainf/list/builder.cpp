// SPDX-License-Identifier: MIT
#include "ainf/list/builder.h"

namespace mim::plug::ainf {

constexpr size_t kMaxBindings = 1 << 20;

Operand ListBuilder::add(Primitive p) {
    if (list_.bindings.size() == kMaxBindings) throw TooLarge{kMaxBindings, "bindings"};
    auto number = static_cast<uint32_t>(list_.bindings.size());
    list_.bindings.push_back({number, env_, std::move(p)});
    return {false, number};
}

ListBuilder::Inside::Inside(ListBuilder& builder, Frame f)
    : builder_(builder)
    , names_(f.is_condition()       ? 0
             : f.kind == Kind::Fold ? 2
                                    : 1) {
    bool is_full = builder.env_.size() == kMaxFrames;
    if (is_full) throw TooLarge{kMaxFrames, "functions, loops and branches inside of each other"};
    builder.env_.push_back(std::move(f));
    builder.depth_ += names_;
    builder.entered();
}

ListBuilder::Inside::~Inside() {
    builder_.left();
    builder_.depth_ -= names_;
    builder_.env_.pop_back();
}

} // namespace mim::plug::ainf
