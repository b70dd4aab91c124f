/* `seam check`: prints the contents of a model file, the result of assembly and the parts of its co-simulation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/equations.h>
#include <seam/events.h>
#include <seam/fmu.h>
#include <seam/measures.h>
#include <seam/results.h>
#include <seam/runs.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/plain.h"
#include "app/setup.h"
#include "base/dotted.h"
#include "base/json.h"
#include "base/then.h"

/* ---- The mechanism ---- */

static void print_element(const mbs_model *model, const char *name, const char *kind, const size_t bodies[2]) {
  printf("  %-16s  %-13s  %s", name, kind, mbs_body_of(model, bodies[0]).name);
  if (bodies[1] != bodies[0])
    printf(", %s", mbs_body_of(model, bodies[1]).name);
}

/* Quantities of force elements that show what an element does. */
enum { FORCE, TENSION, TORQUE, POWER, N_ACTIONS };
static const char *const actions[N_ACTIONS] = {"force", "tension", "torque", "power"};

/* Reads these quantities of all force elements at the start together. Those of element i begin at (*values)[N_ACTIONS
 * i]; NaN: the element has no such quantity. The caller frees *values. */
static seam_status read_actions(const app_setup *setup, double **values, seam_error *error) {
  const mbs_model *model = setup->model;
  const size_t n = N_ACTIONS * mbs_n_forces(model);
  *values = malloc(2 * (n + 1) * sizeof **values); /* followed by the values as they are read */
  mbs_quantity *list = malloc((n + 1) * sizeof *list);
  size_t *places = malloc((n + 1) * sizeof *places);
  mbs_readout *readout = NULL;
  size_t n_found = 0;
  seam_status status = check_memory(*values != NULL && list != NULL && places != NULL, error);
  for (size_t i = 0; i < n && status == SEAM_OK; i++) {
    const size_t force = i / N_ACTIONS;
    (*values)[i] = NAN;
    for (size_t k = 0; k < mbs_n_quantities(model, MBS_FORCES, force); k++) {
      const mbs_quantity quantity = {MBS_FORCES, force, k};
      if (strcmp(mbs_quantity_of(model, quantity).name, actions[i % N_ACTIONS]) != 0)
        continue;
      list[n_found] = quantity;
      places[n_found++] = i;
    }
  }
  THEN(status, mbs_readout_create(model, list, n_found, &readout, error));
  if (status == SEAM_OK)
    mbs_read(readout, setup->workspace, setup->state, *values + n);
  for (size_t i = 0; i < n_found && status == SEAM_OK; i++)
    (*values)[places[i]] = (*values)[n + i];
  mbs_readout_destroy(readout);
  free(list);
  free(places);
  return status;
}

/* Prints the force or torque at the start, and its sense in words, as "pushes apart, drives". */
static void print_action(const mbs_model *model, const double values[N_ACTIONS]) {
  const mbs_scales scales = mbs_scales_of(model);
  const struct {
    const char *unit, *positive, *negative;
    double size;
  } rows[] = {[FORCE] = {"N", "pushes apart", "pulls together", scales.force},
              [TENSION] = {"N", "pulls together", "pushes apart", scales.force},
              [TORQUE] = {"Nm", "turns counter-clockwise", "turns clockwise", scales.force * scales.length}};
  const double power = without_roundoff(values[POWER], scales.force * scales.speed);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double value = without_roundoff(values[i], rows[i].size);
    if (isnan(value) || value == 0)
      continue;
    printf(": %s %.4g %s, %s", actions[i], value, rows[i].unit, value > 0 ? rows[i].positive : rows[i].negative);
    if (fabs(power) > 0)
      fputs(power > 0 ? ", drives" : ", brakes", stdout);
  }
}

/* Returns true for the spans of a cable after its first one. */
static bool is_next_span(const mbs_model *model, size_t force) {
  return force > 0 && mbs_force_of(model, force).kind == MBS_CABLE &&
         mbs_force_of(model, force).name == mbs_force_of(model, force - 1).name;
}

/* values: of read_actions(); NULL: the mechanism is not assembled. */
static void print_elements(const app_setup *setup, const double *values, bool verbose) {
  const mbs_model *model = setup->model;
  size_t n_forces = 0;
  printf("bodies: %zu\n", mbs_n_bodies(model));
  for (size_t i = 0; i < mbs_n_bodies(model); i++) {
    printf("  %s", mbs_body_of(model, i).name);
    if (verbose && setup->state) {
      const double *q = setup->state->q + 3 * i;
      const double *v = setup->state->v + 3 * i;
      printf(": x %.9g, y %.9g, phi %.9g; vx %.9g, vy %.9g, omega %.9g", q[0], q[1], q[2], v[0], v[1], v[2]);
    }
    putchar('\n');
  }
  printf("joints: %zu\n", mbs_n_joints(model));
  for (size_t i = 0; i < mbs_n_joints(model); i++) {
    const mbs_joint_info joint = mbs_joint_of(model, i);
    print_element(model, joint.name, mbs_joint_kind_text(joint.kind), joint.bodies);
    putchar('\n');
  }
  for (size_t i = 0; i < mbs_n_forces(model); i++)
    n_forces += is_next_span(model, i) ? 0 : 1;
  printf("force elements: %zu\n", n_forces);
  for (size_t i = 0; i < mbs_n_forces(model); i++) { /* prints all spans of a cable in one line */
    const mbs_force_info force = mbs_force_of(model, i);
    const double *of_first = values != NULL ? values + N_ACTIONS * i : NULL;
    print_element(model, force.name, mbs_force_kind_text(force.kind), force.bodies);
    for (; is_next_span(model, i + 1); i++) {
      const mbs_force_info span = mbs_force_of(model, i + 1);
      if (span.places[1] == span.places[0] + 1)
        printf(", %s", mbs_body_of(model, span.bodies[1]).name);
    }
    if (of_first != NULL)
      print_action(model, of_first);
    putchar('\n');
  }
}

static void print_largest(const mbs_model *model, const char *what, double found, double scale, const char *unit,
                          size_t body) {
  const double size = without_roundoff(found, scale);
  printf("  largest %s: %.3g %s", what, size, unit);
  if (size > 0)
    printf(", of %s", mbs_body_of(model, body).name);
  putchar('\n');
}

static void print_mechanism(const app_setup *setup, seam_status assembled, const double *values, bool verbose) {
  const mbs_model *model = setup->model;
  const mbs_assembly *report = &setup->report;
  const mbs_scales scales = mbs_scales_of(model);
  print_elements(setup, values, verbose);
  if (assembled != SEAM_OK && assembled != SEAM_SINGULAR)
    return;
  printf("degrees of freedom: %zu (%zu coordinates, %zu constraints of rank %zu", report->degrees_of_freedom,
         report->degrees_of_freedom + report->rank + report->n_two_sided, mbs_n_constraints(model), report->rank);
  const size_t n_sticking = mbs_n_constraints(model) - report->rank - report->n_redundant; /* sticking contacts */
  if (n_sticking > 0)
    printf(", %zu of hard friction", n_sticking);
  if (report->n_two_sided > 0)
    printf(", %zu two-sided cable%s", report->n_two_sided, report->n_two_sided == 1 ? "" : "s");
  puts(")");
  printf("redundant constraints: %zu\n", report->n_redundant);
  for (size_t i = 0; i < report->n_redundant; i++) {
    const mbs_constraint_info constraint = mbs_constraint_of(model, setup->redundant[i]);
    printf("  %s.%s\n", mbs_joint_of(model, constraint.joint).name, constraint.name);
  }
  if (report->n_redundant > 0)
    puts("  set aside; where joints hold the same thing, reactions are those of least norm");
  if (assembled != SEAM_OK)
    return;
  puts(seam_model_has_start(setup->file) ? "assembly moved, from where 'start' puts the bodies (--verbose prints poses)"
                                         : "assembly moved");
  print_largest(model, "move", report->largest_move, scales.length, "m", report->moved_body);
  print_largest(model, "turn", report->largest_turn, 1, "rad", report->turned_body);
  print_largest(model, "change of velocity", report->largest_velocity_correction, scales.speed, "m/s or rad/s",
                report->velocity_corrected_body);
}

/* ---- Measures, equations, events ---- */

/* Returns the value, or 0 for -0. */
static double unsigned_zero(double value) { return value == 0 ? 0 : value; }

static seam_status print_measures(const app_setup *setup, seam_error *error) {
  const size_t n = seam_measured_quantities(setup->model, NULL);
  mbs_quantity *list = calloc(n, sizeof *list);
  double *values = calloc(n, sizeof *values);
  mbs_readout *readout = NULL;
  seam_status status = check_memory(list != NULL && values != NULL, error);
  if (status == SEAM_OK) {
    seam_measured_quantities(setup->model, list);
    status = mbs_readout_create(setup->model, list, n, &readout, error);
  }
  if (status == SEAM_OK) {
    mbs_read(readout, setup->workspace, setup->state, values);
    printf("measures: %zu\n", mbs_n_elements(setup->model, MBS_MEASURES));
  }
  for (size_t i = 0; i < n && status == SEAM_OK; i++) {
    const mbs_quantity_info info = mbs_quantity_of(setup->model, list[i]);
    char name[128];
    dotted_name(info.element, info.name, name, sizeof name);
    if (isfinite(values[i]))
      printf("  %-16s  %.6g %s\n", name, unsigned_zero(values[i]), info.unit);
    else
      printf("  %-16s  not finite\n", name);
  }
  mbs_readout_destroy(readout);
  free(list);
  free(values);
  return status;
}

/* Prints the states of equations and their rates at the start. print_measures() prints inputs and outputs. */
static seam_status print_equations(const app_setup *setup, seam_error *error) {
  const mbs_model *model = setup->model;
  TRY(mbs_evaluate(setup->workspace, setup->state, error));
  printf("states of equations: %zu\n", mbs_n_variables(model));
  for (size_t i = 0; i < mbs_n_variables(model); i++) {
    const mbs_quantity_info info = mbs_quantity_of(model, (mbs_quantity){MBS_VARIABLES, i, 0});
    const double rate = mbs_variable_rate(setup->workspace, setup->state, i);
    const char *unit = info.unit[0] != '\0' ? info.unit : "1";
    printf("  %-16s  %.6g%s%s, ", info.element, unsigned_zero(setup->state->z[mbs_variable_of(model, i).state]),
           info.unit[0] != '\0' ? " " : "", info.unit);
    if (mbs_variable_of(model, i).sample > 0)
      printf("next value %.6g, every %.6g s\n", unsigned_zero(rate), mbs_variable_of(model, i).sample);
    else
      printf("rate %.6g %s/s\n", unsigned_zero(rate), unit);
  }
  return SEAM_OK;
}

/* Returns the condition of an event in the effective model; NULL: it has no text there. */
static const char *condition_of(const json_node *model, const char *name) {
  const json_node *stop = json_get(model, "stop");
  const json_node *event = json_get(json_get(model, "events"), name);
  if (event == NULL && stop != NULL && stop->kind == JSON_LIST) { /* names in a list are stop1, stop2, ... */
    event = stop->first;
    for (unsigned long k = strtoul(name + strlen("stop"), NULL, 10); k > 1 && event != NULL; k--)
      event = event->next;
  } else if (event == NULL)
    event = stop;
  if (event == NULL)
    return NULL;
  return event->text != NULL ? event->text : json_text(event, "when");
}

static void print_events(const app_setup *setup) {
  const mbs_model *model = setup->model;
  const char *json = seam_model_json(setup->file);
  const json_node *root = NULL;
  arena memory = {0};
  json_failure failure;
  if (json == NULL || !json_parse(json, &memory, &root, &failure))
    root = NULL;
  printf("events: %zu\n", mbs_n_events(model));
  for (size_t i = 0; i < mbs_n_events(model); i++) {
    const char *condition = condition_of(root, mbs_event_of(model, i).name);
    printf("  %s%s%s%s\n", mbs_event_of(model, i).name, condition != NULL ? ": " : "",
           condition != NULL ? condition : "", mbs_event_of(model, i).stops ? ", ends the run" : "");
  }
  arena_release(&memory);
}

/* ---- Co-simulation ---- */

/* Prints an indented line, as "bodies: a, b". Prints nothing if n is 0. */
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

/* Prints a heading with the number of lines that follow. Prints nothing if n is 0. */
static void print_count(const char *what, size_t n) {
  if (n > 0)
    printf("%s: %zu\n", what, n);
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

static void print_cosim(const seam_model_file *file) {
  const cosim_definition *of = cosim_builder_definition(seam_model_cosim(file));
  const cosim_step_control *control = of->step_control;
  print_count("subsystems", of->n_subsystems);
  for (size_t s = 0; s < of->n_subsystems; s++)
    print_subsystem(file, of, s);
  if (control != NULL && control->chooses_first)
    printf("macro step: from the motion at first");
  else
    printf("macro step: %.9g s%s", of->options.macro_step, control != NULL ? " at first" : "");
  if (control != NULL)
    printf(", then by %s, tolerance %.9g", cosim_step_indicator_name(control->indicator), control->tolerance);
  puts(of->options.sequence == COSIM_GAUSS_SEIDEL ? ", gauss-seidel" : "");
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
  setup_print_open_inputs(file, true, "inputs that nothing feeds: ", stdout);
  print_count("bonds", of->n_bonds);
  for (size_t k = 0; k < of->n_bonds; k++)
    printf("  %s\n", of->bonds[k].name);
  print_corrections(of);
}

/* Prints the couplings of cut elements, those of user parts, and the signals that are quantities of the mechanism. */
static void print_couplings(const cosim_simulation *simulation, const cosim_builder *builder) {
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

/* Prints the couplings of a file without schemes, as they would be with an example scheme. */
static void show_couplings(const cosim_builder *builder) {
  static const char *const examples[2] = {"ff-k1", "ff-index2-k1"};
  cosim_builder *copy = NULL;
  cosim_simulation *simulation = NULL;
  seam_status status = cosim_builder_copy(builder, &copy, NULL);
  for (int at_joint = 0; at_joint < 2 && status == SEAM_OK; at_joint++)
    if (cosim_has_couplings(copy, at_joint))
      status = cosim_use_scheme(copy, examples[at_joint], NULL);
  if (status == SEAM_OK && cosim_create(copy, &simulation, NULL) == SEAM_OK) {
    puts("no scheme is given; write one under cosim.scheme, or give --scheme; as an example:");
    print_couplings(simulation, copy);
  }
  cosim_destroy(simulation);
  cosim_builder_destroy(copy);
}

/* Cuts the mechanism as the file specifies, and prints the couplings. */
static seam_status check_couplings(const app_setup *setup, bool quiet, seam_error *error) {
  const cosim_builder *builder = seam_model_cosim(setup->file);
  cosim_simulation *simulation = NULL;
  if (builder == NULL)
    return SEAM_OK;
  const cosim_definition *of = cosim_builder_definition(builder);
  size_t n = 0; /* index of the first coupling of user parts that has no scheme of its own */
  while (n < of->n_part_couplings && of->part_couplings[n].scheme != NULL)
    n++;
  const bool is_open = !((n > 0 && n == of->n_part_couplings) || of->options.constitutive_scheme != NULL ||
                         of->options.constraint_scheme != NULL || of->n_coupling_options > 0) &&
                       (cosim_has_couplings(builder, false) || cosim_has_couplings(builder, true));
  if (is_open) { /* runs get the scheme from their command line */
    if (!quiet)
      show_couplings(builder);
    return SEAM_OK;
  }
  const seam_status status = setup_cut(setup, builder, &simulation, error);
  if (status == SEAM_OK && !quiet)
    print_couplings(simulation, builder);
  cosim_destroy(simulation);
  return status;
}

/* ---- The command ---- */

/* Fails if a run would fail at its first row. */
static seam_status check_first_row(const app_setup *setup, seam_error *error) {
  seam_table *table = NULL;
  TRY(seam_trajectory_table_create(setup->model, &table, error));
  double *row = calloc(seam_table_n_columns(table), sizeof *row);
  seam_status status =
      row != NULL ? seam_trajectory_row(table, setup->workspace, setup->state, row, error) : out_of_memory(error);
  free(row);
  seam_table_destroy(table);
  return status;
}

static int check_fmu(const app_options *parsed, seam_error *error) {
  char *report = NULL;
  const seam_status status = seam_fmu_check(parsed->operands[0], &report, error);
  if (report != NULL && !options_flag(parsed, "--quiet"))
    fputs(report, stdout);
  free(report);
  return seam_status_exit(status);
}

static int check(const app_options *parsed, seam_error *error) {
  const char *ending = strrchr(parsed->operands[0], '.');
  const bool quiet = options_flag(parsed, "--quiet");
  if (ending != NULL && strcmp(ending, ".fmu") == 0)
    return check_fmu(parsed, error);
  app_setup setup;
  seam_status status = setup_read(parsed, &setup, error);
  const bool has_bodies = status == SEAM_OK && mbs_n_bodies(setup.model) > 0;
  seam_model_only_describe(setup.file);
  setup_apply_from(&setup, parsed);
  THEN(status, setup_assemble(&setup, error));
  if (status == SEAM_OK && setup.from != NULL && !quiet)
    setup_print_start_notes(&setup);
  if (setup.file != NULL && !quiet) {
    printf("model: %s\n", seam_model_name(setup.file));
    double *values = NULL;
    if (has_bodies) {
      THEN(status, read_actions(&setup, &values, error));
      print_mechanism(&setup, status, status == SEAM_OK ? values : NULL, options_flag(parsed, "--verbose"));
    }
    free(values);
    THEN(status, mbs_n_elements(setup.model, MBS_MEASURES) > 0 ? print_measures(&setup, error) : SEAM_OK);
    THEN(status, mbs_n_variables(setup.model) > 0 ? print_equations(&setup, error) : SEAM_OK);
    if (status == SEAM_OK && mbs_n_events(setup.model) > 0)
      print_events(&setup);
    if (status == SEAM_OK && seam_model_cosim(setup.file))
      print_cosim(setup.file);
  }
  if (has_bodies)
    THEN(status, check_first_row(&setup, error));
  THEN(status, check_couplings(&setup, quiet, error));
  if (status == SEAM_OK && has_bodies && !quiet) {
    seam_note_mechanism(setup.file, setup.workspace, setup.state);
    printf("'seam draw %s' draws it\n", parsed->operands[0]);
  }
  setup_free(&setup);
  return seam_status_exit(status);
}

static const app_option table[] = {
    OPTION_FROM,
    OPTION_SET,
    {"--quiet", .help = "print errors only; see the exit status"},
    {"--verbose", .help = "print the assembled pose and velocity of each body too"},
    OPTION_HELP,
    {0},
};

const app_command check_command = {
    .name = "check",
    .summary = "print what a model contains and what assembly moved",
    .operands = "MODEL|NAME.fmu",
    .details =
        "Reads and assembles a model and prints its bodies, joints, force elements, degrees of freedom, redundant\n"
        "constraints, how far assembly moved the bodies from where the file places them, and what measures and states\n"
        "of equations are at the start, with their rates; events; then the subsystems of `cosim` and what they\n"
        "consist of, the macro step and its control, signals, inputs that nothing feeds, bonds, corrections, and\n"
        "couplings with their schemes.\n"
        "\n"
        "MODEL is a file or, where no such file exists, a name of the catalogue ('seam models').\n"
        "\n"
        "Of an FMU, NAME.fmu, it prints what that is, its inputs, outputs and parameters, and what it can; takes\n"
        "three steps, repeats two of them from a restored state, and says which schemes that allows. Repeated steps\n"
        "that differ are suspect: status 3.\n"
        "\n"
        "  seam check four_bar_bushing --verbose",
    .options = table,
    .n_operands = {1, 1},
    .run = check,
};
