/* A mistake on purpose: a test whose assertions hold and which must fail. */
#include <criterion/criterion.h>
#include <stdlib.h>

Test(leak, is_found) {
  char *volatile block = malloc(1);
  cr_assert_not_null(block);
  block = NULL;
}
