/* `stop:` and `events:` conditions on quantities, monitored during a run (<seam/events.h>).
 *
 *     stop: {when: "crank.angle > 2*pi"}
 *     events:
 *       impact: {when: block.y, direction: falling, after: 0.1}
 *       fast: "crank.omega > 30"
 *
 * An event occurs when a comparison becomes true, or when a value passes through zero. */
#include <stdio.h>
#include <string.h>

#include "mbs/build/builder.h"
#include "mbs/output/readout.h"
#include "models/expression/lexer.h"
#include "models/sections/fmu_subsystem.h"
#include "models/sections/quantities_section.h"
#include "models/sections/user_equations.h"

enum { WHEN, DIRECTION, AFTER, STOP, N_KEYS };

#define NAME(code, name) #name,
static const form form_sense = {FORM_ONE_OF(MBS_SENSE_TABLE(NAME))};
#undef NAME

static const map_key keys[N_KEYS] = {
    [WHEN] = {"when", true, &form_law, "",
              "a comparison, which happens when it begins to hold, or a value, which happens when it passes zero"},
    [DIRECTION] = {"direction", false, &form_sense, "",
                   "direction in which the value, or the difference of both sides of the comparison, passes zero; "
                   "default: rising for a comparison, either for a value"},
    [AFTER] = {"after", false, &form_not_negative, "s", "time before which nothing counts; default: 0"},
    [STOP] = {"stop", false, &form_flag, "", "end the run at this event; default: false"},
};

static const form form_event = {.name = "event", .meaning = "a condition", FORM_KEYS(keys)};
static const form form_one_event = {FORM_ANY_OF(&form_law, &form_event)};
const form form_events = {.kind = FORM_NAMED, .of = &form_one_event};

static const form form_stop_keys = {
    .name = "stop_condition", .meaning = "a condition", .kind = FORM_MAP, .keys = keys, .n = STOP};
static const form form_single_stop = {FORM_ANY_OF(&form_law, &form_stop_keys)};
static const form form_stop_list = {.kind = FORM_LIST, .of = &form_single_stop};
const form form_stop = {FORM_ANY_OF(&form_law, &form_stop_keys, &form_stop_list)};

static bool lists(const yaml_node *list, const char *name) {
  for (const yaml_node *item = list != NULL ? list->first : NULL; item != NULL; item = item->next) {
    const char *text = list->kind == YAML_MAP ? item->key->text : item->text;
    if (text != NULL && strcmp(text, name) == 0)
      return true;
  }
  return false;
}

static seam_status add_follower(reader *r, const yaml_node *at, const yaml_node *subsystem, const char *name) {
  static const char *const kinds[] = {"outputs", "states", "integrals", "inputs"};
  const char *quantity = strchr(name, '.') + 1;
  mbs_variable_def def = mbs_default_variable_def();
  size_t kind = 0;
  while (kind < 4 && !lists(yaml_get(subsystem, kinds[kind]), quantity))
    kind++;
  if (kind == 4 && !fmu_subsystem_matches(subsystem))
    return reader_fail(r, at, "name one of its outputs, states or inputs", "subsystem '%.60s' has no '%.60s'",
                       subsystem->key->text, quantity);
  if (kind == 3 && yaml_get(subsystem, "sample") != NULL)
    return reader_fail(r, at, "name the source of this signal, an output or a quantity",
                       "'%.100s' is an input of a sampled subsystem, and is known only at the samples", name);
  def.name = name;
  def.start = 0;
  def.is_input = true;
  return reader_check_call(r, at, mbs_add_variable(r->builder, &def, &r->cause));
}

/* A condition may read values of subsystems that are equations or FMUs. Adds a variable for each of them that the model
 * lacks. In a co-simulation, the variable follows the value. */
static seam_status add_followers(reader *r, const yaml_node *value) {
  const yaml_node *subsystems = yaml_get(yaml_get(r->root, "cosim"), "subsystems");
  token name;
  if (subsystems == NULL || value->text == NULL)
    return SEAM_OK;
  for (const char *cursor = value->text; lexer_next_name(&cursor, &name);) {
    const char *end = memchr(name.start, '.', name.length);
    mbs_quantity found;
    if (end == NULL || mbs_find_quantity_of_length(r->builder->model, name.start, name.length, &found))
      continue;
    const char *text = arena_text(r->memory, name.start, name.length);
    const char *of = arena_text(r->memory, name.start, (size_t)(end - name.start));
    const yaml_node *subsystem = of != NULL ? yaml_get(subsystems, of) : NULL;
    TRY(reader_check_memory(r, text != NULL && of != NULL));
    if (subsystem != NULL && (user_equations_match(subsystem) || fmu_subsystem_matches(subsystem)))
      TRY(add_follower(r, value, subsystem, text));
  }
  return SEAM_OK;
}

static seam_status read_condition(reader *r, yaml_node *value, size_t n_keys, mbs_event_def *def) {
  const short_names aliases = {&time_name, table_find(&r->scope.parameters, time_name.name, 1) == NULL};
  quantity_function condition = {0};
  yaml_node *values[N_KEYS] = {[WHEN] = value};
  if (value->kind == YAML_LIST)
    return reader_fail(r, value, "write \"crank.omega > 3\" or {when: \"crank.omega > 3\", direction: rising}",
                       "%s must be a condition or a map, but is a list", r->subject);
  if (value->kind == YAML_MAP)
    TRY(reader_map(r, value, keys, n_keys, values));
  TRY(add_followers(r, values[WHEN]));
  TRY(quantities_read_condition(r, values[WHEN], &aliases, &condition));
  def->function = condition.function;
  def->inputs = condition.inputs;
  def->n_inputs = condition.n_inputs;
  def->at_zero = condition.at_zero;
  if (condition.n_inputs == 0)
    return reader_fail(r, values[WHEN], "name a quantity, as in 'crank.omega > 3'",
                       "the condition of %s never changes, because no quantity is in it", r->subject);
  size_t sense = condition.is_comparison ? MBS_RISING : MBS_EITHER;
  TRY(reader_word(r, values[DIRECTION], &form_sense, &sense));
  def->sense = (mbs_sense)sense;
  TRY(reader_number(r, values[AFTER], NOT_NEGATIVE, &def->after));
  return reader_flag(r, values[STOP], &def->stops);
}

/* The builder owns the event's function even if it rejects the event. */
static seam_status add(reader *r, yaml_node *value, const yaml_node *place, size_t n_keys, mbs_event_def *def) {
  const seam_status status = read_condition(r, value, n_keys, def);
  if (status != SEAM_OK) {
    quantities_discard(&def->function);
    return status;
  }
  return reader_check_call(r, place, mbs_add_event(r->builder, def, &r->cause));
}

static seam_status read_stop(reader *r, yaml_node *value, const yaml_node *place, const char *name) {
  mbs_event_def def = mbs_default_event_def();
  snprintf(r->subject, sizeof r->subject, "%s", name);
  def.name = name;
  def.stops = true;
  return add(r, value, place, STOP, &def);
}

seam_status events_read(reader *r) {
  const yaml_node *events = NULL;
  yaml_node *stop = yaml_get(r->root, "stop");
  size_t number = 0;
  if (stop != NULL && stop->kind != YAML_LIST)
    TRY(read_stop(r, stop, stop->key, "stop"));
  for (yaml_node *value = yaml_first(stop, YAML_LIST); value != NULL; value = value->next) {
    char name[32];
    snprintf(name, sizeof name, "stop%zu", ++number);
    TRY(read_stop(r, value, value, name));
  }
  TRY(reader_section(r, "events", &events));
  for (yaml_node *value = events->first; value != NULL; value = value->next) {
    mbs_event_def def = mbs_default_event_def();
    def.name = value->key->text;
    TRY(reader_check_name(r, value->key, false));
    reader_set_subject(r, "event", value);
    TRY(add(r, value, value->key, N_KEYS, &def));
  }
  return SEAM_OK;
}
