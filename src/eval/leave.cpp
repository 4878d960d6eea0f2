// SPDX-License-Identifier: MIT
// Functions in continuation-passing style that are called for their value. Such a call waits until somebody returns to it. What it runs
// may leave by a continuation around it: then the rest of the program runs inside of this call, up to the end of an outer one
// that waits, and all calls in between are over.
#include "eval/machine.h"

namespace mim::eval {

/// A call that waits until somebody returns to it.
struct Machine::Waiting {
    bool is_over = false;
};

/// What ends a call that waits, and all those inside of it.
struct Machine::Left : Passing {
    Left(std::shared_ptr<Waiting> to, Value value)
        : to(std::move(to))
        , value(std::move(value)) {}
    std::shared_ptr<Waiting> to;
    Value value;
};

/// Of one call: who was returned to. Calls inside of it have their own.
class Machine::Returned {
public:
    explicit Returned(Machine& m)
        : m_(m)
        , outer_(std::exchange(m.returned_, nullptr)) {}
    ~Returned() {
        m_.returned_      = std::move(outer_);
        waiting_->is_over = true;
    }
    Returned(const Returned&)            = delete;
    Returned& operator=(const Returned&) = delete;
    const std::shared_ptr<Waiting>& waiting() const { return waiting_; }

private:
    Machine& m_;
    std::shared_ptr<Waiting> outer_, waiting_ = std::make_shared<Waiting>();
};

Value Machine::call_cps(const Value& fn, const Value* arg) {
    Returned returned(*this);
    auto& waiting = returned.waiting();
    auto stop     = host_fn([waiting](Machine& m, Value v) {
        m.returned_ = waiting;
        return v;
    });
    try {
        auto result = call(fn, arg ? tuple({*arg, stop}) : stop);
        if (returned_ == waiting) return result;
        if (!returned_ || returned_->is_over)
            fail("a function that is called for its value leaves by a continuation of a call that is over", axm_);
        budget_.before_effect();
        throw Left{returned_, result};
    } catch (Left& left) {
        if (left.to != waiting) throw;
        activations_.end_from(depth_ + 1);
        return left.value;
    }
}

} // namespace mim::eval
