# SPDX-License-Identifier: MIT
# The diagnostics of a plugin: from NAME/diagnostics.def and the pages NAME/doc/errors/CODE.md come the header NAME/diagnostics.h, which
# declares them in namespace mim::plug::NAME::diag, and diagnostics.cpp, which defines them and diag::all(). The header has no texts, so a
# changed text compiles one source. A line of diagnostics.def is one of
#
#     MIM_DIAG(name, code, severity, message, types of the arguments…)
#     MIM_FORMERLY(name, code)             the code that it had before; `mim explain` knows it
#
# Run by `cmake -P` it makes the header (HEADER) or the source (SOURCE), from NAME and FOLDER.

# Leaves the file alone if it has this content already: what includes it need not be compiled.
function(mim_write_if_different path content)
    set(old)
    if(EXISTS ${path})
        file(READ ${path} old)
    endif()
    if(NOT old STREQUAL content)
        file(WRITE ${path} "${content}")
    endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE AND HEADER)
    file(READ ${FOLDER}/diagnostics.def declarations)
    # What stands between quotes is a text or a code.
    string(REGEX REPLACE "\n//[^\n]*" "" declarations "\n${declarations}")
    string(REGEX REPLACE "\"([^\"\\\\]|\\\\.)*\"" "\"\"" declarations "${declarations}")
    string(REGEX REPLACE "[ \t]+" " " declarations "${declarations}")
    mim_write_if_different(${HEADER} "// Made from diagnostics.def of the plugin ${NAME} by cmake/MimDiagnostics.cmake.
#pragma once
#include \"diag/declared.h\"

namespace mim::plug::${NAME}::diag {

#define MIM_DIAG(name, code, severity, message, ...) extern const DiagOf<__VA_ARGS__> name;
#define MIM_FORMERLY(name, code)
${declarations}
#undef MIM_DIAG
#undef MIM_FORMERLY

/// For PluginBuilder::diagnostics.
std::span<const PluginDiag> all();

} // namespace mim::plug::${NAME}::diag
")
    return()
endif()

if(CMAKE_SCRIPT_MODE_FILE AND SOURCE)
    file(GLOB pages ${FOLDER}/doc/errors/[ENW]-*.md)
    list(SORT pages)
    set(texts)
    foreach(page IN LISTS pages)
        get_filename_component(code ${page} NAME_WE)
        file(READ ${page} text)
        string(APPEND texts "    {\"${code}\", R\"PAGE(${text})PAGE\"},\n")
    endforeach()
    mim_write_if_different(${SOURCE} "// Made from the pages of the plugin ${NAME} by cmake/MimDiagnostics.cmake.
#include \"${NAME}/diagnostics.h\"

namespace mim::plug::${NAME}::diag {

namespace {

constexpr DiagText kPages[] = {
${texts}    {},
};

constexpr DiagText kFormer[] = {
#define MIM_DIAG(name, code, severity, message, ...)
#define MIM_FORMERLY(name, code) {#name, code},
#include \"${FOLDER}/diagnostics.def\"
#undef MIM_DIAG
#undef MIM_FORMERLY
    {},
};

#define MIM_FORMERLY(name, code)
enum Position : size_t {
#define MIM_DIAG(name, code, severity, message, ...) at_##name,
#include \"${FOLDER}/diagnostics.def\"
#undef MIM_DIAG
};

constexpr PluginDiag kAll[] = {
#define MIM_DIAG(name, code, severity, message, ...) \\
    {declare_diag<__VA_ARGS__>(#name, code, Severity::severity, message), find_text(kPages, code), find_text(kFormer, #name)},
#include \"${FOLDER}/diagnostics.def\"
#undef MIM_DIAG
};

} // namespace

#define MIM_DIAG(name, code, severity, message, ...) constinit const DiagOf<__VA_ARGS__> name{kAll[at_##name].info};
#include \"${FOLDER}/diagnostics.def\"
#undef MIM_DIAG
#undef MIM_FORMERLY

std::span<const PluginDiag> all() { return kAll; }

} // namespace mim::plug::${NAME}::diag
")
    return()
endif()

# mim_add_diagnostics(NAME FOLDER GENERATED RESULT): the rules that make both files in GENERATED/NAME; RESULT are their paths.
function(mim_add_diagnostics name folder generated result)
    set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/MimDiagnostics.cmake)
    set(header ${generated}/${name}/diagnostics.h)
    set(source ${generated}/${name}/diagnostics.cpp)
    file(GLOB pages CONFIGURE_DEPENDS ${folder}/doc/errors/[ENW]-*.md)
    add_custom_command(
        OUTPUT ${header}
        COMMAND ${CMAKE_COMMAND} -DHEADER=${header} -DNAME=${name} -DFOLDER=${folder} -P ${script}
        DEPENDS ${folder}/diagnostics.def ${script}
        COMMENT "Diagnostics of the plugin ${name}"
        VERBATIM)
    add_custom_command(
        OUTPUT ${source}
        COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DNAME=${name} -DFOLDER=${folder} -P ${script}
        DEPENDS ${pages} ${script}
        COMMENT "Pages of the plugin ${name}"
        VERBATIM)
    set(${result} ${header} ${source} PARENT_SCOPE)
endfunction()
