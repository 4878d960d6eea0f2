# SPDX-License-Identifier: MIT
# mim_turn(TARGET): with MIM_O2_TURN=K/N, each N-th source of the target is compiled with -O2, whatever the build
# type says. CI compiles with -O1, which takes three quarters of the time, and a sixteenth of the sources as users do:
# sixteen builds with different K compile all (doc/adr/0016). K may be any number, such as that of commits. GCC 12
# crashes where a precompiled header was made with another level of optimization: these sources do without it.
set(MIM_O2_TURN "" CACHE STRING "K/N: compile each N-th source with -O2")

function(mim_turn target)
    if(NOT MIM_O2_TURN MATCHES "^([0-9]+)/([0-9]+)$")
        return()
    endif()
    math(EXPR turn "${CMAKE_MATCH_1} % ${CMAKE_MATCH_2}")
    set(turns ${CMAKE_MATCH_2})
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    foreach(source IN LISTS sources)
        file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
        string(MD5 hash ${name})
        string(SUBSTRING ${hash} 0 6 hash)
        math(EXPR own "0x${hash} % ${turns}")
        if(own EQUAL turn)
            set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -O2)
            set_property(SOURCE ${source} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
        endif()
    endforeach()
endfunction()
