/* Reading model texts in tests. */
#ifndef TESTS_SUPPORT_MODEL_READER_H
#define TESTS_SUPPORT_MODEL_READER_H

#include <seam/models.h>

#include "cosim/mechanism/definition.h"

/* Reads a text that must be right, with overrides that end with NULL; the caller destroys the result. */
seam_model_file *read_model(const char *text, const char *const *overrides);

/* Expects that a text is refused with SEAM_BAD_INPUT and exactly this message. */
void expect_refused(const char *text, const char *message);

/* The same with one override. */
void expect_refused_with(const char *text, const char *override, const char *message);

/* Processor time, s. */
double cpu_time(void);

#endif
