/* Runs steps, expressions of type seam_status, until one fails. */
#ifndef BASE_THEN_H
#define BASE_THEN_H

#include <seam/status.h>

/* Runs the next step unless an earlier one has failed; the first failure is the status. For functions that free
 * something at their end. */
#define THEN(status, ...)                                                                                              \
  do {                                                                                                                 \
    if ((status) == SEAM_OK)                                                                                           \
      (status) = (__VA_ARGS__);                                                                                        \
  } while (0)

/* Runs a step. If it fails, returns its status from the function that uses TRY(). */
#define TRY(...)                                                                                                       \
  do {                                                                                                                 \
    const seam_status tried_ = (__VA_ARGS__);                                                                          \
    if (tried_ != SEAM_OK)                                                                                             \
      return tried_;                                                                                                   \
  } while (0)

#endif
