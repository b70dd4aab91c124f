/* A mistake on purpose: undefined behaviour in a test must fail. */
#include <criterion/criterion.h>
#include <limits.h>

Test(overflow, is_found) {
  volatile int largest = INT_MAX;
  largest = largest + 1;
  cr_assert(largest < 0);
}
