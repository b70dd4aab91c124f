#include "tests/support/exchange_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

exchange_fixture *exchange_fixture_read(const char *text) {
  exchange_fixture *w = calloc(1, sizeof *w);
  cr_assert_not_null(w);
  w->p = cosim_fixture_read(text, NULL);
  memcpy(w->subsystems, w->p.definition.subsystems, w->p.definition.n_subsystems * sizeof *w->subsystems);
  w->p.definition.subsystems = w->subsystems;
  w->p.definition.coupling_options = w->coupling_options;
  w->p.definition.n_coupling_options = 0;
  return w;
}

void exchange_fixture_free(exchange_fixture *w) {
  cosim_fixture_free(&w->p);
  free(w);
}

cosim_coupling_options *set_orders(exchange_fixture *w, const char *element, int force_order, int motion_order) {
  cosim_coupling_options *choice = &w->coupling_options[w->p.definition.n_coupling_options++];
  *choice = (cosim_coupling_options){.element = element,
                                     .scheme = "fd-k0-exchange",
                                     .has_orders = true,
                                     .force_order = force_order,
                                     .motion_order = motion_order};
  return choice;
}

cosim_subsystem_def *add_subsystem(exchange_fixture *w, const char *name) {
  cosim_subsystem_def *subsystem = &w->subsystems[w->p.definition.n_subsystems++];
  *subsystem = (cosim_subsystem_def){.name = name};
  return subsystem;
}

static const char *const elements[] = {"K", "k2"};

exchange_fixture *exchange_fixture_read_springs(void) {
  exchange_fixture *w = exchange_fixture_read(MASSES(""));
  cosim_subsystem_def *springs = add_subsystem(w, "springs");
  springs->forces = elements;
  springs->n_forces = 2;
  return w;
}

static const char *const crane_bodies[] = {"link1", "load"};
static const char *const crane_forces[] = {"lift"};

exchange_fixture *exchange_fixture_read_crane(void) {
  exchange_fixture *w = calloc(1, sizeof *w);
  cr_assert_not_null(w);
  const char *text = seam_catalogue_text("hydraulic_crane");
  cr_assert_eq(seam_model_file_parse("crane", text, strlen(text), NULL, 0, &w->p.file, NULL), SEAM_OK);
  w->p.model = seam_model_mechanism(w->p.file);
  w->p.workspace = new_workspace(w->p.model);
  w->p.state = new_state(w->p.model);
  cr_assert_eq(mbs_assemble(w->p.workspace, w->p.state, NULL, NULL, NULL), SEAM_OK);
  w->subsystems[0] = (cosim_subsystem_def){.name = "crane", .bodies = crane_bodies, .n_bodies = 2};
  w->subsystems[1] = (cosim_subsystem_def){.name = "hydraulics", .forces = crane_forces, .n_forces = 1, .steps = 10};
  w->p.definition = (cosim_definition){.options = cosim_default_options()};
  w->p.definition.subsystems = w->subsystems;
  w->p.definition.n_subsystems = 2;
  w->p.definition.coupling_options = w->coupling_options;
  w->p.definition.options.macro_step = 1e-3;
  set_orders(w, "lift", 1, 1);
  return w;
}
