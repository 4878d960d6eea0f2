# SPDX-License-Identifier: MIT
# What is installed: program, library, public headers, plugins (by add_mim_plugin) and what find_package(mim) needs.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mim)

install(TARGETS mim libmim EXPORT mimTargets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT mimTargets NAMESPACE mim:: DESTINATION ${config_dir})
foreach(stage IN LISTS MIM_PUBLIC_STAGES)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/${stage} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mim
        FILES_MATCHING PATTERN "*.h" PATTERN "llvm" EXCLUDE PATTERN "impl.h" EXCLUDE)
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/mimConfig.cmake.in ${PROJECT_BINARY_DIR}/mimConfig.cmake
    INSTALL_DESTINATION ${config_dir}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mimConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${PROJECT_BINARY_DIR}/mimConfig.cmake ${PROJECT_BINARY_DIR}/mimConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/MimDiagnostics.cmake ${PROJECT_SOURCE_DIR}/cmake/MimPlugin.cmake
    ${PROJECT_SOURCE_DIR}/cmake/MimStamp.cmake DESTINATION ${config_dir})
