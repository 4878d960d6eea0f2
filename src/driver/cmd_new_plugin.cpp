// SPDX-License-Identifier: MIT
// `mim new-plugin NAME`: a folder NAME with a plugin that builds against an installed Mim and passes its test. It has one of each
// thing that a plugin can have: an axiom with a normalizer, a meaning for the evaluator and an emitter, and a phase.
#include <cerrno>
#include <cstring>

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

} // namespace

int cmd_new_plugin(const Options& o) {
    SourceManager sources;
    Diagnostics diags(sources);
    return with_diagnostics(diags, o, [&] {
        auto& name  = o.files.front();
        auto folder = o.output.empty() ? name : o.output;
        if (!is_plugin_name(name)) return report_plugin_name(diags, {}, name), false;
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
