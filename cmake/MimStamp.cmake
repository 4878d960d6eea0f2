# SPDX-License-Identifier: MIT
# The stamp of headers and plugins, driver/stamp.h: the version and a hash of the public headers, without comments and white space. A plugin
# that was compiled with other declarations has another stamp, also if nobody changed the version; texts of diagnostics, comments and layout
# do not decide whether a plugin fits. Nor do the names of diag/ids.h: each is a symbol, which the system looks for when it opens a plugin.
# The stamp is made where plugins look for what is generated, in the tree
# from the headers of the tree and outside of it from those that are installed; only plugins and what loads them see it, so a change of a
# header compiles few files again that would not be anyway.
# Run by `cmake -P` it makes the file (OUT, FOLDER, VERSION).

# The public set: what a plugin or a program that embeds Mim may include. Back ends and implementation headers stay private.
set(MIM_PUBLIC_STAGES base diag front syntax ir sema eval analysis phase kit opt backend driver)

# mim_public_headers(RESULT FOLDER [CONFIGURE_DEPENDS])
function(mim_public_headers result folder)
    set(patterns)
    foreach(stage IN LISTS MIM_PUBLIC_STAGES)
        list(APPEND patterns ${folder}/${stage}/*.h)
    endforeach()
    file(GLOB_RECURSE headers ${ARGN} ${patterns})
    list(FILTER headers EXCLUDE REGEX "/llvm/|/impl\\.h$|/diag/ids\\.h$")
    list(SORT headers)
    set(${result} ${headers} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
    mim_public_headers(headers ${FOLDER})
    set(text)
    foreach(header IN LISTS headers)
        file(READ ${header} declarations)
        string(REGEX REPLACE "(^|[ \t\n])//[^\n]*" "\\1" declarations "${declarations}")
        string(REGEX REPLACE "[ \t\n]+" " " declarations "${declarations}")
        string(SHA256 hash "${declarations}")
        file(RELATIVE_PATH name ${FOLDER} ${header})
        string(APPEND text "${name} ${hash}\n")
    endforeach()
    string(SHA256 hash "${text}")
    string(SUBSTRING ${hash} 0 12 hash)
    set(content "// Made from the public headers by cmake/MimStamp.cmake.\n#pragma once\n#define MIM_STAMP \"${VERSION}-${hash}\"\n")
    set(old)
    if(EXISTS ${OUT})
        file(READ ${OUT} old)
    endif()
    if(NOT old STREQUAL content)
        file(WRITE ${OUT} "${content}")
    endif()
    return()
endif()

# mim_add_stamp(OUT FOLDER VERSION): the rule that makes OUT from the headers of FOLDER.
function(mim_add_stamp out folder version)
    mim_public_headers(headers ${folder} CONFIGURE_DEPENDS)
    set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/MimStamp.cmake)
    add_custom_command(
        OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DFOLDER=${folder} -DVERSION=${version} -P ${script}
        DEPENDS ${headers} ${script}
        COMMENT "Stamp of the headers"
        VERBATIM)
endfunction()
