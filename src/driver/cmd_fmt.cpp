// SPDX-License-Identifier: MIT
// `mim fmt FILE…`: each file in the canonical layout. Files with errors are left alone; standard input comes out on standard
// output; --check only tells, for CI.
#include "driver/commands.h"
#include "driver/output.h"
#include "driver/search.h"
#include "syntax/format.h"

namespace mim {

namespace {

/// False if the file has errors, cannot be read or written, or (--check) is not formatted.
bool format_file(const std::string& path, SourceManager& sources, Diagnostics& diags, const Options& o) {
    std::string text, error;
    if (!read_file(path, text, error)) return diags.report(Diag::cannot_read, {}, {path, error}), false;
    auto file   = sources.add(path == "-" ? "<stdin>" : path, text);
    auto result = format(file, sources, diags);
    if (!result) return false;
    if (o.check) {
        if (*result == text) return true;
        diags.report(Diag::not_formatted, {}, {sources.path(file)});
        return false;
    }
    if (path != "-" && *result == text) return true;
    if (!write_output(path, *result, error)) return diags.report(Diag::cannot_write, {}, {path, error}), false;
    return true;
}

} // namespace

int cmd_fmt(const Options& o) {
    SourceManager sources;
    Diagnostics diags(sources);
    return with_diagnostics(diags, o, [&] {
        bool ok = true;
        for (auto& path : o.files) ok &= format_file(path, sources, diags, o);
        return ok;
    });
}

} // namespace mim
