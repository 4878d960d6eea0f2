// SPDX-License-Identifier: MIT
// `mim doctor`: what this installation found, one line each, and how to get what is missing. Exit status 1 if something that
// `mim build` or `mim run` needs is missing.
#include <algorithm>
#include <cstdlib>

#include <dlfcn.h>
#include <unistd.h>

#include "backend/backend.h"
#include "driver/commands.h"
#include "driver/installed.h"
#include "driver/library.h"
#include "driver/manifests.h"
#include "driver/search.h"

namespace mim {

namespace {

/// The first of these programs that is on the PATH; empty if none is.
std::string find_program(std::initializer_list<std::string_view> names) {
    auto env = std::getenv("PATH");
    for (auto name : names) {
        std::string_view rest = env ? env : "/usr/bin:/bin";
        while (!rest.empty()) {
            auto dir = rest.substr(0, rest.find(':'));
            rest.remove_prefix(std::min(rest.size(), dir.size() + 1));
            auto path = std::string(dir) + "/" + std::string(name);
            if (!dir.empty() && is_file(path) && ::access(path.c_str(), X_OK) == 0) return path;
        }
    }
    return {};
}

/// Why the system cannot open a library; empty if it can.
std::string problem_of(const std::string& plugin, const std::string& library) {
    auto handle = open_library_of(plugin, library, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) return ::dlerror();
    ::dlclose(handle);
    return {};
}

class Report {
public:
    void line(std::string_view what, std::string_view found) {
        out_ += std::string(what) + std::string(what.size() < 14 ? 14 - what.size() : 1, ' ') + std::string(found) + "\n";
    }
    void missing(std::string_view what, std::string_view advice) {
        line(what, "missing: " + std::string(advice));
        ok = false;
    }
    const std::string& text() const { return out_; }
    bool ok = true;

private:
    std::string out_;
};

void check_plugins(Report& report, const Options& o) {
    bool any = false;
    SearchPath search(o.plugin_dirs);
    for (auto& dir : search.dirs()) {
        std::string names;
        for (auto& plugin : installed_plugins(dir)) {
            names += (names.empty() ? "" : " ") + plugin.name;
            any      = true;
            auto bad = library_problem(plugin);
            if (bad.empty()) bad = manifest_problem(plugin);
            if (!bad.empty()) report.missing("plugin " + plugin.name, bad);
        }
        report.line("plugins", dir + ": " + (names.empty() ? "none" : names));
    }
    if (!any) report.missing("plugins", "set MIM_PLUGIN_PATH, or give their folder with -P");
}

/// Compiled programs are linked with these libraries if they use the plugin.
void check_libraries(Report& report, const Options& o) {
    Manifests manifests(SearchPath(o.plugin_dirs).dirs());
    for (auto& plugin : manifests.all()) {
        for (auto& library : plugin.libraries) {
            auto path    = dir_of(plugin.path) + "/lib" + library.name + ".so";
            auto problem = problem_of(plugin.plugin, path);
            auto missing = problem + "; only programs that use the plugin " + plugin.plugin + " need it: " + library.advice;
            report.line("library", problem.empty() ? path : missing);
        }
    }
}

} // namespace

int cmd_doctor(const Options& o) {
    Report report;
    report.line("mim", MIM_VERSION);
    auto llvm = backend::llvm_version();
    if (llvm.starts_with("LLVM ")) report.line("LLVM", std::string_view(llvm).substr(5));
    else report.missing("LLVM", llvm + "; `mim run` and `mim build` need it");
    if (auto linker = find_program({"ld.lld-19", "ld.lld", "ld"}); !linker.empty()) report.line("linker", linker);
    else report.missing("linker", "install lld-19; `mim build` needs it for executables and shared libraries");
    if (auto cc = find_program({"cc", "gcc", "clang", "clang-19"}); !cc.empty()) report.line("C compiler", cc);
    else report.line("C compiler", "none; only needed where the linker does not find the C library by itself");
    check_plugins(report, o);
    check_libraries(report, o);
    report.line("", report.ok ? "all is well" : "some things are missing");
    print_text(report.text());
    return report.ok ? kDone : kInputError;
}

} // namespace mim
