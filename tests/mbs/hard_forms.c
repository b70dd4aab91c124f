/* Hard contacts, stops and ropes in the stabilised form: exact derivatives in every mode, and one motion with the
 * index-1 form. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/ggl.h"
#include "mbs/model/unilateral.h"
#include "tests/support/exact_forms.h"
#include "tests/support/measures.h"

static seam_error error;

static mbs_force_def hard_between(mbs_force_kind kind, const char *name, const char *const bodies[2], double x0,
                                  double x1) {
  mbs_force_def def = mbs_default_force_def();
  def.kind = kind;
  def.name = name;
  def.bodies = bodies;
  def.n_bodies = 2;
  def.contact.is_hard = true;
  def.at[0] = (mbs_marker_def){MBS_BODY, {x0, 0.1}};
  def.at[1] = (mbs_marker_def){MBS_BODY, {x1, -0.2}};
  return def;
}

static void add(mbs_builder *builder, const mbs_force_def *def) {
  cr_assert_eq(mbs_add_force(builder, def, &error), SEAM_OK, "%s", error.message);
}

enum { CIRCLES, LINE, ROPE, ANGLE, N_HARD };

/* Three bodies at a pose without symmetry; each hard element is between others. */
static mechanism touching(void) {
  static const char *const ab[2] = {"a", "b"};
  static const char *const bc[2] = {"b", "c"};
  static const char *const ground_c[2] = {"ground", "c"};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "a", 1, 0.3, (double[3]){0.1, 0.3, 0.4});
  add_body(builder, "b", 2, 0.5, (double[3]){1.3, 0.9, -0.7});
  add_body(builder, "c", 0.7, 0.2, (double[3]){2, 1.5, 0.2});
  mbs_force_def circles = hard_between(MBS_CONTACT, "circles", ab, 0.05, -0.1);
  circles.radii[0] = 0.3;
  circles.radii[1] = 0.2;
  circles.contact.friction = 0.4;
  add(builder, &circles);
  mbs_force_def line = hard_between(MBS_CONTACT, "line", bc, 0.1, 0.05);
  line.contact.has_line = line.has_axis = true;
  line.axis[0] = 0.8;
  line.axis[1] = 0.6;
  line.radii[1] = 0.1;
  line.contact.friction = 0.3;
  add(builder, &line);
  mbs_force_def rope = hard_between(MBS_ROPE, "rope", ground_c, 0, 0.3);
  rope.rest = 3;
  add(builder, &rope);
  mbs_force_def stop = hard_between(MBS_STOP, "angle", ab, 0, 0);
  stop.stop = (mbs_stop){MBS_OF_ANGLE, -1.2, 0.5};
  add(builder, &stop);
  mechanism m = mechanism_build(builder);
  for (int i = 0; i < 9; i++)
    m.state->v[i] = sin(1 + 2 * i);
  return m;
}

/* In these modes, with forces that the modes go with. */
static void set_modes(mechanism *m, const int mode[N_HARD]) {
  for (int k = 0; k < N_HARD; k++) {
    const mbs_force *force = &m->model->forces[k];
    m->state->z[force->state] = mode[k];
    m->state->contact[2 * k] = 1.3 + k;
    m->state->contact[2 * k + 1] = force->type->slips ? 0.7 - 0.2 * k : 0;
  }
}

Test(hard_forms, the_jacobian_of_the_stabilised_form_is_exact_in_every_mode) {
  static const int modes[][N_HARD] = {
      {MBS_HARD_OPEN, MBS_HARD_OPEN, MBS_HARD_OPEN, MBS_HARD_OPEN},
      {MBS_HARD_STICKS, MBS_HARD_SMOOTH, MBS_HARD_SMOOTH, MBS_HARD_UNLOADED},
      {MBS_HARD_FORWARDS, MBS_HARD_BACKWARDS, MBS_HARD_SMOOTH, MBS_HARD_SMOOTH},
      {MBS_HARD_SMOOTH, MBS_HARD_STICKS, MBS_HARD_OPEN, MBS_HARD_SMOOTH},
      {MBS_HARD_LIMIT_BACKWARDS, MBS_HARD_LIMIT_FORWARDS, MBS_HARD_UNLOADED, MBS_HARD_OPEN},
  };
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    mechanism m = touching();
    set_modes(&m, modes[i]);
    expect_exact_stabilised_form(&m);
    mechanism_free(&m);
  }
}

/* With the forces that mbs_accelerate() finds, M v' of the form is that of its accelerations. */
Test(hard_forms, forces_of_the_index_1_form_give_its_accelerations) {
  static const int modes[N_HARD] = {MBS_HARD_STICKS, MBS_HARD_FORWARDS, MBS_HARD_SMOOTH, MBS_HARD_OPEN};
  mechanism m = touching();
  mbs_ggl *ggl = NULL;
  double y[200];
  double f[200];
  set_modes(&m, modes);
  cr_assert_eq(mbs_accelerate(m.ws, m.state, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_ggl_create(m.ws, m.state, &ggl, NULL), SEAM_OK);
  const seam_dae *dae = mbs_ggl_dae(ggl);
  mbs_ggl_pack(ggl, m.state, y);
  double work[2];
  cr_assert_eq(dae->f(dae->context, 0, y, f, work, NULL), SEAM_OK);
  for (int i = 0; i < 9; i++)
    cr_expect_float_eq(f[9 + i], m.model->mass[3 + i] * m.state->a[i], 1e-12, "%d", i);
  const int first = dae->n - MBS_GGL_OF_CONTACT * m.model->n_hard;
  cr_expect_float_eq(f[first + MBS_GGL_OF_CONTACT * LINE + MBS_GGL_TANGENTIAL], 0, 1e-13);
  cr_expect_float_eq(work[0], -m.state->contact[2 * LINE + 1] * read_one(&m, "line.slip"), 1e-12);
  cr_expect_neq(work[0], 0);
  mbs_ggl_destroy(ggl);
  mechanism_free(&m);
}
