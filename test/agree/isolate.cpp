// SPDX-License-Identifier: MIT
#include "isolate.h"

#include <csignal>
#include <cstdio>
#include <sstream>
#include <tuple>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/stack.h"

namespace agree {

using std::string;

namespace {

constexpr rlim_t max_seconds   = 120;  ///< of processor time: a machine that is busy elsewhere is no fault of a program
constexpr unsigned max_waiting = 3600; ///< seconds, for what waits and uses no processor time
constexpr rlim_t max_memory    = rlim_t(8) << 30; ///< of addresses; three large stacks among them

string escaped(const string& s) {
    string r;
    for (char c : s) c == '\n' ? r += "\\n" : c == '\\' ? r += "\\\\" : r += c;
    return r;
}
string unescaped(const string& s) {
    string r;
    for (size_t i = 0; i != s.size(); ++i) {
        if (s[i] == '\\' && i + 1 != s.size()) r += s[++i] == 'n' ? '\n' : s[i];
        else r += s[i];
    }
    return r;
}

string to_text(const Outcome& o) {
    std::ostringstream out;
    auto& t = o.tally;
    out << "tally " << t.programs << ' ' << t.runs << ' ' << t.undefined << ' ' << t.long_runs << ' ' << t.refused << ' '
        << t.refused_late << '\n';
    for (auto& a : t.axioms) out << "axiom " << a << '\n';
    for (auto& f : o.failures)
        out << "fail " << f.program << ' ' << f.input << ' ' << escaped(f.mode) << '\t' << escaped(f.message) << '\n';
    out << "done\n";
    return out.str();
}

/// False if the text is not complete.
bool from_text(const string& text, Outcome& o) {
    std::istringstream in(text);
    string line, word;
    bool done = false;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        words >> word;
        auto& t = o.tally;
        if (word == "tally") words >> t.programs >> t.runs >> t.undefined >> t.long_runs >> t.refused >> t.refused_late;
        if (word == "axiom" && words >> word) o.tally.axioms.insert(word);
        if (word == "done") done = true;
        if (word == "fail") {
            Failure f;
            string mode, message;
            words >> f.program >> f.input;
            words.get();
            std::getline(words, mode, '\t');
            std::getline(words, message);
            f.mode = unescaped(mode), f.message = unescaped(message);
            o.failures.push_back(std::move(f));
        }
    }
    return done;
}

[[noreturn]] void work(const std::vector<Program>& programs, const std::set<string>& modes, const string& folder, int fd) {
    rlimit limit{max_memory, max_memory};
    ::setrlimit(RLIMIT_AS, &limit);
    rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    rlimit time{max_seconds, RLIM_INFINITY};
    ::setrlimit(RLIMIT_CPU, &time);
    ::alarm(max_waiting);
    std::ignore = std::freopen((folder + "/stderr").c_str(), "w", stderr); // traps say what was undefined
    Outcome o;
    bool mutant = modes.contains("mutant");
    mim::run_on_big_stack([&] {
        o.failures = mutant ? check_mutant(programs.front(), modes, folder, o.tally) : check(programs, modes, folder, o.tally);
    });
    auto text = to_text(o);
    for (size_t at = 0; at < text.size();) {
        auto n = ::write(fd, text.data() + at, text.size() - at);
        if (n <= 0) break;
        at += static_cast<size_t>(n);
    }
    ::_exit(0);
}

} // namespace

Child::Child(std::vector<Program> programs, const std::set<string>& modes, const string& folder)
    : programs_(std::move(programs)) {
    int fds[2];
    if (::pipe(fds) != 0) return;
    std::fflush(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
        ::close(fds[0]);
        work(programs_, modes, folder, fds[1]);
    }
    ::close(fds[1]);
    fd_ = fds[0];
}

Child::~Child() {
    if (fd_ >= 0) ::close(fd_);
}

bool Child::read() {
    char chunk[1 << 16];
    auto n = ::read(fd_, chunk, sizeof chunk);
    if (n > 0) buffer_.append(chunk, static_cast<size_t>(n));
    return n <= 0;
}

Outcome Child::outcome() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    Outcome o;
    if (from_text(buffer_, o)) return o;
    Failure f;
    bool late = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM);
    f.mode    = late ? "time" : "crash";
    f.message = late                  ? "not done in time"
                : WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                      : "exit status " + std::to_string(WEXITSTATUS(status));
    o.failures.push_back(std::move(f));
    return o;
}

Outcome isolated(std::vector<Program> programs, const std::set<string>& modes, const string& folder) {
    Child child(std::move(programs), modes, folder);
    while (!child.read()) {}
    return child.outcome();
}

string make_folder(const string& parent, const string& name) {
    auto path = parent + "/" + name;
    ::mkdir(parent.c_str(), 0777);
    ::mkdir(path.c_str(), 0777);
    return path;
}

} // namespace agree
