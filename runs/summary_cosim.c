/* The section "cosim" of summary.json: macro steps, residuals and energies of couplings and bonds. */
#include <math.h>

#include "cosim/coupling/hold_errors.h"
#include "runs/peaks.h"
#include "runs/summary.h"

static void write_peak(json_writer *json, const char *key, const run_peak *peak) {
  json_open(json, key, '{');
  json_number(json, "largest", peak->value);
  json_number(json, "time", peak->time);
  json_close(json, '}');
}

static void write_energy(json_writer *json, double energy, const run_peak *power) {
  json_number(json, "residual_energy", energy);
  write_peak(json, "residual_power", power);
}

static void write_coupling(json_writer *json, const seam_run_facts *facts, size_t coupling) {
  static const char *const levels[SEAM_N_RESIDUAL_LEVELS] = {"g", "gd", "gdd"};
  const cosim_simulation *simulation = facts->simulation;
  const cosim_coupling_info info = cosim_coupling_of(simulation, coupling);
  json_open(json, info.name, '{');
  json_string(json, "kind", info.is_joint ? "constraint" : "constitutive");
  json_string(json, "scheme", info.scheme);
  json_string(json, "by", info.is_exchanged ? "exchange" : "master");
  json_open(json, "subsystems", '[');
  for (int side = 0; side < 2; side++)
    json_string(json, NULL, cosim_builder_definition(facts->builder)->subsystems[info.subsystems[side]].name);
  json_close(json, ']');
  for (int level = 0; level < SEAM_N_RESIDUAL_LEVELS && info.is_joint; level++)
    write_peak(json, levels[level], peaks_residual(facts->peaks, coupling, level));
  write_energy(json, cosim_coupling_energy(simulation, coupling).residual_energy, peaks_power(facts->peaks, coupling));
  json_number(json, "created_energy", cosim_coupling_created(simulation, coupling));
  json_close(json, '}');
}

static void write_part_coupling(json_writer *json, const seam_run_facts *facts, size_t coupling) {
  const cosim_coupling_def *def = cosim_part_coupling(facts->simulation, coupling);
  const cosim_bond_energy energy = cosim_part_coupling_energy(facts->simulation, coupling);
  json_open(json, def->name, '{');
  json_string(json, "kind", def->is_rigid ? "constraint" : "constitutive");
  json_string(json, "by", "master");
  json_open(json, "subsystems", '[');
  for (int side = 0; side < 2; side++)
    json_string(json, NULL, def->side[side].subsystem);
  json_close(json, ']');
  write_energy(json, energy.residual_energy,
               peaks_power(facts->peaks, cosim_n_couplings(facts->simulation) + coupling));
  json_number(json, "created_energy", energy.residual_energy);
  json_string(json, "inside_of_subsystems", "not checked");
  json_close(json, '}');
}

static void write_interfaces(json_writer *json, const seam_run_facts *facts) {
  const size_t n_couplings = cosim_n_couplings(facts->simulation);
  const size_t n_parts = cosim_n_part_couplings(facts->simulation);
  const size_t n_bonds = cosim_n_bonds(facts->simulation);
  const seam_interface_energy total = seam_interface_energy_of(facts->simulation);
  json_open(json, "couplings", '{');
  for (size_t k = 0; k < n_couplings; k++)
    write_coupling(json, facts, k);
  for (size_t k = 0; k < n_parts; k++)
    write_part_coupling(json, facts, k);
  json_close(json, '}');
  json_open(json, "bonds", '{');
  for (size_t i = 0; i < n_bonds; i++) {
    json_open(json, cosim_bond_name(facts->simulation, i), '{');
    write_energy(json, cosim_bond_energy_of(facts->simulation, i).residual_energy,
                 peaks_power(facts->peaks, n_couplings + n_parts + i));
    json_close(json, '}');
  }
  json_close(json, '}');
  json_open(json, "total", '{');
  write_energy(json, total.residual_energy, peaks_power(facts->peaks, n_couplings + n_parts + n_bonds));
  json_number(json, "created_energy", total.created);
  json_close(json, '}');
}

static void write_control(json_writer *json, const cosim_step_control *control, double first) {
  json_open(json, "step_control", '{');
  json_string(json, "method", cosim_step_indicator_name(control->indicator));
  json_number(json, "tolerance", control->tolerance);
  json_number(json, "first", control->chooses_first ? NAN : fmin(fmax(first, control->shortest), control->longest));
  json_number(json, "shortest", control->shortest);
  json_number(json, "longest", control->longest);
  json_close(json, '}');
}

static double mean_step(const cosim_simulation *simulation, size_t macro_steps) {
  return macro_steps > 0 ? cosim_state(simulation)->t / (double)macro_steps : 0;
}

static void write_watched(json_writer *json, const cosim_simulation *simulation) {
  cosim_hold_error hold;
  cosim_limit_reached limit;
  if (cosim_worst_hold(simulation, &hold)) {
    json_open(json, "worst_signal", '{');
    json_string(json, "to", hold.name);
    json_count(json, "order", (size_t)hold.order);
    json_number(json, "miss", hold.share);
    json_count(json, "better_order", (size_t)hold.better);
    json_number(json, "better_miss", hold.better_share);
    json_close(json, '}');
  }
  if (cosim_most_limited(simulation, &limit)) {
    json_open(json, "limited_correction", '{');
    json_string(json, "of", limit.name);
    json_number(json, "limit", limit.limit);
    json_count(json, "macro_steps", limit.reached);
    json_close(json, '}');
  }
}

void summary_write_cosim(json_writer *json, const seam_run_facts *facts) {
  const cosim_statistics statistics = cosim_statistics_of(facts->simulation);
  const cosim_options options = cosim_builder_definition(facts->builder)->options;
  const cosim_step_control *control = cosim_builder_definition(facts->builder)->step_control;
  json_open(json, "cosim", '{');
  json_number(json, "macro_step", options.macro_step);
  if (facts->assumes_macro_step)
    json_string(json, "macro_step_note",
                "assumed, not checked: neither the system nor its FMUs say one; set it by --macro-step");
  json_string(json, "sequence", options.sequence == COSIM_GAUSS_SEIDEL ? "gauss-seidel" : "jacobi");
  json_count(json, "macro_steps", statistics.macro_steps);
  json_count(json, "repeated", statistics.repeated);
  json_count(json, "with_kinks", statistics.with_kinks);
  json_count(json, "law_kinks", statistics.law_kinks);
  json_count(json, "switches", statistics.switches);
  json_count(json, "switches_inside", statistics.switches_inside);
  json_count(json, "part_events", statistics.part_events);
  json_count(json, "part_events_inside", statistics.part_events_inside);
  json_count(json, "shortened", statistics.shortened);
  json_count(json, "hidden_events", statistics.hidden_events);
  json_string(json, "reactions_between_macro_points",
              cosim_takes_long_steps(facts->simulation) ? "evaluated, not checked" : "interpolated, not checked");
  json_number(json, "shortest", statistics.shortest);
  json_number(json, "longest", statistics.longest);
  json_number(json, "mean", mean_step(facts->simulation, statistics.macro_steps));
  if (control != NULL)
    write_control(json, control, options.macro_step);
  json_count(json, "corrections", statistics.corrections);
  json_count(json, "interface_matrices", statistics.refreshes);
  write_watched(json, facts->simulation);
  write_interfaces(json, facts);
  json_close(json, '}');
}
