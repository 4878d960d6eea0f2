// SPDX-License-Identifier: MIT
// The C that is the same in each program with kernels: who wrote a buffer last, and how a kernel is started.
#include "host_code.h"

namespace mim::plug::dpia {

std::string_view host_runtime() {
    return R"(enum mim_side { MIM_NOBODY, MIM_HOST, MIM_DEVICE, MIM_BOTH };

// An array of the host, and its copy on the device. `newest` is the side that wrote it last.
struct mim_buffer {
    void* host;
    size_t bytes;
    cl_mem device;
    enum mim_side newest;
};

struct mim_launch {
    cl_kernel kernel;
    cl_uint num_arguments;
    size_t items[3], all[3], num_items, num_groups, num_scratch;
    cl_mem scratch[MIM_SCRATCH];
    int status;
};

static struct {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
} mim_cl;

static int mim_failed(const char* what, cl_int error) {
    fprintf(stderr, "%s: OpenCL: %s: error %d\n", MIM_NAME, what, (int)error);
    return 0;
}

static int mim_too_large(const char* what, size_t asked, size_t most) {
    fprintf(stderr, "%s: %s: %zu are asked for, and the device has %zu\n", MIM_NAME, what, asked, most);
    return 0;
}

static void mim_stop(void) {
    if (mim_cl.program) clReleaseProgram(mim_cl.program);
    if (mim_cl.queue) clReleaseCommandQueue(mim_cl.queue);
    if (mim_cl.context) clReleaseContext(mim_cl.context);
    mim_cl.program = NULL;
    mim_cl.queue = NULL;
    mim_cl.context = NULL;
}

static int mim_build(void) {
    cl_int error = 0;
    const char* source = mim_kernels;
    mim_cl.program = clCreateProgramWithSource(mim_cl.context, 1, &source, NULL, &error);
    if (!mim_cl.program) return mim_failed("the program", error);
    cl_device_fp_config floats = 0;
    clGetDeviceInfo(mim_cl.device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof floats, &floats, NULL);
    const char* exact = floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? "-cl-fp32-correctly-rounded-divide-sqrt" : "";
    error = clBuildProgram(mim_cl.program, 1, &mim_cl.device, exact, NULL, NULL);
    if (!error) return 1;
    static char log[4096];
    clGetProgramBuildInfo(mim_cl.program, mim_cl.device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fputs(log, stderr);
    return mim_failed("the kernels do not build", error);
}

// The kernels are built once.
static int mim_start(void) {
    if (mim_cl.program) return 1;
    cl_platform_id platform = NULL;
    cl_int error = clGetPlatformIDs(1, &platform, NULL);
    if (error) return mim_failed("there is no platform", error);
    error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &mim_cl.device, NULL);
    if (error) return mim_failed("there is no device", error);
    mim_cl.context = clCreateContext(NULL, 1, &mim_cl.device, NULL, NULL, &error);
    if (mim_cl.context) mim_cl.queue = clCreateCommandQueue(mim_cl.context, mim_cl.device, 0, &error);
    if (!mim_cl.queue) mim_failed("the device", error);
    if (mim_cl.queue && mim_build()) return 1;
    mim_stop();
    return 0;
}

static void mim_release(struct mim_buffer* b) {
    if (b->device) clReleaseMemObject(b->device);
    b->device = NULL;
}

// Nobody has written to the array yet.
static inline void mim_fresh(struct mim_buffer* b, void* host, size_t bytes) {
    if (b->bytes != bytes) mim_release(b);
    b->host = host;
    b->bytes = bytes;
    b->newest = MIM_NOBODY;
}

static cl_mem mim_memory(size_t bytes) {
    cl_ulong most = 0;
    clGetDeviceInfo(mim_cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL);
    if (bytes > most) {
        mim_too_large("bytes of a buffer", bytes, (size_t)most);
        return NULL;
    }
    cl_int error = 0;
    cl_mem result = clCreateBuffer(mim_cl.context, CL_MEM_READ_WRITE, bytes ? bytes : 1, NULL, &error);
    if (!result) mim_failed("a buffer", error);
    return result;
}

static int mim_to_device(struct mim_buffer* b) {
    if (!b->device) b->device = mim_memory(b->bytes);
    if (!b->device) return 0;
    if (b->newest != MIM_HOST) return 1;
    cl_int error = b->bytes ? clEnqueueWriteBuffer(mim_cl.queue, b->device, CL_TRUE, 0, b->bytes, b->host, 0, NULL, NULL) : 0;
    if (error) return mim_failed("a transfer to the device", error);
    b->newest = MIM_BOTH;
    return 1;
}

static inline int mim_to_host(struct mim_buffer* b) {
    if (b->newest != MIM_DEVICE) return 1;
    cl_int error = b->bytes ? clEnqueueReadBuffer(mim_cl.queue, b->device, CL_TRUE, 0, b->bytes, b->host, 0, NULL, NULL) : 0;
    if (error) return mim_failed("a transfer to the host", error);
    b->newest = MIM_BOTH;
    return 1;
}

static void mim_fail(struct mim_launch* run, const char* what, cl_int error) {
    mim_failed(what, error);
    run->status = 3;
}

// At least one work item is there; those of all groups are no fewer than `all`, and as many if that is asked for.
static struct mim_launch mim_begin(const char* name, const uint64_t items[3], const uint64_t all[3], int is_exact) {
    struct mim_launch run = {0};
    run.num_items = run.num_groups = 1;
    for (int d = 0; d != 3; ++d) {
        run.items[d] = items[d] ? items[d] : 1;
        size_t groups = all[d] ? (all[d] - 1) / run.items[d] + 1 : 1;
        if (is_exact && all[d] % run.items[d]) run.status = 1;
        run.all[d] = groups * run.items[d];
        run.num_items *= run.items[d];
        run.num_groups *= groups;
    }
    if (!run.status && !mim_start()) run.status = 3;
    if (run.status) return run;
    cl_int error = 0;
    run.kernel = clCreateKernel(mim_cl.program, name, &error);
    if (!run.kernel) mim_fail(&run, "a kernel", error);
    return run;
}

static void mim_argument(struct mim_launch* run, size_t bytes, const void* value) {
    if (run->status) return;
    cl_int error = clSetKernelArg(run->kernel, run->num_arguments++, bytes, value);
    if (error) mim_fail(run, "an argument", error);
}

static inline void mim_reads(struct mim_launch* run, struct mim_buffer* b) {
    if (run->status) return;
    if (!mim_to_device(b)) run->status = 3;
    mim_argument(run, sizeof b->device, &b->device);
}

static inline void mim_writes(struct mim_launch* run, struct mim_buffer* b) {
    mim_reads(run, b);
    if (!run->status) b->newest = MIM_DEVICE;
}

static inline void mim_scratch(struct mim_launch* run, size_t bytes) {
    if (run->status) return;
    cl_mem memory = mim_memory(bytes);
    if (!memory) run->status = 3;
    else run->scratch[run->num_scratch++] = memory;
    mim_argument(run, sizeof memory, &memory);
}

static inline void mim_local(struct mim_launch* run, size_t bytes) { mim_argument(run, bytes ? bytes : 1, NULL); }

static int mim_fits(const struct mim_launch* run) {
    size_t most[3] = {0}, items = 0;
    cl_ulong local = 0, has = 0;
    clGetDeviceInfo(mim_cl.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof most, most, NULL);
    clGetKernelWorkGroupInfo(run->kernel, mim_cl.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof items, &items, NULL);
    clGetKernelWorkGroupInfo(run->kernel, mim_cl.device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    clGetDeviceInfo(mim_cl.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof has, &has, NULL);
    for (int d = 0; d != 3; ++d)
        if (run->items[d] > most[d]) return mim_too_large("work items of a group in one dimension", run->items[d], most[d]);
    if (run->num_items > items) return mim_too_large("work items of a group", run->num_items, items);
    if (local > has) return mim_too_large("bytes of local memory", (size_t)local, (size_t)has);
    return 1;
}

static int mim_launched(struct mim_launch* run) {
    if (!run->status && !mim_fits(run)) run->status = 3;
    if (!run->status) {
        cl_int error = clEnqueueNDRangeKernel(mim_cl.queue, run->kernel, 3, NULL, run->all, run->items, 0, NULL, NULL);
        if (error) mim_fail(run, "the start of a kernel", error);
    }
    for (size_t i = 0; i != run->num_scratch; ++i) clReleaseMemObject(run->scratch[i]);
    if (run->kernel) clReleaseKernel(run->kernel);
    return run->status;
}

)";
}

} // namespace mim::plug::dpia
