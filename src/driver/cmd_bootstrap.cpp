// SPDX-License-Identifier: MIT
// `mim bootstrap NAME.mim`: the C++ header of a plugin's annexes, to standard output or to -o. Of a library it makes
// the manifest.
#include "driver/bootstrap.h"
#include "driver/bootstrap_library.h"
#include "driver/commands.h"
#include "driver/output.h"
#include "driver/search.h"
#include "syntax/parse.h"

namespace mim {

/// A header that is written again is newer than every object that includes it: all of them would be compiled again.
static bool is_up_to_date(const std::string& path, const std::string& text) {
    std::string present, error;
    return path != "-" && read_file(path, present, error) && present == text;
}

int cmd_bootstrap(const Options& o) {
    SourceManager sources;
    Diagnostics diags(sources);
    SymbolTable symbols;
    return with_diagnostics(diags, o, [&] {
        auto& path = o.files.front();
        if (is_library_name(path)) return bootstrap_library(diags, o);
        auto name = stem_of(path);
        std::string text, error;
        if (!is_plugin_name(name)) return report_plugin_name(diags, {}, name), false;
        if (!read_file(path, text, error)) return diags.report(Diag::cannot_read, {}, {path, error}), false;
        auto module = parse(sources.add(path, std::move(text)), sources, symbols, diags);
        if (diags.num_errors() != 0) return false;
        auto output = o.output.empty() ? std::string("-") : o.output;
        auto header = annex_header(module, name);
        if (is_up_to_date(output, header)) return true;
        if (!write_result(output, header, o.files, error)) return diags.report(Diag::cannot_write, {}, {output, error}), false;
        return true;
    });
}

} // namespace mim
