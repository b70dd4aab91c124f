/* Quantities of force elements. Each quantity has a function that returns its value, or its derivative along a
 * direction. With the generalised forces Q on both bodies and the coordinates s of the element:
 *
 *   length or angle  s,   rate  J v,   acceleration  J a + vᵀ H v
 *   force or torque  P with Q = P Jᵀ; a positive P drives s up
 *   power            Q · v, the rate of work on the bodies; loss: power that the damper dissipates
 *   derivatives      δQ = Kq δq + Kv δv + Q_z δz + Q_u δu,   δ(Q · v) = δQ · v + Q · δv */
#include <math.h>
#include <string.h>

#include "mbs/model/cable.h"
#include "mbs/model/elastic.h"
#include "mbs/output/measurements.h"

struct mbs_force_reading {
  const mbs_reading *at;
  const mbs_force *force;
  int number;
  mbs_pair pair;
  double dq[6], dv[6];
  mbs_relative_coordinate s[3]; /* filled if parts has MBS_OF_MEASURES or MBS_OF_MOTION */
  double motion[3]; /* s, ṡ, s̈ of the only coordinate, or their changes; filled if parts has MBS_OF_MOTION */
  double Q[6];      /* Q, power and dQ: filled if parts has MBS_OF_LOAD */
  mbs_power power;
  double dQ[6];
};
typedef mbs_force_reading reading;

/* ---- Readings ---- */

static void find_load(reading *r) {
  const mbs_force *force = r->force;
  double buffer[2];
  double Kq[6][6];
  double Kv[6][6];
  const double *z = mbs_numbers(r->at->ws, force, r->at->state->z, buffer);
  memset(r->Q, 0, sizeof r->Q);
  r->power = (mbs_power){0};
  force->type->load(force, &r->pair, mbs_law_time(r->at->ws, r->at->state->t), z, r->Q, &r->power);
  if (r->at->along == NULL)
    return;
  memset(r->dQ, 0, sizeof r->dQ);
  force->type->derivatives(force, &r->pair, mbs_law_time(r->at->ws, r->at->state->t), z, Kq, Kv);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      r->dQ[i] += Kq[i][j] * r->dq[j] + Kv[i][j] * r->dv[j];
  if (force->type->states != NULL && r->at->along->z != NULL) { /* Q_z δz */
    const double u = mbs_command(force, r->at->ws->response, mbs_law_time(r->at->ws, r->at->state->t));
    mbs_state_gradient gradient;
    force->type->states->derivatives(force, &r->pair, u, r->at->state->z + force->state, &gradient);
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < force->type->states->n; k++)
        r->dQ[i] += gradient.Qz[i][k] * r->at->along->z[force->state + k];
  }
  for (int k = 0; k < force->type->n_laws && force->type->unit_load != NULL; k++) { /* Q_u δu */
    double force_along_coordinate[6];
    if (force->law[k] < 0)
      continue;
    force->type->unit_load(force, &r->pair, k, z, force_along_coordinate);
    for (int i = 0; i < 6; i++)
      r->dQ[i] += force_along_coordinate[i] * r->at->ws->response_change[force->law[k]];
  }
}

/* Finds the curvature of the only coordinate; types without curvature(), hydraulic cylinders, have a distance. */
static void curve(const reading *r, mbs_curvature *curvature) {
  if (r->force->type->curvature != NULL)
    r->force->type->curvature(r->force, &r->pair, curvature);
  else
    mbs_curvature_distance(&r->pair, curvature);
}

static void start_reading(reading *r, const mbs_reading *at, int number, unsigned parts) {
  const mbs_force *force = &at->ws->model->forces[number];
  r->at = at;
  r->force = force;
  r->number = number;
  if (parts == 0)
    return;
  r->pair = mbs_force_pair(force, at->ws->frames);
  if (at->along != NULL) {
    mbs_gather(force->body, at->along->q, r->dq);
    mbs_gather(force->body, at->along->v, r->dv);
  }
  if ((parts & (MBS_OF_MEASURES | MBS_OF_MOTION)) != 0)
    force->type->find_coordinates(force, &r->pair, r->s);
  if ((parts & MBS_OF_MOTION) != 0 && at->along == NULL)
    mbs_relative_motion(&r->s[0], &r->pair, force->body, at->state->a, r->motion);
  else if ((parts & MBS_OF_MOTION) != 0) {
    mbs_curvature curvature;
    curve(r, &curvature);
    mbs_relative_motion_change(&r->s[0], &curvature, force->body, at->state->a, at->along, r->motion);
  }
  if ((parts & MBS_OF_LOAD) != 0)
    find_load(r);
}

void mbs_read_force(const mbs_quantity_group *group, const mbs_reading *at, int number, double *values) {
  reading r;
  start_reading(&r, at, number, group->of_force.parts);
  for (int i = 0; i < group->n; i++)
    values[i] = group->of_force.row[i](&r);
}

/* ---- Quantities along one coordinate ---- */

static double length(const reading *r) { return r->motion[0]; }
static double rate(const reading *r) { return r->motion[1]; }
static double acceleration(const reading *r) { return r->motion[2]; }
static double stretch(const reading *r) { return r->motion[0] - (r->at->along == NULL ? r->force->rest[0] : 0); }

/* Returns the force or torque P = J · Q / |J|², or its change. */
static double force_along_coordinate(const reading *r) {
  const double *J = r->s[0].J;
  mbs_curvature curvature;
  double dJ[6];
  if (r->at->along == NULL)
    return mbs_force_along(J, r->Q);
  curve(r, &curvature);
  for (int i = 0; i < 6; i++)
    dJ[i] = mbs_dot6(curvature.H[i], r->dq);
  return (mbs_dot6(dJ, r->Q) + mbs_dot6(J, r->dQ) - 2 * mbs_force_along(J, r->Q) * mbs_dot6(J, dJ)) / mbs_dot6(J, J);
}

/* ---- Loads, power, energy, states ---- */

static double fx(const reading *r) { return r->at->along == NULL ? r->Q[0] : r->dQ[0]; }
static double fy(const reading *r) { return r->at->along == NULL ? r->Q[1] : r->dQ[1]; }
static double torque(const reading *r) { return r->at->along == NULL ? r->Q[2] : r->dQ[2]; }

static double power(const reading *r) {
  return r->at->along == NULL ? mbs_row_rate(r->Q, &r->pair) : mbs_row_rate(r->dQ, &r->pair) + mbs_dot6(r->Q, r->dv);
}

/* Sums a quantity over all bodies of a viscous element: it consists of elements of the same name, one for each body. */
static double sum(const reading *r, double (*row)(const reading *one)) {
  const mbs_model *model = r->at->ws->model;
  double total = 0;
  for (int i = r->number; i < model->n_forces && model->forces[i].name == r->force->name; i++) {
    reading one;
    start_reading(&one, r->at, i, MBS_OF_LOAD);
    total += row(&one);
  }
  return total;
}
static double all_fx(const reading *r) { return sum(r, fx); }
static double all_fy(const reading *r) { return sum(r, fy); }
static double all_power(const reading *r) { return sum(r, power); }

/* Returns the power that the element dissipates, or its change. The change is that of (F(s, v) - F(s, 0)) v, summed
 * over the coordinates, plus other_loss_change(). F of a hydraulic cylinder is hydraulics.dissipation times v. */
static double loss(const reading *r) {
  const mbs_force *force = r->force;
  const mbs_elastic_law drag = {.damping = force->hydraulics.dissipation};
  mbs_relative_coordinate m[3];
  double change = 0;
  if (r->at->along == NULL)
    return r->power.dissipated;
  force->type->find_coordinates(force, &r->pair, m);
  for (int k = 0; k < force->type->n_coordinates; k++) {
    const mbs_elastic_law *law = force->type->potential != NULL ? &force->elastic[k] : &drag;
    const double s = m[k].s - force->rest[k];
    const double v = mbs_relative_rate(&m[k], &r->pair);
    const mbs_one_sided_mode mode = mbs_mode_along_in(force, r->at->state, k);
    const seam_jet total = mbs_elastic_jet(law, s, v, mode);
    const seam_jet undamped = mbs_elastic_static_jet(law, s, mode);
    change += (total.d[0] - undamped.d[0]) * v * mbs_dot6(m[k].J, r->dq) +
              (total.d[1] * v + total.value - undamped.value) * (mbs_dot6(m[k].Jdot, r->dq) + mbs_dot6(m[k].J, r->dv));
  }
  if (force->type->other_loss_change != NULL)
    change += force->type->other_loss_change(force, &r->pair, r->at->state->z + force->state, r->dq, r->dv);
  return change;
}

/* δV = Σ F(s, 0) J δq, summed over the coordinates. */
double mbs_potential_change(const mbs_reading *at, int number) {
  const mbs_force *force = &at->ws->model->forces[number];
  const mbs_pair pair = mbs_force_pair(force, at->ws->frames);
  mbs_relative_coordinate m[3];
  double dq[6];
  double change = 0;
  if (force->cable != NULL)
    return force->span == 0 && !force->cable->is_hard ? mbs_cable_potential_change(at, number) : 0;
  if (force->type->potential == NULL)
    return 0;
  force->type->find_coordinates(force, &pair, m);
  mbs_gather(force->body, at->along->q, dq);
  for (int k = 0; k < force->type->n_coordinates; k++)
    change += mbs_elastic_static_jet(&force->elastic[k], m[k].s - force->rest[k], force->elastic[k].mode).value *
              mbs_dot6(m[k].J, dq);
  return change;
}

static double potential(const reading *r) {
  const mbs_pair pair = mbs_force_pair(r->force, r->at->ws->frames);
  return r->at->along == NULL ? r->force->type->potential(r->force, &pair) : mbs_potential_change(r->at, r->number);
}

static double own_state(const reading *r, int k) {
  const int state = r->force->state + k;
  return r->at->along == NULL ? r->at->state->z[state] : r->at->along->z != NULL ? r->at->along->z[state] : 0;
}
static double p1(const reading *r) { return own_state(r, 0); }
static double p2(const reading *r) { return own_state(r, 1); }

/* ---- Quantities at the markers of bushings and beams ---- */

/* Returns component k of the wrench on the body of a side, or its change; the torque is about the marker. */
static double wrench(const reading *r, int side, int k) {
  const mbs_frame *frame = r->pair.frame[side];
  const mbs_vector marker = r->force->marker[side];
  double found[3];
  if (r->at->along == NULL)
    mbs_wrench_at(frame, marker, r->Q + 3 * side, found);
  else
    mbs_wrench_change(frame, marker, r->Q + 3 * side, r->dq[3 * side + 2], r->dQ + 3 * side, found);
  return found[k];
}
static double marker_torque(const reading *r) { return wrench(r, 0, 2); }
static double second_torque(const reading *r) { return wrench(r, 1, 2); }

static double gap(const reading *r, int k) {
  return r->at->along == NULL ? r->s[k].s - r->force->rest[k] : mbs_dot6(r->s[k].J, r->dq);
}
static double gap_rate(const reading *r, int k) {
  return r->at->along == NULL ? mbs_relative_rate(&r->s[k], &r->pair)
                              : mbs_dot6(r->s[k].Jdot, r->dq) + mbs_dot6(r->s[k].J, r->dv);
}
static double x(const reading *r) { return gap(r, 0); }
static double y(const reading *r) { return gap(r, 1); }
static double phi(const reading *r) { return gap(r, 2); }
static double vx(const reading *r) { return gap_rate(r, 0); }
static double vy(const reading *r) { return gap_rate(r, 1); }
static double omega(const reading *r) { return gap_rate(r, 2); }
static double chord_length(const reading *r) { return r->at->along == NULL ? r->s[0].s : gap(r, 0); }

/* Returns the force f on the second body along the chord u = d/|d|, or its change δ(u · f) = u · δf + (n · f) (n · δd)
 * / |d|, n = u⊥. */
static double along_chord(const reading *r) {
  mbs_relative_coordinate d[2];
  const mbs_vector f = {r->Q[3], r->Q[4]};
  mbs_relative_gap(&r->pair, d);
  const double length = hypot(d[0].s, d[1].s);
  if (r->at->along == NULL)
    return (d[0].s * f.x + d[1].s * f.y) / length;
  const mbs_vector u = {d[0].s / length, d[1].s / length};
  const mbs_vector dd = {mbs_dot6(d[0].J, r->dq), mbs_dot6(d[1].J, r->dq)};
  return u.x * r->dQ[3] + u.y * r->dQ[4] + mbs_cross(u, f) * mbs_cross(u, dd) / length;
}

/* ---- Strands of a belt ---- */

/* Tensions T(s, ṡ) of the two strands of an elastic belt, with the coordinate s of each strand. */
static void find_strands(const mbs_reading *at, int number, double *values) {
  const mbs_force *force = &at->ws->model->forces[number];
  const mbs_pair pair = mbs_force_pair(force, at->ws->frames);
  mbs_relative_coordinate s[3];
  force->type->find_coordinates(force, &pair, s);
  for (int k = 0; k < 2; k++) {
    const seam_jet tension = mbs_elastic_jet(&force->elastic[k], s[k].s - force->rest[k],
                                             mbs_relative_rate(&s[k], &pair), mbs_mode_along_in(force, at->state, k));
    double ds[2];
    values[k] = tension.value;
    if (at->along == NULL)
      continue;
    mbs_gap_change(&s[k], force->body, at->along, ds);
    values[k] = tension.d[0] * ds[0] + tension.d[1] * ds[1];
  }
  values[2] = values[0] - values[1];
}

static const mbs_quantity_group of_strands = {
    .n = 3,
    .row = {{"right", "N", "tension of the strand that touches the second pulley on the right, seen from the first"},
            {"left", "N", "tension of the other strand"},
            {"pull", "N", "right less left"}},
    .needs = MBS_FRAMES,
    .find = find_strands,
};

/* ---- The groups ---- */

/* GROUP defines a group: rows with name, unit and meaning. OF gives the bits MBS_OF_... of the data that the group
 * needs, and the functions that return its values. */
#define GROUP(name, ...) static const mbs_quantity_group name = {__VA_ARGS__}
#define OF(what, ...) .needs = MBS_FRAMES, .of_force = {.parts = (what), .row = {__VA_ARGS__}}

#define RATE                                                                                                           \
  { "rate", "m/s", "rate of the length" }
#define POWER                                                                                                          \
  { "power", "W", "rate of its work on the bodies" }
#define PUSH                                                                                                           \
  { "force", "N", "force that drives its length, positive extends" }
#define TORQUE_ALONG                                                                                                   \
  { "torque", "Nm", "torque that drives its angle, positive extends" }
#define ON_FIRST(name)                                                                                                 \
  { name, "N", "force on the first body" }
#define ON_FIRST_TORQUE                                                                                                \
  { "torque", "Nm", "torque on the first body, about its marker" }

GROUP(of_stretch, .n = 4,
      .row = {{"length", "m", "distance of its points, or its component along the axis"},
              RATE,
              {"acceleration", "m/s2", "second rate of the length"},
              {"stretch", "m", "length less that of rest"}},
      .needs_dynamics = 1U << 2, .needs_accelerations = 1U << 2,
      OF(MBS_OF_MOTION, length, rate, acceleration, stretch));
GROUP(of_twist, .n = 4,
      .row = {{"angle", "rad", "angle of the second body against the first"},
              {"omega", "rad/s", "rate of the angle"},
              {"alpha", "rad/s2", "second rate of the angle"},
              {"stretch", "rad", "angle less that of rest"}},
      .needs_dynamics = 1U << 2, .needs_accelerations = 1U << 2,
      OF(MBS_OF_MOTION, length, rate, acceleration, stretch));
GROUP(of_push, .n = 1, .row = {PUSH}, .of_load = true, OF(MBS_OF_LOAD | MBS_OF_MEASURES, force_along_coordinate));
GROUP(of_thrust, .n = 1, .row = {PUSH}, .is_usual = true, .of_load = true,
      OF(MBS_OF_LOAD | MBS_OF_MEASURES, force_along_coordinate));
GROUP(of_angle_torque, .n = 1, .row = {TORQUE_ALONG}, .of_load = true,
      OF(MBS_OF_LOAD | MBS_OF_MEASURES, force_along_coordinate));
GROUP(of_shaft_torque, .n = 1, .row = {TORQUE_ALONG}, .is_usual = true, .of_load = true,
      OF(MBS_OF_LOAD | MBS_OF_MEASURES, force_along_coordinate));
GROUP(of_ends, .n = 2, .row = {ON_FIRST("fx"), ON_FIRST("fy")}, .of_load = true, OF(MBS_OF_LOAD, fx, fy));
GROUP(of_work, .n = 2, .row = {POWER, {"loss", "W", "power lost in its damper and in friction"}}, .of_load = true,
      OF(MBS_OF_LOAD, power, loss));
GROUP(of_drive, .n = 1, .row = {POWER}, OF(MBS_OF_LOAD, power));
GROUP(of_potential, .n = 1, .row = {{"potential", "J", "potential energy, zero without load"}}, OF(0, potential));
GROUP(of_gap, .n = 6,
      .row = {{"x", "m", "second marker from the first, in the axes of the bushing"},
              {"y", "m", "second marker from the first, in the axes of the bushing"},
              {"phi", "rad", "angle of the second body against the first, less that of rest"},
              {"vx", "m/s", "rate of x"},
              {"vy", "m/s", "rate of y"},
              {"omega", "rad/s", "rate of phi"}},
      OF(MBS_OF_MEASURES, x, y, phi, vx, vy, omega));
GROUP(of_wrench, .n = 3, .row = {ON_FIRST("fx"), ON_FIRST("fy"), ON_FIRST_TORQUE}, .of_load = true,
      OF(MBS_OF_LOAD, fx, fy, marker_torque));
GROUP(of_chord, .n = 4,
      .row = {{"length", "m", "distance of its ends"},
              RATE,
              {"stretch", "m", "length less that of rest"},
              {"bend", "rad", "angle of the second end against the first, less that of rest"}},
      OF(MBS_OF_MEASURES, chord_length, vx, x, phi));
GROUP(of_beam_load, .n = 5,
      .row = {ON_FIRST("fx"),
              ON_FIRST("fy"),
              ON_FIRST_TORQUE,
              {"torque2", "Nm", "torque on the second body, about its marker"},
              PUSH},
      .of_load = true, OF(MBS_OF_LOAD, fx, fy, marker_torque, second_torque, along_chord));
GROUP(of_pressures, .n = 2,
      .row = {{"p1", "Pa", "pressure of the chamber that shrinks with the length"},
              {"p2", "Pa", "pressure of the chamber that grows with the length"}},
      .is_usual = true, .of_force = {.row = {p1, p2}});
GROUP(of_angle_rate, .n = 2, .row = {{"torque", "Nm", "torque on the body"}, POWER}, .of_load = true,
      OF(MBS_OF_LOAD, torque, power));
GROUP(of_drag, .n = 3,
      .row = {{"fx", "N", "sum of the forces on its bodies"},
              {"fy", "N", "sum of the forces on its bodies"},
              {"power", "W", "rate of its work on all its bodies"}},
      .of_load = true, OF(0, all_fx, all_fy, all_power));
GROUP(of_pull, .n = 3, .row = {{"fx", "N", "force on the body"}, {"fy", "N", "force on the body"}, POWER},
      .of_load = true, OF(MBS_OF_LOAD, fx, fy, power));
#undef GROUP
#undef OF

/* ---- Lists of groups ---- */

#define LIST(name, ...) static const mbs_quantity_group *const name[] = {__VA_ARGS__, NULL}
LIST(of_viscous, &of_drag);
LIST(of_spring, &of_push, &of_stretch, &of_ends, &of_work, &of_potential);
LIST(of_torsion, &of_angle_torque, &of_twist, &of_work, &of_potential);
LIST(of_bushing, &of_wrench, &of_gap, &of_work, &of_potential);
LIST(of_beam, &of_beam_load, &of_chord, &of_work, &of_potential);
LIST(of_point_force, &of_pull);
LIST(of_torque, &of_angle_rate);
LIST(of_cylinder, &of_pressures, &of_thrust, &of_stretch, &of_ends, &of_work);
LIST(of_actuator, &of_thrust, &of_stretch, &of_ends, &of_drive);
LIST(of_rotary_actuator, &of_shaft_torque, &of_twist, &of_drive);
LIST(of_belt, &of_strands, &of_wrench, &of_work, &of_potential);
LIST(of_cable, &mbs_quantity_cable_length, &mbs_quantity_tension);
LIST(of_contact, &mbs_quantity_contact, &of_ends, &of_work, &of_potential);
LIST(of_stop, &mbs_quantity_stop, &of_work, &of_potential);
LIST(of_angle_stop, &mbs_quantity_angle_stop, &of_work, &of_potential);
#undef LIST

static const mbs_quantity_groups of_kind[MBS_FORCE_KINDS] = {
    [MBS_VISCOUS] = of_viscous,
    [MBS_SPRING_DAMPER] = of_spring,
    [MBS_TORSION] = of_torsion,
    [MBS_BUSHING] = of_bushing,
    [MBS_POINT_FORCE] = of_point_force,
    [MBS_TORQUE] = of_torque,
    [MBS_HYDRAULIC_CYLINDER] = of_cylinder,
    [MBS_BEAM] = of_beam,
    [MBS_DRAG] = of_point_force,
    [MBS_ACTUATOR] = of_actuator,
    [MBS_ROTARY_ACTUATOR] = of_rotary_actuator,
    [MBS_ELASTIC_BELT] = of_belt,
    [MBS_CONTACT] = of_contact,
    [MBS_STOP] = of_stop,
    [MBS_ROPE] = of_spring,
    [MBS_CABLE] = of_cable,
};
static const mbs_quantity_groups of_hard_kind[MBS_FORCE_KINDS] = {[MBS_CONTACT] = mbs_quantities_of_hard_contact,
                                                                  [MBS_STOP] = mbs_quantities_of_hard_stop,
                                                                  [MBS_ROPE] = mbs_quantities_of_hard_rope,
                                                                  [MBS_CABLE] = mbs_quantities_of_hard_cable};

mbs_quantity_groups mbs_quantities_of_force(const mbs_model *model, int number) {
  const mbs_force *force = &model->forces[number];
  if (force->kind == MBS_STOP && force->stop.of == MBS_OF_ANGLE)
    return force->type->is_hard ? mbs_quantities_of_hard_angle_stop : of_angle_stop;
  return (force->type->is_hard ? of_hard_kind : of_kind)[force->kind];
}
