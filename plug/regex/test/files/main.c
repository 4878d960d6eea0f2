// Calls what a file with a pattern became.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "date.h"

int main(void) {
    const char* text = "on 2026-11-22, 2027-01-01";
    uint64_t n = strlen(text), to = 0, span[2] = {0, 0};
    printf("%d %d\n", regex_full_match(n, (void*)text), regex_full_match(10, (void*)(text + 3)));
    printf("%d", regex_prefix_match(n - 3, (void*)(text + 3), &to));
    printf(" %d\n", (int)to);
    int found = regex_next(n, (void*)text, 4, 0, (void*)span);
    printf("%d %d %d\n", found, (int)span[0], (int)span[1]);
    const char* texts[] = {text, text + 3, text + 15};
    uint64_t sizes[] = {10, 10, 10};
    bool which[3];
    int many = regex_full_matches(3, (void*)texts, sizes, which);
    printf("%d %d%d%d\n", many, which[0], which[1], which[2]);
    printf("%d\n", (int)regex_count(n, (void*)text));
    return 0;
}
