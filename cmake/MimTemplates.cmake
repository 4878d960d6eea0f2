# SPDX-License-Identifier: MIT
# The files of `mim new-plugin`, example/new-plugin/*.in, as C++: part of libmim. In their paths, `plugin` stands for the name of
# the plugin.
# Included by CMakeLists.txt it declares how the file is made; run by `cmake -P` it makes it (OUT, FOLDER).
if(CMAKE_SCRIPT_MODE_FILE)
    file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*.in)
    list(SORT files)
    file(WRITE ${OUT}.new "// Made from example/new-plugin by cmake/MimTemplates.cmake.\n"
        "#include \"driver/templates.h\"\n\nnamespace mim {\n\nstatic constexpr TemplateFile kFiles[] = {\n")
    foreach(file IN LISTS files)
        file(READ ${FOLDER}/${file} text)
        string(REGEX REPLACE "\\.in$" "" path ${file})
        string(REGEX REPLACE "(^|/)plugin\\." "\\1@NAME@." path ${path})
        file(APPEND ${OUT}.new "    {\"${path}\", R\"TEMPLATE(${text})TEMPLATE\"},\n")
    endforeach()
    file(APPEND ${OUT}.new "};\n\nstd::span<const TemplateFile> plugin_templates() { return kFiles; }\n\n} // namespace mim\n")
    file(RENAME ${OUT}.new ${OUT})
    return()
endif()

set(mim_template_folder ${PROJECT_SOURCE_DIR}/example/new-plugin)
file(GLOB_RECURSE mim_template_files CONFIGURE_DEPENDS ${mim_template_folder}/*.in)
set(mim_templates ${PROJECT_BINARY_DIR}/templates.cpp)
add_custom_command(
    OUTPUT ${mim_templates}
    COMMAND ${CMAKE_COMMAND} -DOUT=${mim_templates} -DFOLDER=${mim_template_folder}
            -P ${PROJECT_SOURCE_DIR}/cmake/MimTemplates.cmake
    DEPENDS ${mim_template_files} ${PROJECT_SOURCE_DIR}/cmake/MimTemplates.cmake
    COMMENT "Files of mim new-plugin"
    VERBATIM)
