#include "bench/mechanisms.h"

#include <math.h>
#include <stdio.h>

#include "bench/bench.h"

enum { MAX_NAME = 32 };

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
  char name[MAX_NAME];
  mbs_joint_def hinge = mbs_default_joint_def();
  snprintf(name, sizeof name, "J%d", c->n_joints++);
  hinge.name = name;
  hinge.kind = MBS_REVOLUTE;
  hinge.bodies[0] = first;
  hinge.bodies[1] = second;
  for (int side = 0; side < 2; side++)
    hinge.at[side] = (mbs_marker_def){MBS_INITIAL, {x, y}};
  bench_check(mbs_add_joint(c->builder, &hinge, &bench_error));
}

mbs_model *bench_chain(int n) {
  construction c = begin();
  char before[MAX_NAME] = "ground";
  for (int i = 0; i < n; i++) {
    char name[MAX_NAME];
    snprintf(name, sizeof name, "rod%d", i);
    add_rod(&c, name, i, 0, 0);
    add_hinge(&c, before, name, i, 0);
    snprintf(before, sizeof before, "%s", name);
  }
  return finish(&c);
}

mbs_model *bench_four_bars(int n) {
  static const double angle = 1; /* rad */
  construction c = begin();
  for (int i = 0; i <= n; i++) {
    char crank[MAX_NAME];
    snprintf(crank, sizeof crank, "crank%d", i);
    add_rod(&c, crank, i, 0, angle);
    add_hinge(&c, "ground", crank, i, 0);
  }
  for (int i = 0; i < n; i++) {
    char coupler[MAX_NAME];
    snprintf(coupler, sizeof coupler, "coupler%d", i);
    add_rod(&c, coupler, i + cos(angle), sin(angle), 0);
    for (int side = 0; side < 2; side++) {
      char crank[MAX_NAME];
      snprintf(crank, sizeof crank, "crank%d", i + side);
      add_hinge(&c, crank, coupler, i + side + cos(angle), sin(angle));
    }
  }
  return finish(&c);
}

/* Writes the name of the rod that begins at node (i, j) and goes to the right or down. */
static void name_rod(char name[MAX_NAME], bool is_right, int i, int j) {
  snprintf(name, MAX_NAME, "%s_%d_%d", is_right ? "right" : "down", i, j);
}

/* Joins all rods at node (i, j) to one of them. */
static void join_node(construction *c, int n, int i, int j) {
  const struct {
    bool is_there, is_right;
    int i, j;
  } rods[] = {{i < n, true, i, j}, {j < n, false, i, j}, {i > 0, true, i - 1, j}, {j > 0, false, i, j - 1}};
  char first[MAX_NAME] = "";
  for (int k = 0; k < 4; k++) {
    char name[MAX_NAME];
    name_rod(name, rods[k].is_right, rods[k].i, rods[k].j);
    if (rods[k].is_there && first[0] != '\0')
      add_hinge(c, first, name, i, -j);
    else if (rods[k].is_there)
      snprintf(first, sizeof first, "%s", name);
  }
  if (i == 0 && j == 0)
    add_hinge(c, "ground", first, i, -j);
}

mbs_model *bench_grid(int n) {
  construction c = begin();
  for (int j = 0; j <= n; j++)
    for (int i = 0; i <= n; i++) {
      char name[MAX_NAME];
      name_rod(name, true, i, j);
      if (i < n)
        add_rod(&c, name, i, -j, 0);
      name_rod(name, false, i, j);
      if (j < n)
        add_rod(&c, name, i, -j, -acos(0));
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
    char name[MAX_NAME];
    snprintf(name, sizeof name, "rod%d", i);
    add_rod(&c, name, cos(angle), sin(angle), angle);
    add_hinge(&c, "disc", name, cos(angle), sin(angle));
  }
  return finish(&c);
}
