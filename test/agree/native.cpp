// SPDX-License-Identifier: MIT
// A compiled program that crashes, traps or does not end comes back with a message: signals jump out of it. It holds nothing that has
// to be released but memory.
#include "native.h"

#include <csetjmp>
#include <csignal>
#include <iterator>
#include <memory>

#include <sys/time.h>
#include <unistd.h>

namespace agree {

static thread_local uint64_t in_order = 0, in_any_order = 0;
static thread_local int64_t num_open = 0;

static uint64_t mixed(uint64_t v) { return (v ^ (v >> 29)) * 0xbf58476d1ce4e5b9ull; }
static void trace(uint64_t v) { in_order = mixed(in_order + v); }
/// Depends on all effects before, so that a program does something else where one of them is missing.
static uint64_t next(uint64_t v) {
    trace(v);
    return in_order % 6;
}
static uint64_t note(uint64_t v) {
    in_any_order += mixed(v + 1);
    return mixed(v + 1) % 6;
}
static uint64_t open(uint64_t v) { return ++num_open, note(v); }
static uint64_t close(uint64_t v) { return --num_open, note(v); }

uint64_t effects() { return in_order + mixed(in_any_order); }
int64_t open_tokens() { return num_open; }
void forget_effects() { in_order = 0, in_any_order = 0, num_open = 0; }

namespace {

thread_local sigjmp_buf landing;

constexpr int signals[]        = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGVTALRM};
constexpr long seconds_to_end  = 5;
constexpr size_t handler_stack = 64 << 10;

void handle(int signal) { siglongjmp(landing, signal); }

/// While a program runs, its signals are its own. They are handled on another stack, since the program's may be at its end.
class Handlers {
public:
    Handlers() {
        thread_local auto stack = std::make_unique<char[]>(handler_stack);
        stack_t ss              = {};
        ss.ss_sp                = stack.get();
        ss.ss_size              = handler_stack;
        ::sigaltstack(&ss, &old_stack_);
        struct sigaction action = {};
        action.sa_handler       = handle;
        action.sa_flags         = SA_ONSTACK | SA_NODEFER;
        for (size_t i = 0; i != std::size(signals); ++i) ::sigaction(signals[i], &action, &old_[i]);
    }
    ~Handlers() {
        for (size_t i = 0; i != std::size(signals); ++i) ::sigaction(signals[i], &old_[i], nullptr);
        ::sigaltstack(&old_stack_, nullptr);
    }
    Handlers(const Handlers&)            = delete;
    Handlers& operator=(const Handlers&) = delete;

private:
    struct sigaction old_[std::size(signals)];
    stack_t old_stack_;
};

void set_timer(long seconds) {
    itimerval t       = {};
    t.it_value.tv_sec = seconds;
    ::setitimer(ITIMER_VIRTUAL, &t, nullptr);
}

} // namespace

std::string call_native(void* fn, const Input& in, uint64_t& result) {
    Handlers handlers;
    forget_effects();
    int signal = sigsetjmp(landing, 1);
    if (signal == 0) {
        set_timer(seconds_to_end);
        result = reinterpret_cast<uint64_t (*)(uint64_t, uint64_t, uint64_t, uint64_t)>(fn)(in[0], in[1], in[2], in[3]);
    }
    set_timer(0);
    if (signal == 0) return {};
    if (signal == SIGILL || signal == SIGTRAP || signal == SIGABRT) return "trap";
    if (signal == SIGVTALRM) return "time is up";
    return "signal " + std::to_string(signal);
}

void add_hosts(mim::eval::Machine& m) {
    using mim::eval::Value;
    m.hosts().add("agree_trace", [](mim::eval::Machine& m, Value arg) {
        trace(m.num(m.elem(arg, 1)));
        return Value::token();
    });
    m.hosts().add("agree_next", [](mim::eval::Machine& m, Value arg) {
        return m.tuple({Value::token(), Value::num(next(m.num(m.elem(arg, 1))))});
    });
    m.hosts().add("agree_note", [](mim::eval::Machine& m, Value arg) {
        return m.tuple({Value::token(), Value::num(note(m.num(m.elem(arg, 1))))});
    });
    m.hosts().add("agree_open",
                  [](mim::eval::Machine& m, Value arg) { return m.tuple({Value::token(), Value::num(open(m.num(arg)))}); });
    m.hosts().add("agree_close", [](mim::eval::Machine& m, Value arg) { return Value::num(close(m.num(m.elem(arg, 1)))); });
    m.hosts().add("agree_pure", [](mim::eval::Machine& m, Value arg) { return Value::num(mixed(m.num(arg) + 1)); });
}

} // namespace agree

extern "C" __attribute__((visibility("default"))) void agree_trace(uint64_t v) { agree::trace(v); }
extern "C" __attribute__((visibility("default"))) uint64_t agree_next(uint64_t v) { return agree::next(v); }
extern "C" __attribute__((visibility("default"))) uint64_t agree_note(uint64_t v) { return agree::note(v); }
extern "C" __attribute__((visibility("default"))) uint64_t agree_open(uint64_t v) { return agree::open(v); }
extern "C" __attribute__((visibility("default"))) uint64_t agree_close(uint64_t v) { return agree::close(v); }
extern "C" __attribute__((visibility("default"))) uint64_t agree_pure(uint64_t v) { return agree::mixed(v + 1); }
