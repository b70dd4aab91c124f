/* Runs steps until one fails; the first failure is the status. */
#ifndef BASE_THEN_H
#define BASE_THEN_H

#include <seam/status.h>

/* Runs the next step, an expression of type seam_status, unless an earlier step has failed. */
#define THEN(status, ...)                                                                                              \
  do {                                                                                                                 \
    if ((status) == SEAM_OK)                                                                                           \
      (status) = (__VA_ARGS__);                                                                                        \
  } while (0)

#endif
