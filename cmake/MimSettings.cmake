# SPDX-License-Identifier: MIT
# Compiler and linker settings of the whole tree. Start-up time counts (`mim check` of an empty file takes a few milliseconds), so
# symbols are bound lazily and calls inside of a library do not go through the dynamic linker.
include(CheckLinkerFlag)
find_package(Threads REQUIRED)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "kind of build" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The build tree looks like an installation.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR})
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_LINK_DEPENDS_NO_SHARED ON) # a new libmim.so needs no new link of what is linked with it

option(MIM_CCACHE "use ccache if there is one" ON)
find_program(CCACHE ccache)
if(MIM_CCACHE AND CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

add_compile_options(-fno-semantic-interposition)
option(MIM_WARNINGS "compile with warnings" ON)
option(MIM_WERROR "warnings are errors" OFF)
if(MIM_WARNINGS)
    add_compile_options(-Wall -Wextra)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        add_compile_options(-Wno-deprecated-declarations) # stable_sort of libstdc++ 12 uses its own deprecated get_temporary_buffer
    endif()
endif()
if(MIM_WERROR)
    add_compile_options(-Werror)
endif()

set(MIM_SANITIZE "" CACHE STRING "sanitizers, as in -fsanitize=")
set(MIM_SANITIZE_NOT "function,null,vptr,object-size" CACHE STRING "checks of clang's sanitizers that are left out")
if(MIM_SANITIZE)
    add_compile_options(-fsanitize=${MIM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${MIM_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        # Code that LLVM makes at run time has no type hashes in front of its functions. Unwinding leaves poison behind on stacks
        # as large as ours, which would be reported as errors later: stack variables are not instrumented. Null pointers end the program as
        # well, and the classes and sizes of objects cost more than they find: without these checks, a file compiles a fifth faster.
        # The standard library's own assertions cost nothing there, and watch arrays on the stack, too.
        add_compile_options(-fno-sanitize=${MIM_SANITIZE_NOT} "SHELL:-mllvm -asan-stack=0" -D_GLIBCXX_ASSERTIONS)
    endif()
endif()

check_linker_flag(CXX -fuse-ld=lld MIM_HAS_LLD)
if(MIM_HAS_LLD)
    add_link_options(-fuse-ld=lld)
endif()
add_link_options(-Wl,--as-needed -Wl,-z,lazy -Wl,-Bsymbolic-functions)
