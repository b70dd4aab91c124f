/* Runs steps, expressions of type seam_status, until one fails. */
#ifndef BASE_THEN_H
#define BASE_THEN_H

#include <stdbool.h>

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

/* Fails if memory is exhausted, as in TRY(seam_check_memory(list != NULL, error)). */
static inline seam_status seam_check_memory(bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
}

/* Ends a function that creates an object: stores it in *created or, if a step has failed, destroys it. */
#define RETURN_CREATED(status, self, created, destroy)                                                                 \
  do {                                                                                                                 \
    if ((status) == SEAM_OK)                                                                                           \
      *(created) = (self);                                                                                             \
    else                                                                                                               \
      (destroy)(self);                                                                                                 \
    return status;                                                                                                     \
  } while (0)

#endif
