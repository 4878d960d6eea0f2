# SPDX-License-Identifier: MIT
# Finds LLVM 19.1 or newer and makes the interface target mim_llvm_library. -DLLVM_DIR= chooses another one. Tried: 19.1, and 22, with
# which all tests pass but those of tail calls as below.
if(NOT LLVM_DIR)
    file(GLOB llvm_dirs /usr/lib/llvm-*/lib/cmake/llvm)
    list(FILTER llvm_dirs INCLUDE REGEX "/llvm-(19|2[0-9])/")
    list(SORT llvm_dirs COMPARE NATURAL)
    if(llvm_dirs)
        list(GET llvm_dirs 0 LLVM_DIR)
    endif()
endif()
find_package(LLVM CONFIG REQUIRED)
if(LLVM_VERSION VERSION_LESS 19.1)
    message(FATAL_ERROR "Mim needs LLVM 19.1 or newer, found ${LLVM_VERSION} in ${LLVM_DIR}")
endif()
if(NOT LLVM_VERSION VERSION_LESS 22)
    message(WARNING "LLVM ${LLVM_VERSION} loses arguments of tail calls that go through memory (x86-64): use LLVM 19")
endif()
message(STATUS "LLVM ${LLVM_VERSION} in ${LLVM_DIR}")

separate_arguments(llvm_definitions NATIVE_COMMAND ${LLVM_DEFINITIONS})
list(FILTER llvm_definitions EXCLUDE REGEX "__STDC_|_GNU_SOURCE") # old compilers needed them; a precompiled header lacks them
add_library(mim_llvm_headers INTERFACE)
target_include_directories(mim_llvm_headers SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(mim_llvm_headers INTERFACE ${llvm_definitions})
add_library(mim_llvm_library INTERFACE)
target_link_libraries(mim_llvm_library INTERFACE mim_llvm_headers LLVM)

# mim_llvm_host_library: LLVM's static libraries for this machine alone, if MIM_LLVM_HOST is on and they are here and whole. Loading
# LLVM's shared library costs more than compiling a small program does. Sanitizers instrument neither, so one is enough for them.
option(MIM_LLVM_HOST "link a second back end statically, for this machine only, which starts faster" ON)
if(MIM_SANITIZE OR NOT LLVM${LLVM_NATIVE_ARCH}CodeGen IN_LIST LLVM_AVAILABLE_LIBS)
    set(MIM_LLVM_HOST OFF)
endif()
if(MIM_LLVM_HOST)
    include(CheckCXXSourceCompiles)
    llvm_map_components_to_libnames(mim_llvm_static native passes bitwriter orcjit orcdebugging)
    set(CMAKE_REQUIRED_INCLUDES ${LLVM_INCLUDE_DIRS})
    set(CMAKE_REQUIRED_DEFINITIONS ${llvm_definitions})
    set(CMAKE_REQUIRED_LIBRARIES ${mim_llvm_static})
    check_cxx_source_compiles("#include <llvm-c/Target.h>\nint main() { return LLVMInitializeNativeTarget(); }" MIM_LLVM_IS_STATIC)
    set(MIM_LLVM_HOST ${MIM_LLVM_IS_STATIC})
endif()
if(MIM_LLVM_HOST)
    add_library(mim_llvm_host_library INTERFACE)
    target_link_libraries(mim_llvm_host_library INTERFACE mim_llvm_headers ${mim_llvm_static})
    # found by their names, when a debugger is told of code made in this process
    target_link_options(mim_llvm_host_library INTERFACE
        -Wl,-u,llvm_orc_registerJITLoaderGDBAllocAction -Wl,-u,llvm_orc_registerJITLoaderGDBWrapper)
endif()
