/* Interrupt callbacks that are called seldom. */
#include <criterion/criterion.h>

#include <seam/status.h>

typedef struct heard {
  size_t n;
  double last; /* s */
  bool stops;
} heard;

static bool hear(void *context, double t) {
  heard *self = context;
  self->n++;
  self->last = t;
  return self->stops;
}

Test(seldom, a_callback_is_called_at_once_and_then_after_its_interval) {
  heard found = {.stops = true};
  seam_seldom seldom = {.often = {hear, &found}, .interval = 1e9};
  cr_expect(seam_interrupt_seldom(&seldom, 1));
  for (int i = 2; i < 100; i++)
    cr_expect_not(seam_interrupt_seldom(&seldom, i));
  cr_expect_eq(found.n, 1);
  cr_expect_eq(found.last, 1);
}

Test(seldom, without_an_interval_it_is_called_every_time) {
  heard found = {0};
  seam_seldom seldom = {.often = {hear, &found}};
  for (int i = 1; i <= 100; i++)
    cr_expect_not(seam_interrupt_seldom(&seldom, i));
  cr_expect_eq(found.n, 100);
  cr_expect_eq(found.last, 100);
}

Test(seldom, no_callback_asks_for_nothing) {
  seam_seldom seldom = {0};
  cr_expect_not(seam_interrupt_seldom(&seldom, 1));
  cr_expect_not(seam_interrupt_seldom(NULL, 1));
}
