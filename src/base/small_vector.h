// SPDX-License-Identifier: MIT
// A vector whose first few elements lie in the object itself. Analyses make many short lists, one for a node or a function, and asking
// for memory costs more than filling them. For types that can be copied byte by byte.
#pragma once
#include <cstddef>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>

namespace mim {

template<class T, size_t N>
class SmallVector {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    using value_type     = T;
    using iterator       = T*;
    using const_iterator = const T*;

    SmallVector() = default;
    SmallVector(const SmallVector& other) { append(other.begin(), other.end()); }
    SmallVector(SmallVector&& other) noexcept { steal(other); }
    SmallVector& operator=(const SmallVector& other) {
        if (this != &other) clear(), append(other.begin(), other.end());
        return *this;
    }
    SmallVector& operator=(SmallVector&& other) noexcept {
        if (this != &other) release(), steal(other);
        return *this;
    }
    ~SmallVector() { release(); }

    /// @name like those of std::vector
    ///@{
    void push_back(T value) {
        if (size_ == capacity_) grow(size_ + 1);
        data_[size_++] = value;
    }
    template<class... Args>
    T& emplace_back(Args&&... args) {
        push_back(T{std::forward<Args>(args)...});
        return back();
    }
    void pop_back() { --size_; }
    void clear() { size_ = 0; }
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }
    T* data() { return data_; }
    const T* data() const { return data_; }
    T& operator[](size_t i) { return data_[i]; }
    const T& operator[](size_t i) const { return data_[i]; }
    T& back() { return data_[size_ - 1]; }
    const T& back() const { return data_[size_ - 1]; }
    ///@}
    template<class I>
    void append(I first, I last) {
        for (; first != last; ++first) push_back(*first);
    }

private:
    bool is_inline() const { return data_ == reinterpret_cast<const T*>(store_); }
    void release() {
        if (!is_inline()) ::operator delete(data_);
    }
    void grow(size_t least) {
        auto capacity = 2 * capacity_ < least ? least : 2 * capacity_;
        auto data     = static_cast<T*>(::operator new(capacity * sizeof(T)));
        std::memcpy(static_cast<void*>(data), data_, size_ * sizeof(T));
        release();
        data_ = data, capacity_ = capacity;
    }
    /// What `other` has; this one is empty and owns nothing.
    void steal(SmallVector& other) {
        data_ = reinterpret_cast<T*>(store_), size_ = other.size_, capacity_ = N;
        if (other.is_inline()) std::memcpy(static_cast<void*>(data_), other.data_, size_ * sizeof(T));
        else
            data_ = std::exchange(other.data_, reinterpret_cast<T*>(other.store_)), capacity_ = std::exchange(other.capacity_, N);
        other.size_ = 0;
    }

    alignas(T) std::byte store_[N * sizeof(T)];
    T* data_         = reinterpret_cast<T*>(store_);
    size_t size_     = 0;
    size_t capacity_ = N;
};

} // namespace mim
