#include "allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <thread>

static const std::thread::id first = std::this_thread::get_id();
static std::atomic<long> left{-1};
static std::atomic<bool> failed{false};

void fail_allocation(long n) {
    failed = false;
    left = n;
}

bool allocation_failed() {
    left = -1;
    return failed;
}

static void *allocate(std::size_t size, std::size_t alignment) {
    if (left >= 0 && std::this_thread::get_id() != first && left-- == 0) {
        failed = true;
        throw std::bad_alloc();
    }
    size = (size + alignment - 1) / alignment * alignment;
    void *const room = std::aligned_alloc(alignment, size ? size : alignment);
    if (!room)
        throw std::bad_alloc();
    return room;
}

void *operator new(std::size_t size) {
    return allocate(size, alignof(std::max_align_t));
}
void *operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void *operator new(std::size_t size, const std::nothrow_t &) noexcept {
    try {
        return operator new(size);
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}
void operator delete(void *room) noexcept {
    std::free(room);
}
void operator delete(void *room, std::size_t) noexcept {
    std::free(room);
}
void operator delete(void *room, std::align_val_t) noexcept {
    std::free(room);
}
void operator delete(void *room, std::size_t, std::align_val_t) noexcept {
    std::free(room);
}
