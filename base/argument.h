/* Checks of the arguments of public functions, a line each. The macros return SEAM_BAD_INPUT from the function that
 * uses them; the message names it and the argument. */
#ifndef BASE_ARGUMENT_H
#define BASE_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

/* `names` are those of the n pointers, "a, b": fails for the first one that is NULL. */
seam_status argument_check(const char *function, const char *names, const void *const *pointers, size_t n,
                           seam_error *error);

/* A list of n items; `what` owns it, as "subsystem 'a'". */
seam_status argument_check_list(const char *what, const char *name, const void *list, size_t n, seam_error *error);

/* Pointers that must not be NULL: ARGUMENTS(error, builder, def). What a pointer leads to takes a second line. */
#define ARGUMENTS(error, ...)                                                                                          \
  do {                                                                                                                 \
    const void *const given_[] = {__VA_ARGS__};                                                                        \
    if (argument_check(__func__, #__VA_ARGS__, given_, sizeof given_ / sizeof *given_, error) != SEAM_OK)              \
      return SEAM_BAD_INPUT;                                                                                           \
  } while (0)

#endif
