# SPDX-License-Identifier: MIT
# mim_unity(TARGET): with MIM_UNITY, the sources of the target that lie in one folder are compiled as one, which takes a third
# of the time. Changing one of them compiles all of them again, so this is for builds from nothing. Names in anonymous namespaces
# must then differ within a folder; all sources of a folder, and never those of two, are compiled together, so a clash does not
# come and go as files are added.
option(MIM_UNITY "compile the sources of a folder together" OFF)

function(mim_unity target)
    if(NOT MIM_UNITY)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
        get_filename_component(folder ${source} DIRECTORY)
        string(MAKE_C_IDENTIFIER "${folder}" group)
        set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group})
    endforeach()
endfunction()
