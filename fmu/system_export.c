/* Exports a mechanism that is cut into subsystems as a system of FMUs ([SSP]): an FMU for each subsystem, and
 * connections of their inputs and outputs:
 *
 *   force element M between subsystems A and B: A evaluates the law of M and reads the motion of B; B reads the wrench
 *     B to A            M.x, ..., M.omega -> M.other.x, ...    motion of B's marker
 *     A to B            M.fx, M.fy, M.torque -> M.fx, ...      wrench on B's marker
 *   signal              SUBSYSTEM.OUTPUT -> SUBSYSTEM.INPUT, with gain and offset
 *
 * A joint cannot be exported in this way, because its force depends on the motions of both sides together. */
#include <seam/fmu.h>

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/file.h"
#include "base/memory_stream.h"
#include "base/note.h"
#include "base/scratch.h"
#include "base/then.h"
#include "cosim/mechanism/partition.h"
#include "fmi/archive.h"
#include "fmi/library.h"
#include "fmi/ssd.h"
#include "fmi/xml.h"
#include "fmu/unit.h"
#include "models/model_file.h"

enum { LONGEST = 400 };

typedef struct component {
  const char *name; /* name of the subsystem */
  char *path;       /* path of its FMU */
  char *entry;
  fmi_fmu *fmu;
  char *bytes;
  size_t size;
} component;

typedef struct connection {
  const char *from, *output, *to, *input;
  double gain, offset;
  int order;
} connection;

typedef struct draft {
  const char *name, *text;
  size_t length;
  seam_fmu_options options;
  seam_model_file *file;
  const cosim_definition *of;
  cosim_partition cut; /* includes quantities that laws and equations read from other subsystems */
  arena memory;
  const char **overrides; /* overrides by the caller, then overrides by the schemes of cuts */
  size_t n_overrides;
  char *folder;
  component *components; /* (of->n_subsystems) */
  connection *connections;
  size_t n_connections;
  seam_error *error;
} draft;

static seam_status check_memory(const draft *d, bool is_enough) {
  return is_enough ? SEAM_OK : seam_fail(d->error, SEAM_NO_MEMORY, "no memory to export the system (SSP)");
}

static seam_status check_signals(const draft *d) {
  for (size_t i = 0; i < d->of->n_signals; i++) {
    const cosim_connection_def *signal = &d->of->signals[i];
    if (signal->rate != NULL || signal->smooth)
      return seam_fail(d->error, SEAM_BAD_INPUT,
                       "the signal to '%.200s' has 'rate' or 'smooth', which an SSP connection cannot express: give "
                       "the signal an 'order' instead",
                       signal->to);
    for (size_t k = 0; k < i; k++)
      if (strcmp(d->of->signals[k].to, signal->to) == 0)
        return seam_fail(d->error, SEAM_BAD_INPUT,
                         "two signals go to '%.200s', and an input of a system has one connection: add them in a "
                         "subsystem of equations",
                         signal->to);
  }
  return SEAM_OK;
}

static seam_status check(draft *d) {
  const cosim_definition *of = d->of;
  TRY(fmu_refuse_units(d->file, d->error));
  if (of->n_part_couplings > 0)
    return seam_fail(d->error, SEAM_BAD_INPUT,
                     "coupling '%.100s' has sides that are variables of equations, which SSP connections cannot "
                     "express: replace the coupling by signals",
                     of->part_couplings[0].name);
  for (size_t i = 0; i < of->n_subsystems; i++)
    if (of->subsystems[i].n_forces > 0)
      return seam_fail(d->error, SEAM_BAD_INPUT,
                       "subsystem '%.60s' lists force elements, which may act on bodies of other subsystems, and an "
                       "SSP system cannot express that: leave out 'forces' of this subsystem",
                       of->subsystems[i].name);
  TRY(cosim_partition_cut(cosim_builder_model(seam_model_cosim(d->file)), of, &d->cut, d->error));
  for (size_t k = 0; k < d->cut.n_cuts; k++)
    if (d->cut.cuts[k].is_joint)
      return seam_fail(d->error, SEAM_BAD_INPUT,
                       "joint '%.100s' joins subsystems '%.60s' and '%.60s' rigidly, which signals cannot: its force "
                       "depends directly on both motions; cut at a bushing, spring or damper, or export the subsystems "
                       "one by one (--subsystem) for a master that solves for this force",
                       d->cut.cuts[k].base.name != NULL ? d->cut.cuts[k].base.name : "",
                       of->subsystems[d->cut.cuts[k].subsystem[0]].name,
                       of->subsystems[d->cut.cuts[k].subsystem[1]].name);
  TRY(cosim_choose_schemes(&d->cut, of, d->error));
  TRY(cosim_partition_add_equations(&d->cut, of, d->error));
  TRY(check_signals(d));
  if (of->n_energy_corrections > 0 || of->n_balance_corrections > 0 || of->model_based != NULL ||
      of->step_control != NULL || of->options.sequence != COSIM_JACOBI)
    seam_note("an SSP system does not describe how it is computed: 'corrections', 'step_control' and 'sequence' are "
              "not exported");
  return SEAM_OK;
}

/* Returns the side of a cut that receives a force: 0 in fd, 1 in df. The other side evaluates the law. */
static int force_side(const cosim_element_cut *cut) { return cut->base.scheme.decomposition == COSIM_DF; }

static int order_of(const cosim_element_cut *cut, bool of_force) {
  const cosim_scheme *scheme = &cut->base.scheme;
  if (cut->force_order >= 0)
    return of_force ? cut->force_order : cut->motion_order;
  if (scheme->at_constraint || scheme->method == COSIM_COLLOCATION)
    return 0;
  return scheme->order < COSIM_MAX_HOLD ? scheme->order : COSIM_MAX_HOLD;
}

static seam_status choose_schemes(draft *d, const char *const *overrides, size_t n) {
  d->overrides = arena_allocate(&d->memory, (n + d->cut.n_cuts + 1) * sizeof *d->overrides);
  TRY(check_memory(d, d->overrides != NULL));
  for (size_t i = 0; i < n; i++)
    d->overrides[d->n_overrides++] = overrides[i];
  for (size_t k = 0; k < d->cut.n_cuts; k++) {
    const cosim_element_cut *cut = &d->cut.cuts[k];
    if (cut->base.scheme.iteration == COSIM_EXCHANGE) /* the scheme in the file is already one of the exchange */
      continue;
    char *one = arena_print(&d->memory, "cosim.couplings.%s={scheme: %s-k0-exchange}", cut->base.name,
                            force_side(cut) == 0 ? "fd" : "df");
    TRY(check_memory(d, one != NULL));
    d->overrides[d->n_overrides++] = one;
  }
  return SEAM_OK;
}

/* ---- Components ---- */

static seam_status export_components(draft *d) {
  d->components = arena_allocate(&d->memory, (d->of->n_subsystems + 1) * sizeof *d->components);
  TRY(check_memory(d, d->components != NULL));
  TRY(scratch_make(&d->folder, d->error));
  for (size_t s = 0; s < d->of->n_subsystems; s++) {
    component *of = &d->components[s];
    seam_fmu_options options = d->options;
    of->name = options.subsystem = d->of->subsystems[s].name;
    of->path = arena_print(&d->memory, "%s/%s.fmu", d->folder, of->name);
    of->entry = arena_print(&d->memory, "resources/%s.fmu", of->name);
    TRY(check_memory(d, of->path != NULL && of->entry != NULL));
    TRY(seam_fmu_export(d->name, d->text, d->length, d->overrides, d->n_overrides, &options, of->path, d->error));
    TRY(fmi_fmu_open(of->path, &of->fmu, d->error));
    of->bytes = file_read(of->path, SIZE_MAX - 1, &of->size);
    TRY(check_memory(d, of->bytes != NULL || errno != ENOMEM));
    if (of->bytes == NULL)
      return seam_fail(d->error, SEAM_NO_FILE, "%s: the FMU of subsystem '%s' cannot be read: %s", of->path, of->name,
                       file_cause(errno));
  }
  return SEAM_OK;
}

static bool has_variable(const component *of, const char *name, fmi_causality causality) {
  const fmi_description *about = fmi_fmu_description(of->fmu);
  const size_t variable = fmi_find_variable(about, name);
  return variable != SEAM_NONE && about->variables[variable].causality == causality;
}

/* ---- Connections ---- */

enum { N_MOTIONS = 6, PER_CUT = 9 };

/* Connects the motions and forces of a cut element, as far as both FMUs have the variables. */
static seam_status connect_cut(draft *d, const cosim_element_cut *cut) {
  static const char *const quantities[PER_CUT] = {"x", "y", "phi", "vx", "vy", "omega", "fx", "fy", "torque"};
  const int side = force_side(cut);
  const component *driven = &d->components[cut->subsystem[side]], *holder = &d->components[cut->subsystem[!side]];
  for (int i = 0; i < PER_CUT; i++) {
    const bool of_force = i >= N_MOTIONS;
    const component *from = of_force ? holder : driven, *to = of_force ? driven : holder;
    const char *output = arena_print(&d->memory, "%s.%s", cut->base.name, quantities[i]);
    const char *input = arena_print(&d->memory, of_force ? "%s.%s" : "%s.other.%s", cut->base.name, quantities[i]);
    TRY(check_memory(d, output != NULL && input != NULL));
    if (has_variable(from, output, FMI_OUTPUT) && has_variable(to, input, FMI_INPUT))
      d->connections[d->n_connections++] =
          (connection){from->name, output, to->name, input, 1, 0, order_of(cut, of_force)};
  }
  return SEAM_OK;
}

static const component *component_of(const draft *d, const char *signal) {
  const size_t length = strcspn(signal, ".");
  for (size_t s = 0; s < d->of->n_subsystems; s++)
    if (strlen(d->components[s].name) == length && strncmp(d->components[s].name, signal, length) == 0 &&
        signal[length] == '.')
      return &d->components[s];
  return NULL;
}

static seam_status connect_signal(draft *d, const cosim_connection_def *signal) {
  const component *from = component_of(d, signal->from), *to = component_of(d, signal->to);
  const char *output = from != NULL ? signal->from + strlen(from->name) + 1 : NULL;
  if (from == NULL || !has_variable(from, output, FMI_OUTPUT)) { /* a quantity: finds a subsystem that outputs it */
    output = signal->from;
    from = d->components;
    while (from < d->components + d->of->n_subsystems && !has_variable(from, output, FMI_OUTPUT))
      from++;
    from = from < d->components + d->of->n_subsystems ? from : NULL;
  }
  const char *input = to != NULL ? signal->to + strlen(to->name) + 1 : "";
  if (from == NULL || to == NULL || !has_variable(to, input, FMI_INPUT))
    return seam_fail(
        d->error, SEAM_BAD_INPUT,
        "the signal from '%.200s' to '%.200s' cannot be exported, because one of these is not a variable of an "
        "exported FMU: leave the signal out",
        signal->from, signal->to);
  d->connections[d->n_connections++] =
      (connection){from->name, output, to->name, input, signal->gain, signal->offset, signal->order};
  return SEAM_OK;
}

static seam_status connect_all(draft *d) {
  const size_t most = PER_CUT * d->cut.n_cuts + d->of->n_signals + d->cut.n_linked;
  d->connections = arena_allocate(&d->memory, (most + 1) * sizeof *d->connections);
  TRY(check_memory(d, d->connections != NULL));
  for (size_t k = 0; k < d->cut.n_cuts; k++)
    TRY(connect_cut(d, &d->cut.cuts[k]));
  for (size_t i = 0; i < d->of->n_signals; i++)
    TRY(connect_signal(d, &d->of->signals[i]));
  for (size_t i = 0; i < d->cut.n_linked; i++) { /* the output and the input have the same name */
    const cosim_linked_quantity *linked = &d->cut.linked[i];
    const component *from = &d->components[linked->source], *to = &d->components[linked->reader];
    const char *name = linked->name;
    if (!has_variable(from, name, FMI_OUTPUT) || !has_variable(to, name, FMI_INPUT))
      return seam_fail(d->error, SEAM_BAD_INPUT,
                       "subsystem '%.60s' reads '%.100s' of subsystem '%.60s', which no variable of an FMU can give: "
                       "put both into one subsystem",
                       to->name, name, from->name);
    d->connections[d->n_connections++] = (connection){from->name, name, to->name, name, 1, 0, linked->order};
  }
  return SEAM_OK;
}

/* ---- The description ---- */

static void write_component(FILE *to, const draft *d, const component *of) {
  const fmi_description *about = fmi_fmu_description(of->fmu);
  fputs("      <ssd:Component", to);
  fmi_xml_attribute(to, "name", of->name);
  fmi_xml_attribute(to, "source", of->entry);
  fputs(">\n        <ssd:Connectors>\n", to);
  for (size_t v = 0; v < about->n_variables; v++) {
    const fmi_variable *variable = &about->variables[v];
    bool is_connector = variable->causality == FMI_OUTPUT; /* an input gets a connector only if it is connected */
    for (size_t i = 0; i < d->n_connections && variable->causality == FMI_INPUT; i++)
      is_connector = is_connector || (strcmp(d->connections[i].to, of->name) == 0 &&
                                      strcmp(d->connections[i].input, variable->name) == 0);
    if (!is_connector)
      continue;
    fputs("          <ssd:Connector", to);
    fmi_xml_attribute(to, "name", variable->name);
    fmi_xml_attribute(to, "kind", variable->causality == FMI_INPUT ? "input" : "output");
    fputs("><ssc:Real/></ssd:Connector>\n", to);
  }
  fputs("        </ssd:Connectors>\n      </ssd:Component>\n", to);
}

static void write_connection(FILE *to, const connection *of) {
  fputs("      <ssd:Connection", to);
  fmi_xml_attribute(to, "startElement", of->from);
  fmi_xml_attribute(to, "startConnector", of->output);
  fmi_xml_attribute(to, "endElement", of->to);
  fmi_xml_attribute(to, "endConnector", of->input);
  fputs(" suppressUnitConversion=\"true\">", to);
  if (of->gain != 1 || of->offset != 0) {
    fputs("<ssc:LinearTransformation", to);
    fmi_xml_number_attribute(to, "factor", of->gain);
    fmi_xml_number_attribute(to, "offset", of->offset);
    fputs("/>", to);
  }
  if (of->order > 0)
    fprintf(to,
            "<ssd:Annotations><ssc:Annotation type=\"" SSD_ANNOTATION_TYPE "\"><Hold xmlns=\"" SSD_ANNOTATION_SPACE
            "\" order=\"%d\"/></ssc:Annotation></ssd:Annotations>",
            of->order);
  fputs("</ssd:Connection>\n", to);
}

static void write_description(FILE *to, const draft *d) {
  const double end = seam_model_simulation(d->file)->end;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ssd:SystemStructureDescription "
        "xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" "
        "xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\" version=\"1.0\"",
        to);
  fmi_xml_attribute(to, "name", seam_model_name(d->file));
  fputs(" generationTool=\"Seam\">\n  <ssd:System", to);
  fmi_xml_attribute(to, "name", seam_model_name(d->file));
  fputs(">\n    <ssd:Elements>\n", to);
  for (size_t s = 0; s < d->of->n_subsystems; s++)
    write_component(to, d, &d->components[s]);
  fputs("    </ssd:Elements>\n", to);
  if (d->n_connections > 0)
    fputs("    <ssd:Connections>\n", to);
  for (size_t i = 0; i < d->n_connections; i++)
    write_connection(to, &d->connections[i]);
  if (d->n_connections > 0)
    fputs("    </ssd:Connections>\n", to);
  fputs("  </ssd:System>\n", to);
  if (!isnan(end)) {
    fputs("  <ssd:DefaultExperiment startTime=\"0\"", to);
    fmi_xml_number_attribute(to, "stopTime", end);
    fputs("/>\n", to);
  }
  fputs("  <ssd:Annotations><ssc:Annotation type=\"" SSD_ANNOTATION_TYPE "\"><Exchange xmlns=\"" SSD_ANNOTATION_SPACE
        "\"",
        to);
  fmi_xml_number_attribute(to, "macroStep", d->of->options.macro_step);
  fputs("/></ssc:Annotation></ssd:Annotations>\n</ssd:SystemStructureDescription>\n", to);
}

static seam_status write_archive(draft *d, const char *path) {
  const size_t n = d->of->n_subsystems + 1;
  fmi_entry *entries = arena_allocate(&d->memory, n * sizeof *entries);
  TRY(check_memory(d, entries != NULL));
  char *text = NULL;
  size_t size = 0;
  FILE *to = memory_stream_open(&text, &size);
  if (to != NULL)
    write_description(to, d);
  TRY(check_memory(d, memory_stream_close(to, &text)));
  entries[0] = (fmi_entry){"SystemStructure.ssd", text, size};
  for (size_t s = 0; s + 1 < n; s++)
    entries[s + 1] = (fmi_entry){d->components[s].entry, d->components[s].bytes, d->components[s].size};
  const seam_status status = fmi_archive_write(path, entries, n, d->error);
  free(text);
  return status;
}

seam_status seam_system_export(const char *name, const char *text, size_t length, const char *const *overrides,
                               size_t n_overrides, const seam_fmu_options *options, const char *path,
                               seam_error *error) {
  ARGUMENTS(error, name, text, options, path);
  draft d = {.name = name, .text = text, .length = length, .options = *options, .error = error};
  seam_status status = seam_model_file_parse(name, text, length, overrides, n_overrides, &d.file, error);
  const cosim_builder *builder = status == SEAM_OK ? seam_model_cosim(d.file) : NULL;
  if (status == SEAM_OK && builder == NULL)
    status = seam_fail(error, SEAM_BAD_INPUT, "the model has no 'cosim', and so no subsystems to write");
  d.of = cosim_builder_definition(builder);
  THEN(status, check(&d));
  THEN(status, choose_schemes(&d, overrides, n_overrides));
  THEN(status, export_components(&d));
  THEN(status, connect_all(&d));
  THEN(status, write_archive(&d, path));
  for (size_t s = 0; d.components != NULL && s < d.of->n_subsystems; s++) {
    fmi_fmu_close(d.components[s].fmu);
    free(d.components[s].bytes);
  }
  scratch_remove(d.folder);
  cosim_partition_free(&d.cut);
  seam_model_file_destroy(d.file);
  arena_release(&d.memory);
  return status;
}
