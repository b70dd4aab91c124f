/* Checks of the arguments of public functions. ARGUMENTS() returns SEAM_BAD_INPUT from the function that uses it. The
 * message names the function and the argument. */
#ifndef BASE_ARGUMENT_H
#define BASE_ARGUMENT_H

#include <stddef.h>

#include <seam/status.h>

/* Fails for the first NULL among n pointers. `names` is the list of the arguments' names, "a, b". */
seam_status argument_check(const char *function, const char *names, const void *const *pointers, size_t n,
                           seam_error *error);

/* Fails if a list of n items is NULL; `what` names the owner of the list, as "subsystem 'a'". */
seam_status argument_check_list(const char *what, const char *name, const void *list, size_t n, seam_error *error);

/* Fails if one of the pointers is NULL, as in ARGUMENTS(error, builder, def). Pointers inside *def need a second line
 * of ARGUMENTS: only after the first one can *def be read. */
#define ARGUMENTS(error, ...)                                                                                          \
  do {                                                                                                                 \
    const void *const given_[] = {__VA_ARGS__};                                                                        \
    if (argument_check(__func__, #__VA_ARGS__, given_, sizeof given_ / sizeof *given_, error) != SEAM_OK)              \
      return SEAM_BAD_INPUT;                                                                                           \
  } while (0)

#endif
