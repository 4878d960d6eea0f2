// SPDX-License-Identifier: MIT
// Values as text.
#pragma once
#include <cstdlib>
#include <cstring>

#include "program.h"

namespace mim::cli {

template<class T>
void Growing<T>::push(const T& x) {
    if (size == room) {
        room = room == 0 ? 8 : 2 * room;
        data = static_cast<T*>(realloc(static_cast<void*>(data), room * sizeof(T)));
        if (!data) abort();
    }
    memcpy(static_cast<void*>(data + size++), &x, sizeof(T));
}

/// Appends the words of an argument to their leaves. Null, or what is wrong.
const char* read_argument(Program&, Type&, const char* text);

} // namespace mim::cli
