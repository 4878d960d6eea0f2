// SPDX-License-Identifier: MIT
// Values of a `data` that fit a word become rows of bits: tags and fields (doc/adr/0049). The constructors without
// fields share a tag. One without fields beside one with fields is a row that the other one cannot be, if there is one.
#include <map>
#include <unordered_set>

#include "fixed_types.h"
#include "layouts.h"
#include "retype.h"
#include "stages.h"
#include "walk.h"

namespace mim::plug::mil {

namespace {

/// Types of fields that lie deeper than that stay.
constexpr size_t kMostDepth = 200;

class Packing {
public:
    Packing(Diagnostics& diags, Source& source, const Program& p, const ProgramTypes& found)
        : old_(p)
        , p_(p)
        , source_(source)
        , types_(source.types)
        , found_(found)
        , layouts_(diags, p_, types_)
        , fixed_(old_, types_, found_) {}

    Program run();

private:
    /// A type with its arguments, as `bitdata`.
    struct Made {
        Type* type = nullptr; ///< null: it stays as it is
        std::vector<uint32_t> cons;
    };
    /// A constructor of one: its fields, or the number that it is.
    struct Shape {
        std::vector<Region> fields;
        uint32_t width = 0;
    };

    /// @name types that change
    ///@{
    Type* type(Type*);
    bool has_unit(Type*);
    const Made& made(Type* head, const std::vector<Type*>& arguments);
    std::optional<std::vector<Shape>> shapes(uint32_t data, const std::vector<Type*>& arguments);
    std::optional<Row> free_row(const DataType&, const std::vector<Shape>&);
    Made pack(uint32_t data, const std::vector<Type*>& arguments);
    uint32_t add_constructor(uint32_t data, const Con& from, std::vector<Region>, const std::string& ending);
    ///@}

    /// @name code
    ///@{
    const Made* made_of(Type*);
    const Made* made_of(const Atom&);
    uint32_t con(const Made& m, uint32_t old) const { return m.cons[old_.cons[old].tag]; }
    Tail tail(const Tail&, Type* result, std::vector<Statement>& before);
    Code code(const Code&, Type* range);
    Tail closed(const Tail&, Type* result, const std::string& name, const std::vector<uint32_t>& variables);
    Type* result_of(Type* range);
    ///@}

    const Program& old_;
    Program p_;
    Source& source_;
    Types& types_;
    const ProgramTypes& found_;
    Layouts layouts_;
    FixedTypes fixed_;
    std::map<std::string, Made> made_;
    std::vector<Program::Entry> new_datas_;
    std::unordered_set<uint32_t> gone_; ///< data types of whose name there is another one
    size_t depth_ = 0;
};

// ---- types that change
// ----------------------------------------------------------------------------------------------------------

Type* Packing::type(Type* t) {
    std::vector<Type*> arguments;
    auto head       = fixed_.head_of(t, arguments);
    bool is_changed = false;
    for (auto& a : arguments) {
        auto changed = type(a);
        is_changed |= changed != types_.resolve(a);
        a = changed;
    }
    if (auto& m = made(head, arguments); m.type) return m.type;
    return is_changed ? types_.apply(head, arguments) : types_.resolve(t);
}

/// `Unit` is also what nothing is known of: the optimizer drops the signatures of conversions between rows and words.
bool Packing::has_unit(Type* t) {
    t = types_.resolve(t);
    if (t->kind == Type::Apply) return has_unit(t->first) || has_unit(t->second);
    return t == types_.con("Unit");
}

const Packing::Made& Packing::made(Type* head, const std::vector<Type*>& arguments) {
    static const Made none;
    auto data = fixed_.find_data(head);
    if (data == kNone || fixed_.is_fixed(data) || arguments.size() != old_.datas[data].parameters.size()) return none;
    std::vector<Type*> known;
    auto key = std::to_string(data);
    for (auto a : arguments) {
        known.push_back(types_.closed(a));
        key += " " + types_.text(types_.tuple({known.back()}));
    }
    if (auto found = made_.find(key); found != made_.end()) return found->second;
    bool stays = depth_ == kMostDepth || std::ranges::any_of(known, [&](auto t) { return has_unit(t); });
    if (stays) return made_[key] = {};
    ++depth_;
    auto m = pack(data, known);
    --depth_;
    return made_[key] = std::move(m);
}

/// Nothing if a field is no row of bits.
std::optional<std::vector<Packing::Shape>> Packing::shapes(uint32_t data, const std::vector<Type*>& arguments) {
    std::vector<Shape> result;
    for (auto c : old_.datas[data].cons) {
        auto& from = old_.cons[c];
        std::unordered_map<Type*, Type*> meanings;
        for (size_t i = 0; i != arguments.size(); ++i) meanings[types_.resolve(from.scheme.variables[i])] = arguments[i];
        Shape shape;
        for (auto field : from.types) {
            auto t = type(types_.replaced(field, meanings));
            Region r;
            if (!layouts_.classify(r, t)) return {};
            r.name = "f" + std::to_string(shape.fields.size());
            r.text = express(source_, t, {});
            shape.width += r.width;
            if (shape.width > old_.word_bits) return {};
            shape.fields.push_back(std::move(r));
        }
        result.push_back(std::move(shape));
    }
    return result;
}

/// Of two constructors, one without fields: a row that no fields of the other one have.
std::optional<Row> Packing::free_row(const DataType& data, const std::vector<Shape>& all) {
    if (all.size() != 2) return {};
    bool is_first = old_.cons[data.cons[0]].types.empty();
    bool is_one   = is_first != old_.cons[data.cons[1]].types.empty();
    if (!is_one) return {};
    auto& fields = all[is_first ? 1 : 0].fields;
    uint32_t at  = 0;
    for (auto r = fields.rbegin(); r != fields.rend(); at += r++->width)
        if (auto row = layouts_.free_row(*r)) return *row << at;
    return {};
}

/// The constructor, and the one that makes its layout of fields.
uint32_t Packing::add_constructor(uint32_t data, const Con& from, std::vector<Region> regions, const std::string& ending) {
    auto& cons = p_.datas[data].cons;
    Con con{from.name + ending, from.at, data, static_cast<uint32_t>(cons.size()), {}, {}, {}, std::move(regions)};
    auto whole = p_.datas[data].type;
    con.scheme = {{}, whole};
    auto made  = static_cast<uint32_t>(p_.cons.size());
    cons.push_back(made);
    if (from.types.empty()) return add(p_.cons, std::move(con));
    auto name = p_.datas[data].name + "." + con.name;
    DataType layout{name, from.at, {}, {made + 1}};
    layout.form    = DataType::Layout;
    layout.outside = made;
    layout.type    = types_.new_con(name);
    auto inside    = static_cast<uint32_t>(p_.datas.size());
    Con fields{name, from.at, inside, 0, {}, {}, {}};
    for (auto& r : con.regions)
        if (r.is_field()) fields.fields.push_back(r.text);
    con.layout = made + 1;
    con.types  = {layout.type};
    con.fields = {source_.type_expr({TypeExpr::Con, from.at, name})};
    con.scheme = {{}, types_.function(layout.type, whole)};
    add(p_.datas, std::move(layout));
    add(p_.cons, std::move(con));
    return add(p_.cons, std::move(fields)) - 1;
}

Packing::Made Packing::pack(uint32_t data, const std::vector<Type*>& arguments) {
    auto parts = shapes(data, arguments);
    if (!parts) return {};
    auto& from      = old_.datas[data];
    auto row        = free_row(from, *parts);
    uint32_t plain  = 0;
    uint32_t inside = 0;
    for (size_t i = 0; i != parts->size(); ++i) {
        plain += old_.cons[from.cons[i]].types.empty();
        inside = std::max(inside, (*parts)[i].width);
    }
    auto groups = parts->size() - plain + (plain != 0 ? 1 : 0);
    auto tags   = row ? 0 : width_below(groups);
    inside      = std::max(inside, row ? 0 : width_below(plain));
    auto width  = tags + inside;
    if (width == 0 || width > old_.word_bits) return {};

    auto ending = arguments.empty() ? "" : "$" + std::to_string(new_datas_.size() + 1);
    DataType made{from.name + ending, from.at, {}, {}};
    made.form  = DataType::Bitdata;
    made.type  = types_.new_con(made.name);
    made.width = width;
    auto index = add(p_.datas, std::move(made));
    new_datas_.push_back({Program::DataKind, index});
    if (arguments.empty()) gone_.insert(data);
    Made result{p_.datas[index].type, {}};
    uint64_t tag = plain != 0 ? 1 : 0, number = 0;
    auto fixed = [](const Row& bits, uint32_t size) {
        Region r;
        r.fix(bits);
        r.width = size;
        return r;
    };
    for (size_t i = 0; i != parts->size(); ++i) {
        auto& con   = old_.cons[from.cons[i]];
        auto& shape = (*parts)[i];
        std::vector<Region> regions;
        Row mask, bits;
        bool is_other = false;
        if (con.types.empty()) {
            bits    = row ? *row : Row(number++);
            mask    = ones(width);
            regions = {fixed(bits, width)};
        } else {
            auto rest = inside - shape.width;
            if (row) {
                mask     = ones(width);
                bits     = *row;
                is_other = true;
            } else if (tags != 0) {
                mask = ones(tags) << inside;
                bits = Row(tag) << inside;
                regions.push_back(fixed(tag++, tags));
            }
            if (rest != 0) regions.push_back(fixed(0, rest));
            regions.insert(regions.end(), shape.fields.begin(), shape.fields.end());
        }
        auto c = add_constructor(index, con, std::move(regions), ending);
        result.cons.push_back(c);
        p_.cons[c].mask     = mask;
        p_.cons[c].bits     = bits;
        p_.cons[c].is_other = is_other;
        if (con.types.empty()) continue;
        auto& own   = p_.cons[p_.cons[c].layout];
        auto result = p_.datas[own.data].type;
        std::unordered_map<Type*, Type*> meanings;
        for (size_t j = 0; j != arguments.size(); ++j) meanings[types_.resolve(con.scheme.variables[j])] = arguments[j];
        for (auto field : con.types) own.types.push_back(type(types_.replaced(field, meanings)));
        for (auto field = own.types.rbegin(); field != own.types.rend(); ++field) result = types_.function(*field, result);
        own.scheme = {{}, result};
    }
    layouts_.add(index);
    return result;
}

// ---- code
// -----------------------------------------------------------------------------------------------------------------------

/// Null if values of the type stay as they are.
const Packing::Made* Packing::made_of(Type* t) {
    if (!t) return nullptr;
    std::vector<Type*> arguments;
    auto head = fixed_.head_of(t, arguments);
    for (auto& a : arguments) a = type(a);
    auto& m = made(head, arguments);
    return m.type ? &m : nullptr;
}

const Packing::Made* Packing::made_of(const Atom& a) {
    if (a.kind == Atom::Var) return made_of(found_.variables[a.number]);
    return a.kind == Atom::Top ? made_of(found_.uses.at(&a)) : nullptr;
}

/// The type of the only value of a tuple, null if it has others.
Type* Packing::result_of(Type* range) {
    std::vector<Type*> parts;
    return types_.is_apply(range, "[1]", parts) ? parts[0] : nullptr;
}

/// The value goes by way of the layout of its constructor.
Tail Packing::tail(const Tail& t, Type* result, std::vector<Statement>& before) {
    auto changed  = t;
    bool is_build = t.op == Tail::Build;
    if (!is_build && t.op != Tail::Select && t.op != Tail::Assert) return changed;
    auto m = is_build ? made_of(result) : made_of(t.args[0]);
    if (!m) return changed;
    changed.target  = con(*m, t.target);
    bool has_layout = p_.cons[changed.target].layout != kNone && t.op != Tail::Assert;
    if (!has_layout) return changed;
    auto fields = p_.variable("fields");
    auto layout = p_.cons[changed.target].layout;
    if (is_build) {
        before.push_back({{fields}, {Tail::Build, layout, 0, t.args, t.at}});
        changed.args = {variable_atom(fields)};
    } else {
        before.push_back({{fields}, {Tail::Select, changed.target, 0, t.args, t.at}});
        changed = {Tail::Select, layout, t.index, {variable_atom(fields)}, t.at};
    }
    return changed;
}

Code Packing::code(const Code& c, Type* range) {
    auto changed = c;
    changed.statements.clear();
    for (auto& s : c.statements) {
        bool is_unused = s.tail.op == Tail::Build && s.binds[0] == kNone;
        if (is_unused) continue;
        auto result = s.tail.op == Tail::Build ? found_.variables[s.binds[0]] : nullptr;
        auto value  = tail(s.tail, result, changed.statements);
        changed.statements.push_back({s.binds, std::move(value)});
    }
    if (c.end == Code::Tailed) changed.tail = tail(c.tail, result_of(range), changed.statements);
    if (c.end != Code::Case) return changed;
    if (auto m = made_of(c.subject))
        for (auto& arm : changed.arms) arm.con = con(*m, arm.con);
    return changed;
}

/// The tail of a closure or of a top-level definition; if that is not enough, a block does it.
Tail Packing::closed(const Tail& t, Type* result, const std::string& name, const std::vector<uint32_t>& variables) {
    std::vector<Statement> before;
    auto changed = tail(t, result, before);
    if (before.empty()) return changed;
    Code body;
    body.statements = std::move(before);
    body.tail       = std::move(changed);
    return call_of_block(p_, name, body, variables);
}

Program Packing::run() {
    for (auto& e : old_.order) {
        if (e.kind == Program::BlockKind) {
            auto range              = types_.resolve(found_.blocks[e.index])->second;
            auto body               = code(old_.blocks[e.index].code, range);
            p_.blocks[e.index].code = std::move(body);
        } else if (e.kind == Program::ClosureKind) {
            auto& k        = old_.closures[e.index];
            auto variables = k.stored;
            variables.insert(variables.end(), k.params.begin(), k.params.end());
            auto range                = types_.resolve(types_.resolve(found_.closures[e.index])->second)->second;
            auto body                 = closed(k.tail, result_of(range), k.name, variables);
            p_.closures[e.index].tail = std::move(body);
        } else if (e.kind == Program::TopKind) {
            auto body             = closed(old_.tops[e.index].tail, found_.tops[e.index], old_.tops[e.index].name, {});
            p_.tops[e.index].tail = std::move(body);
        }
    }
    std::vector<bool> is_made(p_.datas.size());
    change_types(source_, p_, [&](Type* t) { return type(t); }, is_made);
    auto is_gone = [&](auto& e) { return e.kind == Program::DataKind && gone_.contains(e.index); };
    std::erase_if(p_.order, is_gone);
    p_.order.insert(p_.order.begin(), new_datas_.begin(), new_datas_.end());
    return std::move(p_);
}

} // namespace

Program pack_data(FrontEndContext& c, Source& source, const ProgramTypes& types) {
    return Packing(c.diags, source, source.program, types).run();
}

} // namespace mim::plug::mil
