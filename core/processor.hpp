// Which of the kernels this processor can run.
//
// The compilers' own __builtin_cpu_supports does not know the levels v3 and v4 everywhere (Clang
// 14), or does not link (zig, for Windows and shared objects), so CPUID is asked here. The
// operating system must save the wide registers, too: XGETBV says whether it does. macOS on Intel
// says so of AVX-512 only once it has been used; there v3 runs.
#pragma once

namespace kumitate {

bool has_v3(); // AVX2, bit counts: Haswell, Zen and later
bool has_v4(); // and AVX-512: Skylake-X, Zen 4 and later

} // namespace kumitate
