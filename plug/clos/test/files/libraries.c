// Calls libraries of which each makes closures, more than the collector has kinds of records for; each is closed before the next
// ones are called again.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

enum { count = 12 };

int main(int argc, char** argv) {
    uint64_t (*functions[count])(uint64_t);
    for (int i = 0; i < count && i + 1 < argc; ++i) {
        void* library = dlopen(argv[i + 1], RTLD_NOW | RTLD_LOCAL);
        if (!library) return puts(dlerror()), 1;
        functions[i] = (uint64_t(*)(uint64_t))dlsym(library, "mim_sum");
        if (functions[i](1000) != 499500) return printf("library %d is wrong\n", i), 1;
        if (i % 2 == 0) dlclose(library);
    }
    uint64_t sum = 0;
    for (int i = 1; i < count; i += 2) sum += functions[i](1000);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
