/* The woodpecker toy of the catalogue against a program of its own: three coordinates, modes and impacts found by
 * trying all of them. With small angles that program repeats the periodic motion that [Leine-Glocker] print; with the
 * exact geometry it is what the catalogue's file must do. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/event_driven.h"
#include "tests/support/model_run.h"

enum { N = 3, CONTACTS = 3 };

static const double r_pole = 2.5e-3, r_bore = 3.1e-3, h_bore = 5.8e-3, l_spring = 0.01, l_bird = 0.015;
static const double h_beak = 0.02, l_beak = 0.0201, m_sleeve = 3e-4, j_sleeve = 5e-9, m_bird = 4.5e-3, j_bird = 7e-7;
static const double stiffness = 5.6e-3, g = 9.81, mu = 0.3;

/* q = (height, tilt of the sleeve, tilt of the bird); variant: the geometry is exact. */

static void add_contact(event_equations *e, int k, const double normal[N], const double tangent[N],
                        double second_normal, double second_tangent) {
  memcpy(e->J[2 * k], normal, sizeof e->J[0]);
  memcpy(e->J[2 * k + 1], tangent, sizeof e->J[0]);
  e->convection[2 * k] = second_normal;
  e->convection[2 * k + 1] = second_tangent;
}

static void equations_of(const event_run *s, event_equations *to) {
  const double a = s->q[1];
  const double b = s->q[2];
  const double ca = s->variant ? cos(a) : 1;
  const double sa = s->variant ? sin(a) : 0;
  const double cb = s->variant ? cos(b) : 1;
  const double sb = s->variant ? sin(b) : 0;
  const double a2 = s->variant ? s->v[1] * s->v[1] : 0;
  const double b2 = s->variant ? s->v[2] * s->v[2] : 0;
  const double x[N] = {0, -l_spring * sa, -l_bird * sb}; /* of the bird */
  const double y[N] = {1, l_spring * ca, l_bird * cb};
  const double second[2] = {-l_spring * ca * a2 - l_bird * cb * b2, -l_spring * sa * a2 - l_bird * sb * b2};
  const double lever = l_bird - l_beak;
  event_equations e = {.M = {{m_sleeve, 0, 0}, {0, j_sleeve, 0}, {0, 0, j_bird}},
                       .h = {-m_sleeve * g, -stiffness * (a - b), stiffness * (a - b)}};
  for (int i = 0; i < N; i++) {
    e.h[i] -= m_bird * (x[i] * second[0] + y[i] * (second[1] + g));
    for (int j = 0; j < N; j++)
      e.M[i][j] += m_bird * (x[i] * x[j] + y[i] * y[j]);
  }
  add_contact(&e, 0, (double[]){0, -l_spring * sa, -lever * sb - h_beak * cb},
              (double[]){1, l_spring * ca, lever * cb - h_beak * sb},
              -l_spring * ca * a2 - (lever * cb - h_beak * sb) * b2,
              -l_spring * sa * a2 - (lever * sb + h_beak * cb) * b2);
  e.gap[0] = s->variant ? l_spring * ca + lever * cb - h_beak * sb - r_pole : l_spring + lever - h_beak * b - r_pole;
  for (int k = 1; k < CONTACTS; k++) {
    const double h = k == 1 ? -h_bore : h_bore;
    add_contact(&e, k, (double[]){0, -r_bore * sa - h * ca, 0}, (double[]){1, r_bore * ca - h * sa, 0},
                (-r_bore * ca + h * sa) * a2, (-r_bore * sa - h * ca) * a2);
    e.gap[k] = s->variant ? r_bore * ca - h * sa - r_pole : r_bore - h * a - r_pole;
  }
  *to = e;
}

/* On the way of [Leine-Glocker], where the corner below slides. */
static event_run begin(bool is_exact, double tilt) {
  event_run s = {.equations = equations_of,
                 .n = N,
                 .n_contacts = CONTACTS,
                 .mu = mu,
                 .restitution = {0.5, 0, 0},
                 .mass = 1e-3,
                 .length = 0.01,
                 .is_angle = {false, true, true},
                 .variant = is_exact,
                 .step = 4e-6,
                 .q = {0, tilt, -0.2788},
                 .v = {-0.3411, 0, -7.4583},
                 .mode = {EVENT_OPEN, EVENT_DOWN, EVENT_OPEN}};
  return s;
}

/* Up to where the bird next falls through the tilt of the start while the corner below slides; time and fall. */
static void one_period(event_run *s) {
  event_advance(s, s->t + 0.05);
  while (!(s->q[2] < -0.2788 && s->v[2] < 0 && s->mode[1] == EVENT_DOWN)) {
    event_run before = *s;
    event_advance(s, s->t + 1e-4);
    if (!(s->q[2] < -0.2788 && s->v[2] < 0 && s->mode[1] == EVENT_DOWN))
      continue;
    double low = 0;
    double high = 1e-4;
    for (int i = 0; i < 40; i++) {
      *s = before;
      event_advance(s, before.t + (low + high) / 2);
      *(s->q[2] < -0.2788 ? &high : &low) = (low + high) / 2;
    }
    return;
  }
}

static double exact_tilt(void) { return atan2(h_bore, r_bore) - acos(r_pole / hypot(r_bore, h_bore)); }

/* Their state has four digits; the motion comes back to it as nearly as to its own fixed point. */
Test(woodpecker, small_angles_repeat_the_periodic_motion_in_print) {
  event_run s = begin(false, (r_pole - r_bore) / h_bore);
  for (int k = 0; k < 6; k++) {
    one_period(&s);
    cr_expect_float_eq(s.v[0], -0.3411, 0.01 * 0.3411, "%.6g m/s", s.v[0]);
    cr_expect_float_eq(s.v[2], -7.4583, 0.002 * 7.4583, "%.6g 1/s", s.v[2]);
    cr_expect_eq(s.mode[1], EVENT_DOWN);
  }
}

static model_run begin_file(void) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = "erk";
  options.order = 8;
  options.rtol = options.atol = 1e-13;
  return model_run_begin(seam_catalogue_text("woodpecker"), NULL, &options, INFINITY);
}

/* Through three periods of jams, slips and impacts. */
Test(woodpecker, the_file_moves_as_the_program_does) {
  static const int coordinate[N] = {1, 2, 5};
  model_run run = begin_file();
  event_run s = begin(true, exact_tilt());
  const double before = model_run_energy(&run);
  for (int k = 1; k <= 40; k++) {
    event_advance(&s, 0.01 * k);
    model_run_reach(&run, 0.01 * k);
    const mbs_energy e = mbs_energy_of(run.ws, run.state);
    for (int i = 0; i < N; i++) {
      const double scale = i == 0 ? 0.01 : 1;
      const double off = run.state->q[coordinate[i]] - s.q[i];
      const double v_off = run.state->v[coordinate[i]] - s.v[i];
      cr_expect_lt(fabs(off), 1e-10 * scale, "t = %g, coordinate %d: %g", s.t, i, off);
      cr_expect_lt(fabs(v_off), 1e-7 * scale, "t = %g, rate %d: %g", s.t, i, v_off);
    }
    cr_expect_lt(fabs(e.total + e.dissipated - before), 1e-8 * before);
  }
  cr_expect_eq(s.n_impacts, 9);
  model_run_end(&run);
}

/* A period of 0.1307 s with a fall of 14.5 mm, against 0.1460 s and 19.4 mm with small angles. */
Test(woodpecker, the_file_comes_to_the_periodic_motion_of_the_program) {
  model_run run = begin_file();
  event_run s = begin(true, exact_tilt());
  for (int k = 0; k < 9; k++)
    one_period(&s);
  event_run end = s;
  one_period(&end);
  const double period = end.t - s.t;
  cr_expect_float_eq(period, 0.130747525, 1e-8);
  model_run_reach(&run, 1.2);
  const double height = run.state->q[1];
  const double sleeve = run.state->q[2];
  const double bird = run.state->q[5];
  model_run_reach(&run, 1.2 + period);
  cr_expect_float_eq(run.state->q[1] - height, end.q[0] - s.q[0], 1e-9);
  cr_expect_float_eq(run.state->q[2], sleeve, 1e-7);
  cr_expect_float_eq(run.state->q[5], bird, 1e-7);
  model_run_end(&run);
}

/* Saved at any time, also within a step while it sticks: what follows has the same bits, beginning with the next row.
 */
Test(woodpecker, an_image_goes_on_to_the_bit_at_any_time) {
  model_run run = model_run_of_entry("woodpecker", NULL);
  model_run other = model_run_of_entry("woodpecker", NULL);
  const size_t size = mbs_integrator_image_size(run.integrator);
  void *image = malloc(size);
  cr_assert_not_null(image);
  for (int k = 1; k <= 40; k++) {
    model_run_reach(&run, 0.02 * k);
    mbs_integrator_save(run.integrator, image);
    model_run_end(&other);
    other = model_run_of_entry("woodpecker", NULL);
    cr_assert_eq(mbs_integrator_restore(other.integrator, image, size, NULL), SEAM_OK);
    for (int i = 1; i <= 5; i++) {
      model_run_reach(&run, 0.02 * k + 0.001 * i);
      model_run_reach(&other, 0.02 * k + 0.001 * i);
      cr_expect_eq(memcmp(run.state->q, other.state->q, run.state->n_values * sizeof *run.state->q), 0, "%d, %d", k, i);
    }
  }
  free(image);
  model_run_end(&run);
  model_run_end(&other);
}
