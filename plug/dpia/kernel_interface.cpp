// SPDX-License-Identifier: MIT
// The kernel as a text of OpenCL C 1.2: result, sizes and inputs are its parameters, then memory that the host gives.
#include <algorithm>

#include "c_interface.h"
#include "kernel_code.h"

namespace mim::plug::dpia {

namespace {

class KernelInterface : public Interface {
public:
    using Interface::Interface;

    std::string kernel(KernelCode&);

protected:
    void parameter(const Def* type, const std::string& name, bool is_output) override {
        auto code = static_cast<KernelCode*>(code_);
        if (is_output) code->add_output(name);
        else code->add_input(name);
        Interface::parameter(type, name, is_output);
    }

private:
    std::string sizes_comment(const KernelCode&);
};

std::string KernelInterface::sizes_comment(const KernelCode& code) {
    std::string local, groups;
    auto most = std::to_string(code.most_items());
    for (unsigned d = 0; d != KernelCode::kDims; ++d) {
        auto& items = code.turns(dpia::par_for::local, d);
        auto& all   = code.turns(dpia::par_for::global, d);
        auto& group = code.turns(dpia::par_for::group, d);
        auto comma  = d == 0 ? "" : ", ";
        auto shown  = all ? text(*all) : items ? text(*items) : "1";
        auto per    = all || items ? "min(" + shown + ", " + most + ")" : "1";
        local += comma + per;
        groups += comma + (all ? "ceil(" + shown + " / " + per + ")" : group ? text(*group) : "1");
    }
    return "// Work items of a group: (" + local + "), groups: (" + groups + "), both at least 1.\n";
}

std::string KernelInterface::kernel(KernelCode& code) {
    read(code);
    text_.body.clear();
    for (auto& line : definitions_) text_.line(line);
    code.set_table_name("table_" + interface_.name);
    code.find_sizes(inner_->body());
    code.command(inner_->body());
    code.finish();
    std::string parameters;
    for (auto& p : parameters_) {
        bool is_pointer = p.find('*') != p.npos;
        parameters += (parameters.empty() ? "" : ", ") + std::string(is_pointer ? "__global " : "") + p;
    }
    std::vector<KernelMemory> passed;
    auto function = kernel_function(code, sizes_, interface_.name, parameters, text_.body, passed);
    auto tables   = code.tables().empty() ? "" : code.tables() + "\n";
    return kernel_prelude(function, structs() + code.vector_types()) + tables + sizes_comment(code) + function;
}

} // namespace

std::string kernel_function(KernelCode& code, Sizes& sizes, const std::string& name, const std::string& parameters,
                            const std::string& body, std::vector<KernelMemory>& passed) {
    std::string declarations, more;
    auto most = code.most_of_group();
    for (auto& m : code.memory()) {
        auto known    = m.count.value();
        bool is_array = m.is_local && known && (most || !m.per_item);
        if (is_array) {
            auto number = static_cast<uint64_t>(*known) * (m.per_item ? *most : 1);
            declarations += "    __local " + m.type + " " + m.name + "[" + std::to_string(std::max<uint64_t>(number, 1)) + "];\n";
            continue;
        }
        auto factors = std::string(m.per_group ? " * groups" : "") + (m.per_item ? " * work items of a group" : "");
        more += ",\n    " + std::string(m.is_local ? "__local " : "__global ") + m.type + "* restrict " + m.name + " /* "
                + sizes.text(m.count) + factors + " */";
        passed.push_back(m);
    }
    std::string required;
    bool is_known = true;
    for (unsigned d = 0; d != KernelCode::kDims; ++d) {
        is_known = is_known && code.local_size(d);
        if (is_known) required += (d == 0 ? "" : ", ") + std::to_string(*code.local_size(d));
    }
    auto attribute = is_known ? "__attribute__((reqd_work_group_size(" + required + ")))\n" : "";
    return "__kernel " + attribute + "void " + name + "(" + parameters + more + ") {\n" + declarations + body + "}\n";
}

/// Numbers of 16 bits are loaded and stored by functions that each device has.
static std::string half_functions(bool has_double) {
    auto stored = [](const std::string& name, const std::string& from) {
        return "f16 " + name + "(" + from
               + " x) {\n    f16 result;\n    vstore_half_rte(x, 0, (half*)&result);\n    return result;\n}\n";
    };
    auto all = "typedef ushort f16;\nfloat float_of(f16 x) {\n    return vload_half(0, (const half*)&x);\n}\n"
               + stored("f16_of", "float");
    return all + (has_double ? stored("f16_of_double", "double") : "") + "\n";
}

std::string kernel_prelude(const std::string& used, std::string structs) {
    replace_all(structs, "_Float16", kHalfBits); // those of the host
    std::string types;
    constexpr std::pair<const char*, const char*> names[] = {{"int8_t", "char"},     {"uint8_t", "uchar"}, {"int16_t", "short"},
                                                             {"uint16_t", "ushort"}, {"int32_t", "int"},   {"uint32_t", "uint"},
                                                             {"int64_t", "long"},    {"uint64_t", "ulong"}};
    for (auto& [name, of] : names) types += "typedef " + std::string(of) + " " + name + ";\n";
    auto has    = [&](const char* word) { return used.find(word) != used.npos || structs.find(word) != structs.npos; };
    auto fp64   = has("double") ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "";
    auto power  = has("power(")
                      ? "ulong power(ulong base, ulong exponent) {\n    ulong result = 1;\n    while (exponent-- != 0) result *= "
                        "base;\n    return result;\n}\n\n"
                      : "";
    auto halves = has("f16") ? half_functions(has("f16_of_double(")) : "";
    return fp64 + std::string("#pragma OPENCL FP_CONTRACT OFF\n\n") + types + "\n" + halves + structs + power;
}

void write_kernel(World& w, ImperativeProgram& result) {
    auto& output = result.kernel;
    auto program = result.commands;
    try {
        KernelInterface interface(w, program, result);
        KernelCode code(w, interface.sizes(), interface.text(), std::make_shared<OpenClVectors>());
        output.text = interface.kernel(code);
    } catch (const Refused& why) {
        bool has_place = why.where && w.notes.span(why.where);
        output.refused = why;
        if (!has_place) output.refused->where = program;
    }
}

} // namespace mim::plug::dpia
