/* A chain is a list of numbers, each of which follows from those before it. With a0, a1, a2 the levels of the arguments
 * and d their derivatives along a direction,
 *
 *   value    f(a0)                          d: f_x d0
 *   rate     f_x a1                         d: f_xx(a1, d0) + f_x d1
 *   second   f_xx(a1, a1) + f_x a2          d: f_xxx(a1, a1, d0) + 2 f_xx(a1, d1) + f_xx(a2, d0) + f_x d2
 *
 * The third derivative alone is a difference, of second ones that are exact; it is zero where nothing moves. */
#include "mbs/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/readout.h"

enum { MAX_NUMBERS = 200, MAX_ARGUMENTS = 64 };

typedef enum number_kind { GIVEN, CONSTANT, VALUE, RATE, SECOND } number_kind;

typedef struct number {
  number_kind kind;
  mbs_quantity of; /* the quantity that it is, at a level */
  int level;
  int given;       /* its place among the inputs */
  double constant; /* its value */
  mbs_function f;  /* borrowed */
  int *argument;   /* (levels x n) numbers of the arguments' values, rates, second rates */
  int n;           /* arguments */
} number;

/* What a function of the outside gets as its data. */
typedef struct level_of {
  const struct mbs_chain *chain;
  int result; /* number that it is */
} level_of;

struct mbs_chain {
  number numbers[MAX_NUMBERS];
  int n;
  mbs_quantity inputs[MAX_NUMBERS];
  size_t n_inputs[MBS_CHAIN_LEVELS];
  int n_given;
  level_of level[MBS_CHAIN_LEVELS];
  mbs_function function;
};

/* ---- Evaluation ---- */

static void gather(const number *one, int level, const double *numbers, double *arguments) {
  for (int i = 0; i < one->n; i++)
    arguments[i] = numbers[one->argument[level * one->n + i]];
}

static double value_of(const number *one, const double *x, const double *v) {
  double a0[MAX_ARGUMENTS];
  double a1[MAX_ARGUMENTS];
  double a2[MAX_ARGUMENTS];
  if (one->kind == GIVEN)
    return x[one->given];
  if (one->kind == CONSTANT)
    return one->constant;
  gather(one, 0, v, a0);
  if (one->kind == VALUE)
    return one->f.value(one->f.data, a0);
  gather(one, 1, v, a1);
  if (one->kind == RATE)
    return one->f.change(one->f.data, a0, a1);
  gather(one, 2, v, a2);
  return one->f.bend(one->f.data, a0, a1, a1) + one->f.change(one->f.data, a0, a2);
}

/* f_xxx(u, u, d) at x. */
static double third(const number *one, const double *x, const double *u, const double *d) {
  const double cube_root_of_rounding = 6e-6;
  double size = 0;
  double length = 0;
  double ends[2];
  double near[MAX_ARGUMENTS];
  for (int i = 0; i < one->n; i++) {
    size = fmax(size, fabs(x[i]));
    length = fmax(length, fabs(d[i]));
  }
  if (length == 0)
    return 0;
  const double step = cube_root_of_rounding * fmax(1, size) / length;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < one->n; i++)
      near[i] = x[i] + (k == 0 ? -step : step) * d[i];
    ends[k] = one->f.bend(one->f.data, near, u, u);
  }
  return (ends[1] - ends[0]) / (2 * step);
}

/* v: the numbers, d: the derivatives of those before this one. */
static double change_of(const number *one, const double *dx, const double *v, const double *d) {
  double a0[MAX_ARGUMENTS];
  double a1[MAX_ARGUMENTS];
  double a2[MAX_ARGUMENTS];
  double d0[MAX_ARGUMENTS];
  double d1[MAX_ARGUMENTS];
  double d2[MAX_ARGUMENTS];
  const mbs_function *f = &one->f;
  if (one->kind == GIVEN)
    return dx[one->given];
  if (one->kind == CONSTANT)
    return 0;
  gather(one, 0, v, a0);
  gather(one, 0, d, d0);
  if (one->kind == VALUE)
    return f->change(f->data, a0, d0);
  gather(one, 1, v, a1);
  gather(one, 1, d, d1);
  if (one->kind == RATE)
    return f->bend(f->data, a0, a1, d0) + f->change(f->data, a0, d1);
  gather(one, 2, v, a2);
  gather(one, 2, d, d2);
  return third(one, a0, a1, d0) + 2 * f->bend(f->data, a0, a1, d1) + f->bend(f->data, a0, a2, d0) +
         f->change(f->data, a0, d2);
}

static double value(const void *data, const double *x) {
  const level_of *of = data;
  double v[MAX_NUMBERS];
  for (int i = 0; i <= of->result; i++)
    v[i] = value_of(&of->chain->numbers[i], x, v);
  return v[of->result];
}

static double change(const void *data, const double *x, const double *dx) {
  const level_of *of = data;
  double v[MAX_NUMBERS];
  double d[MAX_NUMBERS];
  for (int i = 0; i <= of->result; i++) {
    v[i] = value_of(&of->chain->numbers[i], x, v);
    d[i] = change_of(&of->chain->numbers[i], dx, v, d);
  }
  return d[of->result];
}

static seam_kink next_kink(const void *data, double t) {
  const mbs_function *f = &((const level_of *)data)->chain->function;
  return f->next_kink(f->data, t);
}

/* ---- Creation ---- */

typedef struct making {
  mbs_chain *chain;
  const mbs_model *model;
  const char *name;
  int depth; /* the level of the whole that is being made */
  seam_error *error;
} making;

static seam_status refuse(const making *m, mbs_quantity quantity, const char *cause) {
  const mbs_quantity_info info = mbs_quantity_of(m->model, quantity);
  return seam_fail_about(
      m->error, SEAM_BAD_INPUT, m->name,
      "joint '%s' is driven by '%s%s%s', %s; let it pass a filter, a variable w with w' = (%s%s%s - w)/T "
      "and, for a place, a second one behind it, and read that",
      m->name, info.element, info.name[0] != '\0' ? "." : "", info.name, cause, info.element,
      info.name[0] != '\0' ? "." : "", info.name);
}

static seam_status too_long(const making *m) {
  return seam_fail_about(
      m->error, SEAM_BAD_INPUT, m->name,
      "joint '%s' is driven by a function that takes more than %d numbers with its rates: let it pass a "
      "filter of second order and read that",
      m->name, MAX_NUMBERS);
}

static bool same(mbs_quantity a, mbs_quantity b) {
  return a.owner == b.owner && a.element == b.element && a.number == b.number;
}

static int find_number(const mbs_chain *c, mbs_quantity of, int level) {
  for (int i = 0; i < c->n; i++)
    if (c->numbers[i].level == level && same(c->numbers[i].of, of))
      return i;
  return -1;
}

static seam_status append(making *m, const number *one, int *place) {
  if (m->chain->n == MAX_NUMBERS)
    return too_long(m);
  *place = m->chain->n;
  m->chain->numbers[m->chain->n++] = *one;
  return SEAM_OK;
}

static seam_status find(making *m, mbs_quantity of, int level, int *place);

/* The arguments of a function at all levels up to one of its own. */
static seam_status find_arguments(making *m, const mbs_readout *inputs, int level, number *one) {
  one->n = inputs->n;
  if (inputs->n > MAX_ARGUMENTS)
    return too_long(m);
  one->argument = calloc((size_t)(inputs->n * (level + 1)) + 1, sizeof *one->argument);
  if (one->argument == NULL)
    return seam_fail(m->error, SEAM_NO_MEMORY, "no memory for the motion of '%s'", m->name);
  seam_status status = SEAM_OK;
  for (int k = 0; k <= level; k++)
    for (int i = 0; i < inputs->n && status == SEAM_OK; i++)
      status = find(m, inputs->quantities[i], k, &one->argument[k * inputs->n + i]);
  return status;
}

/* What gives the place must have a continuous slope, what gives the speed a continuous value. */
static seam_status check_kinks(const making *m, const mbs_function *f, int own) {
  if (own > 0 || f->kinks <= m->depth)
    return SEAM_OK;
  return seam_fail_about(
      m->error, SEAM_BAD_INPUT, m->name,
      "joint '%s' is driven by a function that %s where a quantity passes a place ('if', 'sign', 'floor', "
      "'abs', 'min', 'max' or a table), %s: let it pass a filter, a variable, and read that",
      m->name, f->kinks == 2 ? "jumps" : "bends",
      f->kinks == 2 && m->depth == 0 ? "and so would its place" : "so that its speed would jump");
}

/* f at a level of its own, as the number that `of` is at `level`; with it goes the array of its arguments. */
static seam_status add_function(making *m, const mbs_readout *inputs, const mbs_function *f, int own, mbs_quantity of,
                                int level, int *place) {
  number one = {.kind = (number_kind)(VALUE + own), .of = of, .level = level, .f = *f};
  seam_status status = check_kinks(m, f, own);
  if (status == SEAM_OK && f->bend == NULL)
    status = seam_fail_about(m->error, SEAM_BAD_INPUT, m->name,
                             "joint '%s' is driven by a function without second derivatives: give it bend()", m->name);
  if (status == SEAM_OK)
    status = find_arguments(m, inputs, own, &one);
  if (status == SEAM_OK)
    status = append(m, &one, place);
  if (status != SEAM_OK)
    free(one.argument);
  return status; /* the number in the list has them now: NOLINT(clang-analyzer-unix.Malloc) */
}

/* The name of the rate of a quantity among those of its element; NULL: it has none. */
static const char *name_of_rate(const char *name, int level) {
  static const char *const rates[][MBS_CHAIN_LEVELS] = {
      {"x", "vx", "ax"},
      {"y", "vy", "ay"},
      {"phi", "omega", "alpha"},
      {"angle", "omega", "alpha"},
      {"vx", "ax", NULL},
      {"vy", "ay", NULL},
      {"omega", "alpha", NULL},
      {"length", "rate", "acceleration"},
      {"slide", "rate", "acceleration"},
      {"rate", "acceleration", NULL},
  };
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
    if (strcmp(rates[i][0], name) == 0)
      return rates[i][level];
  return NULL;
}

static bool find_rate(const mbs_model *model, mbs_quantity of, int level, mbs_quantity *rate) {
  const char *name = level == 0 ? NULL : name_of_rate(mbs_quantity_of(model, of).name, level);
  *rate = of;
  if (level == 0)
    return true;
  const size_t n = name != NULL ? mbs_n_quantities(model, of.owner, of.element) : 0;
  for (rate->number = 0; rate->number < n; rate->number++)
    if (strcmp(mbs_quantity_of(model, *rate).name, name) == 0)
      return true;
  return false;
}

/* A quantity of the state itself. */
static seam_status add_given(making *m, mbs_quantity of, int level, int *place) {
  mbs_quantity rate;
  int in_group = 0;
  if (!find_rate(m->model, of, level, &rate))
    return refuse(m, of, "which has no such rate among its quantities");
  const mbs_quantity_group *group = mbs_group_of(m->model, rate, &in_group);
  if ((group->follows >> in_group & 1U) != 0 && m->depth < MBS_CHAIN_LEVELS - 1)
    return refuse(m, of,
                  m->depth == 0 ? "which follows from forces: they would have to move it to a place at once"
                                : "whose rate follows from forces: they would have to give it a speed at once");
  if (m->chain->n_given == MAX_NUMBERS)
    return too_long(m);
  m->chain->inputs[m->chain->n_given] = rate;
  return append(m, &(number){.kind = GIVEN, .of = of, .level = level, .given = m->chain->n_given++}, place);
}

static seam_status add_constant(making *m, mbs_quantity of, int level, double constant, int *place) {
  return append(m, &(number){.kind = CONSTANT, .of = of, .level = level, .constant = constant}, place);
}

static seam_status add_variable(making *m, mbs_quantity of, int level, int *place) {
  const mbs_variable *variable = &m->model->laws.variable[of.element];
  if (variable->sample > 0)
    return refuse(m, of,
                  m->depth == 1 ? "which is sampled: it jumps, and no body can jump to another place"
                                : "which is sampled: it jumps, and a jump of speed takes an infinite force");
  if (variable->is_input)
    return refuse(m, of, "which is set from outside, without its rates");
  if (!mbs_is_function(&variable->response))
    return add_constant(m, of, level, 0, place);
  return add_function(m, variable->response.inputs, &variable->response.function, level - 1, of, level, place);
}

static seam_status add_measure(making *m, mbs_quantity of, int level, int *place) {
  const mbs_named_measure *measure = &m->model->measures[of.element];
  if (measure->function.value != NULL)
    return add_function(m, measure->inputs, &measure->function, level, of, level, place);
  return find(m, measure->inputs->quantities[0], level, place);
}

static bool is_time(mbs_quantity of) { return of.owner == MBS_WHOLE && of.element == 0; }

static seam_status add(making *m, mbs_quantity of, int level, int *place) {
  if (level > 0 && is_time(of))
    return add_constant(m, of, level, level == 1, place);
  if (level > 0 && of.owner == MBS_VARIABLES)
    return add_variable(m, of, level, place);
  const bool is_judged = level > 0 || m->depth < MBS_CHAIN_LEVELS - 1; /* what it is made of matters */
  if (is_judged && of.owner == MBS_MEASURES && m->model->measures[of.element].inputs != NULL)
    return add_measure(m, of, level, place);
  return add_given(m, of, level, place);
}

/* The number of a quantity at a level, perhaps a new one. A variable leads to its equation at the level below, and
 * measures name those before them: both end. NOLINTNEXTLINE(misc-no-recursion) */
static seam_status find(making *m, mbs_quantity of, int level, int *place) {
  *place = find_number(m->chain, of, level);
  return *place >= 0 ? SEAM_OK : add(m, of, level, place);
}

/* Level after level, so that what the lower ones need comes first. */
static seam_status make(making *m, const mbs_readout *inputs) {
  const mbs_quantity whole = {.owner = MBS_OWNERS, .element = SEAM_NONE};
  mbs_chain *c = m->chain;
  seam_status status = SEAM_OK;
  for (m->depth = 0; m->depth < MBS_CHAIN_LEVELS && status == SEAM_OK; m->depth++) {
    int result = 0;
    status = add_function(m, inputs, &c->function, m->depth, whole, m->depth, &result);
    c->level[m->depth] = (level_of){.chain = c, .result = result};
    c->n_inputs[m->depth] = (size_t)c->n_given;
  }
  return status;
}

seam_status mbs_chain_create(const mbs_model *model, const char *name, const mbs_readout *inputs,
                             const mbs_function *function, mbs_chain **created, seam_error *error) {
  mbs_chain *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the motion of '%s'", name);
  self->function = *function;
  making m = {.chain = self, .model = model, .name = name, .error = error};
  const seam_status status = make(&m, inputs);
  if (status == SEAM_OK)
    *created = self;
  else
    mbs_chain_destroy(self);
  return status;
}

void mbs_chain_destroy(mbs_chain *self) {
  if (self == NULL)
    return;
  for (int i = 0; i < self->n; i++)
    free(self->numbers[i].argument);
  free(self);
}

/* ---- Use ---- */

const mbs_quantity *mbs_chain_inputs(const mbs_chain *self, int level, size_t *n) {
  *n = self->n_inputs[level];
  return self->inputs;
}

mbs_function mbs_chain_function(const mbs_chain *self, int level) {
  return (mbs_function){.value = value,
                        .change = change,
                        .data = (void *)&self->level[level],
                        .next_kink = self->function.next_kink != NULL ? next_kink : NULL};
}
