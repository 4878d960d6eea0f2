# What an installation contains: the program, libmim and its headers, the LLVM back end, the plugins, and find_package(mim).
include(CMakePackageConfigHelpers)
install(TARGETS libmim EXPORT mim LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS mim EXPORT mim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET mim_llvm)
    install(TARGETS mim_llvm LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
foreach(folder base diag syntax ir sema eval analysis phase opt backend jit driver)
    install(DIRECTORY src/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mim FILES_MATCHING PATTERN "*.h"
            PATTERN "llvm" EXCLUDE PATTERN "impl.h" EXCLUDE PATTERN "unifier.h" EXCLUDE PATTERN "subst.h" EXCLUDE)
endforeach()
install(EXPORT mim NAMESPACE mim:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mim FILE mimTargets.cmake)
configure_package_config_file(cmake/mimConfig.cmake.in ${PROJECT_BINARY_DIR}/mimConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mim)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mimConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${PROJECT_BINARY_DIR}/mimConfig.cmake ${PROJECT_BINARY_DIR}/mimConfigVersion.cmake cmake/MimPlugin.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mim)
