# SPDX-License-Identifier: MIT
# The pages that `mim explain` shows, doc/errors/CODE.md, as C++: part of libmim, so that they are always those of its diagnostics.
# Included by CMakeLists.txt it declares how the file is made; run by `cmake -P` it makes it (OUT, FOLDER).
if(CMAKE_SCRIPT_MODE_FILE)
    file(GLOB pages ${FOLDER}/[ENW][0-9]*.md)
    list(SORT pages)
    file(WRITE ${OUT}.new "// Made from doc/errors by cmake/MimPages.cmake.\n#include \"driver/explain.h\"\n\nnamespace mim {\n\n"
        "static constexpr ErrorPage kPages[] = {\n")
    foreach(page IN LISTS pages)
        get_filename_component(code ${page} NAME_WE)
        file(READ ${page} text)
        file(APPEND ${OUT}.new "    {\"${code}\", R\"PAGE(${text})PAGE\"},\n")
    endforeach()
    file(APPEND ${OUT}.new "};\n\nstd::span<const ErrorPage> error_pages() { return kPages; }\n\n} // namespace mim\n")
    file(RENAME ${OUT}.new ${OUT})
    return()
endif()

file(GLOB mim_error_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/doc/errors/[ENW][0-9]*.md)
set(mim_pages ${PROJECT_BINARY_DIR}/error_pages.cpp)
add_custom_command(
    OUTPUT ${mim_pages}
    COMMAND ${CMAKE_COMMAND} -DOUT=${mim_pages} -DFOLDER=${PROJECT_SOURCE_DIR}/doc/errors
            -P ${PROJECT_SOURCE_DIR}/cmake/MimPages.cmake
    DEPENDS ${mim_error_pages} ${PROJECT_SOURCE_DIR}/cmake/MimPages.cmake
    COMMENT "Pages of mim explain"
    VERBATIM)
