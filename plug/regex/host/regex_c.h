/* SPDX-License-Identifier: MIT
   regex/host/regex.h for C: patterns that are compiled at run time. */
#ifndef MIM_REGEX_HOST_REGEX_C_H
#define MIM_REGEX_HOST_REGEX_C_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mim_regex mim_regex;

/* A compiled pattern, to be freed. Null if the text is no pattern; then `error`, which has room for `room` characters, says what is wrong with
   it and where, cut off if that is longer. */
mim_regex* mim_regex_compile(const char* pattern, size_t size, char* error, size_t room);
void mim_regex_free(mim_regex*);

/* The first call of each of these compiles code of its own. If there is no memory for that, the process ends. */

/* Whether all of the subject matches. */
bool mim_regex_full_match(const mim_regex*, const char* subject, size_t size);
/* The function that does this, to be called without the pattern, for as long as that is not freed. */
typedef bool (*mim_regex_matcher)(uint64_t size, const char* subject);
mim_regex_matcher mim_regex_full_matcher(const mim_regex*);
/* Which of many subjects match as a whole, `found`, and how many do. */
size_t mim_regex_full_matches(const mim_regex*, size_t count, const char* const* subjects, const size_t* sizes, bool* found);
/* Where the match ends that begins at the start of the subject, `end`, if there is one. */
bool mim_regex_prefix_match(const mim_regex*, const char* subject, size_t size, size_t* end);
/* The leftmost match from a position on: whether there is one; `span` is where it begins and ends. `after_empty`: an empty match was found there
   before. */
bool mim_regex_next(const mim_regex*, const char* subject, size_t size, size_t from, bool after_empty, size_t span[2]);
/* How many matches there are. */
size_t mim_regex_count(const mim_regex*, const char* subject, size_t size);

typedef struct mim_regex_set mim_regex_set;

/* Many patterns at once, to be freed. Null if one of the texts is no pattern: `wrong` is its number, or `count` if all of them are too large. */
mim_regex_set* mim_regex_set_compile(size_t count, const char* const* patterns, const size_t* sizes, size_t* wrong, char* error,
                                     size_t room);
void mim_regex_set_free(mim_regex_set*);
/* Which of the patterns match somewhere in the subject, `found`, which has a place for each, and how many do. */
size_t mim_regex_set_matches(const mim_regex_set*, const char* subject, size_t size, bool* found);

#ifdef __cplusplus
}
#endif
#endif
