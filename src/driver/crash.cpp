// SPDX-License-Identifier: MIT
#include "driver/crash.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "base/crash.h"
#include "base/stack.h"
#include "diag/diag.h"
#include "driver/main.h"

namespace mim {

namespace {

constexpr int kCrashes[]       = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr int kInterruptions[] = {SIGINT, SIGTERM, SIGXCPU, SIGALRM};

/// A report of a crash needs memory, and a broken heap may hang: then this is the end.
constexpr unsigned kSecondsToReport = 60;

/// All that a signal handler may do.
void write_all(std::initializer_list<std::string_view> texts) {
    for (auto text : texts)
        while (!text.empty()) {
            auto n = ::write(2, text.data(), text.size());
            if (n <= 0) return;
            text.remove_prefix(static_cast<size_t>(n));
        }
}

void write_culprit(const Culprit& who) {
    write_all({who.kind, " `", who.name});
    if (who.plugin.empty()) return write_all({"` of Mim itself"});
    write_all({"` of the plugin `", who.plugin, "`"});
}

void write_fault(const Culprit& who, std::string_view how = "crashed") {
    write_all({"mim: error: fault of the plugin `", who.plugin, "`: ", who.kind, " `", who.name, "` ", how, " [E432]\n"});
}

/// No hook is to blame for the end any more.
[[noreturn]] void end_process(int status) {
    Blame::reset(nullptr);
    ::_exit(status);
}

/// Handlers of ends get no arguments.
std::atomic<ExitReporter*> exit_reporter{};

/// A hook may start another process, which may end as it likes.
const pid_t this_process = ::getpid();

void on_exit() { check_exit("exit"); }

[[noreturn]] void end_by_overflow(int status) {
    auto& d = mim::info(Diag::too_deep);
    write_all({"mim: error: ", d.message, " [", d.code, "]\n"});
    if (auto blame = Blame::current()) {
        write_all({"mim: note: this happened in "});
        write_culprit(blame->culprit);
        write_all({"\n"});
    }
    end_process(status);
}

constexpr std::string_view kOutOfMemory = "mim: error: out of memory\n";

/// Exit handlers would wait for the lock of the loader for ever, if a library that is being opened gets no memory.
[[noreturn]] void end_without_memory(int status) {
    write_all({kOutOfMemory});
    end_process(status);
}

/// Code in C that gets no memory crashes or calls `abort`, and says no more.
bool lacks_memory() {
    constexpr size_t bytes = size_t(1) << 20;
    auto block             = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return true;
    ::munmap(block, bytes);
    return false;
}

/// The global objects of a library that is being opened may need memory as well: nobody can catch what they throw.
template<int Failure>
[[noreturn]] void on_terminate() {
    try {
        if (std::current_exception()) throw;
    } catch (const std::bad_alloc&) {
        end_without_memory(Failure);
    } catch (const std::exception& e) {
        write_all({"mim: note: nobody caught an exception: ", e.what(), "\n"});
    } catch (...) {}
    std::abort();
}

/// Another thread reports.
[[noreturn]] void wait_for_end() {
    while (true) ::pause();
}

/// The fault of a thread, for which another one ends the process.
struct ThreadFault {
    const Culprit* who; ///< null: nobody knows whose thread it is
    std::string_view how;
};

/// Signals carry no such notes. The thread that has left it here waits for the end, so it lives long enough.
std::atomic<const ThreadFault*> fault_of_thread{};

/// Does not come back if there is a thread that can report.
void hand_over(int signal, std::string_view how) {
    auto blame = Blame::current();
    ThreadFault fault{blame ? &blame->culprit : nullptr, how};
    fault_of_thread = &fault;
    if (hand_over_crash(signal)) wait_for_end();
    fault_of_thread = nullptr;
}

/// Whether this thread runs that code, with nothing else inside of it.
bool is_running(const Culprit& who) {
    auto blame = Blame::current();
    return blame && blame->culprit.plugin == who.plugin && blame->culprit.kind == who.kind && blame->culprit.name == who.name;
}

/// A hook that waits for the thread has crashed with it. One that is over has no place any more, and what runs here has done nothing.
void take_over(const ThreadFault& fault) {
    if (!fault.who || is_running(*fault.who)) return;
    write_fault(*fault.who, fault.how);
    end_process(kInternal);
}

template<int Failure>
void on_crash(int signal, siginfo_t* info, void*) {
    bool is_overflow = is_stack_overflow(info->si_addr);
    if (!is_overflow && lacks_memory()) end_without_memory(Failure);
    if (auto fault = fault_of_thread.exchange(nullptr)) take_over(*fault);
    if (guards_here() == Guards::Overflows) ::alarm(kSecondsToReport);
    land_crash(signal, is_overflow);
    if (!guards_here()) hand_over(signal, "crashed");
    if (is_overflow) end_by_overflow(Failure);
    auto blame = Blame::current();
    if (blame && !blame->culprit.plugin.empty()) write_fault(blame->culprit);
    else write_all({kInternalFault});
    end_process(kInternal);
}

/// Nobody can tell whether code that runs for long has an end, but whose code it is.
void on_interruption(int signal, siginfo_t*, void*) {
    auto& crash     = landed_crash();
    bool is_hanging = signal == SIGALRM && crash.signal != 0;
    if (is_hanging) {
        if (crash.culprit.plugin.empty()) write_all({kInternalFault});
        else write_fault(crash.culprit);
        end_process(kInternal);
    }
    if (auto blame = Blame::current()) {
        write_all({"mim: interrupted in "});
        write_culprit(blame->culprit);
        write_all({"\n"});
    }
    ::raise(signal); // the handler is gone by now, and the process ends as it would have without
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
    struct sigaction action = {};
    action.sa_sigaction     = handler;
    action.sa_flags         = SA_SIGINFO | SA_ONSTACK | flags;
    ::sigaction(signal, &action, nullptr);
}

/// Whoever called us may have it ignored, which stays so.
bool is_default(int signal) {
    struct sigaction action = {};
    ::sigaction(signal, nullptr, &action);
    return !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL;
}

} // namespace

void install_crash_handlers(int too_deep) {
    bool is_usage  = too_deep == kUsageError;
    auto on_signal = is_usage ? on_crash<kUsageError> : on_crash<kInputError>;
    std::set_terminate(is_usage ? on_terminate<kUsageError> : on_terminate<kInputError>);
    for (int s : kCrashes) handle(s, on_signal, 0);
    for (int s : kInterruptions)
        if (is_default(s)) handle(s, on_interruption, static_cast<int>(SA_RESETHAND));
    std::atexit(on_exit);
    std::at_quick_exit([] { check_exit("quick_exit"); });
}

ExitReporter::ExitReporter(Report report)
    : report(std::move(report))
    , outer_(exit_reporter.exchange(this)) {}

ExitReporter::~ExitReporter() { exit_reporter = outer_; }

/// Programs may end the process, also from another thread.
static bool is_program_running() {
    auto reporter = exit_reporter.load();
    return reporter && !reporter->report;
}

/// A hook that ends the process would end a compilation that made nothing, as if it were done.
void check_exit(std::string_view how) {
    if (::getpid() != this_process) return;
    auto called = "called `" + std::string(how) + "`";
    if (!guards_here() && !is_program_running()) hand_over(SIGABRT, called);
    auto blame = Blame::current();
    if (!blame || blame->culprit.plugin.empty()) return;
    auto culprit  = blame->culprit;
    auto reporter = exit_reporter.exchange(nullptr);
    Unguarded unguarded;
    try {
        if (reporter && reporter->report) reporter->report(culprit, called);
        else write_fault(culprit, called);
    } catch (...) {
        write_fault(culprit, called);
    }
    end_process(kInternal);
}

} // namespace mim
