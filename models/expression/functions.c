#include "models/expression/functions.h"

#include <math.h>
#include <string.h>

#include "base/differences.h"
#include "models/expression/lookup.h"
#include "models/thresholds.h"

/* ---- Enclosures -------------------------------------------------------------------------------------------------- */

/* Interval arithmetic ([Moore-Kearfott-Cloud]): ranges of a function over ranges of arguments, which may be infinite. A
 * function that is monotonic in each argument has its extremes at corners of the box of arguments. The functions below
 * (`enclose`) add the extremes inside the box. They write (-∞, ∞) if no finite bound is known. */

#define PI 3.14159265358979323846

static const range all_reals = {-INFINITY, INFINITY};

static bool is_point(range u) { return u.low == u.high; }
static bool has_zero(range u) { return u.low <= 0 && u.high >= 0; }

static range hull(const double *x, int n) {
  range all = {INFINITY, -INFINITY};
  for (int i = 0; i < n; i++) {
    if (isnan(x[i]))
      return all_reals;
    all.low = fmin(all.low, x[i]);
    all.high = fmax(all.high, x[i]);
  }
  return all;
}

static range corners(double (*f)(double, double), range u, range v) {
  return hull((double[4]){f(u.low, v.low), f(u.low, v.high), f(u.high, v.low), f(u.high, v.high)}, 4);
}

/* Returns u v, but 0 for 0 times an infinite bound, since all numbers in an unbounded range are finite. */
static double product(double u, double v) { return u == 0 || v == 0 ? 0 : u * v; }

static bool enclose_product(range u, range v, range *values) {
  *values = corners(product, u, v);
  return true;
}

static bool enclose_quotient(range u, range v, range *values) {
  (void)u;
  *values = all_reals;
  return has_zero(v);
}

/* For u > 0, u^v is monotonic in each argument. For an integer v it is monotonic in u with two exceptions: an even
 * power has a minimum at u = 0, and a negative power has a pole there. */
static bool enclose_power(range u, range v, range *values) {
  const bool is_integer = is_point(v) && v.low == floor(v.low);
  *values = all_reals;
  if (u.low > 0 || (u.low == 0 && is_point(v) && v.low > 0))
    return false;
  if (!is_integer || (v.low < 0 && has_zero(u)))
    return true;
  if (fmod(v.low, 2) != 0 || !has_zero(u))
    return false;
  *values = (range){0, fmax(pow(u.low, v.low), pow(u.high, v.low))};
  return true;
}

/* Returns true if x contains first + k period for an integer k, even if only up to rounding. */
static bool contains_point(range x, double first, double period) {
  const double slack = models_extreme_slack * (1 + fabs(x.low) + fabs(x.high));
  const double k = ceil((x.low - slack - first) / period);
  return !(first + k * period > x.high + slack);
}

static bool wave(double (*f)(double), range u, double top, range *values) {
  *values = (range){-1, 1};
  if (!isfinite(u.low) || !isfinite(u.high))
    return true;
  const bool has_top = contains_point(u, top, 2 * PI);
  const bool has_bottom = contains_point(u, top + PI, 2 * PI);
  const range ends = hull((double[2]){f(u.low), f(u.high)}, 2);
  *values = (range){has_bottom ? -1 : ends.low, has_top ? 1 : ends.high};
  return true;
}

static bool enclose_sine(range u, range v, range *values) {
  (void)v;
  return wave(sin, u, PI / 2, values);
}

static bool enclose_cosine(range u, range v, range *values) {
  (void)v;
  return wave(cos, u, 0, values);
}

static bool enclose_tangent(range u, range v, range *values) {
  (void)v;
  *values = all_reals;
  return !isfinite(u.low) || !isfinite(u.high) || contains_point(u, PI / 2, PI);
}

static bool enclose_cosh(range u, range v, range *values) {
  (void)v;
  *values = (range){1, cosh(fmax(fabs(u.low), fabs(u.high)))};
  return has_zero(u);
}

/* atan2 is monotonic in each argument, except at the cut u = 0, v <= 0. */
static bool enclose_atan2(range u, range v, range *values) {
  *values = (range){-PI, PI};
  return has_zero(u) && v.low <= 0;
}

/* ---- Operators --------------------------------------------------------------------------------------------------- */

static double add(double u, double v) { return u + v; }
static double subtract(double u, double v) { return u - v; }
static double multiply(double u, double v) { return u * v; }
static double divide(double u, double v) { return u / v; }
static double negate(double u) { return -u; }
static double less(double u, double v) { return u < v; }
static double at_most(double u, double v) { return u <= v; }
static double greater(double u, double v) { return u > v; }
static double at_least(double u, double v) { return u >= v; }

static double sign(double u) { return (u > 0) - (u < 0); }

static double is_negative(double u) { return u < 0; }

static double exponential_state(double u) {
  return (u > models_negligible_exponent) - (u < -models_negligible_exponent);
}

static double power_state(double u, double v) { return exponential_state(v * log(u)); }

static void slopes_add(double u, double v, partials *d) {
  (void)u, (void)v;
  *d = (partials){.u = 1, .v = 1};
}

static void slopes_subtract(double u, double v, partials *d) {
  (void)u, (void)v;
  *d = (partials){.u = 1, .v = -1};
}

static void slopes_multiply(double u, double v, partials *d) { *d = (partials){.u = v, .v = u, .uv = 1}; }

static void slopes_divide(double u, double v, partials *d) {
  *d = (partials){.u = 1 / v, .v = -u / v / v, .uv = -1 / v / v, .vv = 2 * u / v / v / v};
}

static void slopes_negate(double u, partials *d) {
  (void)u;
  d->u = -1;
}

/* Returns c uᵖ. Returns 0 for c = 0 even if uᵖ is infinite, as in derivatives of u¹ and u² at u = 0. */
static double power_term(double c, double u, double p) { return c == 0 ? 0 : c * pow(u, p); }

static void slopes_power(double u, double v, partials *d) {
  const double f = pow(u, v);
  const double log_u = log(u);
  *d = (partials){.u = power_term(v, u, v - 1),
                  .uu = power_term(v * (v - 1), u, v - 2),
                  .v = f * log_u,
                  .uv = pow(u, v - 1) * (1 + v * log_u),
                  .vv = f * log_u * log_u};
}

static const function operators[] = {
    {"+", 2, .of_two = add, .slopes_of_two = slopes_add},
    {"-", 2, .of_two = subtract, .slopes_of_two = slopes_subtract},
    {"*", 2, .of_two = multiply, .slopes_of_two = slopes_multiply, .enclose = enclose_product},
    {"/", 2, .of_two = divide, .slopes_of_two = slopes_divide, .enclose = enclose_quotient},
    {"^", 2, .of_two = pow, .slopes_of_two = slopes_power, .enclose = enclose_power},
    {"<", 2, .of_two = less, .state_of_two = less},
    {"<=", 2, .of_two = at_most, .state_of_two = at_most},
    {">", 2, .of_two = greater, .state_of_two = greater},
    {">=", 2, .of_two = at_least, .state_of_two = at_least},
};

const function function_exponential = {
    "^", 2, .of_two = pow, .slopes_of_two = slopes_power, .enclose = enclose_power, .state_of_two = power_state};

const function function_negate = {"-", 1, .of_one = negate, .slopes_of_one = slopes_negate};

/* ---- Functions --------------------------------------------------------------------------------------------------- */

/* Both return u if u = v, and NaN if either is NaN. */
static double least(double u, double v) { return v < u || isnan(v) ? v : u; }
static double largest(double u, double v) { return v > u || isnan(v) ? v : u; }

static void slopes_sin(double u, partials *d) { *d = (partials){.u = cos(u), .uu = -sin(u)}; }
static void slopes_cos(double u, partials *d) { *d = (partials){.u = -sin(u), .uu = -cos(u)}; }

static void slopes_tan(double u, partials *d) {
  const double t = tan(u);
  d->u = 1 + t * t;
  d->uu = 2 * t * d->u;
}

static void slopes_asin(double u, partials *d) {
  const double w = (1 - u) * (1 + u);
  *d = (partials){.u = 1 / sqrt(w), .uu = u / (w * sqrt(w))};
}

static void slopes_acos(double u, partials *d) {
  slopes_asin(u, d);
  *d = (partials){.u = -d->u, .uu = -d->uu};
}

static void slopes_atan(double u, partials *d) {
  d->u = 1 / (1 + u * u);
  d->uu = -2 * u * d->u * d->u;
}

/* Let f = atan2(u, v), u = r sin f, v = r cos f. Then f_u = v/r², f_v = -u/r². */
static void slopes_atan2(double u, double v, partials *d) {
  const double r = hypot(u, v);
  const double c = v / r / r;
  const double s = u / r / r;
  *d = (partials){.u = c, .v = -s, .uu = -2 * s * c, .uv = (s - c) * (s + c), .vv = 2 * s * c};
}

static void slopes_sinh(double u, partials *d) { *d = (partials){.u = cosh(u), .uu = sinh(u)}; }
static void slopes_cosh(double u, partials *d) { *d = (partials){.u = sinh(u), .uu = cosh(u)}; }

static void slopes_tanh(double u, partials *d) {
  const double c = cosh(u);
  d->u = 1 / c / c;
  d->uu = -2 * tanh(u) * d->u;
}

static void slopes_sqrt(double u, partials *d) {
  const double f = sqrt(u);
  *d = (partials){.u = 0.5 / f, .uu = -0.25 / f / u};
}

static void slopes_exp(double u, partials *d) { d->u = d->uu = exp(u); }
static void slopes_log(double u, partials *d) { *d = (partials){.u = 1 / u, .uu = -1 / u / u}; }
static void slopes_abs(double u, partials *d) { d->u = sign(u); }
static void slopes_abs_of_time(double u, partials *d) { d->u = u < 0 ? -1 : 1; }

static void slopes_min(double u, double v, partials *d) { *d = (partials){.u = !(v < u), .v = v < u}; }
static void slopes_max(double u, double v, partials *d) { *d = (partials){.u = !(v > u), .v = v > u}; }

static const function functions[] = {
    {"sin", 1, .of_one = sin, .slopes_of_one = slopes_sin, .enclose = enclose_sine, .period = 2 * PI},
    {"cos", 1, .of_one = cos, .slopes_of_one = slopes_cos, .enclose = enclose_cosine, .period = 2 * PI},
    {"tan", 1, .of_one = tan, .slopes_of_one = slopes_tan, .enclose = enclose_tangent, .period = PI},
    {"asin", 1, .of_one = asin, .slopes_of_one = slopes_asin},
    {"acos", 1, .of_one = acos, .slopes_of_one = slopes_acos},
    {"atan", 1, .of_one = atan, .slopes_of_one = slopes_atan},
    {"sinh", 1, .of_one = sinh, .slopes_of_one = slopes_sinh, .state_of_one = exponential_state},
    {"cosh", 1, .of_one = cosh, .slopes_of_one = slopes_cosh, .enclose = enclose_cosh,
     .state_of_one = exponential_state},
    {"tanh", 1, .of_one = tanh, .slopes_of_one = slopes_tanh, .state_of_one = exponential_state},
    {"sqrt", 1, .of_one = sqrt, .slopes_of_one = slopes_sqrt},
    {"exp", 1, .of_one = exp, .slopes_of_one = slopes_exp, .state_of_one = exponential_state},
    {"log", 1, .of_one = log, .slopes_of_one = slopes_log},
    {"abs", 1, .of_one = fabs, .slopes_of_one = slopes_abs, .state_of_one = sign, .has_kinks = true},
    {"sign", 1, .of_one = sign, .state_of_one = sign, .has_kinks = true},
    {"floor", 1, .of_one = floor, .state_of_one = floor, .has_kinks = true, .period = 1},
    {"atan2", 2, .of_two = atan2, .slopes_of_two = slopes_atan2, .enclose = enclose_atan2},
    {"min", 2, .of_two = least, .slopes_of_two = slopes_min, .state_of_two = greater, .has_kinks = true},
    {"max", 2, .of_two = largest, .slopes_of_two = slopes_max, .state_of_two = less, .has_kinks = true},
};

static const struct {
  const char *name;
  double value;
} constants[] = {
    {"pi", PI},
    {"e", 2.71828182845904523536},
    {"deg", PI / 180},
};

enum {
  N_OPERATORS = sizeof operators / sizeof *operators,
  N_FUNCTIONS = sizeof functions / sizeof *functions,
  N_CONSTANTS = sizeof constants / sizeof *constants
};

/* ---- Functions of the calling program: seam_function in <seam/models.h> ------------------------------------------ */

double caller_value(const seam_law *law, double u, double v) { return law->value(law->data, (const double[2]){u, v}); }

/* Finds the first and second derivative with respect to u (by = 0) or v (by = 1). */
static void caller_differences(const seam_law *law, double u, double v, int by, difference_quotient *first,
                               difference_quotient *second) {
  const double middle = caller_value(law, u, v);
  *first = *second = difference_begin();
  for (int level = 0; level < SEAM_DIFFERENCES && !(first->is_done && second->is_done); level++) {
    const double h = difference_width(by == 0 ? u : v, level);
    const double du = by == 0 ? h : 0;
    const double dv = h - du;
    const double after = caller_value(law, u + du, v + dv);
    const double before = caller_value(law, u - du, v - dv);
    difference_add_slope(first, before, middle, after, h);
    difference_add_bend(second, before, middle, after, h);
  }
}

/* Fills partials that are zero on entry. Uses central differences if the law has no `jet`, with relative errors of
 * about 1e-10 in first and 1e-7 in second derivatives. */
static void caller_slopes(const seam_law *law, int n_arguments, double u, double v, partials *d) {
  if (law->jet != NULL) {
    seam_jet jet = {0};
    law->jet(law->data, (const double[2]){u, v}, &jet);
    *d = (partials){.u = jet.d[0], .v = jet.d[1], .uu = jet.dd[0], .uv = jet.dd[1], .vv = jet.dd[2]};
    return;
  }
  difference_quotient first, along_u, along_v;
  caller_differences(law, u, v, 0, &first, &along_u);
  d->u = first.found;
  d->uu = along_u.found;
  if (n_arguments < 2)
    return;
  caller_differences(law, u, v, 1, &first, &along_v);
  d->v = first.found;
  d->vv = along_v.found;
  const double du = along_u.width;
  const double dv = along_v.width;
  d->uv = (caller_value(law, u + du, v + dv) - caller_value(law, u + du, v - dv) - caller_value(law, u - du, v + dv) +
           caller_value(law, u - du, v - dv)) /
          (4 * du * dv);
}

/* ---- Value, slopes and state ------------------------------------------------------------------------------------- */

double function_value(const function *f, double u, double v) {
  if (f->table != NULL)
    return lookup_value(f->table, u);
  if (f->caller != NULL)
    return caller_value(f->caller, u, v);
  return f->of_one != NULL ? f->of_one(u) : f->of_two(u, v);
}

void function_slopes(const function *f, double u, double v, partials *d) {
  if (f->table != NULL)
    lookup_slopes(f->table, u, d);
  else if (f->caller != NULL)
    caller_slopes(f->caller, f->arity, u, v, d);
  else if (f->slopes_of_one != NULL)
    f->slopes_of_one(u, d);
  else if (f->slopes_of_two != NULL)
    f->slopes_of_two(u, v, d);
}

double function_state(const function *f, double u, double v) {
  if (f->table != NULL)
    return lookup_state(f->table, u);
  return f->state_of_one != NULL ? f->state_of_one(u) : f->state_of_two != NULL ? f->state_of_two(u, v) : 0;
}

bool function_has_states(const function *f) {
  return f->table != NULL || f->state_of_one != NULL || f->state_of_two != NULL;
}

bool function_has_decay(const function *f) {
  return f->state_of_one == exponential_state || f->state_of_two == power_state;
}

double function_largest_change(const function *f, double u) {
  return function_has_decay(f) && exponential_state(u) == 0 ? models_exponent_fraction * models_negligible_exponent
                                                            : INFINITY;
}

range function_piece(const function *f, double u) {
  if (f->table != NULL)
    return lookup_piece(f->table, u);
  if (f->of_one == floor)
    return (range){floor(u), floor(u) + 1};
  const double far = models_negligible_exponent;
  if (function_has_decay(f))
    return u < -far ? (range){-INFINITY, -far} : u < far ? (range){-far, far} : (range){far, INFINITY};
  return u < 0 ? (range){-INFINITY, 0} : u > 0 ? (range){0, INFINITY} : (range){-INFINITY, INFINITY};
}

/* Comparisons, sign and floor, which have states but no slopes, are constant between jumps. */
bool function_jumps(const function *f) {
  return f->table == NULL && function_has_states(f) && f->slopes_of_one == NULL && f->slopes_of_two == NULL;
}

/* ---- Ranges ------------------------------------------------------------------------------------------------------ */

/* Widens a range by the error of library functions, which is a few units in the last place. */
static range widened(range u) {
  if (isnan(u.low) || isnan(u.high))
    return all_reals;
  return (range){u.low - (isinf(u.low) ? 0 : models_function_error * fabs(u.low)),
                 u.high + (isinf(u.high) ? 0 : models_function_error * fabs(u.high))};
}

range range_apply(const function *f, range u, range v) {
  range values;
  if (is_point(u) && (f->arity == 1 || is_point(v))) {
    const double value = function_value(f, u.low, v.low);
    return (range){value, value};
  }
  if (f->caller != NULL)
    return all_reals;
  if (f->table != NULL)
    return widened(lookup_enclose(f->table, u));
  if (f->enclose != NULL && f->enclose(u, v, &values))
    return widened(values);
  if (f->of_one != NULL)
    return widened(hull((double[2]){f->of_one(u.low), f->of_one(u.high)}, 2));
  return widened(corners(f->of_two, u, v));
}

bool range_is_one_state(const function *f, range u, range v) {
  const double states[4] = {function_state(f, u.low, v.low), function_state(f, u.low, v.high),
                            function_state(f, u.high, v.low), function_state(f, u.high, v.high)};
  return is_point(hull(states, 4));
}

/* ---- Look-up ----------------------------------------------------------------------------------------------------- */

static bool is_name(const char *name, const char *text, size_t length) {
  return strncmp(name, text, length) == 0 && name[length] == '\0';
}

static const function *find(const function *rows, size_t n_rows, const char *name, size_t length) {
  for (size_t i = 0; i < n_rows; i++)
    if (is_name(rows[i].name, name, length))
      return &rows[i];
  return NULL;
}

const function *function_find(const char *name, size_t length) { return find(functions, N_FUNCTIONS, name, length); }

const function *function_of_time(const function *f) {
  static const function abs_of_time = {
      "abs", 1, .of_one = fabs, .slopes_of_one = slopes_abs_of_time, .state_of_one = is_negative, .has_kinks = true};
  return f != NULL && f->of_one == fabs ? &abs_of_time : f;
}

const function *operator_find(const char *name, size_t length) { return find(operators, N_OPERATORS, name, length); }

bool constant_find(const char *name, size_t length, double *value) {
  size_t i = 0;
  while (i < N_CONSTANTS && !is_name(constants[i].name, name, length))
    i++;
  if (i < N_CONSTANTS)
    *value = constants[i].value;
  return i < N_CONSTANTS;
}

void functions_add_names(nearest *search) {
  for (size_t i = 0; i < N_FUNCTIONS; i++)
    nearest_try(search, functions[i].name);
  nearest_try(search, "if");
}

void constants_add_names(nearest *search) {
  for (size_t i = 0; i < N_CONSTANTS; i++)
    nearest_try(search, constants[i].name);
}

/* ---- Chain rule -------------------------------------------------------------------------------------------------- */

static bool moves(const seam_jet *u) {
  return u->d[0] != 0 || u->d[1] != 0 || u->dd[0] != 0 || u->dd[1] != 0 || u->dd[2] != 0;
}

bool function_jet(const function *f, const seam_jet *u, const seam_jet *v, seam_jet *out) {
  static const seam_jet none = {0};
  if (v == NULL)
    v = &none;
  partials d = {0};
  function_slopes(f, u->value, v->value, &d);
  const bool by_u = moves(u);
  const bool by_v = moves(v);
  const struct {
    double *partial;
    bool is_needed;
  } all[] = {{&d.u, by_u}, {&d.uu, by_u}, {&d.v, by_v}, {&d.vv, by_v}, {&d.uv, by_u && by_v}};
  bool not_finite = false;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!all[i].is_needed || !isfinite(*all[i].partial)) {
      *all[i].partial = 0;
      not_finite |= all[i].is_needed;
    }
  seam_jet result = {.value = function_value(f, u->value, v->value)};
  for (int i = 0; i < 2; i++)
    result.d[i] = d.u * u->d[i] + d.v * v->d[i];
  for (int i = 0, k = 0; i < 2; i++)
    for (int j = i; j < 2; j++, k++)
      result.dd[k] = d.uu * u->d[i] * u->d[j] + d.uv * (u->d[i] * v->d[j] + u->d[j] * v->d[i]) +
                     d.vv * v->d[i] * v->d[j] + d.u * u->dd[k] + d.v * v->dd[k];
  *out = result;
  return not_finite && isfinite(result.value);
}
