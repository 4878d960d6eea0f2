// SPDX-License-Identifier: MIT
// The places of fields of a `struct`, in the order of its text and without bytes in between, and how large it is.
#include <algorithm>
#include <numeric>

#include "areas.h"
#include "mil/diagnostics.h"
#include "stages.h"

namespace mim::plug::mil {

namespace {

class Structs {
public:
    Structs(Diagnostics& diags, Source& source)
        : diags_(diags)
        , source_(source)
        , types_(source.types)
        , states_(source.program.datas.size()) {
        for (uint32_t i = 0; i != states_.size(); ++i)
            if (datas()[i].form == DataType::Struct) structs_[datas()[i].type] = i;
    }

    void run() {
        for (auto& [type, index] : structs_) todo_.push_back(index);
        std::ranges::sort(todo_);
        for (auto i : todo_) lay_out(i);
    }

private:
    enum State : uint8_t { New, Open, Done, Failed };

    std::vector<DataType>& datas() { return source_.program.datas; }
    bool lay_out(uint32_t);
    bool place(DataType&);
    bool has_parts(Type*);
    bool agrees(DataType&);

    Diagnostics& diags_;
    Source& source_;
    Types& types_;
    std::vector<State> states_;
    std::vector<uint32_t> todo_;
    std::unordered_map<Type*, uint32_t> structs_;
};

/// False if a `struct` within the area has had a report.
bool Structs::has_parts(Type* t) {
    t = types_.resolve(t);
    if (t->kind == Type::Broken) return false;
    if (t->kind == Type::Apply) return has_parts(t->first) && has_parts(t->second);
    auto inside = structs_.find(t);
    return inside == structs_.end() || lay_out(inside->second);
}

/// One that is within itself has no size where it is looked for.
bool Structs::lay_out(uint32_t i) {
    if (states_[i] != New) return states_[i] != Failed;
    states_[i]    = Open;
    auto& data    = datas()[i];
    data.has_size = place(data) && agrees(data);
    states_[i]    = data.has_size ? Done : Failed;
    return data.has_size;
}

bool Structs::place(DataType& data) {
    bool is_fine = true;
    for (auto& part : data.parts) {
        if (!has_parts(part.area)) return false;
        auto layout = area_layout(source_, part.area);
        if (!layout) {
            report_no_size(diags_, source_, part.area, part.text->at);
            return false;
        }
        part.offset = data.bytes;
        bool fits   = part.offset % layout->align == 0;
        if (!fits) {
            auto name = part.name.empty() ? types_.text(part.area) : part.name;
            diags_.report(diag::misplaced(name, data.name, part.offset, layout->align), part.at);
            is_fine = false;
        }
        data.bytes += layout->bytes;
        data.align = std::lcm(data.align, layout->align);
    }
    return is_fine;
}

/// Takes the sizes that the text asks for.
bool Structs::agrees(DataType& data) {
    bool has_bytes = !data.asked_bytes.at || data.asked_bytes.bytes == data.bytes;
    if (!has_bytes) diags_.report(diag::other_size(data.name, data.bytes, data.asked_bytes.bytes), data.asked_bytes.at);
    if (!data.asked_align.at) return has_bytes;
    auto asked     = data.asked_align.bytes;
    bool has_align = asked != 0 && asked % data.align == 0;
    if (!has_align) diags_.report(diag::alignment(data.name, data.align, asked), data.asked_align.at);
    else data.align = asked;
    return has_bytes && has_align;
}

} // namespace

void lay_out_structs(Diagnostics& diags, Source& source) { Structs(diags, source).run(); }

} // namespace mim::plug::mil
