/* Scales of a problem. They follow from masses m, inertias J and markers of bodies; from velocities v and ω, resultant
 * forces Q and torques τ at the start; from the acceleration of gravity g and from laws f(t) of prescribed motions:
 *
 *   length   L = the largest of these lengths: distance of a marker from its body's centre of mass, distance of the
 *                two markers of an element (a stop of an angle has none), radius of a wheel, roller or pulley, size
 *                of a curve; if all are zero, the largest radius of gyration √(J/m),
 *   mass     M = the largest mass of a body,
 *   speed    V = the largest of |v|, |ω| L, √(|g| L), √(|Q| L/M), √(|τ|/M), |f'| and √(|f''| L), with f times L if
 *                f is an angle. If only applied loads connect the mechanism with the ground, v is relative to the
 *                velocity of the centre of mass of all bodies. If all are zero, L/(duration of the run), or L/(1 s),
 *   time     L/V,   force   M V²/L,   energy   M V²,
 *   rate     at the start, the largest √(|∂Q/∂q|/inertia) of all force elements and coordinates q of their bodies,
 *   state    of an element: the largest of |z|, |z'| L/V and the nominal size for its type;
 *            of a variable: the size that its definition gives; without one, the larger of |z| and |z'| T, where T is
 *            the shorter of L/V and 1/|∂z'/∂z|. If this size is only round-off of |z'| T at a trial state, |z'| T of
 *            the trial state replaces it. Trial states are spread over the run; q and v are displaced by hundredths
 *            of L and V, and z have the sizes found so far. A size of 0 becomes 1.
 *
 * Maxima do not depend on the order of bodies; distances and relative velocities do not depend on the frame of
 * reference. */
#include "mbs/dynamics/scales.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "mbs/dynamics/ggl.h"
#include "mbs/dynamics/responses.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

/* ---- Length and mass ---- */

/* Returns the length of (x, y), the difference of two positions about `far` from the origin; 0: only round-off. */
static double distance(double x, double y, double far) {
  const double d = hypot(x, y);
  return d > mbs_difference_rounding * far ? d : 0;
}

/* Returns the largest distance of an element's markers from the centres of mass of their bodies and, if `spans` is
 * true, from each other. */
static double extent(const mbs_model *model, bool is_joint, size_t element, const int body[2], bool spans) {
  const double *q = model->initial;
  mbs_motion at[2];
  double far = 0;
  double largest = 0;
  for (int side = 0; side < 2; side++) {
    at[side] = mbs_element_motion(model, is_joint, element, side, q, q + 3 * model->n_bodies, NULL);
    far = fmax(far, hypot(at[side].x[0], at[side].x[1]));
  }
  for (int side = 0; side < 2; side++) {
    const double *centre = q + 3 * (body[side] - 1);
    if (body[side] > 0)
      largest = fmax(largest, distance(at[side].x[0] - centre[0], at[side].x[1] - centre[1], far));
  }
  return spans ? fmax(largest, distance(at[1].x[0] - at[0].x[0], at[1].x[1] - at[0].x[1], far)) : largest;
}

static double largest_radius(const double radius[2], const mbs_curve_side *side) {
  const double size = side->curve != NULL ? side->curve->size : 0;
  return fmax(size, fmax(fabs(radius[0]), fabs(radius[1])));
}

/* Returns true if only applied forces and torques connect the mechanism with the ground. */
static bool floats(const mbs_model *model) {
  for (const mbs_joint *joint = model->joints; joint < model->joints + model->n_joints; joint++)
    if (joint->body[0] == 0 || joint->body[1] == 0)
      return false;
  for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++)
    if ((force->body[0] == 0 || force->body[1] == 0) && force->kind != MBS_POINT_FORCE && force->kind != MBS_TORQUE)
      return false;
  return true;
}

void mbs_scales_begin(mbs_model *model) {
  mbs_scales *scales = &model->scales;
  double gyration = 0;
  if (scales->length > 0)
    return;
  double length = 0;
  for (int j = 0; j < model->n_joints; j++) {
    const mbs_joint *joint = &model->joints[j];
    if (joint->type->has_markers)
      length = fmax(length, extent(model, true, (size_t)j, joint->body, true));
    length = fmax(length, largest_radius(joint->radius, &joint->curve));
  }
  for (int i = 0; i < model->n_forces; i++) {
    const mbs_force *force = &model->forces[i];
    const mbs_force_type *kind = force->type->is_friction ? force->type : mbs_force_kind_row(force->kind);
    const bool on_a_line =
        force->kind == MBS_CONTACT && force->radius[0] == 0; /* the marker may be anywhere on the line */
    if (kind->has_markers && !mbs_is_angle_stop(force))
      length = fmax(length, extent(model, false, (size_t)i, force->body, kind->max_bodies >= 2 && !on_a_line));
    length = fmax(length, largest_radius(force->radius, &force->curve));
  }
  model->floats = floats(model);
  for (int b = 1; b <= model->n_bodies; b++) {
    const double *mass = model->mass + 3 * b;
    scales->mass = fmax(scales->mass, mass[0]);
    gyration = fmax(gyration, sqrt(mass[2] / mass[0]));
  }
  if (length > 0 && isfinite(length))
    scales->length = length;
  else
    scales->length = gyration > 0 ? gyration : 1;
  if (!(scales->mass > 0))
    scales->mass = 1;
}

/* ---- Speed ---- */

/* Returns the largest of all speeds of bodies and of all angular speeds times L. Speeds are relative to the common
 * centre of mass if only applied loads connect the mechanism with the ground. */
static double speed_of_bodies(const mbs_model *model, const double *v) {
  mbs_vector common = {0};
  double mass = 0;
  for (int b = 1; b <= model->n_bodies && model->floats; b++) {
    const double m = model->mass[3 * b] / model->scales.mass;
    common.x += m * v[3 * (b - 1)];
    common.y += m * v[3 * (b - 1) + 1];
    mass += m;
  }
  if (mass > 0)
    common = (mbs_vector){common.x / mass, common.y / mass};
  const double rounding = mbs_difference_rounding * hypot(common.x, common.y);
  double speed = 0;
  for (const double *own = v; own < v + 3 * (size_t)model->n_bodies; own += 3) {
    const double relative = hypot(own[0] - common.x, own[1] - common.y);
    speed = larger(relative > rounding ? relative : 0, speed);
    speed = larger(fabs(own[2]) * model->scales.length, speed);
  }
  return speed;
}

/* Returns the speed that gravity or the largest finite load would give to the mass M over the length L. Ignores a load
 * so small that round-off of positions in a stiff element at rest may cause it. */
static double speed_of_loads(const mbs_model *model, const double *Q) {
  const double L = model->scales.length;
  const double M = model->scales.mass;
  const double rounding = mbs_least_error * model->scales.rate * model->scales.rate * L * L; /* square of a speed */
  double square = hypot(model->gravity[0], model->gravity[1]) * L;
  for (int b = 1; b <= model->n_bodies; b++) {
    const double of_force = hypot(Q[3 * b], Q[3 * b + 1]) * L / M;
    const double of_torque = fabs(Q[3 * b + 2]) / M;
    square = fmax(square, isfinite(of_force) && of_force > rounding ? of_force : 0);
    square = fmax(square, isfinite(of_torque) && of_torque > rounding ? of_torque : 0);
  }
  return sqrt(square);
}

static double speed_of_laws(const mbs_model *model, double t) {
  const double L = model->scales.length;
  double speed = 0;
  for (const mbs_joint *joint = model->joints; joint < model->joints + model->n_joints; joint++) {
    if (!joint->type->is_rheonomic || joint->law.value == NULL)
      continue;
    const double arm = joint->of == MBS_OF_ANGLE || joint->of == MBS_OF_PHI ? L : 1;
    const seam_jet f = mbs_joint_prescribed_law(joint, t);
    const double of_rate = fabs(f.d[0]) * arm;
    const double of_second = sqrt(fabs(f.dd[0]) * arm * L);
    speed = fmax(speed, isfinite(of_rate) ? of_rate : 0);
    speed = fmax(speed, isfinite(of_second) ? of_second : 0);
  }
  return speed;
}

/* Returns the largest √(|∂Q/∂q|/inertia), rad/s, of one force element and one coordinate q of a body. */
static double stiffest_rate(const mbs_model *model, const mbs_workspace *ws, const mbs_state *state) {
  double largest = 0;
  for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++) {
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    double own[2];
    double Kq[6][6];
    double Kv[6][6];
    const double *z = mbs_numbers(ws, force, state->z, own);
    force->type->derivatives(force, &pair, mbs_law_time(ws, state->t), z, Kq, Kv);
    for (int i = 0; i < 6; i++) {
      const double square = fabs(Kq[i][i]) * model->inverse_mass[3 * force->body[i / 3] + i % 3];
      largest = fmax(largest, isfinite(square) ? square : 0);
    }
  }
  return sqrt(largest);
}

/* ---- States ---- */

/* Returns |z'| T of a variable, with T the shorter of the scale of time and 1/|∂z'/∂z|; 0 if z' is unknown, because the
 * variable is sampled, or reads accelerations or reactions. */
static double size_by_rate(mbs_workspace *ws, const mbs_state *state, int variable) {
  const mbs_model *model = ws->model;
  const mbs_laws *laws = &model->laws;
  const mbs_response *response = &laws->variable[variable].response;
  if (!mbs_is_function(response) || response->phase != MBS_EARLY)
    return 0;
  const int number = laws->n_laws + variable;
  const double rate = fabs(ws->response[number]);
  const double own = fabs(mbs_response_slope(ws, state, number, 6 * model->n_bodies + laws->first_state + variable));
  const double size = rate / fmax(1 / model->scales.time, isfinite(own) ? own : 0);
  return isfinite(size) ? size : 0;
}

/* Replaces sizes of variables that are only round-off of |z'| T at *state by |z'| T. Returns true if there were any. */
static bool replace_sizes(mbs_model *model, mbs_workspace *ws, const mbs_state *state) {
  const mbs_laws *laws = &model->laws;
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_stage_laws(ws, state);
  bool has_changed = false;
  for (int i = 0; i < laws->n_variables; i++) {
    double *size = &model->nominal[laws->first_state + i];
    const double most = fabs(ws->response[laws->n_laws + i]) * model->scales.time;
    if (laws->variable[i].nominal > 0 || *size >= mbs_least_error * most)
      continue;
    const double by_rate = size_by_rate(ws, state, i);
    if (*size >= mbs_least_error * by_rate)
      continue;
    *size = by_rate;
    has_changed = true;
  }
  return has_changed;
}

/* Returns element k of an evenly spread sequence in [-1, 1): the fractional parts of multiples of the golden ratio. */
static double spread(size_t k) { return 2 * fmod(0.6180339887498949 * (double)(k + 1), 1) - 1; }

/* Calls replace_sizes() at trial states spread over the run, in *scratch, until no size changes. */
static void set_sizes_by_samples(mbs_model *model, mbs_workspace *ws, const mbs_state *start, mbs_state *scratch) {
  const mbs_scales *s = &model->scales;
  const size_t n = 3 * (size_t)model->n_bodies;
  bool has_changed = model->laws.n_variables > 0;
  for (int pass = 0; pass <= model->laws.n_variables && has_changed; pass++) {
    has_changed = false;
    for (size_t sample = 0; sample < MBS_SAMPLES_OF_RUN; sample++) {
      const size_t first = sample * (2 * n + (size_t)model->n_states);
      scratch->t = start->t + model->duration * (1 + spread(sample)) / 2;
      for (size_t i = 0; i < n; i++) {
        const bool is_angle = i % 3 == 2;
        const double move = mbs_sampled_offset * spread(first + 2 * i);
        const double speed = mbs_sampled_offset * spread(first + 2 * i + 1) * s->speed;
        scratch->q[i] = start->q[i] + move * (is_angle ? 1 : s->length);
        scratch->v[i] = start->v[i] + speed / (is_angle ? s->length : 1);
      }
      for (size_t i = 0; i < (size_t)model->laws.n_variables; i++) {
        const size_t z = (size_t)model->laws.first_state + i;
        scratch->z[z] = start->z[z] + spread(first + 2 * n + z) * model->nominal[z];
      }
      has_changed = replace_sizes(model, ws, scratch) || has_changed;
    }
  }
}

static void set_sizes_at_start(mbs_model *model, mbs_workspace *ws, const mbs_state *state) {
  const mbs_laws *laws = &model->laws;
  for (int i = 0; i < model->n_stateful; i++) {
    const mbs_force *force = &model->forces[model->stateful[i]];
    for (int k = force->state; k < force->state + force->type->states->n; k++) {
      const double by_rate = fabs(ws->z_rates[k]) * model->scales.time;
      const double usual = fmax(force->type->states->nominal(force, &model->scales), fabs(state->z[k]));
      model->nominal[k] = isfinite(by_rate) ? fmax(usual, by_rate) : usual;
    }
  }
  for (int i = 0; i < laws->n_variables; i++) {
    const double given = laws->variable[i].nominal;
    const double size = fmax(fabs(state->z[laws->first_state + i]), size_by_rate(ws, state, i));
    model->nominal[laws->first_state + i] = given > 0 ? given : size;
  }
}

/* ---- All scales ---- */

void mbs_scales_finish(mbs_model *model, mbs_workspace *ws, const mbs_state *state, mbs_state *scratch) {
  mbs_scales *scales = &model->scales;
  mbs_stage_forces(ws, state->t, state->z);
  scales->rate = stiffest_rate(model, ws, state);
  scales->speed = fmax(speed_of_bodies(model, state->v), speed_of_loads(model, ws->Q));
  scales->speed = fmax(scales->speed, speed_of_laws(model, state->t));
  if (!(scales->speed > 0 && isfinite(scales->speed)))
    scales->speed = scales->length / (model->duration > 0 ? model->duration : 1);
  scales->time = scales->length / scales->speed;
  scales->force = scales->mass * scales->speed / scales->time;
  scales->energy = scales->mass * scales->speed * scales->speed;
  set_sizes_at_start(model, ws, state);
  set_sizes_by_samples(model, ws, state, scratch);
  for (int i = 0; i < model->n_states; i++) { /* sample times, modes and states of unknown size have the size 1 */
    const bool is_discrete = i >= model->laws.first_state + model->laws.n_variables;
    if (is_discrete || !(model->nominal[i] > 0 && isfinite(model->nominal[i])))
      model->nominal[i] = 1;
  }
}

static void evaluate_loads(mbs_workspace *ws, const mbs_state *at) {
  mbs_stage_kinematics(ws, at->q, at->v);
  mbs_stage_laws(ws, at);
  mbs_stage_forces(ws, at->t, at->z);
}

/* Returns the acceleration, m/s², that the loads Q - Q0 alone give a body (Q0 NULL: 0). Its angular acceleration times
 * L replaces the acceleration of its centre of mass if it is larger. */
static double acceleration_of(const mbs_model *model, int body, const double *Q, const double *Q0) {
  const double none[3] = {0};
  const double *inverse = model->inverse_mass + 3 * body, *from = Q0 != NULL ? Q0 : none;
  const double a = fmax(hypot(Q[0] - from[0], Q[1] - from[1]) * inverse[0],
                        fabs(Q[2] - from[2]) * inverse[2] * model->scales.length);
  return isfinite(a) ? a : 0;
}

/* A load gives a body an acceleration a. The change Q - Q(start) of a load may act during the whole run and give the
 * speed a times its duration. Any load may act over the length L and give the speed √(a L). */
double mbs_speed_of_later_loads(mbs_workspace *ws, const mbs_state *start, double *first, mbs_state *scratch) {
  const mbs_model *model = ws->model;
  double speed = 0;
  evaluate_loads(ws, start);
  memcpy(first, ws->Q + 3, 3 * (size_t)model->n_bodies * sizeof *first);
  mbs_state_copy(scratch, start);
  for (size_t sample = 0; sample < MBS_SAMPLES_OF_RUN; sample++) {
    scratch->t = start->t + model->duration * (1 + spread(sample)) / 2;
    memcpy(scratch->z, start->z, (size_t)model->n_states * sizeof *scratch->z);
    evaluate_loads(ws, scratch);
    for (int b = 1; b <= model->n_bodies; b++)
      speed = fmax(speed, acceleration_of(model, b, ws->Q + 3 * b, first + 3 * (b - 1)) * model->duration);
    for (size_t i = 0; i < (size_t)model->n_states; i++)
      scratch->z[i] = start->z[i] + spread(sample * (size_t)model->n_states + i) * model->nominal[i];
    mbs_copy_constant_states(model, start, start, scratch);
    evaluate_loads(ws, scratch);
    for (int b = 1; b <= model->n_bodies; b++)
      speed = fmax(speed, sqrt(acceleration_of(model, b, ws->Q + 3 * b, NULL) * model->scales.length));
  }
  return speed;
}

mbs_scales mbs_scales_of(const mbs_model *model) {
  return model != NULL ? model->scales : (mbs_scales){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

double mbs_scale_of_unit(const mbs_scales *scales, const char *unit) {
  const struct {
    const char *unit;
    double scale;
  } rows[] = {{"m", scales->length},
              {"rad", 1},
              {"s", scales->time},
              {"kg", scales->mass},
              {"m/s", scales->speed},
              {"rad/s", 1 / scales->time},
              {"m/s2", scales->speed / scales->time},
              {"rad/s2", 1 / (scales->time * scales->time)},
              {"N", scales->force},
              {"Nm", scales->energy},
              {"J", scales->energy},
              {"W", scales->energy / scales->time},
              {"Ns", scales->mass * scales->speed},
              {"kg m/s", scales->mass * scales->speed},
              {"kg m2/s", scales->energy * scales->time}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(unit, rows[i].unit) == 0)
      return rows[i].scale;
  return 0;
}

/* ---- Tolerances and error weights ---- */

double mbs_farthest(const mbs_model *model, const double *q) {
  double far = 0;
  for (int i = 0; i < 3 * model->n_bodies; i++)
    far = i % 3 == 2 ? far : larger(fabs(q[i]), far);
  return far;
}

double mbs_tolerance_of(const mbs_scales *scales, double rtol, double atol, int component, bool is_rate, double value) {
  const double scale = mbs_coordinate_scale(scales, component, is_rate);
  return atol > 0 ? rtol * fabs(value) + atol : rtol * fmax(fabs(value), mbs_share_of_scales * scale);
}

/* Returns the larger of `size` and the size for which rtol times size is the round-off of x, mbs_least_error |x|. */
static double above_rounding(double size, double x, double rtol) {
  return larger(fabs(x) * (mbs_least_error / rtol), size);
}

void mbs_weigh(const mbs_model *model, bool is_stabilised, const double *y, double rtol, double atol, double *weight) {
  const mbs_scales *s = &model->scales;
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t m = is_stabilised ? (size_t)model->n_rows : 0;
  const size_t z = 2 * (n + m);
  const size_t contacts = z + (size_t)model->n_states;
  const size_t work = contacts + (is_stabilised ? (size_t)(MBS_GGL_OF_CONTACT * model->n_hard) : 0);
  double energy = mbs_kinetic_energy(model, y + n);
  for (size_t i = work; i < work + (size_t)model->n_work; i++)
    energy = larger(fabs(y[i]), energy);
  if (atol > 0) {
    for (size_t i = 0; i < work; i++)
      weight[i] = rtol * fabs(y[i]) + atol;
    for (size_t i = work; i < work + (size_t)model->n_work; i++)
      weight[i] = fmax(rtol * fabs(y[i]) + atol, mbs_least_error * energy);
    return;
  }
  const double fastest = fmax(speed_of_bodies(model, y + n), s->speed);
  /* Stiff springs turn round-off of positions into errors of speeds, and so of energies. */
  const double rounding = mbs_rounding_of_positions * fmax(s->length, mbs_farthest(model, y)) * s->rate;
  const double least = fmax(rtol, rounding / fastest);
  const double of_work = least * fmax(energy, s->energy);
  for (size_t i = work; i < work + (size_t)model->n_work; i++)
    weight[i] = of_work;
  const double speed = fmax(mbs_share_of_scales * fastest, rounding / rtol);
  const double size[3] = {mbs_share_of_scales * s->length, mbs_share_of_scales * s->length, mbs_share_of_scales};
  const double rate[3] = {speed, speed, speed / s->length};
  for (size_t body = 0; body < n; body += 3)
    for (size_t i = body, k = 0; k < 3; i++, k++) {
      weight[i] = rtol * above_rounding(size[k], y[i], rtol);
      weight[n + i] = rtol * above_rounding(rate[k], y[n + i], rtol);
    }
  /* Weights of λ are impulses, weights of μ displacements: methods divide them by the length of a step, so shorter
   * steps may have larger errors of multipliers. */
  for (size_t i = 0; i < m; i++) {
    const double arm = model->row_is_angle[i] ? s->length : 1;
    weight[2 * n + i] = s->time * fmax(rtol * fabs(y[2 * n + i]), least * s->force * arm);
    weight[2 * n + m + i] = rtol * s->time * s->speed * arm;
  }
  for (size_t i = z; i < contacts; i++)
    weight[i] = rtol * fmax(fabs(y[i]), mbs_share_of_scales * model->nominal[i - z]);
  for (size_t i = contacts; i < work; i++) {
    const bool is_mu = (i - contacts) % MBS_GGL_OF_CONTACT == MBS_GGL_MU;
    weight[i] = rtol * s->time * (is_mu ? s->speed : fmax(fabs(y[i]), s->force));
  }
}
