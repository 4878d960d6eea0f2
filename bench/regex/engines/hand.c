// SPDX-License-Identifier: MIT
// What a C programmer writes for each data set of data/, chosen by -DSET=…: no generator, no intrinsics. Lines end with a terminator.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CAT(a, b) CAT_(a, b)
#define CAT_(a, b) a##b

static inline bool digit(unsigned char c) { return (unsigned char)(c - '0') < 10; }
static inline bool letter(unsigned char c) { return (unsigned char)((c | 32) - 'a') < 26; }
static inline bool alnum(unsigned char c) { return digit(c) || letter(c); }
/// Where the digits at s end.
static inline const char* digits(const char* s) {
    while (digit((unsigned char)*s)) ++s;
    return s;
}

static inline bool set_date(const char* s, size_t n) {
    if (n != 10) return false;
    uint64_t head;
    uint16_t tail;
    memcpy(&head, s, 8), memcpy(&tail, s + 8, 2);
    // digits without their high half are below 10; the dashes become the digit 0
    uint64_t x = head ^ 0x2d30302d30303030u;
    uint16_t y = tail ^ 0x3030;
    if ((x & 0xff0000ff00000000u) != 0) return false;
    return (((x + 0x7676767676767676u) | x) & 0x8080808080808080u) == 0 && (((y + 0x7676) | y) & 0x8080) == 0;
}

static inline bool set_float(const char* s, size_t n) {
    (void)n;
    if (*s == '+' || *s == '-') ++s;
    const char* p = digits(s);
    if (p != s) p = *p == '.' ? digits(p + 1) : p;
    else if (*p != '.' || (p = digits(s + 1)) == s + 1) return false;
    if ((*p | 32) == 'e') {
        ++p;
        if (*p == '+' || *p == '-') ++p;
        const char* q = digits(p);
        if (q == p) return false;
        p = q;
    }
    return *p == 0;
}

static inline bool set_email(const char* s, size_t n) {
    const char *p = s, *end = s + n;
    // the name: letters and digits, and inside of it . _ -
    if (!alnum((unsigned char)*p)) return false;
    for (++p; alnum((unsigned char)*p) || *p == '.' || *p == '_' || *p == '-'; ++p);
    if (*p != '@' || !alnum((unsigned char)p[-1])) return false;
    // the host: labels of letters and digits, inside of them _ -, which may begin all but the first; two characters at least are behind these there
    bool first        = true;
    const char *label = ++p, *dash = NULL;
    for (;; ++p) {
        if (alnum((unsigned char)*p)) continue;
        if (*p == '_' || *p == '-') {
            if (first && p == label) return false;
            dash = p;
            continue;
        }
        if (p == label || p - 1 == dash || (!first && p - 2 == dash)) return false;
        if (*p != '.') break;
        first = false, label = p + 1, dash = NULL;
    }
    // the last one: two letters at least
    if (first || p != end || p - label < 2) return false;
    while (letter((unsigned char)*label)) ++label;
    return label == end;
}

static inline bool is_one_of(const char* s, size_t n, const char* words) {
    for (; *words; words += n)
        if (memcmp(s, words, n) == 0) return true;
    return false;
}

static inline bool set_words(const char* s, size_t n) {
    switch (n) { // the words of each length, one behind the other
        case 2: return is_one_of(s, 2, "doif");
        case 3: return is_one_of(s, 3, "asmforintnewtry");
        case 4: return is_one_of(s, 4, "autoboolcasecharelseenumgotolongthistruevoid");
        case 5: return is_one_of(s, 5, "breakcatchclassconstfalsefloatshortthrowunionusingwhile");
        case 6: return is_one_of(s, 6, "deletedoubleexportexternfriendinlinepublicreturnsignedsizeofstaticstructswitchtypeid");
        case 7: return is_one_of(s, 7, "alignasalignofconceptdefaultmutablenullptrprivatetypedefvirtual");
        case 8:
            return is_one_of(s, 8, "continuedecltypeexplicitnoexceptoperatorregisterrequirestemplatetypenameunsignedvolatile");
        case 9: return is_one_of(s, 9, "constexprnamespaceprotected");
        default: return false;
    }
}

bool hand_match(const char* s, size_t n) { return CAT(set_, SET)(s, n); }
