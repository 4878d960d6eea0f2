// SPDX-License-Identifier: MIT
#include "driver/bootstrap_library.h"

#include "driver/installed.h"
#include "driver/library.h"
#include "driver/output.h"
#include "driver/search.h"

namespace mim {

bool is_library_name(std::string_view path) { return path.ends_with(".so"); }

bool bootstrap_library(Diagnostics& diags, const Options& o) {
    auto& path = o.files.front();
    auto name  = plugin_of_library(path);
    std::string error;
    bool has_folder  = path.find('/') != path.npos; // the system looks for a name without one in its own folders
    auto description = describe_plugin(has_folder ? path : "./" + path, error);
    if (!description) return diags.report(Diag::plugin_library, {}, {name, error}), false;
    auto& manifest = description->manifest;
    if (manifest.plugin != name) return diags.report(Diag::plugin_other_name, {}, {path, manifest.plugin, name}), false;
    for (auto& fault : description->faults) diags.report(Diag::plugin_fault, {}, {name, fault});
    if (!description->faults.empty()) return false;
    manifest.files = data_files(path, name);
    auto output    = o.output.empty() ? manifest_path(path, name) : o.output;
    auto written   = write_result(output, to_text(manifest), o.files, error);
    if (!written) diags.report(Diag::cannot_write, {}, {output, error});
    return written;
}

} // namespace mim
