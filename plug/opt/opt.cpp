// SPDX-License-Identifier: MIT
// Declares the extension points of the default pipeline, which opt.mim puts in their places.
#include "driver/plugin.h"

static void init(mim::PluginBuilder& p) {
    p.extension_point("language", "makes operations on arrays, and Mim, of what languages and domain-specific plugins declare");
    p.extension_point("differentiate", "makes derivatives");
    p.extension_point("arrays", "makes loops of operations on arrays");
    p.extension_point("front", "lowers what a domain-specific plugin declares to what the low-level plugins declare");
    p.extension_point("mid", "improves low-level code that is still in the style in which it was written");
    p.extension_point("lower", "brings the program into the form that the optimizer takes: continuations");
    p.extension_point("round", "again and again: what plugins know of their operations, before the phases of the optimizer");
    p.extension_point("late", "does what is only right when nothing gets better any more");
}

MIM_PLUGIN(opt, init)
