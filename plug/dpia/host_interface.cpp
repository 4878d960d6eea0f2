// SPDX-License-Identifier: MIT
// The function of a program with kernels, and the texts of these.
#include <algorithm>

#include "c_interface.h"
#include "host_code.h"

namespace mim::plug::dpia {

namespace {

class HostInterface : public Interface {
public:
    using Interface::Interface;

    void commands(HostCode&);
    std::string host(HostCode&);
    std::string kernels(const HostCode& code) const {
        return kernel_prelude(code.kernels(), structs() + code.vectors_of_kernels()) + code.kernels();
    }

protected:
    void note_parameter(const Def* phrase, const Def* type, const std::string& name, bool is_output) override;

private:
    struct Parameter {
        std::string type, name;
        Polynomial count;
        bool is_array, is_output;
    };
    void add_parameters(const Def* type, const std::string& name, bool is_output);
    std::string text_of_kernels(const HostCode&) const;
    void add_buffers(const HostCode&);

    std::vector<Parameter> buffers_;
    std::string checks_;
};

/// Sizes are known by now.
void HostInterface::add_parameters(const Def* type, const std::string& name, bool is_output) {
    if (auto parts = code_->pair(type)) {
        add_parameters(parts.first, name + "_fst", is_output);
        return add_parameters(parts.second, name + "_snd", is_output);
    }
    auto count = Polynomial::number(1);
    auto elem  = type;
    for (auto a = code_->array(elem); a; a = code_->array(elem)) {
        count = count * code_->size(a.size);
        elem  = a.elem;
    }
    auto vector = rise::isa_vector(w, elem);
    if (vector) count = count * code_->size(vector.size);
    buffers_.push_back({outside_type(elem), name, count, elem != type || vector, is_output});
}

void HostInterface::note_parameter(const Def* phrase, const Def* type, const std::string& name, bool is_output) {
    add_parameters(type, name, is_output);
    static_cast<HostCode*>(code_)->add_memory({is_output ? nullptr : phrase, is_output ? phrase : nullptr, type, name, true});
}

void HostInterface::commands(HostCode& code) {
    read(code);
    for (auto& b : buffers_) code.add_variable(b.name, {b.type, b.name, "", b.is_array});
    checks_ = std::exchange(text_.body, "");
    code.program(inner_->body());
}

/// Copies of parameters say who has written them, those of memory begin when it does.
void HostInterface::add_buffers(const HostCode& code) {
    for (auto& [name, copy] : code.copies()) {
        auto found        = std::ranges::find(buffers_, name, &Parameter::name);
        std::string start = "{0}";
        if (found != buffers_.end()) {
            auto count = text(found->count);
            auto bytes = (count.find(' ') == count.npos ? count : "(" + count + ")") + " * sizeof(" + found->type + ")";
            auto side  = found->is_output ? "NOBODY" : "HOST";
            start      = "{" + std::string(found->is_output ? "" : "(void*)") + name + ", " + bytes + ", NULL, MIM_" + side + "}";
        }
        text_.line("struct mim_buffer " + copy + " = " + start + ";");
    }
}

std::string HostInterface::text_of_kernels(const HostCode& code) const {
    std::string result = "static const char mim_kernels[] =\n";
    auto lines         = kernels(code);
    for (size_t at = 0; at != lines.size();) {
        auto end = lines.find('\n', at);
        std::string line;
        for (char c : lines.substr(at, end - at)) line += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
        at = end + 1;
        result += "    \"" + line + "\\n\"" + (at == lines.size() ? ";\n" : "\n");
    }
    return result;
}

std::string HostInterface::host(HostCode& code) {
    auto commands = code.with_transfers(std::exchange(text_.body, ""));
    auto includes = std::string("#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n");
    if (!code.has_kernels()) {
        add_memory(checks_, commands);
        return assembled(includes);
    }
    auto& heap = code.heap();
    text_.body = checks_;
    text_.line("int status = 2;");
    add_buffers(code);
    CCode::declare_buffers(text_, heap);
    std::string missing;
    for (auto& buffer : heap.buffers)
        if (!buffer.allocation.empty()) missing += (missing.empty() ? "!" : " || !") + buffer.name;
    if (!missing.empty()) text_.line("if (" + missing + ") goto done;");
    text_.body += commands;
    for (auto& b : buffers_)
        if (b.is_output && code.copies().contains(b.name)) text_.line(code.fetch(b.name));
    text_.line("status = 0;");
    bool has_failed = text_.body.find("goto " + code.failed() + ";") != text_.body.npos;
    if (has_failed) {
        text_.line("goto done;");
        text_.body += code.failed() + ":\n";
        text_.line("status = 3;");
    }
    text_.body += "done:\n";
    CCode::free_buffers(text_, heap);
    for (auto& [_, copy] : code.copies()) text_.line("mim_release(&" + copy + ");");
    text_.line("return status;");
    auto version = std::string(
        "#ifndef CL_TARGET_OPENCL_VERSION\n#define CL_TARGET_OPENCL_VERSION 120\n#endif\n#include <CL/cl.h>\n");
    auto scratch = std::max<size_t>(1, code.most_scratch());
    auto fixed   = "#define MIM_NAME \"" + interface_.name + "\"\n#define MIM_SCRATCH " + std::to_string(scratch) + "\n\n";
    auto result  = assembled(version + includes + "#include <stdio.h>\n");
    auto head    = result.find("int " + interface_.name + "(");
    return result.insert(head, fixed + text_of_kernels(code) + "\n" + std::string(host_runtime()));
}

} // namespace

void write_host(World& w, ImperativeProgram& result) {
    auto& output = result.host;
    auto program = result.commands;
    bool is_c    = !result.code.refused && !Phrases(w).has_kernel(program);
    if (is_c) {
        output = result.code;
        return;
    }
    try {
        HostInterface interface(w, program, result);
        HostCode code(w, interface.sizes(), interface.text(), result.name);
        code.use_extensions();
        interface.commands(code);
        bool has_runs = code.has_kernel(program);
        if (has_runs) {
            result.kernel.refused.reset();
            result.kernel.text = interface.kernels(code);
        }
        output.text = interface.host(code);
        if (result.header.text.empty()) result.header = {interface.header(), {}};
    } catch (const Refused& why) {
        bool has_place = why.where && w.notes.span(why.where);
        output.refused = why;
        if (!has_place) output.refused->where = program;
        if (Phrases(w).has_kernel(program)) result.kernel.refused = output.refused;
    }
}

} // namespace mim::plug::dpia
