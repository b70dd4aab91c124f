/* Everything at the end of a macro step of length 1 is found at once, from one linear system M y = R s:
 *
 *   y   x, v, a and p = ∫x of both sides, and all new values of the coupling variables
 *   s   x, v of both sides at the beginning, and the old values of the coupling variables
 *   M   the exact responses of both sides to s and to the coupling variables' functions (matrix exponentials), the law
 *       of the acceleration, and the conditions of the scheme
 *
 * so that nothing is predicted, linearised or corrected. The map of s follows by picking rows of M⁻¹ R. Equations:
 * [Li] 3.31, 4.63 and the schemes of 3.1, 3.4, 4.1, 4.7, as docs/conventions.md reads them. Collocation has its own
 * system in oracle_collocation.c. */
#include "tests/support/oracle/oracle.h"

#include <math.h>
#include <string.h>

#include "tests/support/oracle/oracle_collocation.h"
#include "tests/support/oracle/oracle_scheme.h"
#include "tests/support/oracle/quad.h"

enum { X, V, A, P, n_of_side };
enum { MAX_Y = 2 * n_of_side + 8, MAX_S = 4 + ORACLE_MAX_VARIABLES * ORACLE_MAX_NODES };
enum { n_chain = 3 + ORACLE_MAX_NODES }; /* x, v, p and the input's polynomial */

typedef struct oracle_side {
  quad m, c, d;                                 /* its own, per unit m1 */
  quad c_driven, d_driven;                      /* per its mass, as it is driven */
  quad E[ORACLE_MAX_PIECES][n_chain * n_chain]; /* over pieces of length 1, 1/2, 1/3 */
  quad gain[ORACLE_MAX_VARIABLES];              /* acceleration per unit of each variable */
} oracle_side;

typedef struct oracle {
  oracle_scheme scheme;
  oracle_side side[2];
  quad cc, dc;
  oracle_rule rule[ORACLE_MAX_VARIABLES];
  int new_at[ORACLE_MAX_VARIABLES], old_at[ORACLE_MAX_VARIABLES]; /* columns of y and of s */
  int n_y, n_s;
  quad M[MAX_Y * MAX_Y], R[MAX_Y * MAX_S];
  quad Phi[MAX_S * MAX_S];
} oracle;

static quad *left(oracle *o, int row, int column) { return &o->M[row * o->n_y + column]; }
static quad *right(oracle *o, int row, int column) { return &o->R[row * o->n_s + column]; }
static int at(int side, int what) { return side * n_of_side + what; }

/* ---- Model ---- */

static void set_model(oracle *o, const seam_test_model *model) {
  const quad r = model->lambda_r;
  const quad i = model->lambda_i;
  const quad m = model->alpha_m21;
  const quad r2 = model->alpha_r21 * r;
  const quad i2 = model->alpha_i21 * i;
  const quad rc = model->alpha_rc1 * r;
  const quad ic = model->alpha_ic1 * i;
  o->side[0] = (oracle_side){.m = 1, .c = r * r + i * i, .d = -2 * r};
  o->side[1] = (oracle_side){.m = m, .c = m * (r2 * r2 + i2 * i2), .d = -2 * m * r2};
  o->cc = 2 * m / (1 + m) * (rc * rc + ic * ic);
  o->dc = -4 * m / (1 + m) * rc;
}

/* What drives a side: its own prescribed acceleration, the other side's motion or, where there is neither, the force.
 */
static void set_drive(oracle *o, int which) {
  oracle_side *side = &o->side[which];
  bool by_force = true;
  side->c_driven = side->c / side->m;
  side->d_driven = side->d / side->m;
  for (int i = 0; i < o->scheme.n_variables; i++) {
    const oracle_variable *w = &o->scheme.variable[i];
    if (w->kind == ORACLE_POSITION && w->side != which) {
      side->gain[i] = o->cc / side->m;
      side->c_driven += side->gain[i];
      by_force = false;
    } else if (w->kind == ORACLE_VELOCITY && w->side != which) {
      side->gain[i] = o->dc / side->m;
      side->d_driven += side->gain[i];
      by_force = false;
    } else if (w->kind == ORACLE_ACCELERATION && w->side == which) {
      side->gain[i] = 1;
      side->c_driven = side->d_driven = 0;
      by_force = false;
    }
  }
  for (int i = 0; i < o->scheme.n_variables; i++)
    if (by_force && o->scheme.variable[i].kind == ORACLE_FORCE)
      side->gain[i] = (which == 0 ? 1 : -1) / side->m;
}

/* x' = v, v' = -c x - d v + u, p' = x, and the derivatives of the polynomial u. */
static void set_exponentials(oracle_side *side) {
  for (int n = 1; n <= ORACLE_MAX_PIECES; n++) {
    quad G[n_chain * n_chain] = {0};
    const quad length = (quad)1 / n;
    G[0 * n_chain + 1] = length;
    G[1 * n_chain + 0] = -side->c_driven * length;
    G[1 * n_chain + 1] = -side->d_driven * length;
    G[1 * n_chain + 3] = length;
    G[2 * n_chain + 0] = length;
    for (int m = 0; m + 1 < ORACLE_MAX_NODES; m++)
      G[(3 + m) * n_chain + 4 + m] = (m + 1) * length;
    quad_expm(n_chain, G, side->E[n - 1]);
  }
}

/* z = (x, v, p) over one macro step under an acceleration f. */
static void respond(const oracle_side *side, const oracle_function *f, quad z[3]) {
  const quad *E = side->E[f->n_pieces - 1];
  for (int piece = 0; piece < f->n_pieces; piece++) {
    quad end[3] = {0};
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < n_chain; j++)
        end[i] += E[i * n_chain + j] * (j < 3 ? z[j] : f->c[piece][j - 3]);
    memcpy(z, end, sizeof end);
  }
}

/* ---- Rows of the motion ---- */

static void put_motion(oracle *o, int which, quad (*entry)[n_of_side], const oracle_function *f, quad gain,
                       const quad z0[3]) {
  quad z[3] = {z0[0], z0[1], z0[2]};
  respond(&o->side[which], f, z);
  (*entry)[X] = gain * z[0];
  (*entry)[V] = gain * z[1];
  (*entry)[P] = gain * z[2];
  (*entry)[A] = gain * oracle_end(f);
}

static void fill_motion(oracle *o, int which) {
  static const oracle_function nothing = {.n_pieces = 1};
  static const quad rest[3] = {0, 0, 0};
  const oracle_side *side = &o->side[which];
  quad entry[n_of_side];
  for (int q = 0; q < n_of_side; q++)
    *left(o, at(which, q), at(which, q)) = 1;
  *left(o, at(which, A), at(which, X)) = side->c_driven;
  *left(o, at(which, A), at(which, V)) = side->d_driven;
  for (int j = 0; j < 2; j++) {
    const quad unit[3] = {j == 0, j == 1, 0};
    put_motion(o, which, &entry, &nothing, 1, unit);
    for (int q = 0; q < n_of_side; q++)
      *right(o, at(which, q), 2 * which + j) = entry[q];
  }
  for (int i = 0; i < o->scheme.n_variables; i++) {
    for (int j = 0; j < o->rule[i].n_new; j++) {
      put_motion(o, which, &entry, &o->rule[i].of_new[j], -side->gain[i], rest);
      for (int q = 0; q < n_of_side; q++)
        *left(o, at(which, q), o->new_at[i] + j) = entry[q];
    }
    for (int j = 0; j < o->rule[i].n_old; j++) {
      put_motion(o, which, &entry, &o->rule[i].of_old[j], side->gain[i], rest);
      for (int q = 0; q < n_of_side; q++)
        *right(o, at(which, q), o->old_at[i] + j) = entry[q];
    }
  }
}

/* ---- Rows of the conditions ---- */

/* factor (second minus first side) onto the left of a row */
static void put_difference(oracle *o, int row, int what, quad factor) {
  *left(o, row, at(1, what)) += factor;
  *left(o, row, at(0, what)) -= factor;
}

/* w = its law at the end */
static void put_value(oracle *o, int i) {
  const oracle_variable *w = &o->scheme.variable[i];
  const int row = o->new_at[i];
  *left(o, row, row) = 1;
  if (w->kind == ORACLE_FORCE) {
    put_difference(o, row, X, -o->cc);
    put_difference(o, row, V, -o->dc);
  } else {
    *left(o, row, at(w->side, w->kind == ORACLE_POSITION ? X : V)) = -1;
  }
}

/* λ' = c Δv + d Δa, ṽ' = a */
static void put_slope(oracle *o, int i) {
  const oracle_variable *w = &o->scheme.variable[i];
  const int row = o->new_at[i] + 1;
  *left(o, row, row - 1) = o->scheme.order < 2 ? 2 : 3;
  *left(o, row, row) = o->scheme.order < 2 ? -2 : -4;
  if (o->scheme.order == 2)
    *right(o, row, o->old_at[i]) = -1;
  if (w->kind == ORACLE_FORCE) {
    put_difference(o, row, V, -o->cc);
    put_difference(o, row, A, -o->dc);
  } else {
    *left(o, row, at(w->side, A)) = -1;
  }
}

/* ∫λ = c Δp + d (Δx - Δx at the beginning), ∫x̃ = p */
static void put_integral(oracle *o, int i) {
  const oracle_variable *w = &o->scheme.variable[i];
  const int row = o->new_at[i] + 1;
  for (int j = 0; j < o->rule[i].n_new; j++)
    *left(o, row, o->new_at[i] + j) = oracle_integral(&o->rule[i].of_new[j]);
  for (int j = 0; j < o->rule[i].n_old; j++)
    *right(o, row, o->old_at[i] + j) = -oracle_integral(&o->rule[i].of_old[j]);
  if (w->kind == ORACLE_FORCE) {
    put_difference(o, row, P, -o->cc);
    put_difference(o, row, X, -o->dc);
    *right(o, row, 2) = -o->dc;
    *right(o, row, 0) = o->dc;
  } else {
    *left(o, row, at(w->side, P)) = -1;
  }
}

/* The reaction on the first side, times sign: λ or, at a side with a prescribed acceleration, what that takes. */
static void put_reaction(oracle *o, int row, int which, quad sign) {
  for (int i = 0; i < o->scheme.n_variables; i++) {
    const oracle_variable *w = &o->scheme.variable[i];
    if (w->kind == ORACLE_ACCELERATION && w->side == which) {
      const oracle_side *side = &o->side[which];
      const quad on_first = which == 0 ? sign : -sign;
      *left(o, row, at(which, A)) += on_first * side->m;
      *left(o, row, at(which, V)) += on_first * side->d;
      *left(o, row, at(which, X)) += on_first * side->c;
      return;
    }
  }
  *left(o, row, o->new_at[0]) += sign;
}

static void fill_spring(oracle *o) {
  for (int i = 0; i < o->scheme.n_variables; i++) {
    put_value(o, i);
    if (o->rule[i].n_new == 2 && o->scheme.method == ORACLE_D)
      put_slope(o, i);
    else if (o->rule[i].n_new == 2)
      put_integral(o, i);
  }
}

static void fill_joint(oracle *o, const oracle_root *root) {
  static const int level[3] = {X, V, A};
  const int first = 2 * n_of_side;
  for (int row = 0; row < root->n_rows; row++)
    for (int l = 0; l < 3; l++)
      put_difference(o, first + row, level[l], root->row[row][l]);
  if (o->scheme.n_variables == 2) {
    put_reaction(o, first + root->n_rows, 0, 1);
    put_reaction(o, first + root->n_rows, 1, -1);
  }
}

/* ---- The map ---- */

static void place_unknowns(oracle *o) {
  o->n_y = 2 * n_of_side;
  o->n_s = 4;
  for (int i = 0; i < o->scheme.n_variables; i++) {
    o->rule[i] = oracle_rule_of(&o->scheme, o->scheme.variable[i].kind);
    o->new_at[i] = o->n_y;
    o->old_at[i] = o->n_s;
    o->n_y += o->scheme.is_explicit ? 1 : o->rule[i].n_new;
    o->n_s += o->rule[i].n_old;
  }
}

/* Φ += weight (the rows of y that become s) */
static void add_rows(oracle *o, quad weight) {
  static const int kept[4] = {0 * n_of_side + X, 0 * n_of_side + V, 1 * n_of_side + X, 1 * n_of_side + V};
  for (int j = 0; j < o->n_s; j++) {
    for (int i = 0; i < 4; i++)
      o->Phi[i * o->n_s + j] += weight * *right(o, kept[i], j);
    for (int i = 0; i < o->scheme.n_variables; i++)
      for (int h = 0; h < o->rule[i].n_old; h++)
        o->Phi[(o->old_at[i] + h) * o->n_s + j] +=
            weight * (h == 0 ? *right(o, o->new_at[i], j) : (quad)(o->old_at[i] + h - 1 == j));
  }
}

/* Mass-weighted means of positions and velocities take the place of both sides' own. */
static void project(oracle *o) {
  const quad m[2] = {o->side[0].m, o->side[1].m};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < o->n_s; j++) {
      quad *first = &o->Phi[i * o->n_s + j];
      quad *second = &o->Phi[(i + 2) * o->n_s + j];
      *first = *second = (m[0] * *first + m[1] * *second) / (m[0] + m[1]);
    }
}

static bool fill_map(oracle *o) {
  const bool at_joint = o->scheme.method >= ORACLE_CONSTRAINT;
  memset(o->Phi, 0, sizeof o->Phi);
  for (int r = 0; r < o->scheme.n_roots; r++) {
    memset(o->M, 0, sizeof o->M);
    memset(o->R, 0, sizeof o->R);
    fill_motion(o, 0);
    fill_motion(o, 1);
    if (at_joint)
      fill_joint(o, &o->scheme.root[r]);
    else
      fill_spring(o);
    if (!quad_solve(o->n_y, o->n_s, o->M, o->R))
      return false;
    add_rows(o, o->scheme.root[r].weight);
  }
  if (o->scheme.method == ORACLE_PROJECTION)
    project(o);
  return true;
}

static seam_status undetermined(const char *scheme, seam_error *error) {
  return seam_fail(error, SEAM_SINGULAR, "the conditions of '%s' do not determine the coupling variables", scheme);
}

/* Φ of a scheme with history. */
static seam_status find_map(oracle *o, const char *scheme, seam_error *error) {
  if (!oracle_scheme_read(scheme, &o->scheme))
    return seam_fail(error, SEAM_BAD_INPUT, "the oracle does not know the scheme '%s'", scheme);
  place_unknowns(o);
  for (int side = 0; side < 2; side++) {
    set_drive(o, side);
    set_exponentials(&o->side[side]);
  }
  return fill_map(o) ? SEAM_OK : undetermined(scheme, error);
}

static seam_status find_collocation_map(oracle *o, bool rigid, const oracle_collocation *scheme, const char *name,
                                        seam_error *error) {
  oracle_model model = {.cc = o->cc, .dc = o->dc, .rigid = rigid};
  for (int side = 0; side < 2; side++) {
    model.m[side] = o->side[side].m;
    model.c[side] = o->side[side].c;
    model.d[side] = o->side[side].d;
  }
  o->n_s = 4;
  return oracle_collocation_map(&model, scheme, o->Phi) ? SEAM_OK : undetermined(name, error);
}

seam_status analysis_oracle(const seam_test_model *model, bool rigid, const char *scheme, seam_stability_point *point,
                            seam_error *error) {
  oracle o = {0};
  oracle_collocation collocation;
  set_model(&o, model);
  const seam_status status = oracle_collocation_read(scheme, rigid, &collocation)
                                 ? find_collocation_map(&o, rigid, &collocation, scheme, error)
                                 : find_map(&o, scheme, error);
  if (status != SEAM_OK)
    return status;
  point->n_state = (size_t)o.n_s;
  if (!quad_spectral_radius(o.n_s, o.Phi, &point->rho, &point->uncertainty))
    return seam_fail(error, SEAM_NOT_CONVERGED, "the oracle's eigenvalues were not found for '%s'", scheme);
  return SEAM_OK;
}
