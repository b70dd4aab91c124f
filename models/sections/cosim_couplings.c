/* `couplings:` of `cosim:`: options of single elements between two subsystems, or couplings of equations and FMUs with
 * each other or with a marker of the mechanism:
 *
 *   M:
 *     sides: [{marker: SUBSYSTEM.ELEMENT}, {subsystem: NAME, force: [...], position: [...], velocity: [...]}]
 *     stiffness: [...] */
#include <string.h>

#include "models/sections/cosim_section.h"
#include "models/sections/fmu_subsystem.h"
#include "models/sections/user_equations.h"

enum {
  MARKER,
  ALONG,
  SUBSYSTEM,
  FORCE,
  OTHER_POSITION,
  OTHER_VELOCITY,
  PRESCRIBED,
  POSITION,
  VELOCITY,
  ACCELERATION,
  INTEGRAL,
  MULTIPLIER,
  N_SIDE_KEYS,
  FIRST_LIST = FORCE
};

static const form form_coordinate = {FORM_ONE_OF("x", "y", "phi")};
static const form form_coordinates = {.kind = FORM_LIST, .least = 1, .most = 3, .of = &form_coordinate};
static const form form_along = {
    .name = "along", .meaning = "coordinates of a marker", FORM_ANY_OF(&form_coordinate, &form_coordinates)};
static const form form_signals_of_side = {
    .name = "signals_of_side", .meaning = "a variable for each coordinate", FORM_ANY_OF(&form_name, &form_names)};

static const map_key side_keys[N_SIDE_KEYS] = {
    [MARKER] = {"marker", false, &form_name, "",
                "marker of a force element on one body, SUBSYSTEM.ELEMENT; or 'subsystem'"},
    [ALONG] = {"along", false, &form_along, "",
               "coupled coordinates of the marker, one to three of x, y, phi in a row; default: the first ones"},
    [SUBSYSTEM] = {"subsystem", false, &form_name, "", "subsystem of equations or FMU; or 'marker'"},
    [FORCE] = {"force", false, &form_signals_of_side, "", "inputs for the wrench on this side; default: none"},
    [OTHER_POSITION] = {"other_position", false, &form_signals_of_side, "",
                        "inputs for the position of the other side; default: none"},
    [OTHER_VELOCITY] = {"other_velocity", false, &form_signals_of_side, "",
                        "inputs for the velocity of the other side; default: none"},
    [PRESCRIBED] = {"prescribed", false, &form_signals_of_side, "",
                    "inputs for a prescribed acceleration of this side; default: none"},
    [POSITION] = {"position", false, &form_signals_of_side, "", "outputs for the position of this side"},
    [VELOCITY] = {"velocity", false, &form_signals_of_side, "", "outputs for the velocity of this side"},
    [ACCELERATION] = {"acceleration", false, &form_signals_of_side, "",
                      "outputs for the acceleration of this side; default: none"},
    [INTEGRAL] = {"integral", false, &form_signals_of_side, "",
                  "outputs for the integral of the position over the last macro step, for I-extensions; default: none"},
    [MULTIPLIER] = {"multiplier", false, &form_signals_of_side, "",
                    "outputs for the force that the prescribed acceleration needs, as on side 1; default: none"},
};
static const form form_coupled_side = {
    .name = "coupled_side", .meaning = "a side of a coupling of equations or FMUs", FORM_KEYS(side_keys)};

enum { SIDES, STIFFNESS, DAMPING, RIGID, SCHEME, N_KEYS };
static const form form_sides = {FORM_EXACTLY(2, form_coupled_side)};
static const form form_many = {.kind = FORM_LIST, .least = 1, .most = 3, .of = &form_not_negative};
static const form form_coefficients = {
    .name = "coefficients", .meaning = "a number for each coordinate", FORM_ANY_OF(&form_not_negative, &form_many)};
static const map_key keys[N_KEYS] = {
    [SIDES] = {"sides", true, &form_sides, "", "the two sides that the coupling joins"},
    [STIFFNESS] = {"stiffness", false, &form_coefficients, "N/m or Nm/rad",
                   "stiffness of the spring, one number or one for each coordinate; default: 0"},
    [DAMPING] = {"damping", false, &form_coefficients, "Ns/m or Nms/rad",
                 "damping of the damper, one number or one for each coordinate; default: 0"},
    [RIGID] = {"rigid", false, &form_flag, "",
               "hold the positions of both sides equal, in place of a spring and damper; default: false"},
    [SCHEME] = {"scheme", false, &form_name, "", "scheme of this coupling; default: that of its kind"},
};
static const form form_part_coupling = {
    .name = "part_coupling", .meaning = "a coupling of equations or FMUs", FORM_KEYS(keys)};

static const map_key order_keys[] = {
    {"force", true, &form_hold, "", "order of the hold of forces"},
    {"motion", true, &form_hold, "", "order of the hold of motions"},
};
static const form form_orders = {.name = "orders", .meaning = "orders of the holds", FORM_KEYS(order_keys)};

enum { ELEMENT_SCHEME, ORDERS, SMOOTH, N_ELEMENT_KEYS };
static const map_key element_keys[N_ELEMENT_KEYS] = {
    [ELEMENT_SCHEME] = {"scheme", false, &form_name, "", "scheme of this coupling; default: that of its kind"},
    [ORDERS] = {"orders", false, &form_orders, "",
                "orders of the holds of an exchanged coupling, in place of the scheme's k"},
    [SMOOTH] = {"smooth", false, &form_flag, "",
                "let jumps of an exchanged coupling fade over a macro step; default: false"},
};
static const form form_coupling = {.name = "coupling", .meaning = "a single coupling", FORM_KEYS(element_keys)};
static const form form_any_coupling = {FORM_ANY_OF(&form_coupling, &form_part_coupling)};
const form form_couplings = {.kind = FORM_NAMED, .least = 1, .of = &form_any_coupling};

/* Variables along x and y have the first unit, those of an angle the second. */
static const char *const units[N_SIDE_KEYS][2] = {
    [FORCE] = {"N", "Nm"},         [OTHER_POSITION] = {"m", "rad"},     [OTHER_VELOCITY] = {"m/s", "rad/s"},
    [POSITION] = {"m", "rad"},     [VELOCITY] = {"m/s", "rad/s"},       [PRESCRIBED] = {"m/s2", "rad/s2"},
    [INTEGRAL] = {"m.s", "rad.s"}, [ACCELERATION] = {"m/s2", "rad/s2"}, [MULTIPLIER] = {"N", "Nm"}};

static bool is_input(int key) { return key >= FORCE && key <= PRESCRIBED; }

/* These iterate over a single text or a list of texts; NULL: no more. */
static const yaml_node *first_of(const yaml_node *value) {
  return value == NULL || value->kind != YAML_LIST ? value : value->first;
}
static const yaml_node *next_of(const yaml_node *value, const yaml_node *item) {
  return value->kind == YAML_LIST ? item->next : NULL;
}
static size_t count(const yaml_node *value) {
  return value == NULL ? 0 : value->kind == YAML_LIST ? value->n_children : 1;
}

size_t cosim_section_coupled(const reader *r, const char *subsystem, bool inputs, const char **names, size_t room) {
  const yaml_node *all = yaml_get(yaml_get(r->root, "cosim"), "couplings");
  size_t n = 0;
  for (const yaml_node *one = yaml_first(all, YAML_MAP); one != NULL; one = one->next)
    for (const yaml_node *side = yaml_first(yaml_get(one, "sides"), YAML_LIST); side != NULL; side = side->next) {
      const yaml_node *of = yaml_get(side, side_keys[SUBSYSTEM].name);
      if (of == NULL || of->text == NULL || strcmp(of->text, subsystem) != 0)
        continue;
      for (int key = FIRST_LIST; key < N_SIDE_KEYS; key++) {
        const yaml_node *list = is_input(key) == inputs ? yaml_get(side, side_keys[key].name) : NULL;
        for (const yaml_node *name = first_of(list); name != NULL && n < room; name = next_of(list, name))
          if (name->text != NULL)
            names[n++] = name->text;
      }
    }
  return n;
}

/* Reads the coordinates of a marker: one of x, y, phi, or several neighbours in this order. */
static seam_status read_along(const cosim_section *c, yaml_node *value, cosim_side_def *side, size_t *n) {
  const yaml_node *item = first_of(value);
  *n = count(value);
  for (size_t i = 0; i < *n; i++, item = next_of(value, item)) {
    size_t chosen = 0;
    TRY(reader_word(c->r, item, &form_coordinate, &chosen));
    if (i == 0)
      side->first = (int)chosen;
    else if (chosen != (size_t)side->first + i)
      return reader_fail(c->r, item, "write x, y, phi, [x, y], [y, phi] or [x, y, phi]",
                         "coordinates of a marker must be neighbours in the order x, y, phi");
  }
  return SEAM_OK;
}

static seam_status read_marker(const cosim_section *c, yaml_node *const *values, cosim_side_def *side, size_t *n) {
  reader *r = c->r;
  const char *text = NULL;
  TRY(reader_text(r, values[MARKER], &text));
  for (int key = SUBSYSTEM; key < N_SIDE_KEYS; key++)
    if (values[key] != NULL)
      return reader_fail(r, values[key]->key, "remove this key, or 'marker'",
                         "'%s' cannot stand beside 'marker': a marker has its own force and motion",
                         side_keys[key].name);
  const char *dot = strchr(text, '.');
  if (dot == NULL || dot == text || dot[1] == '\0')
    return reader_fail(r, values[MARKER], "write SUBSYSTEM.ELEMENT; the element is a force on one body",
                       "'%.60s' is not a marker", text);
  yaml_node owner = *values[MARKER];
  owner.text = side->subsystem = arena_text(r->memory, text, (size_t)(dot - text));
  side->element = dot + 1;
  TRY(reader_check_memory(r, owner.text != NULL));
  const cosim_subsystem_def *of = NULL;
  TRY(cosim_section_subsystem(c, &owner, &of));
  if (of->user != NULL)
    return reader_fail(r, values[MARKER], "write {subsystem: NAME, force: [...], position: [...], ...}",
                       "subsystem '%.60s' has equations or an FMU, and no markers", owner.text);
  return values[ALONG] != NULL ? read_along(c, values[ALONG], side, n) : SEAM_OK;
}

/* Reads names of signals, which must follow one another in the subsystem's list of inputs or outputs. */
static seam_status read_names(const cosim_section *c, const yaml_node *value, const cosim_subsystem_def *of, int key,
                              const char **first) {
  const bool input = is_input(key);
  const char *const *names = input ? of->user->inputs : of->user->outputs;
  const size_t n = input ? of->user->n_inputs : of->user->n_outputs;
  size_t expected = SEAM_NONE;
  for (const yaml_node *item = first_of(value); item != NULL; item = next_of(value, item)) {
    const char *text = NULL;
    TRY(reader_text(c->r, item, &text));
    const size_t at = reader_index_of(names, n, text);
    nearest search = nearest_to(text);
    if (!user_equations_has(of->user, input, text, &search))
      return reader_fail_unknown(c->r, item, &search, "", "subsystem '%.60s' has no %s '%.60s'", of->name,
                                 input ? "input" : "output", text);
    if (expected != SEAM_NONE && at != expected)
      return reader_fail(c->r, item, "list each name once, in the order of the subsystem and without gaps",
                         "'%.60s' does not come directly after the previous name in the %s of subsystem '%.60s'", text,
                         input ? "inputs" : "outputs", of->name);
    *first = expected == SEAM_NONE ? names[at] : *first;
    expected = at + 1;
    if (input || key == INTEGRAL)
      fmu_subsystem_mark(of->user, input, text);
  }
  return SEAM_OK;
}

/* Reads a side. *n: number of its coordinates; 0: as many as the other side. */
static seam_status read_side(const cosim_section *c, yaml_node *value, cosim_side_def *side, size_t *n) {
  reader *r = c->r;
  yaml_node *values[N_SIDE_KEYS];
  const char **const firsts[N_SIDE_KEYS] = {[FORCE] = &side->force_input,
                                            [OTHER_POSITION] = &side->position_input,
                                            [OTHER_VELOCITY] = &side->velocity_input,
                                            [POSITION] = &side->position,
                                            [VELOCITY] = &side->velocity,
                                            [PRESCRIBED] = &side->acceleration_input,
                                            [ACCELERATION] = &side->acceleration,
                                            [INTEGRAL] = &side->position_integral,
                                            [MULTIPLIER] = &side->multiplier};
  const cosim_subsystem_def *of = NULL;
  *n = 0;
  TRY(reader_map(r, value, side_keys, N_SIDE_KEYS, values));
  if (values[MARKER] != NULL)
    return read_marker(c, values, side, n);
  if (values[SUBSYSTEM] == NULL || values[POSITION] == NULL || values[ALONG] != NULL)
    return reader_fail(r, value, "write {marker: SUBSYSTEM.ELEMENT}, or {subsystem: NAME, position: [...], ...}",
                       "a side of %s needs 'marker', or 'subsystem' and 'position'", r->subject);
  TRY(cosim_section_subsystem(c, values[SUBSYSTEM], &of));
  if (of->user == NULL)
    return reader_fail(r, values[SUBSYSTEM], "name a force element on one body: {marker: SUBSYSTEM.ELEMENT}",
                       "subsystem '%.60s' has bodies, and a coupling joins bodies by markers", of->name);
  side->subsystem = of->name;
  *n = count(values[POSITION]);
  for (int key = FIRST_LIST; key < N_SIDE_KEYS; key++) {
    if (values[key] == NULL)
      continue;
    if (count(values[key]) != *n)
      return reader_fail(r, values[key], "give both lists a name for each coordinate",
                         "'%s' has %zu names, but 'position' has %zu", side_keys[key].name, count(values[key]), *n);
    TRY(read_names(c, values[key], of, key, firsts[key]));
  }
  return SEAM_OK;
}

/* Lets FMUs give and take their variables in SI units. `marker`: the other side, if it has a marker; without one a
 * coordinate may be a length or an angle. */
static seam_status use_si(const cosim_section *c, const yaml_node *value, const cosim_side_def *side,
                          const cosim_side_def *marker) {
  const cosim_user_part *user = cosim_section_owner(c, side->subsystem)->user;
  for (int key = FIRST_LIST; key < N_SIDE_KEYS; key++) {
    const yaml_node *list = yaml_get(value, side_keys[key].name);
    int i = marker->element != NULL ? marker->first : 0;
    for (const yaml_node *item = first_of(list); item != NULL; item = next_of(list, item), i++) {
      const fmi_unit unit = fmu_subsystem_unit(user, is_input(key), item->text);
      const bool may_be[2] = {marker->element == NULL || i < 2, marker->element == NULL || i == 2};
      double factor = 1, offset = 0;
      bool fits = false;
      for (int k = 0; k < 2 && !fits; k++)
        fits = may_be[k] && fmi_convert(unit, fmi_known_unit(units[key][k]), &factor, &offset);
      if (!fits)
        return reader_fail(c->r, item, "name a variable of that dimension, or write 'convert_units: false' for the FMU",
                           "'%.60s' is in '%.40s', which cannot be converted into %s%s%s, the unit of '%s'", item->text,
                           unit.name, may_be[0] ? units[key][0] : "", may_be[0] && may_be[1] ? " or " : "",
                           may_be[1] ? units[key][1] : "", side_keys[key].name);
      if (factor != 1 || offset != 0)
        fmu_subsystem_use_si(user, is_input(key), item->text);
    }
  }
  return SEAM_OK;
}

static seam_status read_numbers(const cosim_section *c, yaml_node *value, int n, double *numbers) {
  if (value != NULL && value->kind == YAML_LIST)
    return reader_vector(c->r, value, NOT_NEGATIVE, (size_t)n, numbers);
  if (value != NULL && n > 1)
    return reader_fail(c->r, value, "write [NUMBER, NUMBER, ...]", "'%s' in %s needs %d numbers", value->key->text,
                       c->r->subject, n);
  return reader_number(c->r, value, NOT_NEGATIVE, numbers);
}

static seam_status read_part_coupling(cosim_section *c, yaml_node *value) {
  reader *r = c->r;
  yaml_node *values[N_KEYS];
  cosim_coupling_def def = cosim_default_coupling_def();
  TRY(reader_check_name(r, value->key, false));
  def.name = value->key->text;
  if (table_find(&r->entry_names, def.name, strlen(def.name)) != NULL)
    return reader_fail(r, value->key, "choose another name",
                       "the name '%.60s' is that of a body, joint or force element", def.name);
  TRY(cosim_section_check_unique(c, &c->coupled, value->key, "coupling", def.name));
  reader_set_subject(r, "coupling", value);
  TRY(reader_map(r, value, keys, N_KEYS, values));
  TRY(reader_flag(r, values[RIGID], &def.is_rigid));
  if (def.is_rigid == (values[STIFFNESS] != NULL || values[DAMPING] != NULL))
    return reader_fail(r, reader_message_node(value), "write 'stiffness' and 'damping', or 'rigid: true' alone",
                       "%s needs either 'stiffness' and 'damping' or 'rigid: true', not both", r->subject);
  yaml_node *sides = values[SIDES];
  size_t n[2] = {0};
  if (sides->kind != YAML_LIST || sides->n_children != 2)
    return reader_fail(r, sides, "write [{marker: SUBSYSTEM.ELEMENT}, {subsystem: NAME, position: [...], ...}]",
                       "%s needs two sides", r->subject);
  TRY(read_side(c, sides->first, &def.side[0], &n[0]));
  TRY(read_side(c, sides->last, &def.side[1], &n[1]));
  const size_t most = n[0] > n[1] ? n[0] : n[1];
  if (most < 1 || most > 3 || (n[0] > 0 && n[1] > 0 && n[0] != n[1]))
    return reader_fail(r, sides, "give both sides the same number of coordinates, from 1 to 3",
                       "sides of %s have %zu and %zu coordinates", r->subject, n[0], n[1]);
  def.n_dims = (int)most;
  TRY(use_si(c, sides->first, &def.side[0], &def.side[1]));
  TRY(use_si(c, sides->last, &def.side[1], &def.side[0]));
  TRY(read_numbers(c, values[STIFFNESS], def.n_dims, def.stiffness));
  TRY(read_numbers(c, values[DAMPING], def.n_dims, def.damping));
  TRY(cosim_section_scheme_name(c, values[SCHEME], def.is_rigid, &def.scheme));
  return cosim_add_coupling(c->builder, &def, r->error);
}

seam_status cosim_section_check_coupling(const cosim_section *c, const yaml_node *name) {
  reader *r = c->r;
  const char *text = NULL;
  TRY(reader_text(r, name, &text));
  if (text == NULL || table_find(&c->cuts, text, strlen(text)) != NULL)
    return SEAM_OK;
  if (table_find(&r->entry_names, text, strlen(text)) != NULL)
    return reader_fail(r, name, "only joints and forces between two subsystems are couplings",
                       "'%.60s' is not a coupling: it does not join two subsystems", text);
  nearest search = nearest_to(text);
  for (size_t i = 0; i < r->n_entries; i++)
    if (table_find(&c->cuts, r->entries[i].name, strlen(r->entries[i].name)) != NULL)
      nearest_try(&search, r->entries[i].name);
  return reader_fail_unknown(r, name, &search, "", "unknown coupling '%.60s'", text);
}

static seam_status read_coupling(cosim_section *c, yaml_node *value) {
  reader *r = c->r;
  yaml_node *values[N_ELEMENT_KEYS];
  cosim_coupling_options options = cosim_default_coupling_options();
  const char *name = value->key->text;
  options.element = name;
  reader_set_subject(r, "couplings", NULL);
  TRY(cosim_section_check_coupling(c, value->key));
  TRY(cosim_section_check_unique(c, &c->coupled, value->key, "coupling", name));
  reader_set_subject(r, "coupling", value);
  TRY(reader_map(r, value, element_keys, N_ELEMENT_KEYS, values));
  const table_slot *slot = table_find(&r->entry_names, name, strlen(name));
  const bool is_joint = slot != NULL && r->entries[slot->value].kind == ENTRY_JOINT;
  TRY(cosim_section_scheme_name(c, values[ELEMENT_SCHEME], is_joint, &options.scheme));
  if (values[ORDERS] != NULL) {
    yaml_node *orders[2];
    size_t numbers[2] = {0};
    TRY(reader_map(r, values[ORDERS], order_keys, 2, orders));
    for (size_t i = 0; i < 2; i++)
      TRY(reader_count(r, orders[i], 0, COSIM_MAX_HOLD, &numbers[i]));
    options.force_order = (int)numbers[0];
    options.motion_order = (int)numbers[1];
    options.has_orders = true;
  }
  TRY(reader_flag(r, values[SMOOTH], &options.smooth));
  return cosim_set_coupling(c->builder, &options, r->error);
}

seam_status cosim_section_couplings(cosim_section *c, yaml_node *value) {
  if (value->kind != YAML_MAP)
    return reader_fail(c->r, value, "write {NAME: {scheme: ff-k1}}", "'couplings' must be a map");
  for (yaml_node *child = value->first; child; child = child->next)
    TRY(yaml_get(child, "sides") != NULL ? read_part_coupling(c, child) : read_coupling(c, child));
  return SEAM_OK;
}
