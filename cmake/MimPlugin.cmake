# SPDX-License-Identifier: MIT
# add_mim_plugin(NAME [SOURCES file…] [FOLDER folder] [LIBRARY folder] [RUNTIME folder] [FILES file…]): the plugin NAME of the
# current folder (or FOLDER), the same in Mim's tree and outside of it. NAME.mim says what it declares; SOURCES (default: all .cpp
# files of the folder but those in test/) become libmim_NAME.so; without sources the plugin is its .mim alone. Both files end in
# lib/mim/ of the build tree and are installed to lib/mim/.
#
# `mim bootstrap NAME.mim` makes the header of the annexes before the sources are compiled: #include "NAME/annexes.h". A plugin in
# the tree sees the others of the tree as "OTHER/…"; outside of it, those that are installed. If there is a diagnostics.def, its header
# is "NAME/diagnostics.h" (see MimDiagnostics.cmake).
#
# When the library is linked, `mim bootstrap libmim_NAME.so` makes the manifest NAME.plugin beside it (src/driver/manifest.h).
#
# LIBRARY names a folder of the plugin whose sources become a library of its own, libmim_NAME_FOLDER.so beside libmim.so, for C++
# programs: the target mim::NAME_FOLDER. The plugin is linked with it. Its headers are included as "NAME/FOLDER/…"; it has the
# annexes and the diagnostics of the plugin.
# RUNTIME names a folder whose sources compiled programs are linked with where they use the plugin (PluginBuilder::library): the
# static library libmim_NAME_FOLDER.a, and libmim_NAME_FOLDER.so for `mim run`, both beside the plugin. They are compiled as the
# target mim_NAME_FOLDER_objects and linked as mim_NAME_FOLDER_here; a program has neither exceptions nor the C++ library.
#
# FILES are further files of the plugin, Mim and data, with paths below its folder. They are installed to the folder NAME beside
# NAME.mim, where `import` finds them, and the plugin by PluginBuilder::folder. A file with/OTHER.mim is read in programs that load
# the plugin OTHER as well.
function(mim_add_manifest name output)
    add_custom_command(
        OUTPUT ${output}/${name}.plugin
        COMMAND mim::mim bootstrap $<TARGET_FILE:mim_${name}>
        DEPENDS mim_${name} mim::mim mim::libmim ${ARGN}
        COMMENT "Manifest of the plugin ${name}"
        VERBATIM)
    add_custom_target(mim_${name}_manifest ALL DEPENDS ${output}/${name}.plugin)
endfunction()

# The library of a plugin for compiled programs.
function(mim_add_runtime name folder subfolder output)
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/${subfolder}/*.cpp)
    set(library mim_${name}_${subfolder})
    add_library(${library}_objects OBJECT ${sources})
    target_compile_options(${library}_objects PRIVATE -fno-exceptions -fno-rtti -fno-sanitize=all)
    set_target_properties(${library}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
    add_library(${library} STATIC $<TARGET_OBJECTS:${library}_objects>)
    add_library(${library}_here MODULE $<TARGET_OBJECTS:${library}_objects>)
    set_target_properties(${library} ${library}_here PROPERTIES
        LINKER_LANGUAGE CXX
        OUTPUT_NAME ${library}
        ARCHIVE_OUTPUT_DIRECTORY ${output}
        LIBRARY_OUTPUT_DIRECTORY ${output})
    add_dependencies(mim_${name} ${library} ${library}_here)
    install(TARGETS ${library} ${library}_here
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/mim
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/mim)
endfunction()

# The further files of a plugin; `result` are their places in the build tree.
function(mim_add_files name folder output result)
    set(copies)
    foreach(file IN LISTS ARGN)
        get_filename_component(subfolder ${file} DIRECTORY)
        add_custom_command(
            OUTPUT ${output}/${name}/${file}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${output}/${name}/${subfolder}
            COMMAND ${CMAKE_COMMAND} -E copy ${folder}/${file} ${output}/${name}/${file}
            DEPENDS ${folder}/${file}
            VERBATIM)
        list(APPEND copies ${output}/${name}/${file})
        install(FILES ${folder}/${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/mim/${name}/${subfolder})
    endforeach()
    set(${result} ${copies} PARENT_SCOPE)
endfunction()

# The library of a plugin for C++ programs. Outside of the tree the plugin's folder may have any name, so headers are copied to where
# they are included from.
function(mim_add_plugin_library name folder subfolder output generated includes made)
    if(MIM_LIBDIR)
        file(GLOB headers CONFIGURE_DEPENDS ${folder}/${subfolder}/*.h)
        foreach(header IN LISTS headers)
            get_filename_component(file ${header} NAME)
            configure_file(${header} ${generated}/${name}/${subfolder}/${file} COPYONLY)
        endforeach()
        list(PREPEND includes ${generated})
    endif()
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/${subfolder}/*.cpp)
    set(library mim_${name}_${subfolder})
    add_library(${library} SHARED ${sources} ${made})
    add_dependencies(${library} mim_${name}_annexes)
    add_library(mim::${name}_${subfolder} ALIAS ${library})
    target_link_libraries(${library} PUBLIC mim::libmim)
    target_include_directories(${library} PRIVATE ${includes} INTERFACE
        "$<BUILD_INTERFACE:${includes}>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/mim/plug>")
    set_target_properties(${library} PROPERTIES
        EXPORT_NAME ${name}_${subfolder}
        LIBRARY_OUTPUT_DIRECTORY ${output}
        INSTALL_RPATH "$ORIGIN")
    if(COMMAND mim_precompile) # in the tree
        mim_precompile(${library})
        install(TARGETS ${library} EXPORT mimTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    else()
        install(TARGETS ${library} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    endif()
endfunction()

function(add_mim_plugin name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;LIBRARY;RUNTIME" "SOURCES;FILES")
    if(NOT arg_FOLDER)
        set(arg_FOLDER ${CMAKE_CURRENT_SOURCE_DIR})
    endif()
    if(NOT arg_SOURCES)
        file(GLOB_RECURSE arg_SOURCES CONFIGURE_DEPENDS ${arg_FOLDER}/*.cpp)
        list(FILTER arg_SOURCES EXCLUDE REGEX "/${name}/(test|build)/")
        foreach(subfolder IN ITEMS ${arg_LIBRARY} ${arg_RUNTIME})
            list(FILTER arg_SOURCES EXCLUDE REGEX "/${name}/${subfolder}/")
        endforeach()
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
    mim_add_files(${name} ${arg_FOLDER} ${output} files ${arg_FILES})
    add_custom_target(mim_${name}_declarations ALL DEPENDS ${output}/${name}.mim ${files})
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

    if(arg_LIBRARY) # which has the diagnostics
        get_filename_component(libraries ${output} DIRECTORY)
        mim_add_plugin_library(${name} ${arg_FOLDER} ${arg_LIBRARY} ${libraries} ${generated} "${includes}" "${made}")
        set(made)
    endif()
    add_library(mim_${name} MODULE ${arg_SOURCES} ${made})
    target_link_libraries(mim_${name} PRIVATE mim::libmim)
    if(arg_LIBRARY)
        target_link_libraries(mim_${name} PRIVATE mim_${name}_${arg_LIBRARY})
    endif()
    if(COMMAND mim_precompile) # a plugin in the tree
        mim_precompile(mim_${name})
        mim_unity(mim_${name})
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
    if(arg_RUNTIME)
        mim_add_runtime(${name} ${arg_FOLDER} ${arg_RUNTIME} ${output})
    endif()
    mim_add_manifest(${name} ${output} ${files})
    install(FILES ${output}/${name}.plugin DESTINATION ${CMAKE_INSTALL_LIBDIR}/mim)
endfunction()
