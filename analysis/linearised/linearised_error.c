/* Error of a scheme on a motion of the linearised mechanism that is known exactly: what follows when equal loads on all
 * modes (analysis/linearised/modes.c) are taken away. With φᴴ M φ = 1 a mode deflects by 1/κ, κ = |φᴴ K φ|, and
 *
 *   δq = Re Σ φ/κ e^(s t).
 *
 * For each mode,
 *
 *   parts          z = Nᵀ M φ, by the bodies of each
 *   multipliers    Gᵀ λ = (K + s D - s² M) φ, hence S λ = G M⁻¹ (K + s D - s² M) φ
 *   markers        x = X z, v = s x, a = s² x
 *
 * give what every cut saw at the macro points before the start. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linearised/linearised_mechanism.h"
#include "mbs/linearised.h"

enum { MAX_PAST = 4 };
static const double MAX_STEPS = 1e6;
static const double no_stiffness = 1e-12; /* against the largest |s|² */

struct analysis_modal_release {
  size_t n;               /* modes that deflect */
  double complex *s;      /* (n) */
  double complex *z;      /* (n x n_z) */
  double complex *wrench; /* (n x n_cuts x 4) on side 1 */
  double complex *factor; /* (n) e^(s t) of the present look */
  double time;            /* s; of the slowest: one period, or 1/|s| */
  double amplitude;       /* in the norm of the masses */
};

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for the error of a scheme");
}

void analysis_modal_release_destroy(analysis_modal_release *self) {
  if (self == NULL)
    return;
  free(self->s);
  free(self);
}

/* ---- One mode ---- */

/* Scratch for one mode: real and imaginary part. */
typedef struct taker {
  const seam_linearised *of;
  analysis_modal_release *modal_release;
  mbs_workspace *ws;
  mbs_linearised *linear;
  double *phi[2], *force[2], *lambda[2]; /* (3 n_bodies), (3 n_bodies), (m) */
} taker;

static double complex value(double *const part[2], int i) { return part[0][i] + part[1][i] * I; }

/* φ with φᴴ M φ = 1. */
static void take_shape(taker *t, const seam_mode *mode) {
  const double *mass = t->of->model->mass + 3;
  const int n = 3 * t->of->model->n_bodies;
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += mass[i] * (mode->shape[0][i] * mode->shape[0][i] + mode->shape[1][i] * mode->shape[1][i]);
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < n; i++)
      t->phi[half][i] = mode->shape[half][i] / sqrt(sum);
}

/* |φᴴ K φ|; leaves K φ in t->force. */
static double take_stiffness(taker *t) {
  const int n = 3 * t->of->model->n_bodies;
  double complex sum = 0;
  for (int half = 0; half < 2; half++) {
    memset(t->force[half], 0, (size_t)n * sizeof(double));
    mbs_linearised_load(t->linear, t->phi[half], NULL, t->force[half], t->lambda[half]);
  }
  for (int i = 0; i < n; i++)
    sum += conj(value(t->phi, i)) * value(t->force, i);
  return cabs(sum);
}

/* λ of φ e^(s t), from K φ in t->force. */
static void take_multipliers(taker *t, double complex s) {
  const mbs_model *model = t->of->model;
  const int n = 3 * model->n_bodies;
  double *rate[2] = {t->phi[0], t->phi[1]};
  for (int i = 0; i < n; i++) { /* φ becomes s φ */
    const double complex phi = value(t->phi, i);
    const double complex inertia = s * s * phi * model->mass[3 + i];
    for (int half = 0; half < 2; half++) {
      t->force[half][i] -= half == 0 ? creal(inertia) : cimag(inertia);
      rate[half][i] = half == 0 ? creal(s * phi) : cimag(s * phi);
    }
  }
  for (int half = 0; half < 2; half++) {
    mbs_linearised_load(t->linear, NULL, rate[half], t->force[half], t->lambda[half]);
    for (int i = 0; i < n; i++)
      t->force[half][i] *= model->inverse_mass[3 + i];
    mbs_multiply_G(t->ws, t->force[half], t->lambda[half]);
    mbs_solve(t->ws, t->lambda[half]);
  }
}

static void put_parts(const taker *t, double kappa, double complex *z) {
  const double *mass = t->of->model->mass + 3;
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

static void put_wrenches(const taker *t, double kappa, double complex *wrench) {
  for (size_t k = 0; k < t->of->partition.n_cuts; k++, wrench += COSIM_MAX_FORCES) {
    const analysis_frozen_element *element = &t->of->elements[k];
    const int first = element->base.n_rows > 0 ? t->of->model->joints[t->of->partition.cuts[k].element].row : 0;
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      for (int row = 0; row < element->base.n_rows; row++)
        wrench[i] += element->S[i][row] * value(t->lambda, first + row) / kappa;
  }
}

static void take_mode(taker *t, const seam_mode *mode) {
  analysis_modal_release *to = t->modal_release;
  const size_t n_z = (size_t)t->of->n_z;
  const double complex s = mode->s[0] + mode->s[1] * I;
  take_shape(t, mode);
  const double kappa = take_stiffness(t);
  if (mode->neutral || !(kappa > no_stiffness * t->of->stiffness))
    return;
  const double time = mode->s[1] > 0 ? 6.283185307179586 / mode->s[1] : 1 / fabs(mode->s[0]);
  to->time = fmax(to->time, time);
  to->s[to->n] = s;
  put_parts(t, kappa, to->z + to->n * n_z);
  take_multipliers(t, s);
  put_wrenches(t, kappa, to->wrench + to->n * t->of->partition.n_cuts * COSIM_MAX_FORCES);
  to->amplitude = hypot(to->amplitude, 1 / kappa);
  to->n++;
}

/* ---- All modes ---- */

static analysis_modal_release *create(const seam_linearised *self) {
  const size_t n = self->modes->n;
  const size_t n_wrench = self->partition.n_cuts * COSIM_MAX_FORCES;
  analysis_modal_release *made = calloc(1, sizeof *made);
  double complex *memory = calloc(n * (2 + (size_t)self->n_z + n_wrench) + 1, sizeof *memory);
  if (made == NULL || memory == NULL) {
    free(made);
    free(memory);
    return NULL;
  }
  made->s = memory;
  made->factor = made->s + n;
  made->z = made->factor + n;
  made->wrench = made->z + n * (size_t)self->n_z;
  return made;
}

static seam_status prepare(taker *t, const mbs_state *state, seam_error *error) {
  mbs_stage_kinematics(t->ws, state->q, state->v);
  mbs_stage_constraints(t->ws, state->t);
  mbs_linearise(t->linear, t->ws, state);
  const int dependent = mbs_stage_factor(t->ws, t->of->model->inverse_mass);
  return dependent < 0 ? SEAM_OK : mbs_singular(t->of->model, state->t, dependent, error);
}

seam_status analysis_modal_release_create(const seam_linearised *self, const mbs_state *state,
                                          analysis_modal_release **created, seam_error *error) {
  const size_t n = 3 * (size_t)self->model->n_bodies;
  const size_t m = (size_t)self->model->n_rows;
  double *work = calloc(2 * (2 * n + m) + 1, sizeof *work);
  taker t = {.of = self, .modal_release = create(self)};
  seam_status status = SEAM_NO_MEMORY;
  if (work == NULL || t.modal_release == NULL || mbs_workspace_create(self->model, &t.ws, error) != SEAM_OK ||
      mbs_linearised_create(self->model, &t.linear, error) != SEAM_OK) {
    no_memory(error);
  } else {
    for (size_t half = 0; half < 2; half++) {
      t.phi[half] = work + half * n;
      t.force[half] = work + (2 + half) * n;
      t.lambda[half] = work + 4 * n + half * m;
    }
    status = prepare(&t, state, error);
  }
  for (size_t k = 0; k < self->modes->n && status == SEAM_OK; k++)
    take_mode(&t, &self->modes->mode[k]);
  free(work);
  mbs_linearised_destroy(t.linear);
  mbs_workspace_destroy(t.ws);
  if (status == SEAM_OK)
    *created = t.modal_release;
  else
    analysis_modal_release_destroy(t.modal_release);
  return status;
}

/* ---- The exact motion ---- */

static void set_time(const analysis_modal_release *r, double t) {
  for (size_t k = 0; k < r->n; k++)
    r->factor[k] = cexp(r->s[k] * t);
}

/* Derivative of that order of coordinate i of all z, at the time set. */
static double z_of(const seam_linearised *self, int i, int order) {
  const analysis_modal_release *r = self->modal_release;
  double sum = 0;
  for (size_t k = 0; k < r->n; k++) {
    double complex z = r->z[k * (size_t)self->n_z + (size_t)i] * r->factor[k];
    for (int times = 0; times < order; times++)
      z *= r->s[k];
    sum += creal(z);
  }
  return sum;
}

/* What a cut sees at the time set. */
static cosim_snapshot look(const seam_linearised *self, size_t number) {
  const analysis_modal_release *r = self->modal_release;
  cosim_snapshot now = {0};
  for (int side = 0; side < 2; side++) {
    const cosim_element_cut *cut = &self->partition.cuts[number];
    const analysis_linearised_part *part = &self->parts[cut->subsystem[side]];
    const int first = self->first[cut->subsystem[side]];
    cosim_motion *m = &now.motion[side];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < part->f; j++) {
        const double X = part->X[(3 * cut->port[side] + i) * part->f + j];
        m->x[i] += X * z_of(self, first + j, 0);
        m->v[i] += X * z_of(self, first + j, 1);
        m->a[i] += X * z_of(self, first + j, 2);
      }
  }
  for (size_t k = 0; k < r->n; k++)
    for (size_t i = 0; i < COSIM_MAX_FORCES; i++)
      now.wrench[0][i] += creal(r->wrench[(k * self->partition.n_cuts + number) * COSIM_MAX_FORCES + i] * r->factor[k]);
  return now;
}

/* Puts the master there at time 0, with its past, and takes its state. */
static seam_status begin(seam_linearised *self, double H, seam_error *error) {
  const size_t n_cuts = self->partition.n_cuts;
  double *state = malloc((2 * (size_t)self->n_z + 1) * sizeof *state);
  cosim_snapshot *past = malloc((MAX_PAST * n_cuts + 1) * sizeof *past);
  if (state == NULL || past == NULL) {
    free(state);
    free(past);
    return no_memory(error);
  }
  for (size_t i = 0; i < MAX_PAST * n_cuts; i++) {
    const size_t steps_back = i / n_cuts;
    set_time(self->modal_release, -(double)steps_back * H);
    past[i] = look(self, i % n_cuts);
  }
  set_time(self->modal_release, 0);
  for (size_t s = 0; s < self->partition.n_subsystems; s++) {
    const int f = self->parts[s].f;
    for (int i = 0; i < 2 * f; i++)
      state[i] = z_of(self, self->first[s] + i % f, i / f);
    self->linear[s]->ops->restore(self->linear[s], state);
  }
  cosim_master_begin(self->master, 0, past, MAX_PAST);
  cosim_master_save(self->master, self->state);
  free(state);
  free(past);
  return SEAM_OK;
}

/* ---- The error ---- */

/* Of the parts' z in a state, at the time set, in the norm of the masses. */
static double distance(const seam_linearised *self, const double *state) {
  double sum = 0;
  for (size_t s = 0; s < self->partition.n_subsystems; s++) {
    for (int i = 0; i < self->parts[s].f; i++)
      sum += pow(state[i] - z_of(self, self->first[s] + i, 0), 2);
    state += 2 * self->parts[s].f;
  }
  return sqrt(sum);
}

static void multiply(int n, const double *Phi, const double *x, double *y) {
  memset(y, 0, (size_t)n * sizeof *y);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      y[i] += Phi[i + j * n] * x[j];
}

seam_status seam_linearised_error(seam_linearised *self, double H, double *relative, seam_error *error) {
  const analysis_modal_release *release = self->modal_release;
  *relative = NAN;
  if (release->n == 0 || H > release->time || H * MAX_STEPS < release->time)
    return SEAM_OK;
  seam_status status = analysis_linearised_step(self, H, error);
  if (status == SEAM_OK)
    status = begin(self, H, error);
  if (status != SEAM_OK)
    return status;
  const int n = (int)cosim_master_n_state(self->master);
  double largest = 0;
  for (int k = 1; k * H <= release->time * (1 + 1e-9); k++) {
    double *now = self->state + (k - 1) % 2 * n;
    double *next = self->state + k % 2 * n;
    multiply(n, self->Phi, now, next);
    set_time(release, k * H);
    largest = fmax(largest, distance(self, next));
  }
  *relative = largest / release->amplitude;
  return SEAM_OK;
}
