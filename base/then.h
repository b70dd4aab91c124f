/* Several steps, of which the first that fails is the last: its status is that of all. */
#ifndef BASE_THEN_H
#define BASE_THEN_H

#include <seam/status.h>

/* Takes the next step, an expression of type seam_status, where none has failed. */
#define THEN(status, ...)                                                                                              \
  do {                                                                                                                 \
    if ((status) == SEAM_OK)                                                                                           \
      (status) = (__VA_ARGS__);                                                                                        \
  } while (0)

#endif
