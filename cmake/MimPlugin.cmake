# add_mim_plugin(NAME SOURCES file…)
#
# Builds the plugin whose declarations are NAME.mim in the current folder: generates NAME/annexes.h with `mim bootstrap`, compiles
# the sources into libmim_NAME.so and puts both beside each other where `mim` finds them (lib/mim of the build or installation).
# Works the same in Mim's own tree and outside of it, after find_package(mim).
# Generated headers of all plugins of a project share one include folder, so a plugin may name another's annexes.
if(NOT TARGET mim_annexes)
    add_custom_target(mim_annexes)
endif()

function(add_mim_plugin NAME)
    cmake_parse_arguments(ARG "" "" "SOURCES" ${ARGN})
    set(declarations ${CMAKE_CURRENT_SOURCE_DIR}/${NAME}.mim)
    set(annexes ${PROJECT_BINARY_DIR}/annexes)
    set(header ${annexes}/${NAME}/annexes.h)
    set(out ${PROJECT_BINARY_DIR}/lib/mim)
    file(MAKE_DIRECTORY ${annexes}/${NAME} ${out})
    add_custom_command(OUTPUT ${header}
        COMMAND mim::mim bootstrap ${declarations} -o ${header}
        DEPENDS ${declarations} mim::mim
        COMMENT "Bootstrapping plugin ${NAME}")
    add_custom_command(OUTPUT ${out}/${NAME}.mim
        COMMAND ${CMAKE_COMMAND} -E copy ${declarations} ${out}/${NAME}.mim
        DEPENDS ${declarations})
    add_custom_target(mim_${NAME}_declarations ALL DEPENDS ${header} ${out}/${NAME}.mim)
    add_dependencies(mim_annexes mim_${NAME}_declarations)
    if(ARG_SOURCES)
        add_library(mim_${NAME} MODULE ${ARG_SOURCES})
        add_dependencies(mim_${NAME} mim_annexes)
        target_include_directories(mim_${NAME} PRIVATE ${annexes})
        target_link_libraries(mim_${NAME} PRIVATE mim::libmim)
        set_target_properties(mim_${NAME} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${out} INSTALL_RPATH "$ORIGIN/..")
        install(TARGETS mim_${NAME} LIBRARY DESTINATION lib/mim)
    endif()
    install(FILES ${declarations} DESTINATION lib/mim)
    install(FILES ${header} DESTINATION include/mim/${NAME})
endfunction()
