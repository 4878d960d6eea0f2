// SPDX-License-Identifier: MIT
// The options of plugins. A plugin declares each of its options with a default, from which the type follows; `--set
// PLUGIN.KEY=VALUE` sets one. Phases, front ends and back ends read them. A session owns the values.
#pragma once
#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace mim {

/// A truth value, a number from 0 on, or a text.
class SettingValue {
public:
    template<std::same_as<bool> T>
    SettingValue(T value)
        : value_(value) {}
    template<std::integral T>
        requires(!std::same_as<T, bool>)
    SettingValue(T value)
        : value_(static_cast<uint64_t>(value)) {}
    SettingValue(std::string value)
        : value_(std::move(value)) {}
    SettingValue(const char* value)
        : value_(std::string(value)) {}

    const bool* flag() const { return std::get_if<bool>(&value_); }
    const uint64_t* number() const { return std::get_if<uint64_t>(&value_); }
    const std::string* text() const { return std::get_if<std::string>(&value_); }

    /// The type, for messages and `--help`: `true or false`, `a number`, `a text`.
    std::string_view kind() const;
    /// As `--set` takes it.
    std::string to_string() const;
    /// Takes the value that the text stands for. False if it stands for none of this type.
    bool parse(std::string_view text);

private:
    std::variant<bool, uint64_t, std::string> value_;
};

/// The text before the first `=` and that behind it, as in `PLUGIN.KEY=VALUE`.
struct SettingText {
    std::string name;  ///< `PLUGIN.KEY`
    std::string value; ///< `true` if there is no `=`
    std::string_view plugin() const { return std::string_view(name).substr(0, name.find('.')); }
    std::string_view key() const { return std::string_view(name).substr(name.find('.') + 1); }
};

class Settings {
public:
    /// The value of the option `PLUGIN.KEY`. Throws std::logic_error if no plugin that is loaded has this option, or if
    /// it has another type: a fault of the plugin that asks.
    bool flag(std::string_view name) const;
    uint64_t number(std::string_view name) const;
    const std::string& text(std::string_view name) const;

    /// False if there is an option of this name already.
    bool declare(std::string_view name, SettingValue value);
    /// Null if there is no option of this name.
    SettingValue* find(std::string_view name);

    /// No options at all.
    static const Settings& none();

private:
    const SettingValue& get(std::string_view name) const;

    std::map<std::string, SettingValue, std::less<>> values_;
};

} // namespace mim
