// SPDX-License-Identifier: MIT
#include "report.h"

#include <cstdio>
#include <fstream>
#include <sstream>

namespace agree {

using std::string;

namespace {

constexpr unsigned max_alike = 4; ///< failures of one kind that are made small

/// Failures of one kind are alike: the mode, and the code of the diagnostic or the message without its numbers.
string kind_of(const Failure& f) {
    auto& m   = f.message;
    auto code = m.find("[E");
    if (code == string::npos) code = m.find("[N");
    if (code != string::npos) return f.mode + " " + m.substr(code, m.find(']', code) - code + 1);
    if (m.starts_with("expected")) {
        auto got = m.find(", got ");
        auto end = got == string::npos ? "" : m.substr(got + 6);
        bool num = !end.empty() && end[0] >= '0' && end[0] <= '9';
        return f.mode + (num ? " value" : " " + end.substr(0, 30));
    }
    string s = f.mode + " ";
    for (char c : m.substr(0, m.find('\n')))
        if (c < '0' || c > '9') s += c;
    return s.substr(0, 60);
}

/// The modes that are needed to see this failure again.
std::set<string> modes_for(const Failure& f, const std::set<string>& all) {
    if (all.contains("mutant") || f.mode == "crash" || f.mode == "time" || f.mode == "exception") return all;
    if (f.mode.starts_with("after")) return {"phases"};
    return {f.mode};
}

} // namespace

void Reporter::investigate(const std::vector<Program>& programs, const std::vector<Failure>& failures,
                           const std::set<string>& modes) {
    std::set<size_t> suspects;
    for (auto& f : failures)
        if (f.program >= 0) suspects.insert(static_cast<size_t>(f.program));
    if (suspects.empty())
        for (size_t i = 0; i != programs.size(); ++i) suspects.insert(i);
    bool found  = false;
    auto folder = make_folder(folder_, "shrink");
    for (auto i : suspects) {
        auto alone = isolated({programs[i]}, modes, folder);
        if (alone.failures.empty()) continue;
        found = true;
        blame(programs[i], alone.failures.front(), modes);
    }
    if (!found) blame_together(programs, failures.front(), modes);
}

/// It takes several programs to fail: leaves out as many of them as possible.
void Reporter::blame_together(std::vector<Program> programs, const Failure& f, const std::set<string>& modes) {
    ++num_;
    auto kind = kind_of(f);
    std::printf("FAILED together: %s: %s\n", kind.c_str(), f.message.substr(0, 400).c_str());
    if (++seen_[kind] > max_alike) return;
    auto folder = make_folder(folder_, "shrink");
    auto fails  = [&](const std::vector<Program>& some) {
        auto now = isolated(some, modes_for(f, modes), folder);
        return !now.failures.empty() && kind_of(now.failures.front()) == kind;
    };
    for (size_t step = programs.size() / 2; step != 0; step /= 2) {
        for (size_t i = 0; i + step <= programs.size();) {
            auto fewer = programs;
            fewer.erase(fewer.begin() + static_cast<long>(i), fewer.begin() + static_cast<long>(i + step));
            if (!fewer.empty() && fails(fewer)) programs = std::move(fewer);
            else i += step;
        }
    }
    write(programs, f, "together-" + programs.front().name);
}

void Reporter::blame(const Program& program, const Failure& f, const std::set<string>& modes) {
    ++num_;
    auto kind = kind_of(f);
    auto nth  = ++seen_[kind];
    std::printf("FAILED %s: %s: %s\n", program.name.c_str(), kind.c_str(), f.message.substr(0, 400).c_str());
    std::fflush(stdout);
    if (nth > max_alike) return;
    auto needed = modes_for(f, modes);
    auto folder = make_folder(folder_, "shrink");
    auto last   = f;
    auto small  = program;
    small.tree  = shrink(program.tree, shrink_steps_, [&](const Tree& t) {
        auto candidate = program;
        candidate.tree = t;
        auto now       = isolated({candidate}, needed, folder);
        if (now.failures.empty() || kind_of(now.failures.front()) != kind) return false;
        last = now.failures.front();
        return true;
    });
    write({small}, last, program.name);
}

/// A program that shows the failure: `agree --file FILE` checks it again.
void Reporter::write(const std::vector<Program>& programs, const Failure& f, const string& name) {
    auto path = folder_ + "/" + name + ".mim";
    std::ofstream out(path);
    std::istringstream lines(f.mode + (f.input >= 0 ? ", input " + std::to_string(f.input) : "") + ": " + f.message);
    for (string line; std::getline(lines, line);) out << "// " << line << '\n';
    for (auto& p : programs) {
        out << "//program " << p.name << '\n';
        for (auto& in : p.inputs) out << "//input " << in[0] << ' ' << in[1] << ' ' << in[2] << ' ' << in[3] << '\n';
    }
    out << "//text\n" << module_text(programs);
    std::printf("    see %s\n", path.c_str());
    std::fflush(stdout);
}

bool read_programs(const string& path, std::vector<Program>& programs) {
    std::ifstream in(path);
    for (string line; std::getline(in, line);) {
        std::istringstream words(line);
        string word;
        words >> word;
        if (word == "//program") {
            programs.emplace_back();
            words >> programs.back().name;
        }
        if (word == "//input" && !programs.empty()) {
            Input x;
            words >> x[0] >> x[1] >> x[2] >> x[3];
            programs.back().inputs.push_back(x);
        }
        if (word != "//text") continue;
        std::ostringstream text;
        text << in.rdbuf();
        if (programs.empty()) return false;
        programs.front().tree = Tree(text.str());
        return true;
    }
    return false;
}

} // namespace agree
