#include "app/results/comparisons.h"

#include <math.h>

#include "app/interrupt.h"
#include "app/results/csv_text.h"
#include "app/results/output.h"
#include "base/number.h"

static bool show_progress(void *context, double t) {
  app_monitor *monitor = context;
  if (t < monitor->time && monitor->n_finished + 1 < monitor->n_runs)
    monitor->n_finished++;
  monitor->time = t;
  const double fraction = ((double)monitor->n_finished + t / monitor->end) / (double)monitor->n_runs;
  progress_run(&monitor->progress, fraction, t, ++monitor->steps);
  return interrupt_poll();
}

void monitor_start(app_monitor *monitor, bool quiet, double end) {
  *monitor = (app_monitor){
      .progress = progress_start(quiet), .end = end, .interrupt = {.is_requested = show_progress, .context = monitor}};
}

void monitor_phase(app_monitor *monitor, const char *label, size_t n_runs, double work, double later_work) {
  progress_phase(&monitor->progress, label, work, later_work);
  monitor->n_runs = n_runs;
  monitor->n_finished = monitor->steps = 0;
  monitor->time = 0;
}

void comparisons_write_number(FILE *file, double number) {
  fputc(',', file);
  if (!isnan(number))
    shortest_print(file, number);
}

const char comparisons_head[] =
    "scheme,macro_step,verdict,error_position,error_velocity,max_g,max_gd,max_gdd,energy_drift,macro_steps,cpu_s,"
    "cpu_monolithic_s,error,quantity,time,why,tolerance\n";

seam_status comparisons_write(const output_file *to, const char *scheme, double macro_step, const seam_comparison *run,
                              seam_error *error) {
  FILE *file = to->file;
  const double largest[] = {run->max_g, run->max_gd, run->max_gdd, run->energy_drift};
  csv_write_text(file, scheme);
  comparisons_write_number(file, isnan(run->tolerance) ? macro_step : NAN);
  fprintf(file, ",%s", seam_comparison_text(run));
  comparisons_write_number(file, run->error_position);
  comparisons_write_number(file, run->error_velocity);
  for (size_t i = 0; i < sizeof largest / sizeof *largest; i++) {
    fputc(',', file);
    shortest_print(file, largest[i]);
  }
  fprintf(file, ",%zu,%.6f,%.6f", run->macro_steps, run->cpu, run->cpu_monolithic);
  comparisons_write_number(file, run->error.of_travel);
  fputc(',', file);
  csv_write_text(file, run->error.quantity);
  comparisons_write_number(file, run->outcome == SEAM_RUN_FINISHED ? run->error.time : run->time);
  fputc(',', file);
  csv_write_text(file, run->why);
  comparisons_write_number(file, run->tolerance);
  fputc('\n', file);
  return output_flush(to, error);
}

void comparisons_print_meaning(bool with_joints) {
  puts("error: largest, of a quantity's travel (1e-2 is 1 %); position, velocity: all\n"
       "coordinates over their standard deviations; energy: of the largest kinetic one;\n"
       "verdict: of the error alone; 'seam run' judges energy, constraints, forces too");
  if (with_joints)
    puts("max g, gd, gdd: how far cut joints are open, m or rad, and its rates");
}

void comparisons_print_head(bool with_joints) {
  printf("%-8s  %-8s  %-8s", "error", "position", "velocity");
  if (with_joints)
    printf("  %-8s  %-8s  %-8s", "max g", "max gd", "max gdd");
  printf("  %-8s  %-8s  %s\n", "energy", "CPU, s", "verdict");
}

/* Prints an error; NaN: "-". Below `confirmed`, the accuracy of the reference, prints "<" and this accuracy. */
static void print_error(double error, double confirmed) {
  char text[16] = "-";
  if (error < confirmed)
    snprintf(text, sizeof text, "<%.1e", confirmed);
  else if (!isnan(error))
    snprintf(text, sizeof text, "%.2e", error);
  printf("%-8s  ", text);
}

void comparisons_print(const seam_comparison *run, bool with_joints) {
  const double confirmed = run->error.confirmed;
  print_error(run->error.of_travel, confirmed);
  print_error(run->error_position, confirmed);
  print_error(run->error_velocity, confirmed);
  if (with_joints)
    printf("%-8.2e  %-8.2e  %-8.2e  ", run->max_g, run->max_gd, run->max_gdd);
  print_error(run->energy_drift, NAN);
  printf("%-8.3g  %s", run->cpu, seam_comparison_text(run));
  if (run->outcome != SEAM_RUN_FINISHED)
    printf(": %s", run->why);
  else if (run->word == SEAM_WORD_ROUGH || run->word == SEAM_WORD_WRONG)
    printf(": %s, %.2g%s%s at t = %.4g s", run->error.quantity, run->error.value, run->error.unit[0] != '\0' ? " " : "",
           run->error.unit, run->error.time);
  putchar('\n');
  fflush(stdout);
}

void comparisons_note(const char *scheme, const seam_comparison *run) {
  if (run->limit[0] != '\0')
    fprintf(stderr, "note: %s: %s\n", scheme, run->limit);
}
