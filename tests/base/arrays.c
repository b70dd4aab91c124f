/* Growing arrays keep their items, grow seldom, and stay as they are when memory is exhausted. */
#include "base/arrays.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

Test(arrays, items_stay_and_moves_are_few) {
  size_t *items = NULL, capacity = 0, n_moves = 0;
  for (size_t n = 0; n < 100000; n++) {
    const size_t before = capacity;
    size_t *grown = array_grow(items, &capacity, n + 1, sizeof *grown);
    cr_assert_not_null(grown);
    items = grown;
    n_moves += capacity != before;
    items[n] = n;
  }
  for (size_t n = 0; n < 100000; n++)
    cr_assert_eq(items[n], n);
  cr_expect_leq(n_moves, 14, "%zu moves", n_moves);
  free(items);
}

Test(arrays, too_many_items_change_nothing) {
  size_t capacity = 0;
  double *items = array_grow(NULL, &capacity, 1, sizeof *items);
  cr_assert_not_null(items);
  const size_t before = capacity;
  cr_expect_null(array_grow(items, &capacity, SIZE_MAX / 8, sizeof *items));
  cr_expect_null(array_grow(items, &capacity, SIZE_MAX / 2 + 1, sizeof *items));
  cr_expect_eq(capacity, before);
  free(items);
}
