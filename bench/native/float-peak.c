/* What one core makes of float32 at most: independent multiply-adds in registers, no memory.
 *
 *   float-peak
 *
 * Prints {"lanes4": a, "widest": b} in GFLOP/s: four lanes with a multiplication and an addition each, as WebAssembly
 * has them, and fused over the widest registers that this machine has. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#define ROUNDS 40000000
#define CHAINS 10

typedef float four __attribute__((vector_size(16)));
typedef float eight __attribute__((vector_size(32)));

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Chains as long as registers last; the asm keeps the compiler from working the loop out. */
#define MEASURE(name, type, features, contract)                                         \
  __attribute__((noinline, target(features), optimize(contract))) static double name(void) { \
    type a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, a4 = {0};                              \
    type a5 = {0}, a6 = {0}, a7 = {0}, a8 = {0}, a9 = {0};                              \
    type x, y;                                                                         \
    for (unsigned k = 0; k < sizeof(type) / 4; k++) x[k] = 0.999f, y[k] = 1e-6f;         \
    double start = now();                                                              \
    for (int round = 0; round < ROUNDS; round++) {                                      \
      a0 = a0 * x + y, a1 = a1 * x + y, a2 = a2 * x + y, a3 = a3 * x + y, a4 = a4 * x + y; \
      a5 = a5 * x + y, a6 = a6 * x + y, a7 = a7 * x + y, a8 = a8 * x + y, a9 = a9 * x + y; \
      __asm__ volatile("" : "+x"(a0), "+x"(a1), "+x"(a2), "+x"(a3), "+x"(a4));            \
      __asm__ volatile("" : "+x"(a5), "+x"(a6), "+x"(a7), "+x"(a8), "+x"(a9));            \
    }                                                                                  \
    double seconds = now() - start;                                                    \
    return 2.0 * CHAINS * (sizeof(type) / 4) * ROUNDS / seconds / 1e9;                   \
  }

MEASURE(lanes4, four, "sse4.1", "fp-contract=off")
MEASURE(lanes8, eight, "avx2,fma", "fp-contract=fast")

int main(void) {
  int wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  double four_lanes = lanes4();
  printf("{\"lanes4\": %.1f, \"widest\": %.1f}\n", four_lanes, wide ? lanes8() : four_lanes);
  return 0;
}
