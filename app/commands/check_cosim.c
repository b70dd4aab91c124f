/* `seam check` of a co-simulation: subsystems, how they are coupled, and what corrects and controls it. */
#include "app/commands/check_cosim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Subsystems -------------------------------------------------------------------------------------------------- */

/* A line "    WHAT: a, b"; none for an empty list. */
static void print_names(const char *what, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; i++)
    printf("%s%s%s", i == 0 ? "    " : ", ", i == 0 ? what : "", names[i]);
  if (n > 0)
    putchar('\n');
}

static void print_subsystem(const seam_model_file *file, const cosim_definition *options, size_t number) {
  const cosim_subsystem_def *subsystem = &options->subsystems[number];
  const seam_equations equations = seam_model_equations(file, number);
  printf("  %s", subsystem->name);
  if (subsystem->steps > 1)
    printf(": macro step %.9g s, %zu in one of the whole", options->macro_step / (double)subsystem->steps,
           subsystem->steps);
  putchar('\n');
  print_names("bodies: ", subsystem->bodies, subsystem->n_bodies);
  print_names("force elements: ", subsystem->forces, subsystem->n_forces);
  print_names("inputs: ", equations.inputs, equations.n_inputs);
  print_names("states: ", equations.states, equations.n_states);
  print_names("outputs: ", equations.outputs, equations.n_outputs);
}

/* ---- Signals ----------------------------------------------------------------------------------------------------- */

static void print_signals(const cosim_definition *options) {
  if (options->n_signals > 0)
    printf("signals: %zu\n", options->n_signals);
  for (const cosim_connection_def *link = options->signals; link < options->signals + options->n_signals; link++) {
    printf("  %s -> %s, order %d", link->from, link->to, link->order);
    if (link->gain != 1)
      printf(", gain %.9g", link->gain);
    if (link->rate)
      printf(", rate %s", link->rate);
    puts(link->smooth ? ", smooth" : "");
  }
}

static bool is_fed(const cosim_definition *options, const char *subsystem, const char *input) {
  const size_t length = strlen(subsystem);
  for (size_t i = 0; i < options->n_signals; i++) {
    const char *to = options->signals[i].to;
    if (strncmp(to, subsystem, length) == 0 && to[length] == '.' && strcmp(to + length + 1, input) == 0)
      return true;
  }
  return false;
}

static void print_open_inputs(const seam_model_file *file, const cosim_definition *options) {
  size_t n_open = 0;
  for (size_t s = 0; s < options->n_subsystems; s++) {
    const char *name = options->subsystems[s].name;
    const seam_equations equations = seam_model_equations(file, s);
    for (size_t i = 0; i < equations.n_inputs; i++) {
      if (is_fed(options, name, equations.inputs[i]))
        continue;
      printf("%s%s.%s", n_open++ == 0 ? "inputs that nothing feeds: " : ", ", name, equations.inputs[i]);
    }
  }
  if (n_open > 0)
    putchar('\n');
}

static void print_bonds(const cosim_definition *options) {
  if (options->n_bonds > 0)
    printf("bonds: %zu\n", options->n_bonds);
  for (size_t k = 0; k < options->n_bonds; k++)
    printf("  %s\n", options->bonds[k].name);
}

/* ---- Corrections and control ------------------------------------------------------------------------------------- */

static void print_energy_correction(const cosim_energy_correction_def *correction) {
  printf("  energy of %s", correction->bond);
  if (correction->part)
    printf(", at %s", correction->part);
  if (isnan(correction->mu))
    puts(", mu by the rules");
  else
    printf(", mu %.9g\n", correction->mu);
}

static void print_balance_correction(const cosim_balance_correction_def *correction) {
  printf("  balance of %s", correction->input);
  if (correction->integral)
    printf(", by %s", correction->integral);
  printf(", over %d macro step%s\n", correction->spread, correction->spread == 1 ? "" : "s");
}

static void print_corrections(const cosim_definition *options) {
  const size_t n = options->n_energy_corrections + options->n_balance_corrections + (options->model_based ? 1 : 0);
  if (n > 0)
    printf("corrections: %zu\n", n);
  for (size_t i = 0; i < options->n_energy_corrections; i++)
    print_energy_correction(&options->energy_corrections[i]);
  for (size_t i = 0; i < options->n_balance_corrections; i++)
    print_balance_correction(&options->balance_corrections[i]);
  if (options->model_based)
    printf("  model-based, alpha %.9g\n", options->model_based->alpha);
}

static void print_step(const cosim_definition *options) {
  static const char *const indicators[] = {
      [COSIM_ENERGY_INDICATOR] = "ecco",
      [COSIM_PREDICTION_INDICATOR] = "predictor",
      [COSIM_ERROR_INDICATOR] = "error",
  };
  const cosim_step_control *control = options->step_control;
  printf("macro step: %.9g s", options->macro_step);
  if (control)
    printf(" at first, then by %s, tolerance %.9g", indicators[control->indicator], control->tolerance);
  puts(options->gauss_seidel ? ", gauss-seidel" : "");
}

void check_print_cosim(const seam_model_file *file) {
  const cosim_definition *options = seam_model_cosim(file);
  printf("subsystems: %zu\n", options->n_subsystems);
  for (size_t s = 0; s < options->n_subsystems; s++)
    print_subsystem(file, options, s);
  print_step(options);
  print_signals(options);
  print_open_inputs(file, options);
  print_bonds(options);
  print_corrections(options);
}

/* ---- Couplings --------------------------------------------------------------------------------------------------- */

void check_print_couplings(const cosim_simulation *simulation, const cosim_definition *options) {
  const size_t n = cosim_n_couplings(simulation);
  if (n > 0)
    printf("couplings: %zu\n", n);
  for (size_t k = 0; k < n; k++) {
    size_t subsystems[2];
    cosim_coupling_subsystems(simulation, k, subsystems);
    printf("  %-16s  %-13s  %s, %s\n", cosim_coupling_name(simulation, k), cosim_coupling_scheme(simulation, k),
           options->subsystems[subsystems[0]].name, options->subsystems[subsystems[1]].name);
  }
}
