/* Trials of printed errors: mechanisms and equations under any scheme, macro step, tolerance and step, also far too
 * large ones. */
#include <math.h>
#include <stdio.h>

#include "tests/generator/trial.h"

enum { N_ERROR_ROWS = 200 };

/* ---- Subsets ----------------------------------------------------------------------------------------------------- */

static bool rail_is_linear(const rail *r) {
  for (const rail_link *l = r->link; l < r->link + r->n_links; l++)
    if (l->a >= 0 && l->law != RAIL_SPRING)
      return false;
  return true;
}

static void add_known(trial *t) {
  static const struct {
    const subset_kind *kinds;
    const size_t *n;
    double share;
  } groups[] = {{rail_kinds, &n_rail_kinds, 0.42},    {smooth_kinds, &n_smooth_kinds, 0.2},
                {kinked_kinds, &n_kinked_kinds, 0.1}, {contact_kinds, &n_contact_kinds, 0.08},
                {still_kinds, &n_still_kinds, 0.05},  {wild_kinds, &n_wild_kinds, 1}};
  double at = draw(t, 0, 1);
  size_t g = 0;
  while (g < sizeof groups / sizeof *groups - 1 && at >= groups[g].share)
    at -= groups[g++].share;
  add_subset(t, random_kind_of(t, groups[g].kinds, *groups[g].n));
  const subset *s = &t->subset[t->n_subsets - 1];
  t->is_linear &= s->kind != wild_kinds && (s->kind != rail_kinds || rail_is_linear(&t->rail[t->n_rails - 1]));
}

/* ---- The trial --------------------------------------------------------------------------------------------------- */

/* Macro points of equal steps have rows. */
static double n_rows(const trial *t) {
  const double steps = t->run == CUT ? t->end / t->macro_step : 1;
  return steps * ceil(N_ERROR_ROWS / steps);
}

static void make_mechanism(trial *t, bool has_whole) {
  if (draw_chance(t, 0.5)) {
    const double g = draw(t, 1, 10), angle = draw(t, -3.14, 3.14);
    t->gravity[0] = g * cos(angle);
    t->gravity[1] = g * sin(angle);
  }
  for (int n = 1 + draw_chance(t, 0.3); n > 0; n--)
    add_known(t);
  if (t->may_be_cut && !has_whole)
    add_idle_part(&t->parts, &t->signals, "b0.x");
  if (t->may_be_cut && !t->whole_only)
    cut_at_random(t);
  if (t->run == WHOLE)
    choose_integrator(t);
  write_model(t, n_rows(t));
}

void error_trial_make(trial *t, uint64_t seed, bool plain) {
  *t = (trial){.seed = seed, .random = seed ^ 0x5eed0fe44045, .rate = 1, .any_step = true, .is_linear = true};
  const frame any = random_frame(t), none = {.length = 1, .mass = 1, .time = 1};
  t->smooth = draw_chance(t, 0.5);
  t->may_be_cut = draw_chance(t, 0.75);
  const bool has_whole = draw_chance(t, 0.75), has_bodies = !t->may_be_cut || draw_chance(t, 0.85);
  t->end = draw(t, 0.5, 2.5);
  t->frame = plain || !has_bodies ? none : any;
  if (has_bodies)
    make_mechanism(t, has_whole);
  else
    make_network(t, has_whole);
}
