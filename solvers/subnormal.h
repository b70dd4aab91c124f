/* Arithmetic on subnormal numbers is a hundred times slower. They arise naturally: the far links of a chain at rest
 * move by 1e-300. During integration they are flushed to zero, if the processor can. */
#ifndef SOLVERS_SUBNORMAL_H
#define SOLVERS_SUBNORMAL_H

#if defined(__SSE2__)
#include <xmmintrin.h>

/* Begins to flush subnormal numbers to zero; returns the former control register for seam_subnormals_restore(). */
static inline unsigned seam_subnormals_flush(void) {
  const unsigned flush_results_and_operands = 0x8040;
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | flush_results_and_operands);
  return before;
}
static inline void seam_subnormals_restore(unsigned before) { _mm_setcsr(before); }

#else

static inline unsigned seam_subnormals_flush(void) { return 0; }
static inline void seam_subnormals_restore(unsigned before) { (void)before; }

#endif
#endif
