/* Checks an FMU: lists its capabilities, and tests whether a step repeated from a saved state gives the same bits.
 * FMUs that restore a state without the history of their integrator fail the test. */
#include <seam/fmu.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/argument.h"
#include "base/memory_stream.h"
#include "base/scratch.h"
#include "base/then.h"
#include "cosim/parts/fmu_part.h"
#include "fmi/guard.h"
#include "fmu/thresholds.h"
#include "models/thresholds.h"

typedef struct checking {
  FILE *to;
  const char *path;
  fmi_fmu *fmu;
  const fmi_description *of;
  double H; /* s, length of the steps of the test */
  size_t *inputs, *outputs;
  size_t n_inputs, n_outputs;
  cosim_part *part;
  double largest; /* largest |change of an output when steps are repeated| / max(|output|, 1) */
} checking;

static void print_variables(const checking *c, const char *what, fmi_causality causality) {
  size_t n = 0;
  for (size_t i = 0; i < c->of->n_variables; i++)
    n += c->of->variables[i].causality == causality;
  if (n == 0 && causality == FMI_STRUCTURAL_PARAMETER)
    return;
  fprintf(c->to, "%s: %zu\n", what, n);
  for (size_t i = 0; i < c->of->n_variables; i++) {
    const fmi_variable *variable = &c->of->variables[i];
    if (variable->causality != causality)
      continue;
    fprintf(c->to, "  %-16s  %s", variable->name, fmi_type_name(variable->type, c->of->version));
    for (size_t k = 0; k < variable->n_dimensions; k++)
      fprintf(c->to, "[%zu]", variable->dimensions[k].size);
    if (variable->n_start > 0)
      fprintf(c->to, ", %.9g", variable->start[0]);
    if (variable->n_start > 1)
      fprintf(c->to, ", ... (%zu values)", variable->n_start);
    if (variable->start_text != NULL)
      fprintf(c->to, ", \"%s\"", variable->start_text);
    if (variable->unit != NULL)
      fprintf(c->to, " %s", variable->unit);
    if (causality == FMI_OUTPUT && variable->type == FMI_FLOAT64 && variable->variability == FMI_DISCRETE)
      fputs(", held between samples", c->to);
    if (!fmi_is_number(variable->type) && variable->type != FMI_BOOLEAN && causality != FMI_PARAMETER)
      fputs(", not a signal: only numbers and booleans are", c->to);
    fputc('\n', c->to);
  }
}

static void print_abilities(const checking *c) {
  static const char *const follows[] = {
      [COSIM_FMU_CONSTANTS] = "held at its mean",
      [COSIM_FMU_DERIVATIVES] = "a polynomial, by derivatives",
      [COSIM_FMU_UPDATES] = "a polynomial, by intermediate updates",
  };
  const fmi_capabilities *can = &c->of->capabilities;
  const double fixed = cosim_fmu_fixed_step(c->of);
  fputs("can\n", c->to);
  fprintf(c->to, "  save and restore states: %s\n", can->can_get_and_set_state ? "yes" : "no");
  fprintf(c->to, "  write states as bytes: %s\n", can->can_serialize_state ? "yes" : "no");
  if (fixed == 0)
    fputs("  steps of any length: yes\n", c->to);
  else if (isnan(fixed))
    fputs("  steps of any length: no, of one length, which it does not say\n", c->to);
  else
    fprintf(c->to, "  steps of any length: no, of %.9g s\n", fixed);
  fprintf(c->to, "  an input over a step: %s\n", follows[cosim_fmu_input_method(c->of)]);
  if (c->of->version == FMI_3)
    fprintf(c->to, "  events: %s\n",
            can->event_mode           ? "event mode"
            : can->might_return_early ? "steps end early"
                                      : "inside of steps, not seen");
  if (can->only_once_per_process)
    fputs("  instances in a process: one\n", c->to);
  if (can->needs_execution_tool)
    fputs("  runs without its tool: no\n", c->to);
}

static void print_description(const checking *c) {
  const fmi_description *of = c->of;
  fprintf(c->to, "FMU: %s\n", of->model_name != NULL ? of->model_name : "");
  fprintf(c->to, "FMI: %s, %s%s%s\n", of->version_text != NULL ? of->version_text : "",
          of->capabilities.identifier != NULL ? "co-simulation" : "",
          of->has_model_exchange ? (of->capabilities.identifier != NULL ? ", model exchange" : "model exchange") : "",
          of->has_scheduled_execution ? ", scheduled execution" : "");
  const char *const texts[][2] = {{"description", of->description}, {"made with", of->tool}, {"made on", of->date}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i][1] != NULL && texts[i][1][0] != '\0')
      fprintf(c->to, "%s: %s\n", texts[i][0], texts[i][1]);
  print_variables(c, "inputs", FMI_INPUT);
  print_variables(c, "outputs", FMI_OUTPUT);
  print_variables(c, "structural parameters", FMI_STRUCTURAL_PARAMETER);
  print_variables(c, "parameters", FMI_PARAMETER);
  print_abilities(c);
}

/* Lists the indices of the numerical and Boolean variables of a causality, those of type Float64 first. Returns their
 * number. */
static size_t list(const fmi_description *in, fmi_causality causality, size_t *numbers) {
  size_t n = 0;
  for (int others = 0; others < 2; others++)
    for (size_t i = 0; i < in->n_variables; i++) {
      const fmi_variable *variable = &in->variables[i];
      const bool is_signal = fmi_is_number(variable->type) || variable->type == FMI_BOOLEAN;
      if (variable->causality == causality && is_signal && (variable->type == FMI_FLOAT64) == (others == 0))
        numbers[n++] = i;
    }
  return n;
}

static seam_status make_part(checking *c, seam_error *error) {
  const size_t n = c->of->n_variables + 1;
  size_t n_values = 1;
  c->inputs = calloc(n, sizeof *c->inputs);
  c->outputs = calloc(n, sizeof *c->outputs);
  if (c->inputs == NULL || c->outputs == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory to check an FMU", c->path);
  c->n_inputs = list(c->of, FMI_INPUT, c->inputs);
  c->n_outputs = list(c->of, FMI_OUTPUT, c->outputs);
  for (size_t i = 0; i < c->n_inputs; i++)
    n_values += fmi_n_values(&c->of->variables[c->inputs[i]]);
  bool *connected = malloc(n_values * sizeof *connected);
  if (connected == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory to check an FMU", c->path);
  memset(connected, true, n_values * sizeof *connected);
  const cosim_fmu_def def = {.name = c->of->capabilities.identifier,
                             .fmu = c->fmu,
                             .inputs = c->inputs,
                             .outputs = c->outputs,
                             .n_inputs = c->n_inputs,
                             .n_outputs = c->n_outputs,
                             .is_connected = connected,
                             .restores_earlier_steps = true};
  const seam_status status = cosim_fmu_part_create(&def, &c->part, error);
  free(connected);
  return status;
}

/* ---- The test ---- */

/* Takes a step from t. Each input begins at its start value u. Those of type Float64 then change by the
 * product of `slope` and max(1, |u|), linearly in time. */
static seam_status take_step(const checking *c, double t, double slope, cosim_signal *signals, double *outputs,
                             seam_error *error) {
  const cosim_step step = {.t = t, .H = c->H, .inputs = signals};
  for (size_t i = 0, at = 0; i < c->n_inputs; i++) {
    const fmi_variable *variable = &c->of->variables[c->inputs[i]];
    const size_t n = fmi_n_values(variable);
    for (size_t k = 0; k < n; k++, at++) {
      const double start = variable->n_start > 0 ? variable->start[variable->n_start == n ? k : 0] : 0;
      signals[at] = (cosim_signal){.n_pieces = 1,
                                   .c = {{start, variable->type == FMI_FLOAT64 ? slope * fmax(1, fabs(start)) : 0}}};
    }
  }
  return c->part->ops->advance(c->part, &step, outputs, NULL, error);
}

/* Takes steps from t = H and t = 2 H, with `slope` and 2 `slope`; `outputs` are those after the second. */
static seam_status take_two_steps(const checking *c, double slope, cosim_signal *signals, double *outputs,
                                  seam_error *error) {
  TRY(take_step(c, c->H, slope, signals, outputs, error));
  return take_step(c, 2 * c->H, 2 * slope, signals, outputs, error);
}

/* Takes steps 1, 2 and 3; step 1 gives the integrator a history. If the FMU can restore states, takes two steps with
 * other inputs from the state after step 1. Then repeats steps 2 and 3 from that state. c->largest becomes the largest
 * relative change of an output after step 3. */
static seam_status repeat(checking *c, cosim_signal *signals, double *state, double *outputs, seam_error *error) {
  const int n = c->part->n_outputs;
  double *first = outputs, *again = outputs + n;
  const bool repeats = cosim_part_can_repeat(c->part);
  TRY(take_step(c, 0, fmu_check_slope, signals, first, error));
  if (repeats)
    c->part->ops->save(c->part, state);
  TRY(take_two_steps(c, fmu_check_slope, signals, first, error));
  for (int pass = 0; pass < 2 && repeats; pass++) {
    c->part->ops->restore(c->part, state);
    TRY(take_two_steps(c, pass == 0 ? -fmu_check_slope : fmu_check_slope, signals, again, error));
  }
  for (int i = 0; i < n && repeats; i++)
    c->largest = fmax(c->largest, fabs(again[i] - first[i]) / fmax(fabs(first[i]), 1));
  return SEAM_OK;
}

static seam_status test(checking *c, seam_error *error) {
  const size_t n_in = (size_t)c->part->n_inputs, n_out = (size_t)c->part->n_outputs;
  cosim_signal *signals = calloc(n_in + 1, sizeof *signals);
  double *numbers = calloc(c->part->n_state + 2 * n_out + 1, sizeof *numbers);
  const fmi_experiment *experiment = &c->of->experiment;
  const double fixed = cosim_fmu_fixed_step(c->of);
  c->H = experiment->stop > 0 ? experiment->stop / models_steps_of_run : models_macro_step;
  if (fixed > 0 || experiment->step > 0) /* a step that the FMU itself gives has priority */
    c->H = fixed > 0 ? fixed : experiment->step;
  seam_error cause = {0};
  seam_status status = signals != NULL && numbers != NULL
                           ? repeat(c, signals, numbers, numbers + c->part->n_state, &cause)
                           : seam_fail(&cause, SEAM_NO_MEMORY, "no memory to check an FMU");
  free(signals);
  free(numbers);
  return status == SEAM_OK ? SEAM_OK : seam_fail(error, status, "%s: %s", c->path, cause.message);
}

static seam_status judge(const checking *c, seam_error *error) {
  fprintf(c->to, "three steps of %.9g s", c->H);
  if (!c->of->capabilities.can_get_and_set_state) {
    fputs(": done\nverdict: explicit schemes and signals; it cannot go back\n", c->to);
    return SEAM_OK;
  }
  fputs(", two of them repeated from a restored state: ", c->to);
  if (c->largest == 0)
    fputs("the same bits\n", c->to);
  else
    fprintf(c->to, "outputs differ by %.3g of their sizes\n", c->largest);
  if (cosim_fmu_fixed_step(c->of) != 0)
    fputs("verdict: all schemes but collocation, by macro steps that are multiples of its step, and signals\n", c->to);
  else
    fprintf(c->to, "verdict: all schemes, with derivatives %s, and signals\n",
            c->part->gives_derivatives ? "of its own" : "by differences");
  if (c->largest == 0)
    return SEAM_OK;
  return seam_fail(error, SEAM_WRONG,
                   "%s: outputs differ by %.3g of their sizes when a step is repeated from a restored state, and no "
                   "corrector gets more accurate than that; take explicit schemes or signals",
                   c->path, c->largest);
}

/* ---- In a child process ---- */

/* Result of the child process, in memory shared with the parent. */
typedef struct trial {
  bool is_complete;
  seam_status status;
  seam_error error;
} trial;

static seam_status try_out(checking *c, seam_error *error) {
  seam_status status = fmi_fmu_load(c->fmu, error);
  if (fmi_fmu_needed_glibc(c->fmu) > 0)
    fprintf(c->to, "needs: glibc 2.%u or newer\n", fmi_fmu_needed_glibc(c->fmu));
  THEN(status, make_part(c, error));
  if (status == SEAM_OK && c->of->capabilities.can_get_and_set_state)
    fprintf(c->to, "derivatives of a step by inputs: %s\n", /* some FMUs give them for some inputs only */
            c->part->gives_derivatives             ? "its own, exact"
            : cosim_fmu_offers_derivatives(c->fmu) ? "by differences; its own derivatives do not cover all inputs, and "
                                                     "are used if inputs without them are not connected"
                                                   : "by differences");
  THEN(status, test(c, error));
  THEN(status, judge(c, error));
  cosim_part_destroy(c->part);
  return status;
}

/* Copies the lines of the child process, waits for its end, and returns its result. */
static seam_status wait_for(const checking *c, pid_t child, int lines, const trial *made, seam_error *error) {
  char block[4096];
  ssize_t n = 0;
  int ended = 0;
  while ((n = read(lines, block, sizeof block)) > 0)
    fwrite(block, 1, (size_t)n, c->to);
  while (waitpid(child, &ended, 0) < 0)
    if (errno != EINTR)
      return seam_fail(error, SEAM_NO_MEMORY, "%s: the process that tests the FMU is lost: %s", c->path,
                       strerror(errno));
  if (!made->is_complete && WIFSIGNALED(ended))
    return seam_fail(
        error, SEAM_FMU_FAILED,
        "%s: the FMU's program ended the test process by signal %d (%s): the FMU cannot be run; ask its maker", c->path,
        WTERMSIG(ended), strsignal(WTERMSIG(ended)));
  if (!made->is_complete)
    return seam_fail(
        error, SEAM_FMU_FAILED,
        "%s: the FMU's program ended the test process with exit status %d: the FMU cannot be run; ask its maker",
        c->path, WEXITSTATUS(ended));
  if (error != NULL)
    *error = made->error;
  return made->status;
}

/* The child is killed when its parent ends, and does not delete the folder of the unpacked FMU. */
static seam_status try_in_child(checking *c, trial *made, seam_error *error) {
  int lines[2];
  if (pipe(lines) != 0)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no process can be started to test the FMU: %s", c->path,
                     strerror(errno));
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    c->to = fdopen(lines[1], "w");
    if (c->to == NULL)
      _exit(1);
    made->status = try_out(c, &made->error);
    made->is_complete = fclose(c->to) == 0;
    _exit(0);
  }
  close(lines[1]);
  const seam_status status = child > 0
                                 ? wait_for(c, child, lines[0], made, error)
                                 : seam_fail(error, SEAM_NO_MEMORY, "%s: no process can be started to test the FMU: %s",
                                             c->path, strerror(errno));
  close(lines[0]);
  return status;
}

static seam_status check(checking *c, seam_error *error) {
  seam_status status = fmi_fmu_open(c->path, &c->fmu, error);
  if (c->fmu == NULL)
    return status;
  c->of = fmi_fmu_description(c->fmu);
  print_description(c);
  for (size_t i = 0; i < c->of->n_problems; i++)
    fprintf(c->to, "%s\n", c->of->problems[i]);
  if (status != SEAM_OK)
    return status;
  trial *made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory to check an FMU", c->path);
  status = try_in_child(c, made, error);
  munmap(made, sizeof *made);
  return status;
}

seam_status seam_fmu_check(const char *path, char **report, seam_error *error) {
  ARGUMENTS(error, path, report);
  size_t size = 0;
  checking c = {.path = path};
  *report = NULL;
  c.to = memory_stream_open(report, &size);
  if (c.to == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory to check an FMU", path);
  const seam_status status = check(&c, error);
  fmi_fmu_close(c.fmu);
  free(c.inputs);
  free(c.outputs);
  return memory_stream_close(c.to, report) ? status
                                           : seam_fail(error, SEAM_NO_MEMORY, "%s: no memory to check an FMU", path);
}

void seam_fmu_catch_crashes(void) { fmi_guard_catch_crashes(); }
void seam_fmu_remove_unpacked(void) { scratch_remove_all(); }
