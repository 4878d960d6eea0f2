// SPDX-License-Identifier: MIT
// The kinds of parameters of data types follow from what their constructors do with them.
#include <algorithm>

#include "stages.h"
#include "type_reader.h"

namespace mim::plug::mil {

namespace {

class KindInference {
public:
    KindInference(Source& source, const File& file, DataType& data)
        : source_(source)
        , file_(file)
        , data_(data) {}

    /// False if nothing new was found.
    bool run() {
        if (data_.is_builtin) return false;
        for (auto c : data_.cons)
            for (auto field : source_.program.cons[c].fields) visit(field, Kind::Type);
        return has_changed_;
    }

private:
    void visit(const TypeExpr* e, Kind want) {
        if (e->kind == TypeExpr::Var) return found(e->name, want);
        for (size_t i = 0; i != e->parts.size(); ++i) visit(e->parts[i], kind_of_part(source_, file_, e, i));
    }
    void found(const std::string& name, Kind want) {
        auto parameter = std::ranges::find(data_.parameters, name);
        if (parameter == data_.parameters.end()) return;
        auto& known = data_.kinds[static_cast<size_t>(parameter - data_.parameters.begin())];
        bool is_new = known == Kind::Unknown && want != Kind::Unknown;
        if (is_new) known = want;
        has_changed_ |= is_new;
    }

    Source& source_;
    const File& file_;
    DataType& data_;
    bool has_changed_ = false;
};

} // namespace

Kind kind_of_part(const Source& source, const File& file, const TypeExpr* whole, size_t part) {
    if (whole->kind == TypeExpr::Compute) return Kind::Number;
    if (whole->kind == TypeExpr::Kinded) return whole->has;
    bool is_argument = whole->kind == TypeExpr::Apply && part != 0;
    if (!is_argument) return Kind::Type;
    auto head = whole->parts[0];
    auto data = head->kind == TypeExpr::Con ? find_type(file, head->name) : std::nullopt;
    if (!data) return Kind::Unknown;
    auto& kinds = source.program.datas[*data].kinds;
    return part - 1 < kinds.size() ? kinds[part - 1] : Kind::Type;
}

void infer_kinds(Source& source) {
    auto& datas = source.program.datas;
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (auto& file : source.files)
            for (auto& [name, index] : file->types) has_changed |= KindInference(source, *file, datas[index]).run();
    }
    for (auto& data : datas) std::ranges::replace(data.kinds, Kind::Unknown, Kind::Type);
}

} // namespace mim::plug::mil
