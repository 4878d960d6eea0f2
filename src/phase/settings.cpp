// SPDX-License-Identifier: MIT
#include "phase/settings.h"

#include <charconv>
#include <stdexcept>

namespace mim {

std::string_view SettingValue::kind() const {
    if (flag()) return "true or false";
    return number() ? "a number" : "a text";
}

std::string SettingValue::to_string() const {
    if (auto is_on = flag()) return *is_on ? "true" : "false";
    if (auto n = number()) return std::to_string(*n);
    return *text();
}

static bool parse_flag(std::string_view text, bool& out) {
    out = text == "true" || text == "1";
    return out || text == "false" || text == "0";
}

static bool parse_number(std::string_view text, uint64_t& out) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size();
}

bool SettingValue::parse(std::string_view text) {
    if (auto is_on = std::get_if<bool>(&value_)) return parse_flag(text, *is_on);
    if (auto n = std::get_if<uint64_t>(&value_)) return parse_number(text, *n);
    value_ = std::string(text);
    return true;
}

const SettingValue& Settings::get(std::string_view name) const {
    auto found = values_.find(name);
    if (found != values_.end()) return found->second;
    throw std::logic_error("no plugin that is loaded has the option `" + std::string(name) + "`");
}

static std::logic_error wrong_type(std::string_view name, const SettingValue& value) {
    return std::logic_error("the option `" + std::string(name) + "` is " + std::string(value.kind()));
}

bool Settings::flag(std::string_view name) const {
    auto& value = get(name);
    if (auto is_on = value.flag()) return *is_on;
    throw wrong_type(name, value);
}

uint64_t Settings::number(std::string_view name) const {
    auto& value = get(name);
    if (auto n = value.number()) return *n;
    throw wrong_type(name, value);
}

const std::string& Settings::text(std::string_view name) const {
    auto& value = get(name);
    if (auto text = value.text()) return *text;
    throw wrong_type(name, value);
}

bool Settings::declare(std::string_view name, SettingValue value) {
    return values_.emplace(std::string(name), std::move(value)).second;
}

SettingValue* Settings::find(std::string_view name) {
    auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
}

const Settings& Settings::none() {
    static const Settings empty;
    return empty;
}

} // namespace mim
