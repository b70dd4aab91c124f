#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/mechanisms.h"
#include "tests/support/random.h"

enum { MAX_RANDOM_BODIES = 9 };
static char random_names[MAX_RANDOM_BODIES + 1][16];

static void random_place(uint64_t *seed, double P[2]) {
  P[0] = random_between(seed, -2, 2);
  P[1] = random_between(seed, -2, 2);
}

/* A body's angle to another one, or its distance from one, or a coordinate of its own follow a law. */
static void add_random_motion(mbs_builder *builder, uint64_t *seed, const char *name, const char *parent,
                              const char *body, const double P[2], const double Q[2]) {
  static const double law[3] = {1.4, 0.5, 3};
  const mbs_motion_of of = (mbs_motion_of)random_below(seed, MBS_MOTIONS);
  if (of == MBS_OF_DISTANCE)
    add_motion_of_distance(builder, name, parent, P, body, Q, law_of_time(law));
  else if (of == MBS_OF_ANGLE)
    add_motion(builder, name, of, parent, body, law_of_time(law));
  else
    add_motion(builder, name, of, body, "ground", law_of_time(law));
}

static void add_random_joint(mbs_builder *builder, uint64_t *seed, int body) {
  static const mbs_joint_kind kinds[] = {MBS_REVOLUTE, MBS_REVOLUTE, MBS_REVOLUTE, MBS_PRISMATIC, MBS_PRISMATIC,
                                         MBS_FIXED,    MBS_DISTANCE, MBS_SLOT,     MBS_GEAR,      MBS_MOTION};
  const mbs_joint_kind kind = kinds[random_below(seed, sizeof kinds / sizeof *kinds)];
  const char *parent = random_names[random_below(seed, body)];
  const char *name = random_names[body];
  const double angle = random_between(seed, 0, 2 * pi);
  const double axis[2] = {cos(angle), sin(angle)};
  double P[2];
  char joint[16];
  random_place(seed, P);
  const double Q[2] = {P[0] + 1.5 * axis[0], P[1] + 1.5 * axis[1]};
  snprintf(joint, sizeof joint, "joint%d", body);
  if (kind == MBS_PRISMATIC)
    add_prismatic(builder, joint, parent, name, P, axis);
  else if (kind == MBS_SLOT)
    add_slot(builder, joint, parent, name, P, axis);
  else if (kind == MBS_DISTANCE)
    add_distance(builder, joint, parent, P, name, Q);
  else if (kind == MBS_GEAR)
    add_gear(builder, joint, parent, name, -1.7);
  else if (kind == MBS_MOTION)
    add_random_motion(builder, seed, joint, parent, name, P, Q);
  else
    add_joint(builder, joint, kind, name, parent, P);
}

static void add_random_forces(mbs_builder *builder, uint64_t *seed, int n) {
  static const double of_time[3] = {0.5, 2, 3};
  static const double of_stretch[4] = {20, 5, 0.5, 0.1};
  for (int k = 0; k < MBS_HYDRAULIC_CYLINDER; k++) { /* which has a suite of its own, as beams have */
    const mbs_force_kind kind = (mbs_force_kind)k;
    const bool alone = kind == MBS_VISCOUS || kind == MBS_POINT_FORCE || kind == MBS_TORQUE;
    const int first = 1 + random_below(seed, n);
    const int second = random_below(seed, first);
    const char *bodies[2];
    char name[16];
    double P[2];
    random_place(seed, P);
    snprintf(name, sizeof name, "force%d", k);
    mbs_force_def def = force_between(name, kind, bodies, random_names[first], alone ? NULL : random_names[second], P);
    random_place(seed, def.at[0].position);
    for (int i = 0; i < 3; i++) {
      def.stiffness[i] = random_between(seed, 1, 50);
      def.damping[i] = random_between(seed, 0, 2);
    }
    def.consistent = kind == MBS_BUSHING && random_below(seed, 2) == 0;
    if (kind == MBS_POINT_FORCE || kind == MBS_TORQUE)
      def.law = law_of_time(of_time);
    if (kind == MBS_TORSION)
      def.law = law_of_stretch(of_stretch);
    add_force(builder, &def);
  }
}

static mechanism try_random_mechanism(uint64_t *seed) {
  const int n = 2 + random_below(seed, MAX_RANDOM_BODIES - 1);
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  snprintf(random_names[0], sizeof *random_names, "ground");
  for (int b = 1; b <= n; b++) {
    double pose[3];
    random_place(seed, pose);
    pose[2] = random_between(seed, -3, 3);
    snprintf(random_names[b], sizeof *random_names, "body%d", b);
    add_body(builder, random_names[b], random_between(seed, 0.2, 3), random_between(seed, 0.1, 2), pose);
    add_random_joint(builder, seed, b);
  }
  if (n > 3) {
    double P[2];
    random_place(seed, P);
    add_joint(builder, "closure", MBS_REVOLUTE, random_names[0], random_names[n], P);
  }
  add_random_forces(builder, seed, n);
  mechanism m = mechanism_build(builder);
  for (size_t i = 0; i < 3 * mbs_n_bodies(m.model); i++)
    m.state->v[i] = random_between(seed, -1, 1);
  m.state->t = random_between(seed, 0, 2);
  return m;
}

/* The multipliers grow beyond bounds towards a singular configuration. */
static bool nearly_singular(const mechanism *m) {
  for (size_t i = 0; i < mbs_n_constraints(m->model); i++)
    if (fabs(m->state->lambda[i]) > 1000)
      return true;
  return false;
}

mechanism random_mechanism(uint64_t seed) {
  for (;;) { /* a closed loop may be locked: take the next */
    mechanism m = try_random_mechanism(&seed);
    if (mbs_assemble(m.ws, m.state, NULL, NULL, &m.error) == SEAM_OK && !nearly_singular(&m))
      return m;
    mechanism_free(&m);
  }
}
