// SPDX-License-Identifier: MIT
// What a plugin may put in front of the compiler and behind it: a reader for files of another language, and a maker of outputs of another
// kind. The first is chosen by a file's extension, the second by `mim build --emit NAME`; a plugin of that name is loaded by itself.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/span.h"
#include "diag/diag.h"
#include "front/source_map.h"
#include "ir/world.h"
#include "phase/profile.h"
#include "phase/settings.h"
#include "syntax/ast.h"

namespace mim {

/// The result of a program that an evaluator of its language has run.
struct Evaluation {
    int exit_code = 0;
    std::string output; ///< what it printed, also if it was stopped
    std::string errors; ///< the same on standard error
};
/// Runs a program with its arguments, of which the first one is its name.
using Evaluator = std::function<Evaluation(const std::vector<std::string>& args)>;

/// A file of another language.
struct FrontEndContext {
    World& world;
    SymbolTable& symbols;
    Diagnostics& diags;
    Profile& profile; ///< `Profile::Scope scope(c.profile, "…")` times a pass of the front end, for `--time`
    FileId file;
    std::string_view path, extension, text;
    const Settings& settings             = Settings::none(); ///< the options of plugins
    bool is_imported                     = false;            ///< by a program: what the file does by itself is not asked for
    std::span<const std::string> outputs = {};               ///< names of those of `mim build`, if plugins make some of them

    /// Reads a further file, whose text is in `diags.sources()` then and stays there; nothing if it cannot be read.
    std::function<std::optional<FileId>(const std::string& path)> open = {};
    /// The front end may set it: what `mim run --eval` runs in place of the function `main` of the graph.
    Evaluator evaluator = {};

    /// Reports what is wrong with the bytes from `begin` to `end` of the text.
    void error(uint32_t begin, uint32_t end, std::string what) {
        diags.report(Diag::front_end_failed, {file, begin, end}, {std::string(extension), std::move(what)});
    }
};

/// Mim text that is read in place of a file. Errors in its syntax are shown in it, those of its types in the text that the map says; without a
/// map, in it as well. It is empty if the front end has put its functions into the world itself (Externals::add).
struct MimText {
    MimText(std::string mim, front::SourceMap places = {})
        : text(std::move(mim))
        , map(std::move(places)) {}
    MimText(const front::MappedText& mapped)
        : MimText(mapped.text(), mapped.map()) {}

    std::string text;
    front::SourceMap map;
};

/// The program that a file stands for: a tree (syntax/build.h) or text. A program that imports the file has the names that are declared in it,
/// and those of the functions that the front end has put into the world.
using FrontEndProgram = std::variant<MimText, ast::Module>;
/// Nothing if the front end reported an error.
using FrontEnd = std::function<std::optional<FrontEndProgram>(FrontEndContext&)>;

/// A file of another language, for `mim fmt`.
struct FormatContext {
    Diagnostics& diags;
    FileId file;
    std::string_view path, extension, text;

    /// Reports what is wrong with the bytes from `begin` to `end` of the text.
    void error(uint32_t begin, uint32_t end, std::string what) {
        diags.report(Diag::front_end_failed, {file, begin, end}, {std::string(extension), std::move(what)});
    }
};

/// The file in its canonical layout; nothing if the formatter reported an error. A file that is laid out already must
/// stay as it is.
using Formatter = std::function<std::optional<std::string>(FormatContext&)>;

/// A program after its pipeline.
struct BackEndContext {
    World& world;
    Diagnostics& diags;
    std::string_view output;                     ///< the name of what is made
    const Settings& settings = Settings::none(); ///< the options of plugins

    /// Reports why it cannot be made; the place is that of a node, if it has one.
    void error(std::string what, const Def* node = nullptr) {
        diags.report(Diag::back_end_failed, node ? world.notes.span(node) : Span(), {std::string(output), std::move(what)});
    }
};

/// The bytes of the output; nothing if the back end reported an error.
using BackEnd = std::function<std::optional<std::string>(BackEndContext&)>;

} // namespace mim
