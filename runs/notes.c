/* Notes on features of a mechanism that are valid but seldom intended, on the start of a run, and on the end of a
 * co-simulated run (<seam/verdict.h>). */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <seam/verdict.h>

#include "base/note.h"
#include "cosim/coupling/hold_errors.h"
#include "cosim/steps/simulation.h"
#include "mbs/model/cable.h"
#include "mbs/model/elastic.h"
#include "mbs/model/force.h"
#include "mbs/model/model.h"
#include "mbs/model/workspace.h"
#include "mbs/stages/stages.h"
#include "models/model_file.h"
#include "runs/run.h"
#include "runs/thresholds.h"

/* ---- The mechanism ---- */

/* Writes a note if a marker lies beyond an end of a rod. A rod lies along the first axis of its body, with the centre
 * of mass at its middle. */
static void note_rod_marker(const seam_model_file *file, const mbs_model *model, const char *kind, const char *name,
                            size_t body, const double marker[2]) {
  const double half = body != MBS_GROUND ? seam_model_rod_length(file, body) / 2 : NAN;
  const double beyond = fabs(marker[0]) - half;
  if (beyond > runs_beyond_rod * 2 * half)
    seam_note("%s '%s' is fixed %.3g m beyond the end of rod '%s': compare 'at' of the %s with the ends of the rod",
              kind, name, beyond, mbs_body_of(model, body).name, kind);
}

/* Checks the markers of joints and bushings. These elements are fixed to each body at one point. */
static void note_rod_markers(const seam_model_file *file, const mbs_model *model) {
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info joint = mbs_joint_of(model, j);
    for (int side = 0; side < 2 && joint.kind != MBS_MOTION; side++)
      if (side == 0 || joint.bodies[1] != joint.bodies[0])
        note_rod_marker(file, model, "joint", joint.name, joint.bodies[side], joint.markers[side]);
  }
  for (size_t i = 0; i < mbs_n_forces(model); i++) {
    const mbs_force_info force = mbs_force_of(model, i);
    for (int side = 0; side < 2 && force.kind == MBS_BUSHING; side++)
      note_rod_marker(file, model, "bushing", force.name, force.bodies[side], force.markers[side]);
  }
}

/* The joints and force elements of a body. */
typedef struct attachment {
  bool is_there;
  double nearest; /* m, distance of the nearest of their markers from the centre of mass; INFINITY: none is known */
} attachment;

static void attach(attachment *list, const size_t bodies[2], const double markers[2][2]) {
  for (int side = 0; side < 2; side++)
    if (bodies[side] != MBS_GROUND) {
      attachment *of = &list[bodies[side]];
      of->is_there = true;
      of->nearest = fmin(of->nearest, hypot(markers[side][0], markers[side][1])); /* NaN: no marker, ignored */
    }
}

/* A body without `at` has its centre of mass at the origin. Writes a note on each such body that is far from all its
 * joints and force elements. Writes a note on each body without joints and force elements, unless there are couplings
 * of user equations, which may act on any body. After MAX_NAMED bodies counts the others. */
static void note_bodies(const seam_model_file *file, const mbs_model *model) {
  const cosim_builder *builder = seam_model_cosim(file);
  enum { MAX_NAMED = 8 };
  const size_t n = mbs_n_bodies(model);
  size_t n_far = 0, n_free = 0;
  attachment *list = calloc(n + 1, sizeof *list);
  if (list == NULL)
    return;
  for (size_t b = 0; b < n; b++)
    list[b].nearest = INFINITY;
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info joint = mbs_joint_of(model, j);
    attach(list, joint.bodies, joint.markers);
  }
  for (size_t i = 0; i < mbs_n_forces(model); i++) {
    const mbs_force_info force = mbs_force_of(model, i);
    attach(list, force.bodies, force.markers);
  }
  for (size_t b = 0; b < n; b++) {
    const mbs_body_info body = mbs_body_of(model, b);
    const double nearest = list[b].nearest;
    if (!file->shapes[b].has_position && isfinite(nearest) &&
        nearest > runs_beyond_gyration * sqrt(body.inertia / body.mass) && n_far++ < MAX_NAMED)
      seam_note("body '%s' has no 'at': its centre of mass is placed at the origin, %.3g m from the nearest joint or "
                "force element of the body",
                body.name, nearest);
  }
  if (n_far > MAX_NAMED)
    seam_note("the same is so of %zu more bodies without 'at'", n_far - MAX_NAMED);
  const bool are_all = builder == NULL || cosim_builder_definition(builder)->n_part_couplings == 0;
  for (size_t b = 0; b < n && are_all; b++)
    if (!list[b].is_there && n_free++ < MAX_NAMED)
      seam_note("no joint and no force element holds or loads body '%s': it %s", mbs_body_of(model, b).name,
                model->gravity[0] != 0 || model->gravity[1] != 0 ? "falls freely" : "goes straight on");
  if (n_free > MAX_NAMED)
    seam_note("no joint and no force element holds or loads %zu more bodies", n_free - MAX_NAMED);
  free(list);
}

/* Writes a note on each disc that the cable does not touch. Its spans are consecutive force elements: span first[k]
 * begins at point or disc k. */
static void note_discs(const mbs_model *model, const mbs_force *first, const mbs_frame *frames, const double *z) {
  const size_t number = (size_t)(first - model->forces);
  const uint64_t touched = mbs_cable_touched(first, frames, z);
  for (int k = 1; k < first->cable->n_places - 1; k++)
    if (first[k].radius[0] != 0 && !(touched >> k & 1))
      seam_note(
          "cable '%s' does not touch the disc at its place %d, on '%s', at the start: if it should, change the sign "
          "of its radius",
          first->name, k + 1, mbs_body_of(model, mbs_force_of(model, number + (size_t)k).bodies[0]).name);
}

void seam_note_mechanism(const seam_model_file *file, mbs_workspace *workspace, const mbs_state *state) {
  if (file == NULL || workspace == NULL || !mbs_state_fits(workspace->model, state))
    return;
  const mbs_model *model = workspace->model;
  note_rod_markers(file, model);
  note_bodies(file, model);
  mbs_stage_kinematics(workspace, state->q, state->v);
  for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++) {
    mbs_relative_coordinate stretch;
    if (force->cable != NULL && force->span == 0)
      note_discs(model, force, workspace->frames, state->z);
    if (force->kind == MBS_FORCE_KINDS /* friction of a joint */ || !mbs_force_kind_row(force->kind)->law_is_elastic ||
        force->type->find_coordinates == NULL || force->elastic[0].nonlinear.value == NULL)
      continue;
    /* A positive law pulls the bodies together, so the law of a spring has a positive slope with respect to s. */
    const mbs_pair pair = mbs_force_pair(force, workspace->frames);
    force->type->find_coordinates(force, &pair, &stretch);
    const double slope = mbs_elastic_static_jet(&force->elastic[0], stretch.s, MBS_BY_MOTION).d[0];
    if (slope < 0)
      seam_note("the law of '%s' increases every deflection, as a spring with the negative stiffness -%.3g %s at the "
                "start does: if it should be a spring, change the sign of the law",
                force->name, -slope, force->kind == MBS_SPRING_DAMPER ? "N/m" : "Nm/rad");
  }
}

/* ---- The start of a run ---- */

/* Writes a note if a compliant contact starts so deep that it pushes its bodies apart with unintended energy: deeper
 * than the radius of the smaller circle or, for two points, a tenth of the mechanism's size. */
static void note_contact(const seam_run *run, const mbs_force *contact) {
  char text[512];
  double depth = INFINITY;
  mbs_relative_coordinate gap = {0};
  const mbs_pair pair = mbs_force_pair(contact, run->def.workspace->frames);
  for (int side = 0; side < 2; side++)
    if (contact->radius[side] != 0)
      depth = fmin(depth, fabs(contact->radius[side]));
  contact->type->find_coordinates(contact, &pair, &gap);
  if (!(-gap.s > (isinf(depth) ? runs_contact_depth * run->def.model->size : depth)))
    return;
  snprintf(text, sizeof text,
           "contact '%s' begins with a penetration of %.3g m, which stores %.3g J: place the bodies apart, or change "
           "'side' or 'line'",
           contact->name, -gap.s, contact->type->potential(contact, &pair));
  run->sink->note(run->sink->context, text);
}

void run_note_start(const seam_run *run) {
  const mbs_model *model = run->def.model;
  if (run->sink->note == NULL || run->is_restored)
    return;
  mbs_stage_kinematics(run->def.workspace, run->def.state->q, run->def.state->v);
  for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++)
    if (force->kind == MBS_CONTACT && force->elastic[0].exponent > 0)
      note_contact(run, force);
}

/* ---- Changes of the start ---- */

static const struct {
  const char *name, *unit;
  int kind; /* index into `least` */
} coordinates[] = {{"x", "m", 0},    {"y", "m", 0},    {"phi", "rad", 1},
                   {"vx", "m/s", 2}, {"vy", "m/s", 2}, {"omega", "rad/s", 3}};
enum { N_COORDINATES = sizeof coordinates / sizeof *coordinates };

static double size_of(const seam_start_change *change) { return fabs(change->after - change->before); }

seam_start_changes seam_start_changes_between(const seam_model_file *file, const mbs_state *before,
                                              const mbs_state *after) {
  seam_start_change largest[SEAM_MAX_START_CHANGES] = {0};
  seam_start_changes found = {0};
  const mbs_model *model = seam_model_mechanism(file);
  const mbs_scales scales = mbs_scales_of(model);
  const double least[] = {runs_noticeable * scales.length, runs_noticeable, runs_noticeable * scales.speed,
                          runs_noticeable / scales.time};
  for (size_t b = 0; b < mbs_n_bodies(model); b++)
    for (int i = 0; i < N_COORDINATES; i++) {
      const size_t at = 3 * b + (size_t)(i % 3);
      seam_start_change *most = &largest[coordinates[i].kind];
      const seam_start_change change = {b, i, i < 3 ? before->q[at] : before->v[at],
                                        i < 3 ? after->q[at] : after->v[at]};
      const bool is_given = i < 3 ? !seam_model_is_rough(file, b) : change.before != 0;
      if (is_given && size_of(&change) > fmax(least[coordinates[i].kind], size_of(most)))
        *most = change;
    }
  for (int k = 0; k < SEAM_MAX_START_CHANGES; k++)
    if (size_of(&largest[k]) > 0)
      found.list[found.n++] = largest[k];
  return found;
}

const char *seam_start_coordinate(int coordinate) {
  return coordinate >= 0 && coordinate < N_COORDINATES ? coordinates[coordinate].name : NULL;
}

const char *seam_start_coordinate_unit(int coordinate) {
  return coordinate >= 0 && coordinate < N_COORDINATES ? coordinates[coordinate].unit : NULL;
}

/* ---- The end of a co-simulated run ---- */

/* The receiver of the notes on a run. */
typedef struct notes {
  void (*write)(void *context, const char *note);
  void *context;
} notes;

static void SEAM_PRINTF(2, 3) note(const notes *self, const char *format, ...) {
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  self->write(self->context, text);
}

static void note_events(const notes *self, const cosim_simulation *simulation) {
  const cosim_statistics of = cosim_statistics_of(simulation);
  if (of.switches_inside > 0)
    note(self,
         "cut contacts or strands open, close or slacken inside %zu of %zu macro steps, which leaves errors of order "
         "2 in velocities, of order 1 where a damped strand becomes taut%s",
         of.switches_inside, of.macro_steps,
         cosim_takes_long_steps(simulation) || !simulation->can_shorten_steps
             ? ": take a smaller macro step"
             : ": take ff-colloc-s3, whose macro steps end at these times");
  if (of.law_kinks > 0)
    note(self,
         "laws of cut force elements have kinks or jumps inside %zu of %zu macro steps, or bend too much for the "
         "step: errors of velocities are of order 2 at most at a kink, of order 1 at a jump; take a smaller macro "
         "step, or a 'contact', 'stop' or 'rope', at whose switches macro steps end",
         of.law_kinks, of.macro_steps);
  if (of.part_events_inside > 0)
    note(self,
         "events of FMUs lie inside %zu of %zu macro steps, which cannot end at events, so that errors are of order 2 "
         "at most where a signal bends, of order 1 where it jumps: take a smaller macro step",
         of.part_events_inside, of.macro_steps);
  if (of.hidden_events > 0)
    note(self,
         "%zu of the subsystems %s event mode: events and samples inside their steps, if there are any, are not seen "
         "and leave errors of order 1 or 2: take a smaller macro step, and compare",
         of.hidden_events, of.hidden_events == 1 ? "is an FMU without" : "are FMUs without");
  if (of.shortened > 0)
    note(self,
         "FMUs discarded steps and repeated them with a shorter length, %zu times; a smaller macro step avoids that",
         of.shortened);
}

void cosim_note_run(const mbs_model *model, const cosim_builder *builder, const cosim_simulation *simulation,
                    void (*write)(void *context, const char *note), void *context) {
  const notes self = {write, context};
  cosim_hold_error hold;
  cosim_limit_reached limit;
  if (model == NULL || builder == NULL || simulation == NULL || write == NULL)
    return;
  note_events(&self, simulation);
  for (size_t i = 0; i < cosim_n_couplings(simulation); i++) { /* unlike an integrator, a coupling misses contacts */
    const char *name = cosim_coupling_of(simulation, i).name;
    if (mbs_force_of(model, mbs_find_force(model, name)).kind != MBS_CONTACT)
      continue;
    note(&self,
         "contacts that are couplings, such as '%s', are missed if they begin and end within a macro step: take a "
         "smaller macro step if bodies meet fast",
         name);
    break;
  }
  /* motions that follow the worst extrapolated signal may have the same relative error */
  if (cosim_worst_hold(simulation, &hold) && cosim_hold_lags(&hold)) {
    char better[64] = "";
    if (hold.better != hold.order)
      snprintf(better, sizeof better, "order %d, which would miss it by %.2g %%, or ", hold.better,
               100 * hold.better_share);
    note(&self,
         "signal '%s', extrapolated with order %d, misses the next macro point by %.2g %% of its standard deviation, "
         "and motions that it drives may have an error of this size: take %sa smaller macro step",
         hold.name, hold.order, 100 * hold.share, better);
  }
  if (cosim_most_limited(simulation, &limit) && (double)limit.reached > runs_noticeable_limits * (double)limit.rounds)
    note(&self,
         "the energy correction of '%s' reached its limit of %.3g of the force in %zu of %zu macro steps, and energy "
         "that the coupling creates remains in the motion: take a smaller macro step or holds of a higher order, and "
         "compare with a run without the correction",
         limit.name, limit.limit, limit.reached, limit.rounds);
  if (cosim_unidentified_part(simulation) != NULL)
    note(&self,
         "the model-based correction corrects nothing at the end, because the derivatives of subsystem '%s' are not "
         "identified: subsystems of bodies and equations give theirs with 'integrator: erk'",
         cosim_unidentified_part(simulation));
}
