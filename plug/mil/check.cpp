// SPDX-License-Identifier: MIT
#include "stages.h"

namespace mim::plug::mil {

bool check_types(FrontEndContext&, Source&) { return true; }

} // namespace mim::plug::mil
