/* Interruption of long work by its caller. */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

/* Returns true if the caller requests the end of the work at time t, s. Returns false if `interrupt` is NULL. */
static inline bool interrupt_is_requested(const seam_interrupt *interrupt, double t) {
  return interrupt != NULL && interrupt->is_requested != NULL && interrupt->is_requested(interrupt->context, t);
}

#endif
