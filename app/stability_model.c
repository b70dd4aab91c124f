/* `seam stability model`: which macro steps are stable for the schemes of one's own mechanism, linearised about a
 * state, and which to take for a wanted error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>

#include "app/comparisons.h"
#include "app/moment.h"
#include "app/output.h"
#include "app/schemes.h"
#include "app/stability.h"

enum { most_intervals = 16, most_looks = 1000, most_times = 1000 };

typedef struct app_study {
  const app_options *parsed;
  app_setup setup;
  app_schemes schemes;
  double from, to; /* s, macro steps */
  size_t n_looks;
  double wanted; /* error */
  char *directory, *path;
  FILE *file;
} app_study;

/* What one scheme can do. */
typedef struct app_findings {
  seam_stable_interval interval[most_intervals];
  size_t n_intervals;
  double macro_step, error; /* the largest one looked at that is stable and accurate enough; NaN: none */
} app_findings;

/* ---- The command line ---- */

static bool read_three(const char *text, double *from, double *to, double *count) {
  int used = 0;
  return sscanf(text, "%lf:%lf:%lf%n", from, to, count, &used) == 3 && text[used] == '\0';
}

static seam_status read_range(app_study *study, seam_error *error) {
  const char *text = options_value(study->parsed, "--macro-steps");
  const double usual = seam_model_cosim(study->setup.file)->macro_step;
  double count = 61;
  study->from = usual / 10;
  study->to = usual * 100;
  if (text && (!read_three(text, &study->from, &study->to, &count) || !(study->from > 0 && study->to > study->from) ||
               !isfinite(study->to) || !(count >= 2 && count <= most_looks) || count != floor(count)))
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "seam: --macro-steps '%s' is not FROM:TO:COUNT, two times with 0 < FROM < TO and a number from 2 to "
        "%d, as 1e-4:1e-1:61",
        text, most_looks);
  study->n_looks = (size_t)count;
  return SEAM_OK;
}

static seam_status read_number(const app_study *study, const char *option, double usual, double most, double *number,
                               seam_error *error) {
  const char *text = options_value(study->parsed, option);
  char *end = NULL;
  *number = text ? strtod(text, &end) : usual;
  if (text && (end == text || *end != '\0' || !(*number > 0 && *number <= most)))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: %s takes a number above 0 up to %g, not '%s'", option, most, text);
  return SEAM_OK;
}

static seam_status open_file(app_study *study, seam_error *error) {
  const char *given = options_value(study->parsed, "-o");
  study->directory = given ? strdup(given) : output_path("results", seam_model_name(study->setup.file));
  study->path = study->directory ? output_path(study->directory, "stability.csv") : NULL;
  if (!study->path)
    return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  seam_status status = output_make_directory(study->directory, error);
  if (status == SEAM_OK)
    status = output_open(study->path, &study->file, error);
  if (status == SEAM_OK)
    fputs("time,scheme,macro_step,rho,uncertainty,verdict,error\n", study->file);
  return status;
}

static seam_status close_file(app_study *study, seam_error *error) {
  if (!study->file)
    return SEAM_OK;
  const bool failed = ferror(study->file) != 0;
  return fclose(study->file) != 0 || failed ? output_failed(study->path, error) : SEAM_OK;
}

/* ---- One scheme in one state ---- */

static void write_point(const app_study *study, const char *scheme, const seam_scheme_point *point, double error) {
  fprintf(study->file, "%.17g,", study->setup.state->t);
  comparisons_write_name(study->file, scheme);
  fprintf(study->file, ",%.17g", point->macro_step);
  if (isfinite(point->rho))
    fprintf(study->file, ",%.17g,%.3g,%s,", point->rho, point->uncertainty, seam_verdict_text(point->verdict));
  else
    fprintf(study->file, ",,,%s,", seam_verdict_text(point->verdict));
  if (isfinite(error))
    fprintf(study->file, "%.9g", error);
  fputc('\n', study->file);
}

static seam_status look(const app_study *study, const char *scheme, seam_linearised *linear,
                        const seam_scheme_point *points, app_findings *found, seam_error *error) {
  found->macro_step = found->error = NAN;
  for (size_t i = 0; i < study->n_looks; i++) {
    double relative = NAN;
    const bool counts = points[i].verdict != SEAM_UNSTABLE;
    const seam_status status = counts ? seam_linearised_error(linear, points[i].macro_step, &relative, error) : SEAM_OK;
    if (status != SEAM_OK)
      return status;
    if (counts && relative <= study->wanted)
      found->macro_step = points[i].macro_step, found->error = relative;
    write_point(study, scheme, &points[i], relative);
  }
  return SEAM_OK;
}

static seam_status analyse(const app_study *study, size_t number, app_findings *found, seam_error *error) {
  app_cosim cosim = {0};
  seam_linearised *linear = NULL;
  seam_scheme_point *points = calloc(study->n_looks, sizeof *points);
  if (!points)
    return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  seam_status status = schemes_use(&study->schemes, number, &study->setup, &cosim, error);
  if (status == SEAM_OK)
    status = seam_linearise(study->setup.model, study->setup.state, &cosim.options, &linear, error);
  if (status == SEAM_OK)
    status = seam_stable_intervals(linear, study->from, study->to, study->n_looks, points, found->interval,
                                   most_intervals, &found->n_intervals, error);
  if (status == SEAM_OK)
    status = look(study, study->schemes.names[number], linear, points, found, error);
  seam_linearised_destroy(linear);
  free(cosim.choices);
  free(points);
  return status;
}

/* ---- All schemes in one state ---- */

static void print_growth(const app_study *study) {
  seam_modes *modes = NULL;
  double growth = 0;
  if (seam_modes_find(study->setup.model, study->setup.state, &modes, NULL) != SEAM_OK)
    return;
  for (size_t k = 0; k < modes->n; k++)
    if (!modes->mode[k].neutral && modes->mode[k].s[0] > 1e-9 * hypot(modes->mode[k].s[0], modes->mode[k].s[1]))
      growth = fmax(growth, modes->mode[k].s[0]);
  if (growth > 0)
    printf("the mechanism itself grows there, at %.6g 1/s: stable means that nothing grows faster\n", growth);
  seam_modes_destroy(modes);
}

static void print_intervals(const app_study *study, const app_findings *found) {
  if (found->n_intervals == 0)
    fputs("none", stdout);
  for (size_t i = 0; i < found->n_intervals; i++) {
    const seam_stable_interval *interval = &found->interval[i];
    const bool from_below = interval->from <= study->from;
    const bool beyond = interval->to >= study->to * (1 - 1e-12);
    printf("%s%s%.4g to %s%.4g%s", i > 0 ? ", " : "", from_below ? "<" : "", interval->from, beyond ? ">" : "",
           interval->to, interval->has_undecided ? " (partly undecided)" : "");
  }
  putchar('\n');
}

static void print_scheme(const app_study *study, size_t number, const app_findings *found) {
  printf("%-*s  ", study->schemes.width, study->schemes.names[number]);
  if (isnan(found->macro_step))
    printf("%12s  %10s  ", "-", "-");
  else
    printf("%12.4g  %10.2e  ", found->macro_step, found->error);
  print_intervals(study, found);
}

static seam_status study_state(app_study *study, seam_error *error) {
  size_t best = study->schemes.n;
  app_findings of_best = {0};
  printf("%-*s  %12s  %10s  %s\n", study->schemes.width, "scheme", "H [s]", "error", "stable macro steps [s]");
  for (size_t i = 0; i < study->schemes.n; i++) {
    app_findings found = {0};
    const seam_status status = analyse(study, i, &found, error);
    if (status != SEAM_OK)
      return status;
    print_scheme(study, i, &found);
    const bool larger = best == study->schemes.n || found.macro_step > of_best.macro_step * (1 + 1e-9);
    const bool as_large = !larger && found.macro_step > of_best.macro_step * (1 - 1e-9);
    if (!isnan(found.macro_step) && (larger || (as_large && found.error < of_best.error)))
      best = i, of_best = found;
  }
  if (best < study->schemes.n)
    printf("for an error of %g take %s with H = %.4g s\n", study->wanted, study->schemes.names[best],
           of_best.macro_step);
  else
    printf("no scheme reaches an error of %g with these macro steps: look at smaller ones\n", study->wanted);
  return SEAM_OK;
}

/* ---- Along a trajectory ---- */

/* The first limit: all smaller macro steps that were looked at are stable. 0: the smallest is not. */
static double limit_of(const app_study *study, const app_findings *found) {
  return found->n_intervals > 0 && found->interval[0].from <= study->from ? found->interval[0].to : 0;
}

static void print_limit(const app_study *study, double limit, int width) {
  if (limit == 0)
    printf("  %*s", width, "none");
  else
    printf("  %s%*.4g", limit >= study->to * (1 - 1e-12) ? ">" : " ", width - 1, limit);
}

static seam_status study_time(const app_study *study, double *least, seam_error *error) {
  const int width = study->schemes.width > 10 ? study->schemes.width : 10;
  printf("%10.4g", study->setup.state->t);
  for (size_t i = 0; i < study->schemes.n; i++) {
    app_findings found = {0};
    const seam_status status = analyse(study, i, &found, error);
    if (status != SEAM_OK)
      return status;
    const double limit = limit_of(study, &found);
    least[i] = fmin(least[i], limit);
    print_limit(study, limit, width);
  }
  putchar('\n');
  return SEAM_OK;
}

static seam_status follow(app_study *study, size_t n_times, double *least, mbs_integrator *integrator,
                          seam_error *error) {
  const double end = seam_model_simulation(study->setup.file)->end;
  seam_status status = mbs_integrator_start(integrator, study->setup.state, error);
  mbs_integrator_set_stop(integrator, end);
  for (size_t k = 0; k < n_times && status == SEAM_OK; k++) {
    const double time = n_times > 1 ? end * (double)k / (double)(n_times - 1) : 0;
    status = mbs_integrator_advance(integrator, time, study->setup.state, error);
    if (status == SEAM_OK)
      status = study_time(study, least, error);
  }
  return status;
}

static seam_status study_trajectory(app_study *study, seam_error *error) {
  const int width = study->schemes.width > 10 ? study->schemes.width : 10;
  double n_times = 0;
  mbs_integrator *integrator = NULL;
  double *least = calloc(study->schemes.n, sizeof *least);
  if (!least)
    return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  seam_status status = read_number(study, "--times", 11, most_times, &n_times, error);
  if (status == SEAM_OK && isnan(seam_model_simulation(study->setup.file)->end))
    status = seam_fail(error, SEAM_BAD_INPUT, "seam: the model says no end time; add 'simulate: {end: ...}'");
  if (status == SEAM_OK)
    status = mbs_integrator_create(study->setup.model, &seam_model_simulation(study->setup.file)->integrator,
                                   &integrator, error);
  if (status == SEAM_OK) {
    printf("largest stable macro steps [s] along the motion: coefficients are frozen\n%10s", "time [s]");
    for (size_t i = 0; i < study->schemes.n; i++) {
      least[i] = INFINITY;
      printf("  %*s", width, study->schemes.names[i]);
    }
    putchar('\n');
    status = follow(study, (size_t)n_times, least, integrator, error);
  }
  if (status == SEAM_OK) {
    printf("%10s", "least");
    for (size_t i = 0; i < study->schemes.n; i++)
      print_limit(study, least[i], width);
    putchar('\n');
  }
  mbs_integrator_destroy(integrator);
  free(least);
  return status;
}

/* ---- The command ---- */

static seam_status prepare(app_study *study, const app_options *of_model, bool along, seam_error *error) {
  const char *at = options_value(study->parsed, "--at");
  seam_status status = setup_read(of_model, &study->setup, error);
  if (status == SEAM_OK && along && at)
    status = seam_fail(error, SEAM_BAD_INPUT, "seam: --along starts at the initial state: leave --at out");
  if (status == SEAM_OK)
    status = moment_take(&study->setup, along ? "initial" : at, error);
  if (status == SEAM_OK)
    status = schemes_read(options_value(study->parsed, "--schemes"), &study->setup, false, &study->schemes, error);
  if (status == SEAM_OK)
    status = read_range(study, error);
  if (status == SEAM_OK)
    status = read_number(study, "--error", 1e-3, 1, &study->wanted, error);
  return status == SEAM_OK ? open_file(study, error) : status;
}

int stability_model(const app_options *parsed) {
  app_study study = {.parsed = parsed};
  app_options of_model = *parsed; /* the operands without the verb */
  of_model.operands++;
  of_model.n_operands--;
  seam_error error = {0};
  const bool along = options_flag(parsed, "--along");
  seam_status status = prepare(&study, &of_model, along, &error);
  if (status == SEAM_OK) {
    printf("model: %s", seam_model_name(study.setup.file));
    if (along) {
      putchar('\n');
      status = study_trajectory(&study, &error);
    } else {
      fputs(", ", stdout);
      moment_print(&study.setup, options_value(parsed, "--at"));
      print_growth(&study);
      status = study_state(&study, &error);
    }
  }
  const seam_status closed = close_file(&study, status == SEAM_OK ? &error : NULL);
  if (status == SEAM_OK)
    status = closed;
  if (status != SEAM_OK)
    fprintf(stderr, "%s\n", error.message);
  free(study.directory);
  free(study.path);
  schemes_free(&study.schemes);
  setup_free(&study.setup);
  return seam_status_exit(status);
}
