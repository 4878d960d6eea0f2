// SPDX-License-Identifier: MIT
#include "c_statement.h"

namespace mim::plug::dpia {

static const std::set<std::string, std::less<>> kWords = {
    "auto",     "break",         "case",   "char",     "const",  "continue", "default", "do",     "double", "else",
    "enum",     "extern",        "float",  "for",      "goto",   "if",       "inline",  "int",    "long",   "main",
    "register", "restrict",      "return", "short",    "signed", "sizeof",   "static",  "struct", "switch", "typedef",
    "union",    "unsigned",      "void",   "volatile", "while",  "free",     "malloc",  "power",  "done",   "status",
    "fma",      "exp",           "log",    "sin",      "cos",    "tan",      "tanh",    "sqrt",   "floor",  "fabs",
    "fmin",     "fmax",          "select", "uchar",    "ushort", "uint",     "ulong",   "half",   "f16",    "float_of",
    "f16_of",   "f16_of_double", "y0",     "y1",       "yn",     "j0",       "j1",      "jn",     "gamma",  "index"};

/// A type of vectors, or a function of OpenCL on them.
static bool is_vector_name(const std::string& name) {
    constexpr std::string_view starts[] = {"vec_", "lane_", "lanes_", "as_", "convert_", "vload", "vstore"};
    if (std::ranges::any_of(starts, [&](auto start) { return name.starts_with(start); })) return true;
    constexpr std::string_view types[] = {"char", "short", "int", "long", "float", "double"};
    auto base                          = name.substr(name.starts_with('u') ? 1 : 0);
    auto follows                       = [&](std::string_view type) {
        bool has_number = base.size() > type.size() && std::isdigit(static_cast<unsigned char>(base[type.size()]));
        return base.starts_with(type) && has_number;
    };
    return std::ranges::any_of(types, follows);
}

size_t CText::last_number(const std::string& name) const {
    if (auto known = last_.find(name); known != last_.end()) return known->second;
    return host_ ? host_->last_number(name) : 0;
}

std::string CText::unique(std::string_view base) {
    std::string clean;
    for (char c : base) clean += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    if (clean.empty() || std::isdigit(static_cast<unsigned char>(clean[0]))) clean = "x" + clean;
    if (is_vector_name(clean)) clean = "x" + clean;
    auto name = kWords.contains(clean) ? clean + "_" : clean;
    auto last = last_number(clean); // names are never given back
    while (is_taken(name)) name = clean + "_" + std::to_string(++last);
    last_[clean] = last;
    taken_.insert(name);
    return name;
}

size_t occurrences(std::string_view text, std::string_view part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
    return count;
}

void replace_all(std::string& text, std::string_view part, std::string_view by) {
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + by.size())) text.replace(at, part.size(), by);
}

CStatement::CStatement(CText& out, std::vector<CRef> roots)
    : out_(out) {
    std::set<CRef> seen;
    for (auto root : roots) order(root, seen);
    for (auto root : roots) ++uses_[root][0];
    for (size_t i = operands_first_.size(); i-- != 0;) place(operands_first_[i]);
    choose_names();
    write(0);
}

void CStatement::order(CRef node, std::set<CRef>& seen) {
    if (!seen.insert(node).second) return;
    for (auto arg : node->args) order(arg, seen);
    operands_first_.push_back(node);
}

int CStatement::child(int branch, CRef select, int which) {
    for (size_t i = 0; i != branches_.size(); ++i) {
        auto& b = branches_[i];
        if (b.parent == branch && b.select == select && b.which == which) return static_cast<int>(i);
    }
    branches_.push_back({branch, select, which});
    return static_cast<int>(branches_.size() - 1);
}

bool CStatement::is_inside(int branch, int outer) const {
    while (branch > outer) branch = branches_[static_cast<size_t>(branch)].parent; // an outer one was made before
    return branch == outer;
}

/// The branches in which it is computed for sure: both branches of a choice are the branch around it.
std::set<int> CStatement::smallest(std::set<int> all) const {
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (auto b : all) {
            bool is_covered = std::ranges::any_of(all, [&](int o) { return o != b && is_inside(b, o); });
            auto& branch    = branches_[static_cast<size_t>(b)];
            auto is_sibling = [&](int o) {
                auto& other = branches_[static_cast<size_t>(o)];
                return o != b && other.parent == branch.parent && other.select == branch.select && branch.select;
            };
            bool is_both = !is_covered && std::ranges::any_of(all, is_sibling);
            if (!is_covered && !is_both) continue;
            auto parent = branch.parent;
            all.erase(b);
            if (is_both) all.insert(parent);
            is_changed = true;
            break;
        }
    }
    return all;
}

/// All that use it have their places already.
void CStatement::place(CRef node) {
    std::set<int> all;
    for (auto& [branch, _] : uses_[node]) all.insert(branch);
    auto& places = places_[node] = smallest(all);
    for (auto branch : std::set<int>(places)) {
        for (size_t i = 0; i != node->args.size(); ++i) {
            bool is_guarded = node->kind == CNode::Select && i != 0;
            auto inside     = is_guarded ? child(branch, node, static_cast<int>(i)) : branch;
            uses_[node->args[i]][inside] += occurrences(node->text, "$" + std::to_string(i) + "$");
        }
    }
}

void CStatement::choose_names() {
    std::set<int> with_names;
    for (auto node : operands_first_) {
        if (node->kind == CNode::Atom) continue;
        for (auto branch : places_[node]) {
            size_t count = 0;
            for (auto& [user, n] : uses_[node])
                if (is_inside(user, branch)) count += n;
            bool is_statement = node->kind == CNode::Select
                                && (with_names.contains(child(branch, node, 1)) || with_names.contains(child(branch, node, 2)));
            if (count < 2 && !is_statement) continue;
            names_[{node, branch}] = out_.unique("t");
            with_names.insert(branch);
        }
    }
}

const std::string* CStatement::name_of(CRef node, int branch) const {
    for (; branch != -1; branch = branches_[static_cast<size_t>(branch)].parent) {
        auto found = names_.find({node, branch});
        if (found != names_.end()) return &found->second;
    }
    return nullptr;
}

void CStatement::write(int branch) {
    for (auto node : operands_first_) {
        auto found = names_.find({node, branch});
        if (found == names_.end()) continue;
        auto& name = found->second;
        if (node->kind != CNode::Select) {
            out_.line("const " + node->type + " " + name + " = " + render(node, branch) + ";");
            continue;
        }
        out_.line(node->type + " " + name + ";");
        out_.open("if (" + operand(node->args[0], branch) + ")");
        for (int which : {1, 2}) {
            auto inside = child(branch, node, which);
            write(inside);
            out_.line(name + " = " + operand(node->args[static_cast<size_t>(which)], inside) + ";");
            if (which == 2) break;
            out_.close("} else {");
            ++out_.depth;
        }
        out_.close();
    }
}

std::string CStatement::operand(CRef node, int branch) {
    if (auto name = name_of(node, branch)) return *name;
    return node->kind == CNode::Atom ? node->text : render(node, branch);
}

std::string CStatement::render(CRef node, int branch) {
    std::string result;
    for (size_t at = 0; at < node->text.size(); ++at) {
        if (node->text[at] != '$') {
            result += node->text[at];
            continue;
        }
        auto end    = node->text.find('$', at + 1);
        auto i      = static_cast<size_t>(std::stoul(node->text.substr(at + 1, end - at - 1)));
        auto arg    = node->args[i];
        auto inside = node->kind == CNode::Select && i != 0 ? child(branch, node, static_cast<int>(i)) : branch;
        auto text   = operand(arg, inside);
        bool first  = result.ends_with('(') || result.ends_with('[') || result.ends_with(", ");
        bool last   = end + 1 < node->text.size() && std::string_view("),]").find(node->text[end + 1]) != std::string_view::npos;
        bool binds  = arg->kind == CNode::Infix || arg->kind == CNode::Select;
        bool is_in  = binds && !name_of(arg, inside) && !(first && last);
        result += is_in ? "(" + text + ")" : text;
        at = end;
    }
    return result;
}

} // namespace mim::plug::dpia
