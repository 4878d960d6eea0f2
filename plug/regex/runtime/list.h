// SPDX-License-Identifier: MIT
// Arrays that grow, for code that compiled programs are linked with: these have neither exceptions nor the C++ library.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

namespace mim::plug::regex {

/// There is no memory: the compiler throws, a program ends.
[[noreturn]] void no_memory();

template<class T>
class List {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    List() = default;
    ~List() { std::free(data_); }
    List(const List&)            = delete;
    List& operator=(const List&) = delete;

    size_t size() const { return size_; }
    /// Of its memory.
    size_t bytes() const { return capacity_ * sizeof(T); }
    bool empty() const { return size_ == 0; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }
    T& operator[](size_t i) { return data_[i]; }
    const T& operator[](size_t i) const { return data_[i]; }
    T& back() { return data_[size_ - 1]; }

    void clear() { size_ = 0; }
    T pop() { return data_[--size_]; }
    void push(const T& value) {
        auto copy = value; // it may be one of ours
        if (size_ == capacity_) reserve(size_ + 1);
        data_[size_++] = copy;
    }
    void append(const T* from, size_t count) {
        reserve(size_ + count);
        if (count != 0) std::memcpy(static_cast<void*>(end()), from, count * sizeof(T));
        size_ += count;
    }
    void resize(size_t size, T value = {}) {
        reserve(size);
        for (auto i = size_; i < size; ++i) data_[i] = value;
        size_ = size;
    }
    void fill(size_t size, T value) { clear(), resize(size, value); }
    void swap(List& other) {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

private:
    void reserve(size_t size) {
        if (size <= capacity_) return;
        auto more   = size > 2 * capacity_ ? size : 2 * capacity_;
        auto memory = std::realloc(static_cast<void*>(data_), more * sizeof(T));
        if (!memory) no_memory();
        data_     = static_cast<T*>(memory);
        capacity_ = more;
    }

    T* data_     = nullptr;
    size_t size_ = 0, capacity_ = 0;
};

} // namespace mim::plug::regex
