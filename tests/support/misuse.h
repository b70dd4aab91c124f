/* Expectations about calls that are refused. */
#ifndef TESTS_SUPPORT_MISUSE_H
#define TESTS_SUPPORT_MISUSE_H

#include <criterion/criterion.h>
#include <string.h>

#include <seam/status.h>

/* A refusal with this status, whose message holds these words. Clears *error. */
#define expect_refused(call, expected, words, error)                                                                   \
  do {                                                                                                                 \
    const seam_status returned_ = (call);                                                                              \
    cr_expect_eq(returned_, expected, #call ": %d", (int)returned_);                                                   \
    cr_expect_eq((error)->status, expected, #call);                                                                    \
    cr_expect_not_null(strstr((error)->message, words), #call ": '%s' is not in: %s", words, (error)->message);        \
    *(error) = (seam_error){0};                                                                                        \
  } while (0)

#endif
