/* `seam check` of a co-simulation: subsystems, couplings, corrections and step control. */
#include "app/commands/check_cosim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Prints an indented line with `what` and the names, as "bodies: a, b"; prints nothing if n is 0. */
static void print_names(const char *what, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; i++)
    printf("%s%s%s", i == 0 ? "    " : ", ", i == 0 ? what : "", names[i]);
  if (n > 0)
    putchar('\n');
}

static void print_subsystem(const seam_model_file *file, const cosim_definition *of, size_t number) {
  const cosim_subsystem_def *subsystem = &of->subsystems[number];
  const seam_equations equations = seam_model_equations(file, number);
  printf("  %s", subsystem->name);
  if (subsystem->steps > 1)
    printf(": macro step %.9g s, %zu in one of the whole", of->options.macro_step / (double)subsystem->steps,
           subsystem->steps);
  putchar('\n');
  print_names("bodies: ", subsystem->bodies, subsystem->n_bodies);
  print_names("force elements: ", subsystem->forces, subsystem->n_forces);
  print_names("equations: ", subsystem->equations, subsystem->n_equations);
  if (subsystem->n_equations > 0)
    printf("    order of their signals: %d\n", subsystem->signal_order);
  print_names("inputs: ", equations.inputs, equations.n_inputs);
  print_names("states: ", equations.states, equations.n_states);
  print_names("outputs: ", equations.outputs, equations.n_outputs);
}

/* Prints a heading with the number n of lines that follow; prints nothing if n is 0. */
static void print_count(const char *what, size_t n) {
  if (n > 0)
    printf("%s: %zu\n", what, n);
}

static void print_signals(const cosim_definition *of) {
  print_count("signals", of->n_signals);
  for (const cosim_connection_def *link = of->signals; link < of->signals + of->n_signals; link++) {
    printf("  %s -> %s, order %d", link->from, link->to, link->order);
    if (link->gain != 1)
      printf(", gain %.9g", link->gain);
    if (link->offset != 0)
      printf(", offset %.9g", link->offset);
    if (link->rate)
      printf(", rate %s", link->rate);
    puts(link->smooth ? ", smooth" : "");
  }
}

static bool is_fed(const cosim_definition *of, const char *subsystem, const char *input) {
  const size_t length = strlen(subsystem);
  for (size_t i = 0; i < of->n_part_couplings; i++)
    for (int side = 0; side < 2; side++)
      if (strcmp(of->part_couplings[i].side[side].subsystem, subsystem) == 0)
        return true; /* the couplings set the inputs of the subsystem */
  for (size_t i = 0; i < of->n_signals; i++) {
    const char *to = of->signals[i].to;
    if (strncmp(to, subsystem, length) == 0 && to[length] == '.' && strcmp(to + length + 1, input) == 0)
      return true;
  }
  return false;
}

void check_print_open_inputs(const seam_model_file *file, bool with_fmus, const char *heading, FILE *to) {
  const cosim_definition *of = cosim_builder_definition(seam_model_cosim(file));
  size_t n_open = 0;
  for (size_t s = 0; s < of->n_subsystems; s++) {
    const char *name = of->subsystems[s].name;
    const seam_equations equations = seam_model_equations(file, s);
    for (size_t i = 0; i < equations.n_inputs && (with_fmus || !equations.are_hidden); i++)
      if (!is_fed(of, name, equations.inputs[i]))
        fprintf(to, "%s%s.%s", n_open++ == 0 ? heading : ", ", name, equations.inputs[i]);
  }
  if (n_open > 0)
    fputc('\n', to);
}

static void print_corrections(const cosim_definition *of) {
  print_count("corrections", of->n_energy_corrections + of->n_balance_corrections + (of->model_based != NULL ? 1 : 0));
  for (size_t i = 0; i < of->n_energy_corrections; i++) {
    const cosim_energy_correction_def *correction = &of->energy_corrections[i];
    printf("  energy of %s", correction->bond ? correction->bond : "all forces");
    if (correction->part)
      printf(", at %s", correction->part);
    if (isnan(correction->mu))
      puts(", mu by the rules");
    else
      printf(", mu %.9g\n", correction->mu);
  }
  for (size_t i = 0; i < of->n_balance_corrections; i++) {
    const cosim_balance_correction_def *correction = &of->balance_corrections[i];
    printf("  balance of %s", correction->input);
    if (correction->integral)
      printf(", by %s", correction->integral);
    printf(", over %d macro step%s\n", correction->spread, correction->spread == 1 ? "" : "s");
  }
  if (of->model_based != NULL)
    printf("  model-based, alpha %.9g\n", of->model_based->alpha);
}

static void print_step(const cosim_definition *of) {
  const cosim_step_control *control = of->step_control;
  if (control != NULL && control->chooses_first)
    printf("macro step: from the motion at first");
  else
    printf("macro step: %.9g s%s", of->options.macro_step, control != NULL ? " at first" : "");
  if (control != NULL)
    printf(", then by %s, tolerance %.9g", cosim_step_indicator_name(control->indicator), control->tolerance);
  puts(of->options.sequence == COSIM_GAUSS_SEIDEL ? ", gauss-seidel" : "");
}

void check_print_cosim(const seam_model_file *file) {
  const cosim_definition *of = cosim_builder_definition(seam_model_cosim(file));
  print_count("subsystems", of->n_subsystems);
  for (size_t s = 0; s < of->n_subsystems; s++)
    print_subsystem(file, of, s);
  print_step(of);
  print_signals(of);
  check_print_open_inputs(file, true, "inputs that nothing feeds: ", stdout);
  print_count("bonds", of->n_bonds);
  for (size_t k = 0; k < of->n_bonds; k++)
    printf("  %s\n", of->bonds[k].name);
  print_corrections(of);
}

void check_print_couplings(const cosim_simulation *simulation, const cosim_builder *builder) {
  const cosim_definition *of = cosim_builder_definition(builder);
  const size_t n = cosim_n_couplings(simulation);
  const size_t n_parts = cosim_n_part_couplings(simulation);
  size_t n_signals = 0;
  print_count("couplings", n);
  for (size_t k = 0; k < n; k++) {
    const cosim_coupling_info coupling = cosim_coupling_of(simulation, k);
    printf("  %-16s  %-14s  %-8s  %s, %s\n", coupling.name, coupling.scheme,
           coupling.is_exchanged ? "exchange" : "master", of->subsystems[coupling.subsystems[0]].name,
           of->subsystems[coupling.subsystems[1]].name);
  }
  print_count("couplings", n_parts);
  for (size_t k = 0; k < n_parts; k++) {
    const cosim_coupling_def *def = cosim_part_coupling(simulation, k);
    const char *of_kind = def->is_rigid ? of->options.constraint_scheme : of->options.constitutive_scheme;
    printf("  %-16s  %-14s  %-8s  ", def->name, def->scheme != NULL ? def->scheme : of_kind, "master");
    for (int side = 0; side < 2; side++)
      printf("%s%s%s%s", side > 0 ? ", " : "", def->side[side].subsystem, def->side[side].element != NULL ? "." : "",
             def->side[side].element != NULL ? def->side[side].element : "");
    putchar('\n');
  }
  for (size_t i = 0; i < cosim_n_signals(simulation); i++) /* only quantities of the mechanism have a meaning */
    n_signals += cosim_signal_of(simulation, i).meaning[0] != '\0';
  print_count("quantities as signals", n_signals);
  for (size_t i = 0; i < cosim_n_signals(simulation); i++) {
    const cosim_signal_info signal = cosim_signal_of(simulation, i);
    if (signal.meaning[0] != '\0')
      printf("  %-20s  %-6s  %s\n", signal.name, signal.unit, signal.meaning);
  }
}
