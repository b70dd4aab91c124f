/* A mistake on purpose: a test that passes for Criterion and must fail for CTest. */
#include <criterion/criterion.h>
#include <stdlib.h>

Test(leak, is_found) {
  char *volatile block = malloc(1);
  cr_assert_not_null(block);
  block = NULL;
}
