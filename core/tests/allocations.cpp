#include "allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <thread>
#ifdef _WIN32 // has its own functions, which go together
#include <malloc.h>
static void *aligned(std::size_t alignment, std::size_t size) {
    return _aligned_malloc(size, alignment);
}
static void release(void *room) {
    _aligned_free(room);
}
#else
static void *aligned(std::size_t alignment, std::size_t size) {
    return std::aligned_alloc(alignment, size);
}
static void release(void *room) {
    std::free(room);
}
#endif

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
    void *const room = aligned(alignment, size ? size : alignment);
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
    release(room);
}
void operator delete(void *room, std::size_t) noexcept {
    release(room);
}
void operator delete(void *room, std::align_val_t) noexcept {
    release(room);
}
void operator delete(void *room, std::size_t, std::align_val_t) noexcept {
    release(room);
}
