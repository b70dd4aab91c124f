#include "bench/mechanisms.h"

#include <math.h>
#include <stdio.h>

#include "bench/bench.h"

typedef struct label {
  char text[32];
} label;

static label named(const char *word, int i) {
  label result;
  snprintf(result.text, sizeof result.text, "%s%d", word, i);
  return result;
}

typedef struct construction {
  mbs_builder *builder;
  int n_joints;
} construction;

static construction begin(void) {
  construction c = {.n_joints = 0};
  bench_check(mbs_builder_create(&c.builder, &bench_error));
  mbs_set_gravity(c.builder, (const double[]){0, -9.81});
  return c;
}

static mbs_model *finish(construction *c) {
  mbs_model *model = NULL;
  bench_check(mbs_build(c->builder, &model, &bench_error));
  return model;
}

/* Adds a rod that begins at (x, y); angle: to the horizontal, rad. */
static void add_rod(construction *c, const char *name, double x, double y, double angle) {
  mbs_body_def rod = mbs_default_body_def();
  rod.name = name;
  rod.mass = 1;
  rod.inertia = 1.0 / 12;
  rod.pose[0] = x + cos(angle) / 2;
  rod.pose[1] = y + sin(angle) / 2;
  rod.pose[2] = angle;
  bench_check(mbs_add_body(c->builder, &rod, &bench_error));
}

static void add_hinge(construction *c, const char *first, const char *second, double x, double y) {
  const label own = named("J", c->n_joints++);
  mbs_joint_def hinge = mbs_default_joint_def();
  hinge.name = own.text;
  hinge.kind = MBS_REVOLUTE;
  hinge.bodies[0] = first;
  hinge.bodies[1] = second;
  for (int side = 0; side < 2; side++)
    hinge.at[side] = (mbs_marker_def){MBS_INITIAL, {x, y}};
  bench_check(mbs_add_joint(c->builder, &hinge, &bench_error));
}

mbs_model *bench_chain(int n) {
  construction c = begin();
  for (int i = 0; i < n; i++) {
    add_rod(&c, named("rod", i).text, i, 0, 0);
    add_hinge(&c, i == 0 ? "ground" : named("rod", i - 1).text, named("rod", i).text, i, 0);
  }
  return finish(&c);
}

mbs_model *bench_four_bars(int n) {
  static const double angle = 1; /* rad */
  construction c = begin();
  for (int i = 0; i <= n; i++) {
    add_rod(&c, named("crank", i).text, i, 0, angle);
    add_hinge(&c, "ground", named("crank", i).text, i, 0);
  }
  for (int i = 0; i < n; i++) {
    add_rod(&c, named("coupler", i).text, i + cos(angle), sin(angle), 0);
    for (int k = i; k <= i + 1; k++)
      add_hinge(&c, named("crank", k).text, named("coupler", i).text, k + cos(angle), sin(angle));
  }
  return finish(&c);
}

/* Returns the name of the rod that begins at node (i, j) and goes to the right or down. */
static label name_rod(bool is_right, int i, int j) {
  label result;
  snprintf(result.text, sizeof result.text, "%s_%d_%d", is_right ? "right" : "down", i, j);
  return result;
}

/* Joins all rods at node (i, j) to one of them. */
static void join_node(construction *c, int n, int i, int j) {
  const struct {
    bool is_there;
    label name;
  } rods[] = {{i < n, name_rod(true, i, j)},
              {j < n, name_rod(false, i, j)},
              {i > 0, name_rod(true, i - 1, j)},
              {j > 0, name_rod(false, i, j - 1)}};
  const char *first = NULL;
  for (int k = 0; k < 4; k++)
    if (rods[k].is_there && first != NULL)
      add_hinge(c, first, rods[k].name.text, i, -j);
    else if (rods[k].is_there)
      first = rods[k].name.text;
  if (i == 0 && j == 0)
    add_hinge(c, "ground", first, i, -j);
}

mbs_model *bench_grid(int n) {
  construction c = begin();
  for (int j = 0; j <= n; j++)
    for (int i = 0; i <= n; i++) {
      if (i < n)
        add_rod(&c, name_rod(true, i, j).text, i, -j, 0);
      if (j < n)
        add_rod(&c, name_rod(false, i, j).text, i, -j, -acos(0));
    }
  for (int j = 0; j <= n; j++)
    for (int i = 0; i <= n; i++)
      join_node(&c, n, i, j);
  return finish(&c);
}

mbs_model *bench_hub(int n) {
  construction c = begin();
  mbs_body_def disc = mbs_default_body_def();
  disc.name = "disc";
  disc.mass = 10;
  disc.inertia = 5;
  bench_check(mbs_add_body(c.builder, &disc, &bench_error));
  add_hinge(&c, "ground", "disc", 0, 0);
  for (int i = 0; i < n; i++) {
    const double angle = 4 * acos(0) * i / n;
    const label rod = named("rod", i);
    add_rod(&c, rod.text, cos(angle), sin(angle), angle);
    add_hinge(&c, "disc", rod.text, cos(angle), sin(angle));
  }
  return finish(&c);
}
