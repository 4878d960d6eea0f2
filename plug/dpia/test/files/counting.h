// SPDX-License-Identifier: MIT
// In front of a program with kernels: its transfers are counted, and so is what it holds. The call number `fails_at` fails.
#pragma once
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>

int to_device, to_host, launches; // since the start
int held;                         // buffers, kernels and memory
int calls, fails_at = -1;

static int is_failing(void) { return calls++ == fails_at; }

#define CREATES(NAME, RESULT, PARAMETERS, ARGUMENTS)                                                                             \
    static inline RESULT counted_##NAME PARAMETERS {                                                                             \
        if (is_failing()) {                                                                                                      \
            *error = CL_OUT_OF_HOST_MEMORY;                                                                                      \
            return NULL;                                                                                                         \
        }                                                                                                                        \
        RESULT result = NAME ARGUMENTS;                                                                                          \
        held += result != NULL;                                                                                                  \
        return result;                                                                                                           \
    }
#define DOES(NAME, PARAMETERS, ARGUMENTS, NUMBER)                                                                                \
    static inline cl_int counted_##NAME PARAMETERS {                                                                             \
        if (is_failing()) return CL_OUT_OF_RESOURCES;                                                                            \
        NUMBER;                                                                                                                  \
        return NAME ARGUMENTS;                                                                                                   \
    }
#define RELEASES(NAME, PARAMETERS, ARGUMENTS)                                                                                    \
    static inline cl_int counted_##NAME PARAMETERS {                                                                             \
        held--;                                                                                                                  \
        return NAME ARGUMENTS;                                                                                                   \
    }

CREATES(clCreateBuffer, cl_mem, (cl_context c, cl_mem_flags f, size_t n, void* p, cl_int* error), (c, f, n, p, error))
CREATES(clCreateKernel, cl_kernel, (cl_program p, const char* name, cl_int* error), (p, name, error))
CREATES(clCreateProgramWithSource, cl_program, (cl_context c, cl_uint n, const char** text, const size_t* sizes, cl_int* error),
        (c, n, text, sizes, error))
CREATES(clCreateContext, cl_context,
        (const cl_context_properties* p, cl_uint n, const cl_device_id* d, void* f, void* x, cl_int* error),
        (p, n, d, f, x, error))
CREATES(clCreateCommandQueue, cl_command_queue, (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int* error),
        (c, d, p, error))
RELEASES(clReleaseMemObject, (cl_mem m), (m))
RELEASES(clReleaseKernel, (cl_kernel k), (k))
RELEASES(clReleaseProgram, (cl_program p), (p))
RELEASES(clReleaseContext, (cl_context c), (c))
RELEASES(clReleaseCommandQueue, (cl_command_queue q), (q))
DOES(clGetPlatformIDs, (cl_uint n, cl_platform_id* p, cl_uint* m), (n, p, m), )
DOES(clGetDeviceIDs, (cl_platform_id p, cl_device_type t, cl_uint n, cl_device_id* d, cl_uint* m), (p, t, n, d, m), )
DOES(clBuildProgram, (cl_program p, cl_uint n, const cl_device_id* d, const char* options, void* f, void* x),
     (p, n, d, options, f, x), )
DOES(clSetKernelArg, (cl_kernel k, cl_uint i, size_t n, const void* p), (k, i, n, p), )
DOES(clEnqueueWriteBuffer,
     (cl_command_queue q, cl_mem m, cl_bool b, size_t at, size_t n, const void* p, cl_uint w, const cl_event* e, cl_event* f),
     (q, m, b, at, n, p, w, e, f), to_device++)
DOES(clEnqueueReadBuffer,
     (cl_command_queue q, cl_mem m, cl_bool b, size_t at, size_t n, void* p, cl_uint w, const cl_event* e, cl_event* f),
     (q, m, b, at, n, p, w, e, f), to_host++)
DOES(clEnqueueNDRangeKernel,
     (cl_command_queue q, cl_kernel k, cl_uint d, const size_t* o, const size_t* g, const size_t* l, cl_uint w, const cl_event* e,
      cl_event* f),
     (q, k, d, o, g, l, w, e, f), launches++)

static inline void* counted_malloc(size_t n) {
    if (is_failing()) return NULL;
    held++;
    return malloc(n);
}
static inline void counted_free(void* p) {
    held -= p != NULL;
    free(p);
}

#define clCreateBuffer counted_clCreateBuffer
#define clCreateKernel counted_clCreateKernel
#define clCreateProgramWithSource counted_clCreateProgramWithSource
#define clCreateContext counted_clCreateContext
#define clCreateCommandQueue counted_clCreateCommandQueue
#define clReleaseMemObject counted_clReleaseMemObject
#define clReleaseKernel counted_clReleaseKernel
#define clReleaseProgram counted_clReleaseProgram
#define clReleaseContext counted_clReleaseContext
#define clReleaseCommandQueue counted_clReleaseCommandQueue
#define clGetPlatformIDs counted_clGetPlatformIDs
#define clGetDeviceIDs counted_clGetDeviceIDs
#define clBuildProgram counted_clBuildProgram
#define clSetKernelArg counted_clSetKernelArg
#define clEnqueueWriteBuffer counted_clEnqueueWriteBuffer
#define clEnqueueReadBuffer counted_clEnqueueReadBuffer
#define clEnqueueNDRangeKernel counted_clEnqueueNDRangeKernel
#define malloc counted_malloc
#define free counted_free
