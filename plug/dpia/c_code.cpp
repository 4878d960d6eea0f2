// SPDX-License-Identifier: MIT
#include "c_code.h"

namespace mim::plug::dpia {

constexpr uint64_t kStackBytes = 64 * 1024;

/// Operands that must be computed before are computed here.
std::string CCode::expression(const Polynomial& p) {
    auto node = sizes_.node(p);
    note_reads({node});
    return CStatement(text_, {node}).text(node);
}

void CCode::command(const Def* c) {
    if (match<dpia::skip>(c)) return;
    if (match<dpia::seq>(c)) {
        auto [first, second] = elems<2>(w, arg_of(c));
        rooms_.followed([&, c = first] { command(c); });
        return command(second);
    }
    if (match<dpia::new_>(c)) return new_memory(c);
    rooms_.note(w, c);
    if (match<dpia::assign>(c)) return assign(c);
    if (match<dpia::for_>(c)) return for_loop(c);
    if (match<dpia::par_for>(c)) return par_loop(c);
    if (match<dpia::if_>(c)) return branch(c);
    if (match<dpia::dbl_buf>(c)) return iterate(c);
    if (match<dpia::run>(c)) return run(c);
    throw Refused{Refused::NoCode, "this is no command", {}, c};
}

void CCode::collect(const CPlaceRef& to, const CValueRef& from, const Def* type, std::vector<std::pair<CRef, CRef>>& all) {
    if (auto parts = pair(type)) {
        collect(to->first, from->first, parts.first, all);
        return collect(to->second, from->second, parts.second, all);
    }
    if (to->lvalue) return void(all.emplace_back(to->lvalue, from->scalar));
    auto t = scalar(type);
    for (unsigned i = 0; i != t.lanes; ++i)
        all.emplace_back(to->element(Polynomial::number(Polynomial::Number(i)))->lvalue, lane(t, from->scalar, i));
}

static bool is_number(CRef node) {
    return node->kind == CNode::Atom && (std::isdigit(static_cast<unsigned char>(node->text[0])) || node->text[0] == '(');
}

static constexpr std::string_view kAssigned = "$=$";

/// A place may say itself where its value stands.
static std::string assignment(std::string target, const std::string& value) {
    if (occurrences(target, kAssigned) == 0) return target + " = " + value + ";";
    replace_all(target, kAssigned, value);
    return target + ";";
}

/// The values that are assigned to the numbers of a place, one for each.
std::vector<std::pair<CRef, CRef>> CCode::collected(const Def* c) {
    std::vector<std::pair<CRef, CRef>> all;
    auto out = group(c, 1);
    collect(place(out), value(arg_of(c)), acc_data(out), all);
    return all;
}

/// Several parts: all are read before one is written.
void CCode::assign(const Def* c) {
    auto all = collected(c);
    std::vector<CRef> roots;
    for (auto& [to, from] : all) {
        for (auto index : to->args) roots.push_back(index);
        roots.push_back(from);
        note_write(to);
    }
    note_reads(roots);
    CStatement statement(text_, roots);
    auto target = [&](CRef to) {
        auto text = to->text;
        for (size_t i = 0; i != to->args.size(); ++i)
            replace_all(text, "$" + std::to_string(i) + "$", statement.text(to->args[i]));
        return text;
    };
    bool is_one = all.size() == 1 && occurrences(all[0].first->text, kAssigned) < 2;
    if (is_one) return text_.line(assignment(target(all[0].first), statement.text(all[0].second)));
    std::vector<std::string> values;
    for (auto& [_, from] : all) {
        auto text = statement.text(from);
        if (!is_number(from)) {
            auto name = text_.unique("t");
            text_.line("const " + from->type + " " + name + " = " + text + ";");
            text = name;
        }
        values.push_back(text);
    }
    for (size_t i = 0; i != all.size(); ++i) text_.line(assignment(target(all[i].first), values[i]));
}

void CCode::allocate(const CLeaf& leaf) {
    auto& heap     = thread_ ? *thread_ : heap_;
    auto type      = scalar(leaf.cell).in_memory();
    bool is_inside = sizes_.depends_on_later(leaf.count, heap.first_local) || is_late_;
    auto bytes     = expression(leaf.count);
    if (bytes.find(' ') != bytes.npos) bytes = "(" + bytes + ")";
    auto allocation = "malloc(" + bytes + " * sizeof(" + type + ") + 1)";
    heap.buffers.push_back({type, leaf.name, is_inside ? "" : allocation});
    heap.may_fail = true;
    if (!is_inside) return;
    if (!late_condition_.empty()) text_.open("if (" + late_condition_ + ")");
    text_.line("free(" + leaf.name + ");");
    text_.line(leaf.name + " = " + allocation + ";");
    leave_if_null(leaf.name);
    if (!late_condition_.empty()) text_.close();
}

void CCode::variable(const CLeaf& leaf) { text_.line(scalar(leaf.cell).name + " " + leaf.name + ";"); }

void CCode::private_array(const CLeaf& leaf, uint64_t count) {
    text_.line(scalar(leaf.cell).in_memory() + " " + leaf.name + "[" + std::to_string(count == 0 ? 1 : count) + "];");
}

void CCode::declare(const Def* space, const CLeaf& leaf, const Def* where) {
    auto type = scalar(leaf.cell);
    if (!leaf.is_array) return variable(leaf);
    if (space == w.annex(rise::as::constant))
        throw Refused{Refused::NoCode, "`Constant` has arrays of literals: take `Private` or `Global`", {}, where};
    if (space != w.annex(rise::as::private_)) return allocate(leaf);
    auto count = leaf.count.value();
    if (count) stack_bytes_ += static_cast<uint64_t>(*count) * ((type.bits + 7) / 8);
    bool fits = count && *count <= kStackBytes && stack_bytes_ <= kStackBytes;
    if (!fits) throw Refused{Refused::NoCode, "`Private` memory has a literal size of at most 64 KiB: take `Global`", {}, where};
    private_array(leaf, static_cast<uint64_t>(*count));
}

static bool is_heap(World& w, const Def* space) {
    return space == w.annex(rise::as::global) || space == w.annex(rise::as::local);
}

/// Storage is shared by buffers of the heap that are as long-lived as the function, or the thread.
void CCode::new_memory(const Def* c) {
    auto [space, type] = elems<2>(w, group(c, 0));
    auto body          = arg_of(c)->as<Lam>();
    auto base          = field_name(body, 0);
    auto begin         = (thread_ ? *thread_ : heap_).first_local;
    auto is_early      = [&](auto& leaf) { return leaf.is_array && !sizes_.depends_on_later(leaf.count, begin); };
    bool may_share     = shares_memory_ && !is_late_ && is_heap(w, space) && std::ranges::all_of(leaves(type, ""), is_early);
    auto room          = may_share ? rooms_.find(w, space, type, body) : std::nullopt;
    auto name          = room ? *room : text_.unique(base.empty() ? "mem" : base);
    if (!room) {
        for (auto& leaf : leaves(type, name)) declare(space, leaf, c);
        if (may_share) rooms_.add(space, type, name, body);
    }
    bind(w.extract(body->var(), uint64_t(0)), load(type, name));
    bind_place(w.extract(body->var(), 1), store(type, name));
    note_memory(body->var(), type, name);
    command(body->body());
    rooms_.release(body);
}

void CCode::loop(const Def* n, std::string_view name, const std::function<void(const Polynomial&)>& body) {
    auto count = size(n);
    if (count.terms().empty()) return;
    if (count.value() == 1) return body({});
    auto i     = text_.unique(name.empty() ? "i" : name);
    auto bound = expression(count);
    text_.open("for (uint64_t " + i + " = 0; " + i + " < " + bound + "; ++" + i + ")");
    body(sizes_.name(i, count));
    text_.close();
}

void CCode::for_loop(const Def* c) {
    auto body = arg_of(c)->as<Lam>();
    auto n    = group(c, 0);
    auto turn = [&](const Polynomial& i) {
        bind(body->var(), number(i));
        rooms_.in_level([&] { command(body->body()); });
    };
    if (!match<dpia::for_>(dpia::for_::unroll, c)) return loop(n, w.notes.name(body->var()).view(), turn);
    auto count = size(n).value();
    if (!count) throw Refused{Refused::NoCode, "only loops of a literal number of turns are unrolled", {}, c};
    for (Polynomial::Number i = 0; i != *count; ++i) {
        text_.open("");
        turn(Polynomial::number(i));
        text_.close();
    }
}

/// OpenMP is told that the turns are lanes, but of a loop that is left when memory lacks, or that has such a loop inside.
void CCode::lanes(const Def* n, const std::function<void(const Polynomial&)>& turn) {
    auto known   = size(n).value();
    bool is_loop = !known || *known > 1;
    bool is_told = target_ == Target::OpenMP && is_loop;
    if (!is_told) return loop(n, "i", turn);
    auto before = std::exchange(text_.body, "");
    loop(n, "i", turn);
    auto lines   = std::exchange(text_.body, before);
    bool is_left = lines.find("goto ") != lines.npos || lines.find("#pragma") != lines.npos;
    auto word    = lines.find("for (");
    auto line    = lines.rfind('\n', word) + 1; // the size may be computed before
    if (!is_left) lines.insert(line, lines.substr(line, word - line) + "#pragma omp simd\n");
    text_.body += lines;
}

void CCode::par_loop(const Def* c) {
    constexpr const char* names[] = {"mapPar", "mapGlobal", "mapWorkGroup", "mapLocal"};
    auto level                    = sub_of(c);
    bool is_vector                = level == uint64_t(dpia::par_for::vec);
    if (level != 0 && !is_vector)
        throw Refused{Refused::NoCode, "`" + std::string(names[level]) + "` is for OpenCL: take `mapSeq` or `mapPar`", {}, c};
    auto body = arg_of(c)->as<Lam>();
    auto out  = place(group(c, 2));
    auto n    = elem(w, group(c, 0), 0);
    auto turn = [&](const Polynomial& i) {
        bind(w.extract(body->var(), uint64_t(0)), number(i));
        bind_place(w.extract(body->var(), 1), out->element(i));
        rooms_.in_level([&] { command(body->body()); });
    };
    auto known    = size(n).value();
    bool are_many = !known || *known > 1;
    if (is_vector) return lanes(n, turn);
    if (are_many && begins_threads()) return threads(n, turn);
    loop(n, "i", turn);
}

/// The size that is 0 if the condition holds, so that it is 1 or more elsewhere.
std::optional<Sizes::Var> CCode::size_that_is_none(const Def* condition) {
    auto test    = match<dpia::exp>(condition) ? arg_of(condition) : condition;
    bool is_test = match<rise::compare>(rise::compare::eq, test) && is_value(arg_of(test), 0);
    auto size    = is_test ? value(group(test, 1))->size : std::nullopt;
    return size ? size->as_variable() : std::nullopt;
}

void CCode::branch(const Def* c) {
    auto condition       = value(group(c, 0))->scalar;
    auto [holds, others] = elems<2>(w, arg_of(c));
    note_reads({condition});
    auto text = CStatement(text_, {condition}).text(condition);
    auto size = size_that_is_none(group(c, 0));
    auto arm  = [&](const Def* commands) { rooms_.in_level([&] { command(commands); }); };
    choose(
        text, [&, c = holds] { arm(c); },
        [&, c = others] {
            if (!size) return arm(c);
            auto before = sizes_.least(*size);
            sizes_.is_at_least(*size, 1);
            arm(c);
            sizes_.set_least(*size, before);
        });
}

void CCode::choose(const std::string& condition, const Commands& holds, const Commands& otherwise) {
    text_.open("if (" + condition + ")");
    holds();
    text_.close("} else {");
    ++text_.depth;
    otherwise();
    text_.close();
}

void CCode::run(const Def* c) { throw Refused{Refused::NoCode, "`oclRun` is for OpenCL: take `--emit clhost`", {}, c}; }

// ---- double buffers

void CCode::step(const Def* f, const Polynomial& l, const CValueRef& from, const CPlaceRef& to) {
    auto outer = f->as<Lam>();
    auto inner = outer->body()->as<Lam>();
    bind(outer->var(), number(l));
    bind(w.extract(inner->var(), uint64_t(0)), from);
    bind_place(w.extract(inner->var(), 1), to);
    rooms_.in_level([&] { command(inner->body()); });
}

void CCode::swap_loop(const std::vector<std::array<std::string, 4>>&, const std::string&, bool, const Commands& loop) { loop(); }

/// Pointers that change places: one for each number in an element.
std::string CCode::memory_for(const Def* type, const Polynomial& count, const char* name) {
    auto buffer = text_.unique(name);
    std::vector<CLeaf> all;
    add_leaves(all, type, buffer, count, true);
    for (auto& leaf : all) allocate(leaf);
    return buffer;
}

void CCode::iterate(const Def* c) {
    auto [space, steps]  = elems<2>(w, group(c, 0));
    auto [m, n, element] = elems<3>(w, group(c, 1));
    auto f               = group(c, 2);
    auto x               = value(group(c, 3));
    auto out             = place(arg_of(c));
    auto k = size(steps), part = size(n), last = size(m);
    auto one = Polynomial::number(1);
    if (!sizes_.is_less({}, k))
        throw Refused{Refused::NoCode,
                      "`iterate` needs `where 1 <= k`, a literal number of steps, or the strategy `iterateZero(copyAsSeq)`",
                      {},
                      c};
    if (!sizes_.is_less({}, part))
        throw Refused{Refused::NoCode, "`iterate` needs that each step leaves something: write `where 1 <= n`", {}, c};
    auto row = [&](const Polynomial& exponent) {
        auto known = exponent.value();
        if (!known) return last * sizes_.size(SizeOp::Power, {sizes_.node(part), sizes_.node(exponent)});
        auto result = last;
        for (Polynomial::Number i = 0; i != *known; ++i) result = result * part;
        return result;
    };
    auto known              = k.value();
    auto first              = row(k - one);
    auto type               = element;
    auto array              = w.apply<rise::Arr>({w.lit_nat(0), type}); // its length is not asked for
    bool is_exact           = known || allocates_in_place();
    auto steps_with_buffers = [&] {
        is_late_    = !known;
        auto source = memory_for(type, first, "buffer");
        is_late_    = false;
        step(f, first, x, store(array, source));
        std::string result = source;
        if (!known || *known > 2) {
            is_late_        = !known;
            late_condition_ = known ? "" : "2 < " + expression(k);
            auto other      = memory_for(type, row(is_exact ? k - one - one : k - one), "buffer");
            is_late_        = false;
            late_condition_.clear();
            bool is_one_step = known && *known == 3;
            result           = is_one_step ? other : text_.unique("src");
            if (is_one_step) step(f, row(one), load(array, source), store(array, other));
            else steps_between(c, first, source + "|" + other, result);
        }
        step(f, last, load(array, result), out);
    };
    if (known) return steps_with_buffers();
    choose(expression(k) + " == 1", [&] { step(f, last, x, out); }, steps_with_buffers);
}

/// All but the first step and the last one.
void CCode::steps_between(const Def* c, const Polynomial& first, const std::string& both, const std::string& src) {
    auto source  = both.substr(0, both.find('|'));
    auto other   = both.substr(both.find('|') + 1);
    auto element = elem(w, group(c, 1), 2);
    auto dst     = text_.unique("dst");
    std::vector<CLeaf> from, to, from_buffer, to_buffer;
    add_leaves(from, element, src, {}, true);
    add_leaves(to, element, dst, {}, true);
    add_leaves(from_buffer, element, source, {}, true);
    add_leaves(to_buffer, element, other, {}, true);
    for (size_t i = 0; i != from.size(); ++i) {
        auto type = scalar(from[i].cell).in_memory();
        text_.line(pointer_to(type) + from[i].name + " = " + from_buffer[i].name + ";");
        text_.line(pointer_to(type) + to[i].name + " = " + to_buffer[i].name + ";");
    }
    auto l     = text_.unique("l");
    auto turn  = text_.unique("i");
    auto part  = expression(size(elem(w, group(c, 1), 1)));
    auto steps = expression(size(elem(w, group(c, 0), 1)));
    text_.line("uint64_t " + l + " = " + expression(first) + ";");
    auto array = w.apply<rise::Arr>({w.lit_nat(0), element});
    auto body  = [&] {
        text_.open("for (uint64_t " + turn + " = 2; " + turn + " < " + steps + "; ++" + turn + ")");
        text_.line(l + " /= " + (part.find(' ') == part.npos ? part : "(" + part + ")") + ";");
        step(group(c, 2), sizes_.name(l), load(array, src), store(array, dst));
        for (size_t i = 0; i != from.size(); ++i) {
            auto swap = text_.unique("t");
            text_.line(pointer_to(scalar(from[i].cell).in_memory()) + "const " + swap + " = " + from[i].name + ";");
            text_.line(from[i].name + " = " + to[i].name + ";");
            text_.line(to[i].name + " = " + swap + ";");
        }
        text_.close();
    };
    std::vector<std::array<std::string, 4>> swapped;
    for (size_t i = 0; i != from.size(); ++i)
        swapped.push_back({from_buffer[i].name, to_buffer[i].name, from[i].name, to[i].name});
    auto known = size(elem(w, group(c, 0), 1)).value();
    swap_loop(swapped, turn, known && *known > 2, body);
}

} // namespace mim::plug::dpia
