// SPDX-License-Identifier: MIT
// Kernels of a program. A term that one of them computes is stored before the kernel that reads it, with the steps of the host between.
#include "translate.h"

namespace mim::plug::dpia {

void Translator::buffers_of_kernels(const Def* term, std::vector<const Def*>& all) {
    if (!has_kernel(term) || term->isa<Lam>()) return;
    if (match<rise::to_mem>(term)) {
        if (std::ranges::find(all, term) == all.end()) all.push_back(term);
    } else if (auto app = term->isa<App>()) {
        buffers_of_kernels(app->callee(), all);
        buffers_of_kernels(app->arg(), all);
    } else if (auto tuple = term->isa<Tuple>()) {
        for (auto part : tuple->ops()) buffers_of_kernels(part, all);
    }
}

const Def* Translator::write_run(const Def* term, const Def* out) {
    std::vector<const Def*> buffers;
    buffers_of_kernels(arg_of(term), buffers);
    std::function<const Def*(size_t)> after = [&](size_t num_filled) -> const Def* {
        if (num_filled != buffers.size()) return read(buffers[num_filled], [&](const Def*) { return after(num_filled + 1); });
        auto place  = w.notes.span(term);
        auto kernel = write(arg_of(term), out);
        return placed(w.apply<dpia::run>(group(term, 0), {kernel}), place);
    };
    return after(0);
}

} // namespace mim::plug::dpia
