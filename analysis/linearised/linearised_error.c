/* Error of a coupling scheme on an exactly known motion of the linearised mechanism. The error is the largest distance
 * of the coupled subsystems from this motion, in the mass norm, divided by the motion's amplitude. The time of
 * comparison is the period of the slowest mode or, if it does not oscillate, 1/|s| with its eigenvalue s. The minimal
 * coordinates z(t) of a subsystem give positions, velocities and accelerations of its markers (linearised_part.c):
 *
 *   x = X z,  v = X z',  a = X z''.
 *
 * At t = 0 all subsystems and cuts have their exact values, and exact past values at earlier macro points. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linearised/linearised_mechanism.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/then.h"
#include "base/vector.h"
#include "mbs/dynamics/linearised.h"
#include "mbs/stages/stages.h"

enum { MAX_PAST = 4 };

/* ---- The exact motion ---- */

/* Loads of equal size on all modes (eigenmodes.c) are removed at t = 0. M is the mass matrix; K and D are the
 * derivatives of loads by poses q and velocities v. A mode has the eigenvalue s, the shape φ, scaled to φᴴ M φ = 1, and
 * the stiffness κ = |φᴴ K φ|. Its load deflects it by 1/κ:
 *
 *   δq = Re Σ φ/κ e^(s t).
 *
 * The sum omits modes without stiffness and modes in which no body moves. Let N be the basis of a subsystem's motions,
 * z its minimal coordinates, G the constraint matrix and λ the multipliers of joints. If a mode moves the mechanism by
 * φ, z and λ have the amplitudes
 *
 *   z = Nᵀ M φ,   M and φ only for the bodies of the subsystem
 *   Gᵀ λ = (K + s D - s² M) φ, hence S λ = G M⁻¹ (K + s D - s² M) φ, S = G M⁻¹ Gᵀ.
 *
 * These amplitudes are divided by κ and summed over the modes. If there are states w or laws that read forces, κ is
 * |s|², which equals |φᴴ K φ| without damping. Then λ follows from φ, s φ and w of the mode by the linearised equations
 * (mbs/dynamics/linearised.h). */

struct analysis_modal_release {
  size_t n; /* number of modes with stiffness in which bodies move */
  size_t n_z, n_w, n_cuts;
  double complex *s;      /* (n) eigenvalues of these modes */
  double complex *z;      /* (n x n_z) amplitudes of z */
  double complex *w;      /* (n x n_w) amplitudes of the states of the undivided model */
  double complex *wrench; /* (n x n_cuts x 4) amplitudes of the cuts' wrenches on side 1 */
  double complex *factor; /* (n) e^(s t) at the time that was set */
  double time;            /* s, period of the slowest mode or 1/|s| without oscillation; 0: no mode */
  double amplitude;       /* amplitude of the motion in the mass norm */
};

void analysis_modal_release_destroy(analysis_modal_release *self) {
  if (self == NULL)
    return;
  free(self->s);
  free(self);
}

/* Scratch for one mode. Of each array, [0] is the real part and [1] the imaginary part. */
typedef struct mode_scratch {
  const seam_linearised *of;
  analysis_modal_release *modal_release;
  const analysis_minimal_state *at;
  double *phi[2], *force[2], *lambda[2]; /* (3 n_bodies), (3 n_bodies), (number of constraints) */
  double *w[2], *rate;                   /* (n_w), (3 n_bodies) */
} mode_scratch;

static double complex value(double *const part[2], int i) { return part[0][i] + part[1][i] * I; }

/* Sets φ, scaled to φᴴ M φ = 1, and w of a mode. Returns false if no body moves in the mode. */
static bool set_shape(mode_scratch *t, const seam_mode *mode) {
  const double *mass = t->of->undivided_model->mass + 3;
  const int n = 3 * t->of->undivided_model->n_bodies;
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += mass[i] * (mode->shape[0][i] * mode->shape[0][i] + mode->shape[1][i] * mode->shape[1][i]);
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < n; i++)
      t->phi[half][i] = mode->shape[half][i] / sqrt(sum);
  for (int half = 0; half < 2 && sum > 0; half++)
    for (size_t i = 0; i < t->modal_release->n_w; i++)
      t->w[half][i] = mode->states[half][i] / sqrt(sum);
  return sum > 0;
}

/* Returns |φᴴ K φ| and leaves K φ in t->force. */
static double find_stiffness(mode_scratch *t) {
  const int n = 3 * t->of->undivided_model->n_bodies;
  for (int half = 0; half < 2; half++) {
    memset(t->force[half], 0, (size_t)n * sizeof(double));
    mbs_linearised_load(t->at->linear, t->phi[half], NULL, t->force[half], t->lambda[half]);
  }
  double complex sum = 0;
  for (int i = 0; i < n; i++)
    sum += conj(value(t->phi, i)) * value(t->force, i);
  return cabs(sum);
}

/* Computes λ of the motion φ e^(s t), from K φ in t->force. Overwrites t->force; t->phi becomes s φ. */
static void find_multipliers(mode_scratch *t, double complex s) {
  const mbs_model *model = t->of->undivided_model;
  const int n = 3 * model->n_bodies;
  for (int i = 0; i < n; i++) {
    const double complex phi = value(t->phi, i);
    const double complex inertia = s * s * phi * model->mass[3 + i];
    for (int half = 0; half < 2; half++) {
      t->force[half][i] -= half == 0 ? creal(inertia) : cimag(inertia);
      t->phi[half][i] = half == 0 ? creal(s * phi) : cimag(s * phi);
    }
  }
  for (int half = 0; half < 2; half++) {
    mbs_linearised_load(t->at->linear, NULL, t->phi[half], t->force[half], t->lambda[half]);
    for (int i = 0; i < n; i++)
      t->force[half][i] *= model->inverse_mass[3 + i];
    mbs_multiply_G(t->at->ws, t->force[half], t->lambda[half]);
    mbs_solve(t->at->ws, t->lambda[half]);
  }
}

/* Computes λ of the motion if the model has states w, or laws that read forces; t->w has the mode's w. */
static void find_general_multipliers(mode_scratch *t, double complex s) {
  const int n = 3 * t->of->undivided_model->n_bodies;
  for (int half = 0; half < 2; half++) {
    const double unit[2] = {half == 0 ? creal(s) : cimag(s), half == 0 ? -cimag(s) : creal(s)};
    for (int i = 0; i < n; i++)
      t->rate[i] = unit[0] * t->phi[0][i] + unit[1] * t->phi[1][i];
    memset(t->force[half], 0, (size_t)n * sizeof(double));
    memset(t->lambda[half], 0, (size_t)t->of->undivided_model->n_rows * sizeof(double));
    mbs_linearised_solve(t->at->linear, t->at->ws, t->phi[half], t->rate, t->w[half], t->force[half], t->lambda[half]);
  }
}

static void add_part_amplitudes(const mode_scratch *t, double kappa, double complex *z) {
  const double *mass = t->of->undivided_model->mass + 3;
  for (size_t s = 0; s < t->of->partition.n_subsystems; s++) {
    const analysis_linearised_part *part = &t->of->parts[s];
    const int n = 3 * part->n_bodies;
    for (int j = 0; j < part->f; j++, z++)
      for (int i = 0; i < n; i++) {
        const int of_whole = 3 * (part->body_of[i / 3 + 1] - 1) + i % 3;
        *z += part->N[i + j * n] * mass[of_whole] * value(t->phi, of_whole) / kappa;
      }
  }
}

static void add_mode(mode_scratch *t, const seam_mode *mode) {
  analysis_modal_release *to = t->modal_release;
  const size_t n_z = (size_t)t->of->n_z;
  const double complex s = mode->s[0] + mode->s[1] * I;
  const mbs_model *model = t->of->model;
  const bool is_second_order = t->of->n_states == 2 * t->of->n_z && model->laws.n_loop == 0 &&
                               t->of->undivided_model == model && model->n_hard == 0; /* no w; no law reads forces */
  if (!set_shape(t, mode))
    return;
  const double kappa = is_second_order ? find_stiffness(t) : pow(cabs(s), 2);
  if (mode->neutral || !(kappa > analysis_no_stiffness * t->of->stiffness))
    return;
  to->time = fmax(to->time, mode->s[1] > 0 ? 6.283185307179586 / mode->s[1] : 1 / fabs(mode->s[0]));
  to->s[to->n] = s;
  add_part_amplitudes(t, kappa, to->z + to->n * n_z);
  for (size_t i = 0; i < to->n_w; i++)
    to->w[to->n * to->n_w + i] = value(t->w, (int)i) / kappa;
  if (is_second_order)
    find_multipliers(t, s);
  else
    find_general_multipliers(t, s);
  double complex *wrench = to->wrench + to->n * t->of->partition.n_cuts * COSIM_MAX_FORCES;
  for (size_t k = 0; k < t->of->partition.n_cuts; k++, wrench += COSIM_MAX_FORCES) {
    const analysis_linearised_element *element = &t->of->elements[k];
    const int first =
        element->base.n_rows > 0 ? t->of->undivided_model->joints[t->of->partition.cuts[k].element].row : 0;
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      for (int row = 0; row < element->base.n_rows; row++)
        wrench[i] += element->S[i][row] * value(t->lambda, first + row) / kappa;
  }
  to->amplitude = hypot(to->amplitude, 1 / kappa);
  to->n++;
}

seam_status analysis_modal_release_create(const seam_linearised *self, const analysis_minimal_state *at, double time,
                                          analysis_modal_release **created, seam_error *error) {
  const mbs_model *model = self->undivided_model;
  const size_t n_modes = self->modes->n;
  const size_t n_z = (size_t)self->n_z;
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t m = (size_t)model->n_rows;
  const size_t n_w = mbs_n_states(model);
  const size_t n_wrench = self->partition.n_cuts * COSIM_MAX_FORCES;
  const int dependent = mbs_stage_factor(at->ws, model->inverse_mass);
  if (dependent >= 0)
    return mbs_singular(model, time, dependent, error);
  double *work = calloc(2 * (2 * n + m + n_w) + n + 1, sizeof *work);
  double complex *amplitudes = calloc(n_modes * (2 + n_z + n_w + n_wrench) + 1, sizeof *amplitudes);
  analysis_modal_release *made = calloc(1, sizeof *made);
  if (work == NULL || amplitudes == NULL || made == NULL) {
    free(work);
    free(amplitudes);
    free(made);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the exact motion of a mechanism");
  }
  *made = (analysis_modal_release){.n_z = n_z, .n_w = n_w, .n_cuts = self->partition.n_cuts, .s = amplitudes};
  made->factor = made->s + n_modes;
  made->z = made->factor + n_modes;
  made->w = made->z + n_modes * n_z;
  made->wrench = made->w + n_modes * n_w;
  mode_scratch t = {.of = self, .modal_release = made, .at = at};
  for (size_t half = 0; half < 2; half++) {
    t.phi[half] = work + half * n;
    t.force[half] = work + (2 + half) * n;
    t.lambda[half] = work + 4 * n + half * m;
    t.w[half] = work + 4 * n + 2 * m + half * n_w;
  }
  t.rate = work + 4 * n + 2 * (m + n_w);
  for (size_t k = 0; k < n_modes; k++)
    add_mode(&t, &self->modes->mode[k]);
  free(work);
  *created = made;
  return SEAM_OK;
}

double analysis_modal_release_time(const analysis_modal_release *self) { return self != NULL ? self->time : 0; }

/* ---- Values of the motion ---- */

/* Sets the time (s) at which the functions below evaluate the motion. */
static void set_time(analysis_modal_release *self, double t) {
  for (size_t k = 0; k < self->n; k++)
    self->factor[k] = cexp(self->s[k] * t);
}

/* Returns the time derivative of order `order` of z[i], where z has the minimal coordinates of all subsystems. */
static double exact_z(const analysis_modal_release *self, int i, int order) {
  double sum = 0;
  for (size_t k = 0; k < self->n; k++) {
    double complex z = self->z[k * self->n_z + (size_t)i] * self->factor[k];
    for (int times = 0; times < order; times++)
      z *= self->s[k];
    sum += creal(z);
  }
  return sum;
}

/* Returns the change of state i of the undivided model. */
static double exact_w(const analysis_modal_release *self, int i) {
  double sum = 0;
  for (size_t k = 0; k < self->n; k++)
    sum += creal(self->w[k * self->n_w + (size_t)i] * self->factor[k]);
  return sum;
}

/* ---- The exact state of the coupled subsystems ---- */

/* Returns the exact motions and wrench of a cut at the time that was set. */
static cosim_snapshot snapshot_of(const seam_linearised *self, size_t number) {
  const analysis_modal_release *release = self->modal_release;
  cosim_snapshot now = {0};
  for (int side = 0; side < 2; side++) {
    const cosim_element_cut *cut = &self->partition.cuts[number];
    const analysis_linearised_part *part = &self->parts[cut->subsystem[side]];
    cosim_motion *m = &now.motion[side];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < part->f; j++) {
        const double X = part->X[(3 * cut->port[side] + i) * part->f + j];
        m->x[i] += X * exact_z(release, part->first + j, 0);
        m->v[i] += X * exact_z(release, part->first + j, 1);
        m->a[i] += X * exact_z(release, part->first + j, 2);
      }
  }
  for (size_t k = 0; k < release->n; k++)
    for (size_t i = 0; i < COSIM_MAX_FORCES; i++)
      now.wrench[0][i] +=
          creal(release->wrench[(k * release->n_cuts + number) * COSIM_MAX_FORCES + i] * release->factor[k]);
  return now;
}

/* Sets a subsystem to its exact state at the time that was set. `state` is scratch. */
static void set_part(const seam_linearised *self, size_t s, double *state) {
  const analysis_modal_release *release = self->modal_release;
  const analysis_linearised_part *part = &self->parts[s];
  for (int i = 0; i < 2 * part->f; i++)
    state[i] = exact_z(release, part->first + i % part->f, i / part->f);
  for (int i = 0; i < part->n_w; i++)
    state[2 * part->f + i] = exact_w(release, part->w_of[i]);
  part->part->ops->restore(part->part, state);
}

/* Starts the master at time 0. The cuts that it couples get their exact past values at multiples of H. */
static seam_status begin_with_past(seam_linearised *self, cosim_master *master, double H, seam_error *error) {
  const size_t n_cuts = self->partition.n_cuts;
  cosim_snapshot *past = malloc((MAX_PAST * n_cuts + 1) * sizeof *past);
  if (past == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the error of a scheme");
  size_t n = 0;
  for (size_t i = 0; i < MAX_PAST * n_cuts; i++) {
    const size_t steps_back = i / n_cuts;
    set_time(self->modal_release, -(double)steps_back * H);
    if (!self->partition.cuts[i % n_cuts].is_exchanged)
      past[n++] = snapshot_of(self, i % n_cuts);
  }
  set_time(self->modal_release, 0);
  cosim_master_begin(master, 0, past, MAX_PAST);
  free(past);
  return SEAM_OK;
}

/* Sets all subsystems and couplings to their exact states at time 0, with exact past values at multiples of H. */
static seam_status begin(seam_linearised *self, double H, seam_error *error) {
  cosim_exchange *exchange = self->engine->exchange;
  size_t n = 0; /* number of outputs of all members of the exchange */
  for (int m = 0; m < exchange->n; m++)
    n += (size_t)exchange->parts->member[m].part->n_outputs;
  double *state = calloc(self->n_x + COSIM_MAX_PAST * n + 1, sizeof *state);
  if (state == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the error of a scheme");
  double *outputs = state + self->n_x; /* (COSIM_MAX_PAST x n) outputs at the times -k H */
  seam_status status = SEAM_OK;
  for (int k = COSIM_MAX_PAST - 1; k >= 0 && status == SEAM_OK; k--) {
    double *to = outputs + (size_t)k * n;
    set_time(self->modal_release, -k * H);
    for (size_t s = 0; s < self->partition.n_subsystems; s++)
      set_part(self, s, state);
    cosim_exchange_start(exchange, 0);
    status = cosim_exchange_evaluate(exchange, COSIM_AT_START, 0, error);
    for (int m = 0; m < exchange->n; to += exchange->parts->member[m++].part->n_outputs)
      memcpy(to, exchange->history[m].past, (size_t)exchange->parts->member[m].part->n_outputs * sizeof *to);
  }
  for (int k = 1; k < COSIM_MAX_PAST && status == SEAM_OK; k++) {
    const double *from = outputs + (size_t)k * n;
    for (int m = 0; m < exchange->n; from += exchange->parts->member[m++].part->n_outputs)
      cosim_exchange_remember(exchange, m, -k * H, from);
  }
  for (cosim_link *link = exchange->links; link < exchange->links + exchange->n_links; link++) {
    /* links that smooth their signals start from these values */
    link->end_value = cosim_exchange_output(exchange, link->from, link->output);
    link->end_slope = 0;
  }
  free(state);
  if (self->engine->master != NULL)
    THEN(status, begin_with_past(self, self->engine->master, H, error));
  return status;
}

/* ---- The error ---- */

seam_status seam_linearised_error(seam_linearised *self, double H, double *relative, seam_error *error) {
  ARGUMENTS(error, self, relative);
  if (!is_positive(H))
    return seam_fail(error, SEAM_BAD_INPUT, "macro step %g must be positive and finite", H);
  analysis_modal_release *release = self->modal_release;
  const double time = analysis_modal_release_time(release);
  *relative = NAN;
  if (!(time > 0) || H > time || H * analysis_max_linear_steps < time)
    return SEAM_OK;
  TRY(analysis_recurrence_step(self, H, error));
  TRY(begin(self, H, error));
  analysis_recurrence_get(self, self->state);
  const size_t n = self->n_x;
  double largest = 0;
  for (int k = 1; k * H <= time * (1 + analysis_slack_of_step); k++) {
    double *now = self->state + (size_t)((k - 1) % 2) * n;
    double *next = self->state + (size_t)(k % 2) * n;
    analysis_recurrence_apply(self, now, next);
    set_time(release, k * H);
    double squares = 0; /* squared distance of all z from the exact z, in the mass norm */
    for (size_t s = 0; s < self->partition.n_subsystems; s++) {
      const double *z = next + analysis_recurrence_index(self, s);
      for (int i = 0; i < self->parts[s].f; i++)
        squares += pow(z[i] - exact_z(release, self->parts[s].first + i, 0), 2);
    }
    largest = fmax(largest, sqrt(squares));
  }
  *relative = largest / release->amplitude;
  return SEAM_OK;
}
