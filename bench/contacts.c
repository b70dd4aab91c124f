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
#define CAM_SOFT CAM_CONTACT("stiffness: 1e9")
#define CAM_DAMPED CAM_CONTACT("stiffness: 1e9, restitution: 0.3, impact_speed: 0.01")
#define CAM_HARD CAM_CONTACT("hard: true")
#define LOOSE_WHEEL "forces={bearing: {type: viscous, body: wheel, damping: [0, 0, 2e-3]}}"

enum { MAX_OVERRIDES = 3 };

typedef struct pair {
  const char *title, *model;
  const char *with[MAX_OVERRIDES], *without[MAX_OVERRIDES];
  double end;
  const char *method; /* integrator of the model with the contact; the other model has erk */
} pair;

static const pair pairs[] = {
    {"cam, contact 1e9, over curve joint", "cam_follower", {CAM_JOINTS, CAM_SOFT}, {NULL}, 4, "erk"},
    {"cam, damped contact, over curve joint", "cam_follower", {CAM_JOINTS, CAM_DAMPED}, {NULL}, 4, "radau"},
    {"cam, hard contact, over curve joint", "cam_follower", {CAM_JOINTS, CAM_HARD}, {NULL}, 4, "erk"},
    {"cam, contact 1e9, over no contact", "cam_follower", {CAM_JOINTS, CAM_SOFT}, {CAM_JOINTS}, 4, "erk"},
    {"cam, hard contact, over no contact", "cam_follower", {CAM_JOINTS, CAM_HARD}, {CAM_JOINTS}, 4, "erk"},
    {"geneva, over a loose wheel", "geneva", {NULL}, {LOOSE_WHEEL}, 2, "erk"},
};

int main(void) {
  printf("%-38s %9s %9s %9s %9s   ratio [least, most]\n", "pair", "ms", "steps", "ms", "steps");
  for (const pair *p = pairs; p < pairs + sizeof pairs / sizeof *pairs; p++) {
    bench_run without = bench_run_of(bench_model(p->model, p->without), p->end);
    bench_run with = bench_run_of(bench_model(p->model, p->with), p->end);
    with.options.method = p->method;
    bench_job jobs[2] = {{.run = bench_run_once, .data = &without}, {.run = bench_run_once, .data = &with}};
    bench_take_turns(jobs, 2, 15);
    bench_check(without.status);
    bench_check(with.status);
    printf("%-38s %9.2f %9zu %9.2f %9zu   %.1f [%.1f, %.1f]\n", p->title, 1e3 * jobs[1].time.median,
           with.statistics.steps, 1e3 * jobs[0].time.median, without.statistics.steps, jobs[1].ratio.median,
           jobs[1].ratio.least, jobs[1].ratio.most);
    bench_run_destroy(&with);
    bench_run_destroy(&without);
  }
  return 0;
}
