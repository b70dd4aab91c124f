/* Cost of contacts: ratio of the CPU times of two integrations without output rows, timed in turns. The first mechanism
 * has contacts. In the second mechanism joints replace the contacts, or the contacts are left out. */
#include <stdio.h>

#include "bench/bench.h"

#define CAM_JOINTS                                                                                                     \
  "joints={shaft: {type: revolute, bodies: [ground, cam], at: [0, 0]},"                                                \
  " drive: {type: motor, bodies: [ground, cam], angle: w*t},"                                                          \
  " guide: {type: prismatic, bodies: [ground, follower], at: [0, 0], axis: [0, 1]}}"
#define CAM_CONTACT(KEYS)                                                                                              \
  "forces={track: {type: contact, bodies: [cam, follower], curve: disc, at: {follower: [0, 0]}, radius: roller, " KEYS \
  "}, spring: {type: spring_damper, bodies: [ground, follower], at: {ground: [0, 0], follower: [0, 0]}, axis: [0, 1]," \
  " length: 0.03, stiffness: c, damping: 2}}"
#define LOOSE_WHEEL "forces={bearing: {type: viscous, body: wheel, damping: [0, 0, 2e-3]}}"

enum { MAX_OVERRIDES = 3 };

typedef struct pair {
  const char *title, *model;
  const char *with[MAX_OVERRIDES], *without[MAX_OVERRIDES];
  double end;
  const char *method; /* integrator of the model with the contact; the other model has erk */
} pair;

static const pair pairs[] = {
    {"cam, contact 1e9, over curve joint",
     "cam_follower",
     {CAM_JOINTS, CAM_CONTACT("stiffness: 1e9")},
     {NULL},
     4,
     "erk"},
    {"cam, damped contact, over curve joint",
     "cam_follower",
     {CAM_JOINTS, CAM_CONTACT("stiffness: 1e9, restitution: 0.3, impact_speed: 0.01")},
     {NULL},
     4,
     "radau"},
    {"cam, hard contact, over curve joint", "cam_follower", {CAM_JOINTS, CAM_CONTACT("hard: true")}, {NULL}, 4, "erk"},
    {"cam, contact 1e9, over no contact",
     "cam_follower",
     {CAM_JOINTS, CAM_CONTACT("stiffness: 1e9")},
     {CAM_JOINTS},
     4,
     "erk"},
    {"cam, hard contact, over no contact",
     "cam_follower",
     {CAM_JOINTS, CAM_CONTACT("hard: true")},
     {CAM_JOINTS},
     4,
     "erk"},
    {"geneva, over a loose wheel", "geneva", {NULL}, {LOOSE_WHEEL}, 2, "erk"},
};

typedef struct side {
  seam_model_file *file;
  bench_run run;
} side;

static side side_of(const pair *p, const char *const *overrides) {
  side s = {.file = bench_model(p->model, overrides)};
  s.run = bench_run_create(seam_model_mechanism(s.file), p->end);
  return s;
}

static void release(side *s) {
  bench_run_destroy(&s->run);
  seam_model_file_destroy(s->file);
}

int main(void) {
  printf("%-38s %9s %9s %9s %9s   ratio [least, most]\n", "pair", "ms", "steps", "ms", "steps");
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    side without = side_of(&pairs[i], pairs[i].without);
    side with = side_of(&pairs[i], pairs[i].with);
    with.run.options.method = pairs[i].method;
    bench_job jobs[2] = {{.run = bench_run_once, .data = &without.run, .parts = 1},
                         {.run = bench_run_once, .data = &with.run, .parts = 1}};
    bench_take_turns(jobs, 2, 15);
    bench_check(without.run.error.status, &without.run.error);
    bench_check(with.run.error.status, &with.run.error);
    printf("%-38s %9.2f %9zu %9.2f %9zu   %.1f [%.1f, %.1f]\n", pairs[i].title, 1e3 * jobs[1].time.median,
           with.run.statistics.steps, 1e3 * jobs[0].time.median, without.run.statistics.steps, jobs[1].ratio.median,
           jobs[1].ratio.least, jobs[1].ratio.most);
    release(&with);
    release(&without);
  }
  return 0;
}
