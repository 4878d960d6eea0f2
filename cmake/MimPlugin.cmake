# SPDX-License-Identifier: MIT
# add_mim_plugin(NAME [SOURCES file…] [FOLDER folder]): the plugin NAME of the current folder (or FOLDER), the same in Mim's tree
# and outside of it. NAME.mim says what it declares; SOURCES (default: all .cpp files of the folder but those in test/) become
# libmim_NAME.so; without sources the plugin is its .mim alone. Both files end in lib/mim/ of the build tree and are installed to
# lib/mim/.
#
# `mim bootstrap NAME.mim` makes the header of the annexes before the sources are compiled: #include "NAME/annexes.h". A plugin in
# the tree sees the others of the tree as "OTHER/…"; outside of it, those that are installed. If there is a diagnostics.def, its header
# is "NAME/diagnostics.h" (see MimDiagnostics.cmake).
function(add_mim_plugin name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER" "SOURCES")
    if(NOT arg_FOLDER)
        set(arg_FOLDER ${CMAKE_CURRENT_SOURCE_DIR})
    endif()
    if(NOT arg_SOURCES)
        file(GLOB_RECURSE arg_SOURCES CONFIGURE_DEPENDS ${arg_FOLDER}/*.cpp)
        list(FILTER arg_SOURCES EXCLUDE REGEX "/${name}/(test|build)/")
    endif()
    if(MIM_LIBDIR) # an installed Mim, set by mimConfig.cmake
        set(output ${CMAKE_CURRENT_BINARY_DIR}/lib/mim)
        set(includes ${MIM_INCLUDEDIR}/plug)
    else()
        set(output ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/mim)
        set(includes ${PROJECT_SOURCE_DIR}/plug ${PROJECT_BINARY_DIR}/plug)
    endif()
    if(NOT CMAKE_INSTALL_LIBDIR)
        set(CMAKE_INSTALL_LIBDIR lib)
    endif()
    if(NOT CMAKE_INSTALL_INCLUDEDIR)
        set(CMAKE_INSTALL_INCLUDEDIR include)
    endif()
    set(declarations ${arg_FOLDER}/${name}.mim)

    # mim looks for NAME.mim and libmim_NAME.so in one folder.
    add_custom_command(
        OUTPUT ${output}/${name}.mim
        COMMAND ${CMAKE_COMMAND} -E make_directory ${output}
        COMMAND ${CMAKE_COMMAND} -E copy ${declarations} ${output}/${name}.mim
        DEPENDS ${declarations}
        VERBATIM)
    add_custom_target(mim_${name}_declarations ALL DEPENDS ${output}/${name}.mim)
    install(FILES ${declarations} DESTINATION ${CMAKE_INSTALL_LIBDIR}/mim)
    install(DIRECTORY ${arg_FOLDER}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mim/plug/${name} FILES_MATCHING PATTERN "*.h")
    if(NOT arg_SOURCES)
        return()
    endif()

    if(MIM_LIBDIR)
        set(generated ${CMAKE_CURRENT_BINARY_DIR}/plug)
        if(NOT TARGET mim_stamp)
            mim_add_stamp(${generated}/driver/stamp.h ${MIM_INCLUDEDIR} ${mim_VERSION})
            add_custom_target(mim_stamp DEPENDS ${generated}/driver/stamp.h)
            set_target_properties(mim_stamp PROPERTIES MIM_STAMP_FOLDER ${generated})
        endif()
    else()
        set(generated ${PROJECT_BINARY_DIR}/plug)
    endif()
    add_custom_command(
        OUTPUT ${generated}/${name}/annexes.h
        COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}/${name}
        COMMAND mim::mim bootstrap ${declarations} -o ${generated}/${name}/annexes.h
        DEPENDS ${declarations} mim::mim mim::libmim
        COMMENT "Annexes of the plugin ${name}"
        VERBATIM)
    set(made ${generated}/${name}/annexes.h)
    if(EXISTS ${arg_FOLDER}/diagnostics.def)
        mim_add_diagnostics(${name} ${arg_FOLDER} ${generated} diagnostics)
        list(APPEND made ${diagnostics})
    endif()
    add_custom_target(mim_${name}_annexes DEPENDS ${made})
    install(FILES ${generated}/${name}/annexes.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mim/plug/${name})

    add_library(mim_${name} MODULE ${arg_SOURCES} ${made})
    target_link_libraries(mim_${name} PRIVATE mim::libmim)
    if(COMMAND mim_precompile) # a plugin in the tree
        mim_precompile(mim_${name})
    endif()
    target_include_directories(mim_${name} PRIVATE ${arg_FOLDER} ${generated} ${includes})
    if(TARGET mim_stamp) # it may be that of another folder with a plugin
        get_target_property(folder mim_stamp MIM_STAMP_FOLDER)
        target_include_directories(mim_${name} PRIVATE ${folder})
        add_dependencies(mim_${name} mim_stamp)
    endif()
    set_target_properties(mim_${name} PROPERTIES
        LIBRARY_OUTPUT_DIRECTORY ${output}
        INSTALL_RPATH "$ORIGIN/.."
        POSITION_INDEPENDENT_CODE ON)
    # A header of another plugin is made by that plugin's bootstrap; all of the tree's are made before any plugin is compiled.
    add_dependencies(mim_${name} mim_${name}_annexes mim_${name}_declarations)
    if(TARGET mim_annexes)
        add_dependencies(mim_annexes mim_${name}_annexes)
        add_dependencies(mim_${name} mim_annexes)
    endif()
    install(TARGETS mim_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/mim)
endfunction()
