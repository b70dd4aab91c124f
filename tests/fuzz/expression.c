/* Fuzz target: any text is an expression or gets a message, at a place within it; what is an expression can be
 * evaluated, and its value does not depend on the way. */
#include "models/expression/expression.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void evaluate(const expression *e) {
  static const double places[][2] = {{0, 0}, {1, -2}, {1e300, -1e-300}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    seam_jet jet;
    const double value = expression_value(e, places[i]);
    expression_change(e, places[i], (double[]){1, 1});
    expression_jet(e, places[i], &jet);
    if (isfinite(value) && jet.value != value)
      abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const variables[] = {"s", "v"};
  const expression_names names = {.variables = variables, .n_variables = 2};
  char *text = malloc(size + 1);
  if (text == NULL)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  expression *e = NULL;
  expression_error error = {0};
  const seam_status status = expression_compile(text, &names, &e, &error);
  if (status == SEAM_OK)
    evaluate(e);
  else if (error.cause[0] == '\0' || error.column > strlen(text))
    abort();
  expression_destroy(e);
  free(text);
  return 0;
}
