// SPDX-License-Identifier: MIT
// `mim new-plugin NAME`: a folder NAME with a plugin that builds against an installed Mim and passes its test. It has one of each
// thing that a plugin can have: an axiom with a normalizer, a meaning for the evaluator and an emitter, and a phase.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include <sys/stat.h>

#include "driver/bootstrap.h"
#include "driver/commands.h"
#include "driver/output.h"
#include "driver/search.h"
#include "driver/templates.h"

namespace mim {

namespace {

std::string replaced(std::string_view text, std::string_view hole, std::string_view filling) {
    std::string out;
    for (size_t at; (at = text.find(hole)) != text.npos; text.remove_prefix(at + hole.size()))
        (out += text.substr(0, at)) += filling;
    return out += text;
}

/// The template with all holes filled.
std::string fill(std::string_view text, std::string_view name) {
    return replaced(replaced(text, "@NAME@", name), "@CPP_NAME@", cpp_name(name));
}

bool make_folder(const std::string& path, Diagnostics& diags) {
    if (::mkdir(path.c_str(), 0777) == 0) return true;
    if (errno == EEXIST) diags.report(Diag::folder_exists, {}, {path});
    else diags.report(Diag::cannot_write, {}, {path, std::strerror(errno)});
    return false;
}

/// The namespaces that stand beside those of plugins: in the code of a plugin of such a name, `eval::` would be its own.
constexpr std::string_view kNamespaces[] = {"ast",  "backend", "detail", "eval",    "front", "linear",
                                            "llvm", "mim",     "plug",   "runtime", "utf"};
/// The macros of systems whose names are no capitals. Those are for macros.
constexpr std::string_view kMacros[] = {"errno", "i386", "linux", "stderr", "stdin", "stdout", "unix"};

/// What C++ has of this name, so that the folder would not build; empty if it has nothing.
std::string taken_by_cpp(std::string_view name) {
    auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
    if (std::ranges::find(kNamespaces, name) != std::end(kNamespaces)) return "a namespace in C++";
    if (std::ranges::find(kMacros, name) != std::end(kMacros)) return "a macro in C++";
    if (name.size() > 1 && std::ranges::none_of(name, is_small)) return "a macro in C++, as are names in capitals";
    bool is_reserved = name.starts_with('_') || name.find("__") != name.npos;
    return is_reserved ? "something that C++ reserves, as it does names that begin with `_` or have `__`" : "";
}

/// Reports a name that no new plugin may have.
bool check_name(const std::string& name, Diagnostics& diags) {
    if (!is_plugin_name(name)) return report_plugin_name(diags, {}, name), false;
    bool is_ours = !SearchPath({}).plugin(name).empty();
    auto owner   = is_ours ? std::string("one that came with Mim") : taken_by_cpp(name);
    if (owner.empty()) return true;
    diags.report(Diag::bad_plugin_name, {}, {name, "it is the name of " + owner});
    return false;
}

} // namespace

int cmd_new_plugin(const Options& o) {
    SourceManager sources;
    Diagnostics diags(sources);
    return with_diagnostics(diags, o, [&] {
        auto& name  = o.files.front();
        auto folder = o.output.empty() ? name : o.output;
        if (!check_name(name, diags)) return false;
        if (!make_folder(folder, diags) || !make_folder(folder + "/test", diags)) return false;
        for (auto& file : plugin_templates()) {
            auto path = folder + "/" + fill(file.path, name);
            std::string error;
            if (!write_output(path, fill(file.text, name), error))
                return diags.report(Diag::cannot_write, {}, {path, error}), false;
        }
        return true;
    });
}

} // namespace mim
