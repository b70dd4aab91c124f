/* One step from (t, y) of length h:
 *
 *   k_i = f(t + c_i h, y + h Σ_j a_ij k_j),   y₁ = y + h Σ b_i k_i
 *
 * then projection, y₁ → ŷ₁. Let w be an entry's allowed error, the larger of those at both ends. h Σ e_i k_i is the
 * error estimate with the method's coefficients e_i. The maxima are over all entries:
 *
 *   E = max |h Σ e_i k_i| / w,   P = max |ŷ₁ - y₁| / w
 *
 * Some methods have a second estimate, with other e_i, whose maximum is E₃. The error ratio is the larger of P and
 *
 *   E,   or   E² / √(E² + E₃²/100)   with a second estimate
 *
 * ([Hairer-Norsett-Wanner] II.4, II.10). The change by projection counts as an error: the estimates miss a prescribed
 * motion that varies between the times of the stages. A change that only removes rounding errors of earlier projections
 * should not count. For such a change w is at least 1e-11 of the entry's size.
 *
 * The state at t + θ h inside a step follows from Δ = ŷ₁ - y, from the slopes k₁ and k̂ = f(t + h, ŷ₁) at both ends,
 * and from further stages, with coefficients d_ji ([Hairer-Norsett-Wanner] II.6):
 *
 *   u(θ) = y + θ(F₀ + (1-θ)(F₁ + θ(F₂ + (1-θ)(F₃ + ...)))),   F₀ = Δ,  F₁ = h k₁ - Δ,  F₂ = 2Δ - h(k₁ + k̂),
 *                                                              F_j = h Σ d_ji k_i   for j >= 3
 *
 * then projection. The interpolant u is computed at its first use. The step's memory (onestep.h) keeps u and k̂, so
 * images have them too; the next step begins with k̂. */
#include "solvers/erk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/lanes.h"
#include "base/then.h"
#include "base/vector.h"
#include "solvers/thresholds.h"

/* ---- Coefficients ----
 *
 * Explicit Euler, the explicit midpoint rule and the classical method; Zonneveld's pair 4(3), Dormand and Prince's 5(4)
 * ([Hairer-Norsett-Wanner] II.1, II.4, II.5, as in ARKODE of SUNDIALS). Dormand and Prince's method of order 8 has the
 * estimates of orders 5 and 3 of the code DOP853 (II.10). The coefficients are copied here because ARKODE's loader does
 * not survive a failed allocation.
 *
 * Interpolants, with θ the time since the beginning of the step divided by h:
 *
 *   erk4, rk4   the cubic with the values and slopes at both ends
 *   erk5        the polynomial of degree 5 that also has two slopes inside; order 5
 *   erk8        u + δ p, with u the interpolant of DOP853 and δ = h (f - u') at θ = 0.65
 *
 * The interpolants of the codes DOPRI5 (order 4) and DOP853 (order 7) are less accurate than the step's result. So f is
 * also evaluated at points of these interpolants: at θ = 1/5 and 1/2 (erk5) and at θ = 0.65 (erk8; bootstrapping,
 * [Hairer-Norsett-Wanner] II.6). p, of degree 8, is zero with zero slope at both ends. For linear equations with
 * constant coefficients u + δ p has order 8 and is as accurate as the step's result. For others its error is a third of
 * that of u. */

static const seam_tableau tableaus[] = {
    {.name = "euler", .n_stages = 1, .n_sum = 1, .b = {1}},
    {.name = "rk2", .n_stages = 2, .n_sum = 2, .A = {{0}, {0.5}}, .c = {0, 0.5}, .b = {0, 1}},
    {.name = "rk4",
     .n_stages = 4,
     .n_sum = 4,
     .A = {{0}, {0.5}, {0, 0.5}, {0, 0, 1}},
     .c = {0, 0.5, 0.5, 1},
     .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
     .n_slopes = 5,
     .n_terms = 3},
    {.name = "erk4",
     .n_stages = 5,
     .n_sum = 4,
     .control_order = 4,
     .A = {{0}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}, {5.0 / 32, 7.0 / 32, 13.0 / 32, -1.0 / 32}},
     .c = {0, 1.0 / 2, 1.0 / 2, 1, 3.0 / 4},
     .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6, 0},
     .e = {1.0 / 6 + 1.0 / 2, 1.0 / 3 - 7.0 / 3, 1.0 / 3 - 7.0 / 3, 1.0 / 6 - 13.0 / 6, 16.0 / 3},
     .n_slopes = 5,
     .n_terms = 3},
    {.name = "erk5",
     .n_stages = 7,
     .n_sum = 6,
     .control_order = 5,
     .A = {{0},
           {1.0 / 5},
           {3.0 / 40, 9.0 / 40},
           {44.0 / 45, -56.0 / 15, 32.0 / 9},
           {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
           {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
           {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
           {51064358379.0 / 470086768000, 0, 94186536908.0 / 817510269975, -10977629357.0 / 141026030400,
            1411022002887.0 / 24914598704000, -9755628487.0 / 308494441500, 106471732.0 / 3672552875},
           {6025192743.0 / 60171106304, 0, 51252292925.0 / 130801643196, -2691868925.0 / 90256659456,
            187940372067.0 / 3189068634112, -1776094331.0 / 39487288512, 11237099.0 / 470086768}},
     .c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1, 1.0 / 5, 1.0 / 2},
     .b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
     .e = {35.0 / 384 - 5179.0 / 57600, 0, 500.0 / 1113 - 7571.0 / 16695, 125.0 / 192 - 393.0 / 640,
           -2187.0 / 6784 + 92097.0 / 339200, 11.0 / 84 - 187.0 / 2100, -1.0 / 40},
     .n_slopes = 9,
     .n_terms = 5,
     .D = {{-349.0 / 128, 0, 500.0 / 371, 125.0 / 64, -6561.0 / 6784, 11.0 / 28, 1.0 / 8, 125.0 / 24, -16.0 / 3},
           {29.0 / 16, 0, -4000.0 / 371, -125.0 / 8, 6561.0 / 848, -22.0 / 7, 4, 0, 16}}},
    {.name = "erk8",
     .n_stages = 12,
     .n_sum = 12,
     .control_order = 8,
     .n_slopes = 17,
     .n_terms = 8,
     .A = {{0},
           {5.26001519587677318786e-2},
           {1.97250569845378994545e-2, 5.91751709536136983634e-2},
           {2.95875854768068491817e-2, 0, 8.87627564304205475451e-2},
           {0.241365134159266685502, 0, -0.884549479328286085345, 0.924834003261792003116},
           {1.0 / 27, 0, 0, 0.170828608729473871280, 0.125467687566822425017},
           {3.7109375e-2, 0, 0, 0.170252211019544039315, 6.02165389804559606850e-2, -1.7578125e-2},
           {3.70920001185047927109e-2, 0, 0, 0.170383925712239993810, 0.107262030446373284652,
            -1.53194377486244017528e-2, 8.27378916381402288758e-3},
           {0.624110958716075717114, 0, 0, -3.36089262944694129407, -0.868219346841726006818, 27.5920996994467083049,
            20.1540675504778934086, -43.4898841810699588477},
           {0.477662536438264365890, 0, 0, -2.48811461997166764193, -0.590290826836842996371, 21.2300514481811942347,
            15.2792336328824235833, -33.2882109689848629194, -2.03312017085086261358e-2},
           {-0.937142430085987325717, 0, 0, 5.18637242884406370830, 1.09143734899672957819, -8.14978701074692612514,
            -18.5200656599969598642, 22.7394870993505042819, 2.49360555267965238987, -3.04676447189821950038},
           {2.27331014751653820792, 0, 0, -10.5344954667372501984, -2.00087205822486249910, -17.9589318631187989173,
            27.9488845294199600508, -2.85899827713502369474, -8.87285693353062954434, 12.3605671757943030647,
            0.643392746015763530356},
           {0}, /* k_12 = f(t + h, y₁) */
           {5.61675022830479523393e-2, 0, 0, 0, 0, 0, 0.253500210216624811089, -0.246239037470802489917,
            -0.124191423263816360469, 0.153291798278765697312, 8.20105229563468988492e-3, 7.56789766054569976139e-3,
            -0.008298},
           {3.18346481635021405061e-2, 0, 0, 0, 0, 2.83009096723667755288e-2, 5.35419883074385676224e-2,
            -5.49237485713909884647e-2, 0, 0, -1.08347328697249322859e-4, 3.82571090835658412955e-4,
            -3.40465008687404560803e-4, 0.141312443674632500278},
           {-0.428896301583791923409, 0, 0, 0, 0, -4.69762141536116384314, 7.68342119606259904184,
            4.06898981839711007970, 0.356727187455281109271, 0, 0, 0, -1.39902416515901462129e-3,
            2.94751478915277233896, -9.15095847217987001082},
           {7.18364922184742782517e-2, 0, 0, 0, 0, 5.63929019772652091504, 2.75786006288192513354,
            -7.69175437267216308190, 0.167721303331621209622, -9.98870154344557004543e-2, 1.36035604811627353487e-2,
            -1.16073191768694694570e-2, 9.70532597808459450992e-3, -7.98527162067199970082e-2,
            -9.75335426035572425962e-2, -2.93819765240233748968e-2}},
     .c = {0, 5.26001519587677318786e-2, 7.89002279381515978178e-2, 0.118350341907227396727, 0.281649658092772603273,
           1.0 / 3, 0.25, 4.0 / 13, 0.651282051282051282051, 0.6, 6.0 / 7, 1, 1, 0.1, 0.2, 7.0 / 9, 0.65},
     .b = {5.42937341165687622381e-2, 0, 0, 0, 0, 4.45031289275240888144, 1.89151789931450038304,
           -5.80120396001058478147, 0.311164366957819894409, -0.152160949662516078556, 0.201365400804030348375,
           4.47106157277725905177e-2},
     .e = {1.31200449941948807325e-2, 0, 0, 0, 0, -1.22515644637620444072, -0.495758949657250191521,
           1.66437718245498653696, -0.350328848749973681689, 0.334179118713017479030, 8.19232064851157124657e-2,
           -2.23553078638862952588e-2},
     .D = {{-8.30828310322790378595, 0, 0, 0, 0, 42.8299449952602587481, 20.4884874121123902203,
            -57.9867604675840126473, 1.56081180535165746599, -0.876334656624207470982, 0.409279174687057800926,
            -1.69417549505026979045e-3, 0.699224665613612831591, 17.4307482390223244439, -12.9724091627519629129,
            -0.914811587089738365887, -2.35820313927442605794},
           {9.20752771570051742258, 0, 0, 0, 0, -185.052803287811050614, -72.9959187880637187036,
            235.887005232182079490, -16.4895302086233103952, 7.78341357230404517177, -12.1586900525903354617,
            -2.92891624839780413815, 7.72735795967973701553, -23.8819423660084234761, 28.8453185816412048873,
            0.212673067512731911417, 23.8445048224743268911},
           {19.7697099386646774942, 0, 0, 0, 0, -462.468003924601378148, -231.223052289784610490,
            635.558058766474884455, -10.5811655743509165748, 6.89005500715857787373, 2.26761505726793680010,
            1.90796859300061824851, -4.18499850091056208506, -58.9156542251166038009, 91.0629173240940760778,
            5.70766891710232973836, 4.20888091100097041090},
           {-20.7343565843592648623, 0, 0, 0, 0, 1583.05643407985382189, 736.808064169386482819,
            -2123.95145037725723511, 70.5415748837983335984, -37.6615100302312646203, 28.8291913257721992693,
            3.80936722057024588774, -11.1335784409192017321, 66.8208672606735749132, -194.464216009998555352,
            -4.98554844559349965934, -96.9348390516956370402},
           {-0.137284864043215895458, 0, 0, 0, 0, -48.0882970183534228788, -26.8043176905058636646,
            68.6923163276074692076, 0.632885988288689373956, 5.62436791930752069942e-3, 2.08354359083937818430,
            0.720555856433256534082, -0.896853295315709186986, 0.816684510903531571875, 4.29846112610256219633,
            -4.00654904766737690025, 2.68323014779139393726}},
     .e3 = {5.42937341165687622381e-2 - 0.244094488188976377953, 0, 0, 0, 0, 4.45031289275240888144,
            1.89151789931450038304, -5.80120396001058478147, 0.311164366957819894409 - 0.733846688281611857341,
            -0.152160949662516078556, 0.201365400804030348375, 4.47106157277725905177e-2 - 2.20588235294117647059e-2}},
};

const seam_tableau *seam_tableau_of(const char *name) {
  for (size_t i = 0; i < sizeof tableaus / sizeof *tableaus; i++)
    if (strcmp(tableaus[i].name, name) == 0)
      return &tableaus[i];
  return NULL;
}

/* ---- A step by itself ---- */

/* The sum h Σ_j weight[j] k_j; terms of weight zero are left out. */
typedef struct combination {
  int n;
  double weight[SEAM_MAX_STAGES];
  const double *slope[SEAM_MAX_STAGES];
  /* Set by share_combination(): out = y + sum, for entries from `first` on. */
  const double *y; /* NULL: zero */
  size_t first;
  double *out;
} combination;

static void set_combination(combination *c, double *const *k, double h, const double *weight, int n_stages) {
  c->n = 0;
  for (int j = 0; j < n_stages; j++)
    if (weight[j] != 0) {
      c->weight[c->n] = h * weight[j];
      c->slope[c->n++] = k[j];
    }
}

/* out = y + combination for the 2 n_lanes entries from i on; y NULL: zero. n_lanes is a constant after inlining. */
static inline void combine_block(int n_lanes, const combination *c, const double *y, size_t i, double *out) {
  seam_lanes sum[8] = {{0}};
  for (int l = 0; l < n_lanes && y != NULL; l++)
    sum[l] = seam_lanes_load(y + i + 2 * l);
  for (int j = 0; j < c->n; j++) {
    const seam_lanes weight = seam_lanes_of(c->weight[j]);
    for (int l = 0; l < n_lanes; l++)
      sum[l] += weight * seam_lanes_load(c->slope[j] + i + 2 * l);
  }
  for (int l = 0; l < n_lanes; l++)
    seam_lanes_store(out + 2 * l, sum[l]);
}

/* Does the same for n entries from `first` on; reads each slope once. The last block may overlap the block before. */
static void add_combination(const combination *c, const double *y, size_t first, size_t n, double *restrict out) {
  size_t i = 0;
  for (; i + 16 <= n; i += 16)
    combine_block(8, c, y, first + i, out + i);
  for (; i + 8 <= n; i += 8)
    combine_block(4, c, y, first + i, out + i);
  if (n < 8)
    for (; i < n; i++) {
      out[i] = y != NULL ? y[first + i] : 0;
      for (int j = 0; j < c->n; j++)
        out[i] += c->weight[j] * c->slope[j][first + i];
    }
  else if (n - i > 4)
    combine_block(4, c, y, first + n - 8, out + n - 8);
  else if (n - i > 2)
    combine_block(2, c, y, first + n - 4, out + n - 4);
  else if (n - i > 0)
    combine_block(1, c, y, first + n - 2, out + n - 2);
}

static void add_range(void *context, const thread_range *range) {
  const combination *c = context;
  add_combination(c, c->y, c->first + range->first, range->end - range->first, c->out + range->first);
}

static void share_combination(const seam_ode *ode, combination *c, const double *y, size_t first, size_t n,
                              double *out) {
  c->y = y;
  c->first = first;
  c->out = out;
  worker_group_share(ode->workers, n, add_range, c);
}

/* out = y + h Σ_j weight[j] k_j, n entries, over the first n_stages stages; y = NULL stands for zero. */
static void combine(const seam_ode *ode, size_t n, double *const *k, const double *y, double h, const double *weight,
                    int n_stages, double *restrict out) {
  const size_t end_constant = ode->first_constant + ode->n_constant;
  combination c;
  set_combination(&c, k, h, weight, n_stages);
  if (ode->n_constant == 0) {
    share_combination(ode, &c, y, 0, n, out);
    return;
  }
  share_combination(ode, &c, y, 0, ode->first_constant, out);
  if (y != NULL)
    memcpy(out + ode->first_constant, y + ode->first_constant, ode->n_constant * sizeof *out);
  else
    memset(out + ode->first_constant, 0, ode->n_constant * sizeof *out);
  share_combination(ode, &c, y, end_constant, n - end_constant, out + end_constant);
}

seam_status seam_erk_step(const seam_tableau *table, const seam_ode *ode, double t, double h, double *y,
                          double *scratch, seam_error *error) {
  double *stage = scratch;
  double *k[SEAM_ERK_SCRATCH];
  for (int i = 0; i < table->n_stages; i++) {
    k[i] = scratch + (size_t)(i + 1) * ode->n;
    combine(ode, ode->n, k, y, h, table->A[i], i, stage);
    TRY(ode->rhs(ode->context, t + table->c[i] * h, stage, k[i], error));
  }
  combine(ode, ode->n, k, y, h, table->b, table->n_stages, stage);
  memcpy(y, stage, ode->n * sizeof *y);
  return SEAM_OK;
}

/* ---- The method ---- */

typedef struct erk {
  seam_method base;
  seam_ode ode;
  seam_tolerances tolerances;
  const seam_tableau *table;
  double *k[SEAM_MAX_STAGES]; /* k[0] = f(t, y) is reused while (t, y) is unchanged */
  double *stage;              /* (n) */
  bool have_slope;
  int n_estimates;                /* 1 or 2 */
  double *weight, *weight_of_end; /* (n) allowed errors of the step, and those at its end */
  double *size;                   /* (n) sizes of the entries at the end */
} erk;

/* Values of memory[0]. After it follow f at the end of the step (n) and the terms F_j (n each), if there is an
 * interpolant. WITHOUT_SLOPE: the next step must not use this f, but evaluate its first slope itself. */
enum { NO_INTERPOLANT, WITHOUT_SLOPE, WITH_SLOPE };

/* Returns the index of F_j in the memory; j = -1: index of f at the end. */
static size_t index_of(const erk *self, int j) { return 1 + (size_t)(j + 1) * self->base.n; }

#define ARRAYS(X)                                                                                                      \
  X(self, k[0], length)                                                                                                \
  X(self, stage, n)                                                                                                    \
  X(self, weight, n)                                                                                                   \
  X(self, weight_of_end, n)                                                                                            \
  X(self, size, n)

static void destroy(void *method) {
  erk *self = method;
  ARRAYS(FREE_ARRAY)
  free(self);
}

static seam_status slope(erk *self, double t, const double *y, double *k, seam_error *error) {
  self->base.count->evaluations++;
  return self->ode.rhs(self->ode.context, t, y, k, error);
}

static double longest_next_step(const erk *self) { return fmin(*self->base.next_step, self->tolerances.largest_step); }

/* Sets k[0], the slope at the beginning of a step. */
static seam_status first_slope(erk *self, double t, const double *y, seam_step_kind kind, const double *memory,
                               seam_error *error) {
  const bool is_known = kind == SEAM_NEW_STEP && self->base.n_memory > 0 && memory[0] == WITH_SLOPE;
  if (self->have_slope && kind == SEAM_RETRY)
    return SEAM_OK;
  if (is_known)
    memcpy(self->k[0], memory + index_of(self, -1), self->base.n * sizeof *memory);
  seam_status status = is_known ? SEAM_OK : slope(self, t, y, self->k[0], error);
  self->have_slope = status == SEAM_OK;
  if (!is_known && status == SEAM_OK && kind == SEAM_NEW_STEP && self->ode.begin_step != NULL)
    status = self->ode.begin_step(self->ode.context, t, longest_next_step(self), y, error);
  return status;
}

/* ---- Error ---- */

enum { piece = 64 }; /* number of entries handled at a time */

typedef struct peak {
  double value;
  size_t entry;
} peak;

/* Raises the peak to the largest ratio |h e| / w of n entries, if that is larger. first: index in y of e[0]. */
static void raise_peak(peak *p, const double *weight, double h, const double *e, size_t first, size_t n) {
  double ratio[piece];
  for (size_t i = 0; i < n; i++)
    ratio[i] = fabs(h * e[i]) / weight[i];
  for (size_t i = 0; i < n; i++)
    if (ratio[i] > p->value)
      *p = (peak){ratio[i], first + i};
}

/* Indices of peaks: both estimates, then the change by projection. */
enum { FIRST, SECOND, FARTHEST, N_PEAKS };

typedef struct judgement {
  const erk *method;
  int n_estimates; /* number of estimates to judge */
  combination estimate[2];
  const double *end;
  double h;
  size_t begin;                         /* first entry */
  peak highest[THREAD_RANGES][N_PEAKS]; /* peaks over each range of entries */
} judgement;

static void find_peaks_of_range(void *context, const thread_range *range) {
  judgement *self = context;
  const erk *method = self->method;
  peak *p = self->highest[range->number];
  const size_t to = self->begin + range->end;
  for (size_t from = self->begin + range->first; from < to; from += piece) {
    const size_t n = to - from < piece ? to - from : piece;
    const double *weight = method->weight + from;
    double e[piece];
    for (int k = 0; k < self->n_estimates; k++) {
      add_combination(&self->estimate[k], NULL, from, n, e);
      raise_peak(&p[k], weight, self->h, e, from, n);
    }
    for (size_t i = 0; i < n; i++)
      e[i] = self->end[from + i] - method->stage[from + i]; /* stage: the end before projection */
    raise_peak(&p[FARTHEST], weight, 1, e, from, n);
  }
}

static void find_peaks_between(judgement *self, size_t from, size_t to, peak *p) {
  memset(self->highest, 0, sizeof self->highest);
  self->begin = from;
  worker_group_share(self->method->ode.workers, to - from, find_peaks_of_range, self);
  for (int i = 0; i < THREAD_RANGES; i++)
    for (int k = 0; k < N_PEAKS; k++)
      if (self->highest[i][k].value > p[k].value)
        p[k] = self->highest[i][k];
}

/* Finds the peaks of all entries that change; the workers share them. Higher peaks replace those in p (N_PEAKS). */
static void find_peaks(judgement *self, peak *p) {
  const seam_ode *ode = &self->method->ode;
  if (ode->n_constant > 0)
    find_peaks_between(self, 0, ode->first_constant, p);
  find_peaks_between(self, ode->n_constant > 0 ? ode->first_constant + ode->n_constant : 0, ode->n_controlled, p);
}

/* Returns the largest of the error and the change by projection, relative to the allowed errors. of_rounding: the
 * change is rounding where it is small relative to the entry's size. */
static double error_of(erk *self, const double *y, double h, const double *end, bool of_rounding) {
  const seam_tableau *table = self->table;
  const seam_tolerances *of = &self->tolerances;
  const size_t n = self->ode.n_controlled;
  judgement j = {.method = self, .n_estimates = self->n_estimates, .end = end, .h = h};
  const peak none = {0, self->base.worst_entry};
  peak p[N_PEAKS] = {none, none, none};
  seam_weigh(of, n, of->rtol, of->atol, y, self->weight);
  seam_weigh(of, n, of->rtol, of->atol, end, self->weight_of_end);
  for (size_t i = 0; i < n; i++)
    self->weight[i] = larger(self->weight[i], self->weight_of_end[i]);
  set_combination(&j.estimate[FIRST], self->k, 1, table->e, table->n_stages);
  set_combination(&j.estimate[SECOND], self->k, 1, table->e3, table->n_stages);
  find_peaks(&j, p);
  double error = p[FIRST].value;
  if (self->n_estimates == 2 && error > 0)
    error *= error / hypot(error, 0.1 * p[SECOND].value);
  if (of_rounding && p[FARTHEST].value > error) {
    seam_sizes(of, n, end, self->size);
    for (size_t i = 0; i < n; i++)
      self->weight[i] = larger(self->weight[i], seam_projection_rounding * self->size[i]);
    j.n_estimates = 0;
    p[FARTHEST] = none;
    find_peaks(&j, p);
  }
  self->base.worst_entry = p[FIRST].value < p[FARTHEST].value ? p[FARTHEST].entry : p[FIRST].entry;
  return fmax(error, p[FARTHEST].value);
}

/* ---- One step ---- */

static seam_status attempt(void *method, double t, const double *y, double h, seam_step_kind kind, const double *memory,
                           double *end, double *ratio, seam_error *error) {
  erk *self = method;
  const seam_tableau *table = self->table;
  TRY(first_slope(self, t, y, kind, memory, error));
  const bool judged =
      table->control_order > 0 && self->tolerances.step == 0 && self->base.tests_error && kind != SEAM_DENSE_OUTPUT;
  const int n_stages = judged ? table->n_stages : table->n_sum;
  for (int i = 1; i < n_stages; i++) {
    combine(&self->ode, self->base.n, self->k, y, h, table->A[i], i, self->stage);
    self->base.count->evaluations++; /* stages after the sum serve the estimate only */
    TRY((i < table->n_sum ? self->ode.rhs : self->ode.controlled)(self->ode.context, t + table->c[i] * h, self->stage,
                                                                  self->k[i], error));
  }
  combine(&self->ode, self->base.n, self->k, y, h, table->b, table->n_sum, end);
  if (judged)
    worker_group_copy(self->ode.workers, self->ode.n_controlled, end, self->stage);
  bool of_rounding = false;
  if (self->ode.project_near != NULL)
    TRY(self->ode.project_near(self->ode.context, t + h, end, &of_rounding, error));
  else if (self->ode.project != NULL)
    TRY(self->ode.project(self->ode.context, t + h, end, error));
  if (judged)
    *ratio = error_of(self, y, h, end, of_rounding);
  return SEAM_OK;
}

/* ---- Inside a step ---- */

static void forget_interpolant(const void *method, double *memory) {
  (void)method;
  memory[0] = NO_INTERPOLANT;
}

/* Computes the interpolant from the stages of the step. The next step begins with the slope found here; so begin_step()
 * is called here. If it fails, the next step evaluates its first slope itself, and calls it again for the message. */
static seam_status make_interpolant(erk *self, const seam_step *step, double *memory, seam_error *error) {
  const seam_tableau *table = self->table;
  const size_t n = self->base.n;
  const double h = step->end - step->begin;
  const double *first = self->k[0];
  const double *last = self->k[table->n_sum];
  double *F = memory + index_of(self, 0);
  TRY(slope(self, step->end, step->y_end, self->k[table->n_sum], error));
  const bool may_continue =
      self->ode.begin_step == NULL ||
      self->ode.begin_step(self->ode.context, step->end, longest_next_step(self), step->y_end, NULL) == SEAM_OK;
  for (int i = table->n_sum + 1; i < table->n_slopes; i++) {
    combine(&self->ode, n, self->k, step->y_begin, h, table->A[i], i, self->stage);
    TRY(slope(self, step->begin + table->c[i] * h, self->stage, self->k[i], error));
  }
  memcpy(memory + index_of(self, -1), last, n * sizeof *memory);
  for (size_t i = 0; i < n; i++) {
    const double rise = step->y_end[i] - step->y_begin[i];
    F[i] = rise;
    F[n + i] = h * first[i] - rise;
    F[2 * n + i] = 2 * rise - h * (first[i] + last[i]);
  }
  for (int j = 3; j < table->n_terms; j++)
    combine(&self->ode, n, self->k, NULL, h, table->D[j - 3], table->n_slopes, memory + index_of(self, j));
  memory[0] = may_continue ? WITH_SLOPE : WITHOUT_SLOPE;
  return SEAM_OK;
}

/* Finds the state at t by the interpolant, and projects it. If there is no interpolant, takes a separate step from the
 * beginning to t. An interpolant is missing if a later attempt has overwritten the stages, or an evaluation fails. */
static seam_status state_inside(void *method, const seam_step *step, double t, double *memory, double *y,
                                seam_error *error) {
  erk *self = method;
  const double h = step->end - step->begin;
  const double theta = (t - step->begin) / h;
  if (memory[0] == NO_INTERPOLANT && (!step->is_last || make_interpolant(self, step, memory, NULL) != SEAM_OK))
    return attempt(self, step->begin, step->y_begin, t - step->begin, SEAM_DENSE_OUTPUT, memory, y, NULL, error);
  double *F[SEAM_MAX_TERMS];
  double weight[SEAM_MAX_TERMS];
  double product = 1;
  for (int j = 0; j < self->table->n_terms; j++) {
    F[j] = memory + index_of(self, j);
    weight[j] = product *= j % 2 == 0 ? theta : 1 - theta;
  }
  combine(&self->ode, self->base.n, F, step->y_begin, 1, weight, self->table->n_terms, y);
  return self->ode.project_inside != NULL ? self->ode.project_inside(self->ode.context, t, y, error) : SEAM_OK;
}

/* Finds a first step h from (t, y) ([Hairer-Norsett-Wanner] II.4): h^k max(|y'|, |y''|) = 0.01 tolerances, with the
 * control order k and times in units of the time scale. A trial step gives y''. h is at most 100 times as long. */
static seam_status initial_step(void *method, double t, const double *y, double *h, seam_error *error) {
  erk *self = method;
  const size_t n = self->ode.n_controlled;
  TRY(slope(self, t, y, self->k[0], error));
  const double unit = seam_time_scale(&self->tolerances), one = 1;
  double rate = 0, curvature = 0;
  seam_weigh(&self->tolerances, n, self->tolerances.rtol, self->tolerances.atol, y, self->weight);
  const double first = seam_trial_step(n, y, self->k[0], self->weight, unit, &rate);
  combine(&self->ode, self->base.n, self->k, y, first, &one, 1, self->stage);
  if (slope(self, t + first, self->stage, self->k[1], NULL) == SEAM_OK)
    for (size_t i = 0; i < n; i++)
      curvature = fmax(curvature, fabs(self->k[1][i] - self->k[0][i]) / self->weight[i] * (unit / first) * unit);
  const double steepest = fmax(rate, curvature);
  const double second = steepest <= seam_first_zero_rate
                            ? fmax(seam_first_guess * unit, first * seam_first_if_constant)
                            : unit * pow(seam_first_fraction / steepest, 1.0 / self->table->control_order);
  *h = fmin(100 * first, second);
  return SEAM_OK;
}

seam_status seam_erk_create(const seam_ode *ode, const char *name, const seam_tolerances *tolerances,
                            seam_integrator **integrator, seam_error *error) {
  const size_t n = ode->n;
  const seam_tableau *table = seam_tableau_of(name);
  const int n_slopes = table->n_slopes > table->n_stages ? table->n_slopes : table->n_stages;
  const size_t length = n * (size_t)n_slopes;
  erk *self = calloc(1, sizeof *self);
  const bool enough = self != NULL ARRAYS(ALLOCATE_ARRAY);
  if (!enough) {
    if (self != NULL)
      destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", n);
  }
  self->base = (seam_method){
      .n = n, .n_least = ode->n_controlled, .attempt = attempt, .initial_step = initial_step, .destroy = destroy};
  self->ode = *ode;
  self->tolerances = *tolerances;
  self->table = table;
  if (ode->controlled == NULL)
    self->ode.controlled = ode->rhs;
  self->n_estimates = 1;
  for (int s = 0; s < table->n_stages; s++)
    if (table->e3[s] != 0)
      self->n_estimates = 2;
  for (int i = 1; i < n_slopes; i++)
    self->k[i] = self->k[i - 1] + n;
  self->base.control_order = table->control_order;
  if (table->n_terms > 0) {
    self->base.n_memory = 1 + (size_t)(table->n_terms + 1) * n;
    self->base.n_head = 1;
    self->base.store = forget_interpolant;
    self->base.state_inside = state_inside;
  }
  return seam_onestep_create(&self->base, tolerances, integrator, error);
}
