// SPDX-License-Identifier: MIT
// Memory of the heap, and loops whose turns are done by threads.
#include "c_code.h"

namespace mim::plug::dpia {

void CCode::declare_buffers(CText& text, const CHeap& heap) {
    for (auto& buffer : heap.buffers) {
        auto value = buffer.allocation.empty() ? "NULL" : buffer.allocation;
        text.line(buffer.type + "* " + buffer.name + " = " + value + ";");
    }
}

void CCode::free_buffers(CText& text, const CHeap& heap) {
    for (auto& buffer : heap.buffers) text.line("free(" + buffer.name + ");");
}

/// A thread cannot leave its region: it skips its turns.
void CCode::leave_if_null(const std::string& buffer) {
    if (!thread_) return text_.line("if (!" + buffer + ") goto done;");
    if (next_turn_.empty()) next_turn_ = text_.unique("next");
    text_.open("if (!" + buffer + ")");
    text_.line(has_memory_ + " = 0;");
    text_.line("goto " + next_turn_ + ";");
    text_.close();
}

static std::string indented(const std::string& lines) {
    std::string result;
    for (size_t at = 0; at != lines.size();) {
        auto end = lines.find('\n', at) + 1;
        result += "    " + lines.substr(at, end - at);
        at = end;
    }
    return result;
}

/// Each thread has the buffers that a turn needs, which are known when the turn has been written.
void CCode::threads(const Def* n, const std::function<void(const Polynomial&)>& turn) {
    auto count  = size(n);
    auto bound  = expression(count);
    auto i      = text_.unique("i");
    auto before = std::exchange(text_.body, "");
    CHeap heap{sizes_.num_vars()};
    thread_     = &heap;
    has_memory_ = text_.unique("has_memory");
    ++text_.depth;
    turn(sizes_.name(i, count));
    if (!next_turn_.empty()) text_.line(next_turn_ + ":;");
    --text_.depth;
    next_turn_.clear();
    thread_    = nullptr;
    auto turns = std::exchange(text_.body, before);
    auto loop  = "for (uint64_t " + i + " = 0; " + i + " < " + bound + "; ++" + i + ")";
    if (!heap.may_fail) {
        text_.line("#pragma omp parallel for");
        text_.open(loop);
        text_.body += turns;
        return text_.close();
    }
    heap_.may_fail = true;
    auto failed    = text_.unique("failed");
    text_.line("int " + failed + " = 0;");
    text_.line("#pragma omp parallel");
    text_.open("");
    declare_buffers(text_, heap);
    std::string all;
    for (auto& buffer : heap.buffers)
        if (!buffer.allocation.empty()) all += (all.empty() ? "" : " && ") + buffer.name + " != NULL";
    text_.line("int " + has_memory_ + " = " + (all.empty() ? "1" : all) + ";");
    text_.line("#pragma omp for");
    text_.open(loop);
    text_.line("if (!" + has_memory_ + ") continue;");
    text_.body += indented(turns);
    text_.close();
    free_buffers(text_, heap);
    text_.open("if (!" + has_memory_ + ")");
    text_.line("#pragma omp atomic write");
    text_.line(failed + " = 1;");
    text_.close();
    text_.close();
    text_.line("if (" + failed + ") goto done;");
}

} // namespace mim::plug::dpia
