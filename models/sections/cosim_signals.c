/* `signals:` and `bonds:` of `cosim:`: connections of outputs to inputs, and the power they transmit. */
#include <string.h>

#include "cosim/mechanism/signal_names.h"
#include "mbs/output/readout.h"
#include "models/expression/lexer.h"
#include "models/sections/cosim_section.h"
#include "models/sections/fmu_subsystem.h"
#include "models/sections/user_equations.h"

enum { FROM, TO, GAIN, OFFSET, ORDER, RATE, SMOOTH, N_SIGNAL };
const form form_hold = {.kind = FORM_COUNT, .least = 0, .most = COSIM_MAX_HOLD};
static const map_key signal_keys[N_SIGNAL] = {
    [FROM] = {"from", true, &form_name, "", "output SUBSYSTEM.NAME, or a quantity"},
    [TO] = {"to", true, &form_name, "", "input SUBSYSTEM.NAME"},
    [GAIN] = {"gain", false, &form_number, "", "factor of the output; default: 1"},
    [OFFSET] = {"offset", false, &form_number, "", "constant that is added; default: 0"},
    [ORDER] = {"order", false, &form_hold, "",
               "order of the polynomial that extrapolates the signal over a macro step; default: 0"},
    [RATE] = {"rate", false, &form_name, "",
              "output that is the derivative of 'from', for the extrapolation; default: none"},
    [SMOOTH] = {"smooth", false, &form_flag, "", "let jumps at macro points fade over the macro step; default: false"},
};
static const form form_signal = {.name = "signal", .meaning = "a connection of two signals", FORM_KEYS(signal_keys)};
const form form_signals = {.kind = FORM_LIST, .of = &form_signal};

enum { INPUT, OUTPUT, SIGN, N_PORT };
static const map_key port_keys[N_PORT] = {
    [INPUT] = {"input", true, &form_name, "", "input of a subsystem"},
    [OUTPUT] = {"output", true, &form_name, "", "output of the same subsystem"},
    [SIGN] = {"sign", false, &form_number, "",
              "1, -1 or another factor; it times input times output is the power into the subsystem; default: 1"},
};
static const form form_port = {.name = "port", .meaning = "a port of a bond", FORM_KEYS(port_keys)};
static const form form_ports = {.kind = FORM_LIST, .least = 2, .of = &form_port};

enum { PORTS, ENERGY_SCALE, BOND_TOLERANCE, N_BOND };
static const map_key bond_keys[N_BOND] = {
    [PORTS] = {"ports", true, &form_ports, "", "ports of the subsystems, two or more"},
    [ENERGY_SCALE] = {"energy_scale", false, &form_positive, "J",
                      "energy that typically passes; default: that of 'step_control'"},
    [BOND_TOLERANCE] = {"tolerance", false, &form_positive, "",
                        "its own tolerance for ecco; default: that of 'step_control'"},
};
static const form form_bond = {.name = "bond", .meaning = "a power bond", FORM_KEYS(bond_keys)};
const form form_bonds = {.kind = FORM_NAMED, .least = 1, .of = &form_bond};

/* Returns the number of names in a text like "a.b.c"; 0: the text has another form. */
static size_t count_names(const char *text) {
  size_t n = 1;
  bool is_empty = true;
  for (; *text; text++) {
    if (*text == '.' ? is_empty : *text != '-' && !lexer_is_name_character(*text))
      return 0;
    n += *text == '.';
    is_empty = *text == '.';
  }
  return is_empty ? 0 : n;
}

/* Returns true if the text is a quantity of the mechanism. A signal of a subsystem comes first if a quantity has the
 * same name (cosim/mechanism/signal_names.c). */
static bool is_quantity(const cosim_section *c, const char *text, mbs_quantity *found) {
  const cosim_subsystem_def *of = cosim_section_owner(c, text);
  if (of && (of->user || strchr(text, '.') != strrchr(text, '.')))
    return false;
  return mbs_find_quantity_of_length(c->r->result->mechanism, text, strlen(text), found);
}

seam_status cosim_section_signal(const cosim_section *c, const yaml_node *value, bool input, const char **name) {
  reader *r = c->r;
  const mbs_model *model = r->result->mechanism;
  const char *text = NULL;
  mbs_quantity found;
  TRY(reader_text(r, value, &text));
  if (text == NULL)
    return SEAM_OK;
  *name = text;
  if (is_quantity(c, text, &found))
    return input ? reader_fail(r, value, "send the signal to SUBSYSTEM.ELEMENT.fx, of a force element on one body",
                               "'%.60s' is a quantity of the mechanism, not an input", text)
                 : SEAM_OK;
  const cosim_subsystem_def *of = cosim_section_owner(c, text);
  const size_t length = strcspn(text, ".");
  if (!input && of == NULL && mbs_find_element_of_length(model, text, length, &found)) {
    char fix[300];
    mbs_suggest(model, text, strlen(text), fix, sizeof fix);
    return reader_fail(r, value, fix, "unknown quantity '%.60s' in %s", text, r->subject);
  }
  const size_t n = count_names(text); /* not checked for FMUs: names of variables may have any characters */
  const bool is_of_fmu = of != NULL && text[length] == '.' && fmu_subsystem_description(of->user) != NULL;
  if (n != 2 && n != 3 && !is_of_fmu)
    return reader_fail(r, value, "write SUBSYSTEM.NAME, or SUBSYSTEM.BODY.x", "'%.60s' is not the name of a signal",
                       text);
  yaml_node owner = *value;
  owner.text = arena_text(r->memory, text, length);
  TRY(reader_check_memory(r, owner.text != NULL));
  TRY(cosim_section_subsystem(c, &owner, &of));
  const char *signal = text + length + 1;
  nearest search = nearest_to(signal);
  if (of->user == NULL || user_equations_has(of->user, input, signal, &search))
    return SEAM_OK;
  return reader_fail_unknown(r, value, &search, "", "subsystem '%.60s' has no %s '%.60s'", of->name,
                             input ? "input" : "output", signal);
}

/* Returns the equations or FMU of a signal; NULL: it is one of the mechanism. */
static const cosim_user_part *user_of(const cosim_section *c, const char *signal) {
  mbs_quantity found;
  const cosim_subsystem_def *of = is_quantity(c, signal, &found) ? NULL : cosim_section_owner(c, signal);
  return of != NULL && strchr(signal, '.') != NULL ? of->user : NULL;
}

static fmi_type type_of(const cosim_section *c, const char *signal) {
  const cosim_user_part *user = user_of(c, signal);
  return user != NULL ? fmu_subsystem_type(user, strchr(signal, '.') + 1) : FMI_FLOAT64;
}

static fmi_unit unit_of(const cosim_section *c, const char *signal, bool input) {
  const cosim_user_part *user = user_of(c, signal);
  mbs_quantity found;
  if (user != NULL)
    return fmu_subsystem_unit(user, input, strchr(signal, '.') + 1);
  const char *name = is_quantity(c, signal, &found) ? mbs_quantity_of(c->r->result->mechanism, found).unit
                                                    : cosim_signal_unit(strrchr(signal, '.') + 1);
  return fmi_known_unit(name != NULL && name[0] != '\0' ? name : NULL);
}

/* Adds the conversion between the units of both ends of a signal of an FMU, which comes before gain and offset, and the
 * conversion of its rate into the unit of the signal's source per second. */
static seam_status convert_units(const cosim_section *c, const yaml_node *at, cosim_connection_def *link) {
  const fmi_unit from = unit_of(c, link->from, false), to = unit_of(c, link->to, true);
  const fmi_unit rate = link->rate != NULL ? unit_of(c, link->rate, false) : (fmi_unit){.name = NULL};
  fmi_unit per_second = from;
  double factor = 1, offset = 0, none = 0;
  if (fmu_subsystem_description(user_of(c, link->from)) == NULL &&
      fmu_subsystem_description(user_of(c, link->to)) == NULL)
    return SEAM_OK;
  per_second.s--;
  if (!fmi_convert(from, to, &factor, &offset))
    return reader_fail(c->r, at, "connect variables of one dimension, or write 'convert_units: false' for the FMU",
                       "'%.100s' is in '%.40s', which cannot be converted into '%.40s', the unit of '%.100s'",
                       link->from, from.name, to.name, link->to);
  if (from.factor != 0 && rate.factor != 0 && !fmi_convert(rate, per_second, &link->rate_gain, &none))
    return reader_fail(c->r, at, "leave 'rate' out, and give 'order'",
                       "the rate '%.100s' is in '%.40s', which cannot be converted into the unit of '%.100s', '%.40s', "
                       "per second",
                       link->rate, rate.name, link->from, from.name);
  link->offset += link->gain * offset;
  link->gain *= factor;
  return SEAM_OK;
}

static seam_status read_signal(cosim_section *c, const yaml_node *value) {
  reader *r = c->r;
  yaml_node *values[N_SIGNAL];
  cosim_connection_def link = cosim_default_connection_def();
  size_t order = 0;
  reader_set_subject(r, "a signal", NULL);
  TRY(reader_map(r, value, signal_keys, N_SIGNAL, values));
  TRY(cosim_section_signal(c, values[FROM], false, &link.from));
  TRY(cosim_section_signal(c, values[TO], true, &link.to));
  const char *pair = arena_print(r->memory, "%s -> %s", link.from, link.to);
  TRY(reader_check_memory(r, pair != NULL));
  TRY(cosim_section_check_unique(c, &c->connected, values[TO], "the signal", pair));
  const cosim_subsystem_def *of = cosim_section_owner(c, link.to);
  if (of != NULL && of->user != NULL && strchr(link.to, '.') != NULL)
    fmu_subsystem_mark(of->user, true, strchr(link.to, '.') + 1);
  TRY(reader_number(r, values[GAIN], ANY_NUMBER, &link.gain));
  TRY(reader_number(r, values[OFFSET], ANY_NUMBER, &link.offset));
  if (link.gain == 0)
    return reader_fail(r, values[GAIN], "remove the signal", "'gain' in a signal must not be 0: nothing would pass");
  TRY(reader_count(r, values[ORDER], 0, COSIM_MAX_HOLD, &order));
  link.order = (int)order;
  TRY(cosim_section_signal(c, values[RATE], false, &link.rate));
  TRY(reader_flag(r, values[SMOOTH], &link.smooth));
  const fmi_type from = type_of(c, link.from), to = type_of(c, link.to);
  if (!fmu_subsystem_couples(from, to))
    return reader_fail(r, values[TO], "connect types that fit: whole numbers to whole numbers, booleans to booleans",
                       "the output '%.100s' has the type %s, but the input '%.100s' has the type %s", link.from,
                       fmi_type_name(from, FMI_3), link.to, fmi_type_name(to, FMI_3));
  if (!fmi_is_real(to) && (link.order > 0 || link.smooth || link.rate != NULL || link.gain != 1 || link.offset != 0))
    return reader_fail(r, values[TO], "remove these keys",
                       "the signal to '%.100s', of the type %s, takes no 'gain', 'offset', 'order', 'rate' or 'smooth'",
                       link.to, fmi_type_name(to, FMI_3));
  TRY(convert_units(c, values[TO], &link));
  return cosim_add_connection(c->builder, &link, r->error);
}

seam_status cosim_section_signals(cosim_section *c, yaml_node *value) {
  if (value->kind != YAML_LIST)
    return reader_fail(c->r, value, "write lines '- {from: SUBSYSTEM.NAME, to: SUBSYSTEM.NAME}'",
                       "'signals' must be a list, but is %s", yaml_kind_text(value));
  for (const yaml_node *signal = value->first; signal; signal = signal->next)
    TRY(read_signal(c, signal));
  return SEAM_OK;
}

static seam_status read_port(const cosim_section *c, const yaml_node *value, cosim_port_def *port) {
  yaml_node *values[N_PORT];
  port->sign = 1;
  TRY(reader_map(c->r, value, port_keys, N_PORT, values));
  TRY(cosim_section_signal(c, values[INPUT], true, &port->input));
  TRY(cosim_section_signal(c, values[OUTPUT], false, &port->output));
  TRY(reader_number(c->r, values[SIGN], ANY_NUMBER, &port->sign));
  if (port->sign == 0)
    return reader_fail(
        c->r, values[SIGN],
        "write 1, -1 or another factor, so that sign · input · output is the power that enters the subsystem",
        "'sign' in %s must not be 0", c->r->subject);
  /* the power is in W */
  const double in = unit_of(c, port->input, true).factor, out = unit_of(c, port->output, false).factor;
  port->sign *= (in != 0 ? in : 1) * (out != 0 ? out : 1);
  return SEAM_OK;
}

static seam_status read_bond(cosim_section *c, yaml_node *value) {
  reader *r = c->r;
  yaml_node *values[N_BOND];
  cosim_bond_def bond = cosim_default_bond_def();
  TRY(reader_check_name(r, value->key, false));
  bond.name = value->key->text;
  bond.energy_scale = c->options.energy_scale;
  const bool is_element = table_find(&r->entry_names, bond.name, strlen(bond.name)) != NULL;
  if (is_element || table_find(&c->bonds, bond.name, strlen(bond.name)))
    return reader_fail(r, value->key, "choose another name for the bond", "the name '%.60s' is that of %s", bond.name,
                       is_element ? "a body, joint or force element" : "another bond");
  TRY(reader_check_memory(r, table_add(&c->bonds, bond.name, strlen(bond.name), 0)));
  reader_set_subject(r, "bond", value);
  TRY(reader_map(r, value, bond_keys, N_BOND, values));
  const yaml_node *list = values[PORTS];
  if (list->kind != YAML_LIST || list->n_children < 2)
    return reader_fail(r, list, "write [{input: ..., output: ...}, {input: ..., output: ..., sign: -1}]",
                       "'ports' in %s must be a list of two or more", r->subject);
  cosim_port_def *ports = reader_allocate(r, list->n_children, sizeof *ports);
  TRY(reader_check_memory(r, ports != NULL));
  bond.ports = ports;
  for (const yaml_node *port = list->first; port != NULL; port = port->next)
    TRY(read_port(c, port, &ports[bond.n_ports++]));
  TRY(reader_number(r, values[ENERGY_SCALE], POSITIVE, &bond.energy_scale));
  TRY(reader_number(r, values[BOND_TOLERANCE], POSITIVE, &bond.tolerance));
  return cosim_add_bond(c->builder, &bond, r->error);
}

seam_status cosim_section_bonds(cosim_section *c, yaml_node *value) {
  if (value->kind != YAML_MAP)
    return reader_fail(c->r, value, "write {NAME: {ports: [...]}}", "'bonds' must be a map, but is %s",
                       yaml_kind_text(value));
  for (yaml_node *bond = value->first; bond; bond = bond->next)
    TRY(read_bond(c, bond));
  return SEAM_OK;
}
