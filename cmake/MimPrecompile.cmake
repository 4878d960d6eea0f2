# SPDX-License-Identifier: MIT
# mim_precompile(TARGET): the sources of the target read the standard headers that most of them include in precompiled form, which saves a
# quarter of the time to compile one. All targets share the form of libmim, but those that name further headers or are compiled with other
# optimizations: mim_precompile(TARGET HEADER…). A source still includes what it uses: script/check-lint reads it without the precompiled
# header, and so does a compiler without MIM_PRECOMPILE.
option(MIM_PRECOMPILE "precompile standard headers" ON)

set(MIM_STANDARD_HEADERS
    <algorithm> <array> <bit> <cstdint> <cstring> <deque> <functional> <map> <memory> <optional> <set> <span> <string> <string_view>
    <unordered_map> <unordered_set> <utility> <variant> <vector>)

function(mim_precompile target)
    if(NOT MIM_PRECOMPILE)
        return()
    endif()
    # Clang takes a precompiled header only where the same macros are defined: not one of the target's own.
    set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "")
    if(target STREQUAL "libmim" OR ARGN)
        target_precompile_headers(${target} PRIVATE ${MIM_STANDARD_HEADERS} ${ARGN})
    else()
        target_precompile_headers(${target} REUSE_FROM libmim)
        target_compile_options(${target} PRIVATE -fPIC) # as libmim is compiled; a program would get -fPIE alone
    endif()
endfunction()
