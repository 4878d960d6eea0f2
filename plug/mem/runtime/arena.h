// SPDX-License-Identifier: MIT
// Memory of activations: what a function needs until it returns, and nobody else refers to. It is taken from the top
// of a stack, one for each thread, and given back by going back to where the top was. So a function that is left in
// another way than by returning gives back nothing, but one that called it does. The collector does not look here.
#pragma once
#include <cstddef>

extern "C" {
/// Where the top is.
void* mim_arena_mark();
/// Memory above the top, at an address that 64 divides; ends the program if there is none.
void* mim_arena_take(size_t bytes);
/// Gives back what was taken since the mark.
void mim_arena_release(void* mark);

/// `at`. Behind this call the program writes to that memory through the result alone, until it calls mim_array_end().
void* mim_array_begin(void* at);
/// The array is to be at `to`: it is copied if it is not.
void mim_array_end(void* to, const void* array, size_t bytes);
}
