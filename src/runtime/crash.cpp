// SPDX-License-Identifier: MIT
// Signal handlers and the backtrace. The stack is unwound by the compiler's run-time library, names and lines come from the symbols
// and line tables of the executable, and of the objects that a just-in-time compiler has announced to debuggers.
#include "runtime/crash.h"

#include <csignal>
#include <cstring>

#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/lines.h"

// GDB's interface for just-in-time compilers; there is none in most executables.
extern "C" {
struct jit_code_entry {
    jit_code_entry *next, *prev;
    const char* data;
    uint64_t size;
};
struct jit_descriptor {
    uint32_t version, action;
    jit_code_entry *relevant, *first;
};
extern jit_descriptor __jit_debug_descriptor __attribute__((weak));
}

namespace mim::runtime {

namespace {

constexpr int signals[]      = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr size_t stack_bytes = size_t(64) << 10;
constexpr int max_frames     = 64;
Then then                    = Then::Raise;

void say(const char* text) {
    for (size_t n = strlen(text); n != 0;) {
        auto done = write(2, text, n);
        if (done <= 0) return;
        text += done, n -= size_t(done);
    }
}

void say(uint64_t n) {
    char digits[24];
    auto at = digits + sizeof digits;
    *--at   = 0;
    do *--at = char('0' + n % 10);
    while (n /= 10);
    say(at);
}

const char* name_of(int signal) {
    switch (signal) {
        case SIGSEGV: return "memory that is not there, or a stack that is used up";
        case SIGBUS: return "memory that cannot be used";
        case SIGILL: return "an instruction that does not exist, or a trap";
        case SIGFPE: return "division by zero, or one that overflows";
        default: return "aborted";
    }
}

struct Frame {
    const char* function = nullptr;
    Line line;
};

/// The executable itself: its file, and how far from its addresses it was loaded.
struct Program {
    const char* data = nullptr;
    size_t size      = 0;
    uint64_t bias    = 0;

    Program() {
        int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
        struct stat info;
        if (fd >= 0 && fstat(fd, &info) == 0) {
            auto map = mmap(nullptr, size_t(info.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
            if (map != MAP_FAILED) data = static_cast<const char*>(map), size = size_t(info.st_size);
        }
        if (fd >= 0) close(fd);
        auto first = [](dl_phdr_info* object, size_t, void* result) {
            *static_cast<uint64_t*>(result) = object->dlpi_addr;
            return 1;
        };
        dl_iterate_phdr(first, &bias);
    }
};

Frame look_up(const Program& program, uint64_t pc) {
    auto in = [&](const Elf& elf) {
        auto function = elf.function(pc);
        return Frame{function, function ? find_line(elf, pc) : Line()};
    };
    if (&__jit_debug_descriptor)
        for (auto entry = __jit_debug_descriptor.first; entry; entry = entry->next)
            if (auto frame = in(Elf(entry->data, entry->size, 0)); frame.function) return frame;
    return program.data ? in(Elf(program.data, program.size, program.bias)) : Frame();
}

/// The functions from `main` to where the signal came, innermost first.
class Backtrace {
public:
    explicit Backtrace(uint64_t fault) {
        void* pcs[max_frames];
        int n = backtrace(pcs, max_frames), first = 0;
        while (first != n && uint64_t(pcs[first]) != fault) ++first; // before it are the handler's own
        Program program;
        for (int i = first; i < n; ++i) {
            // a return address may already be behind the function that calls
            auto frame = look_up(program, uint64_t(pcs[i]) - (i != first));
            if (frame.function && !is_entry_of_last(frame)) frames_[num_++] = frame;
            if (frame.function && strcmp(frame.function, "main") == 0) return;
        }
        is_cut_ = n == max_frames;
    }

    /// The program has said what happened before it aborted.
    bool is_explained() const {
        for (int i = 0; i != num_; ++i)
            if (strcmp(frames_[i].function, "mim.undefined") == 0) return true;
        return false;
    }

    void print() const {
        for (int i = 0; i != num_; ++i)
            if (strcmp(frames_[i].function, "mim.undefined") != 0) print(frames_[i]);
        if (is_cut_) say("  …\n");
    }

private:
    static bool is_internal(const char* function) { return strncmp(function, "mim.", 4) == 0; }

    /// What C calls only calls the function proper.
    bool is_entry_of_last(const Frame& frame) const {
        if (num_ == 0 || !is_internal(frames_[num_ - 1].function)) return false;
        return strcmp(frames_[num_ - 1].function + 4, frame.function) == 0;
    }

    static void print(const Frame& frame) {
        auto name = frame.function;
        say("  in `"), say(is_internal(name) ? name + 4 : name), say("`");
        if (frame.line.file) say(" at "), say(frame.line.file), say(":"), say(frame.line.line);
        say("\n");
    }

    Frame frames_[max_frames];
    int num_     = 0;
    bool is_cut_ = false;
};

uint64_t pc_of(void* context) {
    auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return uint64_t(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return machine.pc;
#else
    return 0;
#endif
}

void on_signal(int signal, siginfo_t*, void* context) {
    Backtrace calls(pc_of(context));
    if (!calls.is_explained()) {
        say("mim: the program was ended by signal "), say(uint64_t(signal));
        say(" ("), say(name_of(signal)), say(")\n");
    }
    calls.print();
    if (then == Then::Exit) _exit(128 + signal);
    ::signal(signal, SIG_DFL);
    raise(signal);
}

} // namespace

void report_crashes(Then what) {
    then = what;
    void* pc;
    backtrace(&pc, 1); // loads what unwinds, which a handler could not
    struct sigaction action = {};
    action.sa_sigaction     = on_signal;
    action.sa_flags         = int(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND);
    for (int s : signals) sigaction(s, &action, nullptr);
}

void use_signal_stack() {
    auto memory = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack = {};
    stack.ss_sp   = memory;
    stack.ss_size = stack_bytes;
    sigaltstack(&stack, nullptr);
}

} // namespace mim::runtime
