// SPDX-License-Identifier: MIT
#include "host_code.h"

#include <algorithm>

namespace mim::plug::dpia {

constexpr auto kDims = KernelCode::kDims;

static std::string bytes_of(const std::string& count, const std::string& type) {
    return (count.find(' ') == count.npos ? count : "(" + count + ")") + " * sizeof(" + type + ")";
}

// ---- steps of the host

bool HostCode::has_levels(const Def* c) {
    auto par = match<dpia::par_for>(c);
    if (par && par.sub() != dpia::par_for::par && par.sub() != dpia::par_for::vec) return true;
    if (match<dpia::seq>(c) || match<dpia::if_>(c)) {
        auto [first, second] = elems<2>(w, arg_of(c));
        return has_levels(first) || has_levels(second);
    }
    if (match<dpia::dbl_buf>(c)) return has_levels(group(c, 2)->as<Lam>()->body()->as<Lam>()->body());
    bool has_body = par || match<dpia::for_>(c) || match<dpia::new_>(c);
    return has_body && has_levels(arg_of(c)->as<Lam>()->body());
}

void HostCode::program(const Def* c) {
    bool is_kernel = !has_kernel(c) && has_levels(c);
    if (is_kernel) return kernel(c, {}, name_, c);
    command(c);
}

/// Commands without kernels are one step, whose elements are fetched before it.
void HostCode::command(const Def* c) {
    if (is_step_ || has_kernel(c)) return CCode::command(c);
    is_step_    = true;
    auto before = std::exchange(text_.body, "");
    CCode::command(c);
    auto lines = std::exchange(text_.body, before);
    is_step_   = false;
    for (auto& name : reads_) text_.line("@fetch " + name);
    for (auto& name : writes_)
        if (!reads_.contains(name)) text_.line("@fetch " + name);
    text_.body += lines;
    for (auto& name : writes_) text_.line("@wrote " + name);
    reads_.clear();
    writes_.clear();
}

void HostCode::note_cell(CRef node, const Walk& walk) { cells_[node] = walk.name; }

void HostCode::note_vector(CRef vector, unsigned, const std::function<CRef(unsigned)>& lane) {
    auto first = cells_.find(lane(0));
    if (first != cells_.end()) cells_[vector] = first->second;
}

const std::string* HostCode::storage(CRef node) const {
    if (auto cell = cells_.find(node); cell != cells_.end()) return &cell->second;
    if (node->kind != CNode::Atom) return nullptr;
    auto name     = node->text.starts_with('*') ? node->text.substr(1) : node->text;
    auto variable = variables_.find(name);
    return variable == variables_.end() ? nullptr : &variable->first;
}

void HostCode::note_reads(const std::vector<CRef>& roots) {
    std::set<CRef> seen;
    std::vector<CRef> open = roots;
    std::set<std::string> found;
    while (!open.empty()) {
        auto node = open.back();
        open.pop_back();
        if (!seen.insert(node).second) continue;
        if (auto name = storage(node)) found.insert(*name);
        open.insert(open.end(), node->args.begin(), node->args.end());
    }
    if (is_step_) return reads_.merge(found);
    for (auto& name : found) text_.line("@fetch " + name);
}

void HostCode::note_write(CRef node) {
    if (auto name = storage(node)) writes_.insert(*name);
}

void HostCode::note_memory(const Def* var, const Def* type, const std::string& name) {
    if (!is_step_) memories_.push_back({w.extract(var, uint64_t(0)), w.extract(var, 1), type, name, false});
}

void HostCode::declare(const Def* space, const CLeaf& leaf, const Def* where) {
    CCode::declare(space, leaf, where);
    auto cell    = scalar(leaf.cell);
    auto type    = leaf.is_array ? cell.in_memory() : cell.name;
    auto count   = leaf.is_array ? expression(leaf.count) : "1";
    auto bytes   = bytes_of(count, type);
    auto address = (leaf.is_array ? "" : "&") + leaf.name;
    add_variable(leaf.name, {type, address, bytes, leaf.is_array, leaf.cell});
    if (!is_step_) text_.line("@fresh " + leaf.name + " " + address + ", " + bytes);
}

void HostCode::par_loop(const Def* c) {
    constexpr const char* names[] = {"mapPar", "mapGlobal", "mapWorkGroup", "mapLocal"};
    auto how                      = match<dpia::par_for>(c).sub();
    bool is_of_kernel             = how != dpia::par_for::par && how != dpia::par_for::vec;
    if (is_of_kernel)
        throw Refused{Refused::NoCode,
                      "`" + std::string(names[size_t(how)])
                          + "` is outside of the kernels of this program: put it in an `oclRun`",
                      {},
                      c};
    if (is_step_) return CCode::par_loop(c);
    auto body = arg_of(c)->as<Lam>();
    auto out  = place(group(c, 2));
    loop(elem(w, group(c, 0), 0), "i", [&](const Polynomial& i) {
        auto element = w.extract(body->var(), 1);
        bind(w.extract(body->var(), uint64_t(0)), number(i));
        bind_place(element, out->element(i));
        elements_.push_back({element, group(c, 2), i});
        command(body->body());
        elements_.pop_back();
    });
}

void HostCode::iterate(const Def* c) {
    if (has_kernel(c))
        throw Refused{
            Refused::NoCode, "an `oclRun` is in a step of `iterate`: put `iterate` in the kernel, or write the steps out", {}, c};
    CCode::iterate(c);
}

std::string HostCode::with_transfers(const std::string& lines) const {
    std::string result;
    for (size_t at = 0; at != lines.size();) {
        auto end  = lines.find('\n', at) + 1;
        auto line = lines.substr(at, end - at);
        at        = end;
        auto mark = line.find_first_not_of(' ');
        if (mark == line.npos || line[mark] != '@') {
            result += line;
            continue;
        }
        auto word = line.find(' ', mark);
        auto next = line.find_first_of(" \n", word + 1);
        auto name = line.substr(word + 1, next - word - 1);
        auto copy = copies_.find(name);
        if (copy == copies_.end()) continue;
        result += line.substr(0, mark);
        auto what = line.substr(mark + 1, word - mark - 1);
        if (what == "fetch") result += fetch(name) + "\n";
        else if (what == "wrote") result += copy->second + ".newest = MIM_HOST;\n";
        else result += "mim_fresh(&" + copy->second + ", " + line.substr(next + 1, line.size() - next - 2) + ");\n";
    }
    return result;
}

// ---- kernels

LaunchSizes HostCode::launch_sizes(const Def* c) {
    LaunchSizes result;
    for (unsigned d = 0; d != kDims; ++d) {
        auto items = result.items[d] = size(elem(w, group(c, 0), d));
        auto all = result.all[d] = size(elem(w, group(c, 0), kDims + d));
        auto [groups, rest]      = sizes_.divide(all, items);
        result.groups[d]         = groups;
        bool is_none             = items.terms().empty() || all.terms().empty();
        auto left                = rest.value();
        if (is_none) throw Refused{Refused::NoCode, "a kernel has at least one work item in each dimension", {}, c};
        if (left && *left != 0)
            throw Refused{Refused::NoCode,
                          "the groups of " + sizes_.text(items) + " work items do not divide the " + sizes_.text(all)
                              + " of all groups",
                          {},
                          c};
    }
    return result;
}

void HostCode::run(const Def* c) {
    auto sizes = launch_sizes(c);
    kernel(arg_of(c), sizes, name_ + "_" + std::to_string(++num_kernels_), c);
}

static void parts_of(const Def* def, std::set<const Def*>& all) {
    if (!all.insert(def).second) return;
    if (auto lam = isa_known(def)) return parts_of(lam->body(), all);
    if (auto app = def->isa<App>()) {
        parts_of(app->callee(), all);
        return parts_of(app->arg(), all);
    }
    if (auto tuple = def->isa<Tuple>())
        for (auto part : tuple->ops()) parts_of(part, all);
}

void HostCode::bind_in(KernelCode& code, const Def* body) {
    code.bind_beside(*this);
    std::set<const Def*> parts;
    parts_of(body, parts);
    for (auto& element : elements_) parts.contains(element.place) ? parts_of(element.array, parts) : void();
    for (auto& memory : memories_) {
        bool is_written = memory.place && parts.contains(memory.place);
        bool is_used    = is_written || parts.contains(memory.value);
        if (!is_used) continue;
        for (auto& leaf : leaves(memory.type, memory.name)) is_written ? code.add_output(leaf.name) : code.add_input(leaf.name);
        code.add_output(memory.name);
        code.bind_memory(memory, is_written);
    }
    for (auto& element : elements_) code.bind_place(element.place, code.place(element.array)->element(element.index));
    code.begin();
}

/// Names of the host, in the order in which they occur.
std::vector<std::string> HostCode::names_in(const std::string& text) const {
    auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::vector<std::string> result;
    for (size_t at = 0; at < text.size();) {
        auto end = at;
        while (end < text.size() && is_part(text[end])) ++end;
        auto word     = text.substr(at, end - at);
        bool is_field = at != 0 && text[at - 1] == '.';
        at            = std::max(end, at + 1);
        bool is_name  = !word.empty() && !std::isdigit(static_cast<unsigned char>(word[0])) && !is_field;
        bool is_host  = is_name && (text_.is_taken(word) || variables_.contains(word)); // a part of a pair has no name of its own
        if (is_host && std::ranges::find(result, word) == result.end()) result.push_back(word);
    }
    return result;
}

std::string HostCode::copy_of(const std::string& name) {
    auto& copy = copies_[name];
    if (copy.empty()) copy = text_.unique(name + "_copy");
    return copy;
}

static std::string triple(const std::array<std::string, 3>& all) { return "{" + all[0] + ", " + all[1] + ", " + all[2] + "}"; }

std::string HostCode::sizes_of_launch(KernelCode& code, const std::optional<LaunchSizes>& given) {
    std::array<std::string, 3> items, all;
    for (unsigned d = 0; d != kDims; ++d) {
        if (given) {
            items[d] = expression(given->items[d]);
            all[d]   = expression(given->all[d]);
            continue;
        }
        auto& global = code.turns(dpia::par_for::global, d);
        auto& local  = code.turns(dpia::par_for::local, d);
        auto& group  = code.turns(dpia::par_for::group, d);
        auto most    = std::to_string(code.most_items());
        auto few     = [&](const Polynomial& p) {
            auto text = expression(p);
            return "(" + text + " < " + most + " ? " + text + " : " + most + ")";
        };
        items[d] = global ? few(*global) : local ? few(*local) : "1";
        all[d]   = global ? expression(*global) : "1";
        if (!global && group) all[d] = "(" + expression(*group) + ")";
        if (!global && (group || local)) all[d] += " * " + items[d];
    }
    return "items[3] = " + triple(items) + ", all[3] = " + triple(all);
}

void HostCode::kernel(const Def* body, const std::optional<LaunchSizes>& given, const std::string& name, const Def* where) {
    auto text = CText::beside(text_);
    KernelCode code(w, sizes_, text, kernel_vectors_);
    bind_in(code, body);
    code.set_table_name("table_" + name);
    if (given) code.set_sizes(*given);
    code.find_sizes(body);
    code.command(body);
    code.finish();
    std::string parameters;
    std::vector<std::string> arguments;
    for (auto& host : names_in(text.body)) {
        auto variable   = variables_.find(host);
        bool is_known   = variable != variables_.end();
        bool is_written = code.written().contains(host);
        bool is_buffer  = is_known && (variable->second.is_array || is_written);
        auto type       = is_known ? variable->second.type : "uint64_t";
        bool is_vector  = is_known && variable->second.cell && rise::isa_vector(w, variable->second.cell);
        if (type == "_Float16") type = kHalfBits;
        if (is_vector && !is_buffer) type = code.scalar(variable->second.cell).name;
        auto constant = is_buffer && !is_written ? "const " : "";
        parameters += (parameters.empty() ? "" : ", ") + std::string(is_buffer ? "__global " : "") + constant + type
                      + (is_buffer ? "* restrict " : " ") + host;
        auto how = is_written ? "mim_writes(&run, &" : "mim_reads(&run, &";
        arguments.push_back(is_buffer ? how + copy_of(host) + ");" : "mim_argument(&run, sizeof " + host + ", &" + host + ");");
        if (is_known && !is_buffer) text_.line("@fetch " + host);
    }
    text_.take_names(text); // a name has one meaning in all kernels
    if (code.written().empty()) throw Refused{Refused::NoCode, "a kernel writes nothing", {}, where};
    std::vector<KernelMemory> passed;
    kernels_ += (kernels_.empty() ? "" : "\n") + code.tables()
                + kernel_function(code, sizes_, name, parameters, text.body, passed);
    text_.open("");
    text_.line("const uint64_t " + sizes_of_launch(code, given) + ";");
    text_.line("struct mim_launch run = mim_begin(\"" + name + "\", items, all, " + (given ? "1" : "0") + ");");
    for (auto& argument : arguments) text_.line(argument);
    size_t num_scratch = 0;
    for (auto& m : passed) {
        auto bytes = bytes_of(expression(m.count), m.type);
        if (m.per_group) bytes += " * run.num_groups";
        if (m.per_item) bytes += " * run.num_items";
        num_scratch += m.is_local ? 0 : 1;
        text_.line(std::string(m.is_local ? "mim_local" : "mim_scratch") + "(&run, " + bytes + ");");
    }
    most_scratch_ = std::max(most_scratch_, num_scratch);
    text_.line("if ((status = mim_launched(&run)) != 0) goto done;");
    text_.line("status = 2;");
    text_.close();
}

} // namespace mim::plug::dpia
