/* Writes modelDescription.xml from the tables of attributes. Elements are in the order of the schemas. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_stream.h"
#include "base/table.h"
#include "fmi/description_rows.h"
#include "fmi/xml.h"

typedef struct writer {
  FILE *file;
  const fmi_description *of;
  fmi_version version;
  const char *name; /* name of the present variable; NULL: none */
  seam_status status;
  seam_error *error;
} writer;

static void refuse(writer *to, const char *what) {
  if (to->status == SEAM_OK)
    to->status = seam_fail(to->error, SEAM_BAD_INPUT, "model description of '%s'%s%s%s: %s",
                           to->of->model_name != NULL ? to->of->model_name : "", to->name != NULL ? ", variable '" : "",
                           to->name != NULL ? to->name : "", to->name != NULL ? "'" : "", what);
}

static void write_attribute(writer *to, const char *name, const char *text) {
  if (!fmi_xml_attribute(to->file, name, text))
    refuse(to, "a text has bytes that are not UTF-8, or control characters");
}

static void write_rows(writer *to, const fmi_rows *rows, const void *at) {
  for (const fmi_row *row = rows->rows; row < rows->rows + rows->n; row++) {
    const char *name = fmi_row_name(row, to->version);
    const void *field = (const char *)at + row->offset;
    if (name == NULL)
      continue;
    if (row->kind == FMI_ROW_TEXT && *(const char *const *)field != NULL)
      write_attribute(to, name, *(const char *const *)field);
    else if (row->kind == FMI_ROW_TEXT && row->is_required)
      refuse(to, "a name or identifier is missing");
    else if (row->kind == FMI_ROW_FLAG && *(const bool *)field)
      write_attribute(to, name, "true");
    else if (row->kind == FMI_ROW_NUMBER && !isnan(*(const double *)field))
      fmi_xml_number_attribute(to->file, name, *(const double *)field);
    else if (row->kind == FMI_ROW_INT && *(const int *)field != 0)
      fprintf(to->file, " %s=\"%d\"", name, *(const int *)field);
    else if (row->kind == FMI_ROW_NAMED && *(const int *)field != 0)
      write_attribute(to, name, row->names[*(const int *)field]);
    else if (row->kind == FMI_ROW_COUNT && (*(const uint32_t *)field != 0 || row->is_required))
      fprintf(to->file, " %s=\"%lu\"", name, (unsigned long)*(const uint32_t *)field);
  }
}

static void write_head(writer *to) {
  const fmi_description *of = to->of;
  fprintf(to->file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%s\"",
          to->version == FMI_2 ? "2.0" : "3.0");
  write_rows(to, &fmi_root_rows, of);
  if (of->structured_names)
    write_attribute(to, "variableNamingConvention", "structured");
  fputs(">\n  <CoSimulation", to->file);
  write_rows(to, &fmi_capability_rows, &of->capabilities);
  fputs("/>\n", to->file);
  if (of->n_units > 0)
    fputs("  <UnitDefinitions>\n", to->file);
  for (size_t i = 0; i < of->n_units; i++) {
    fputs("    <Unit", to->file);
    write_attribute(to, "name", of->units[i].name);
    fputs("><BaseUnit", to->file);
    write_rows(to, &fmi_base_unit_rows, &of->units[i]);
    fputs("/></Unit>\n", to->file);
  }
  fputs(of->n_units > 0 ? "  </UnitDefinitions>\n" : "", to->file);
  if (of->n_log_categories > 0)
    fputs("  <LogCategories>\n", to->file);
  for (size_t i = 0; i < of->n_log_categories; i++) {
    fputs("    <Category", to->file);
    write_attribute(to, "name", of->log_categories[i]);
    fputs("/>\n", to->file);
  }
  fputs(of->n_log_categories > 0 ? "  </LogCategories>\n" : "", to->file);
  fputs("  <DefaultExperiment", to->file);
  write_rows(to, &fmi_experiment_rows, &of->experiment);
  fputs("/>\n", to->file);
}

/* Returns the number by which other elements refer to a variable: index from 1 (FMI 2), or reference (FMI 3). */
static unsigned long number_of(const writer *to, size_t i) {
  return to->version == FMI_2 ? (unsigned long)i + 1 : to->of->variables[i].reference;
}

/* Writes the attributes that FMI 2 has at the type's element. */
static void write_type_attributes(writer *to, const fmi_variable *variable) {
  const size_t derivative_of = variable->derivative_of;
  write_rows(to, &fmi_typed_rows, variable);
  if (fmi_is_number(variable->type))
    write_rows(to, &fmi_number_rows, variable);
  if (fmi_is_real(variable->type))
    write_rows(to, &fmi_real_rows, variable);
  if (variable->start != NULL && variable->n_start > 0) {
    fputs(" start=\"", to->file);
    for (size_t i = 0; i < variable->n_start; i++) {
      fputs(i > 0 ? " " : "", to->file);
      if (variable->type == FMI_BOOLEAN)
        fputs(variable->start[i] != 0 ? "true" : "false", to->file);
      else
        fmi_xml_number(to->file, variable->start[i]);
    }
    fputc('"', to->file);
  }
  if (variable->start_text != NULL && to->version == FMI_2)
    write_attribute(to, "start", variable->start_text);
  if (derivative_of == SEAM_NONE)
    return;
  if (derivative_of >= to->of->n_variables)
    refuse(to, "it is the derivative of a variable that does not exist");
  else
    fprintf(to->file, " derivative=\"%lu\"", number_of(to, derivative_of));
}

static void write_variable(writer *to, const fmi_variable *variable) {
  const char *type = fmi_type_name(variable->type, to->version);
  to->name = variable->name;
  if (type == NULL || variable->type == FMI_ENUMERATION || variable->type == FMI_CLOCK)
    refuse(to, "its type is not one that is written for this version of FMI");
  else if (to->version == FMI_2 && variable->n_dimensions > 0)
    refuse(to, "FMI 2 has no arrays; write its elements as variables");
  if (to->status != SEAM_OK)
    return;
  fprintf(to->file, "    <%s", to->version == FMI_2 ? "ScalarVariable" : type);
  write_rows(to, &fmi_variable_rows, variable);
  if (to->version == FMI_2)
    fprintf(to->file, "><%s", type);
  write_type_attributes(to, variable);
  if (to->version == FMI_2) {
    fputs("/></ScalarVariable>\n", to->file);
    return;
  }
  if (variable->n_dimensions == 0 && variable->start_text == NULL) {
    fputs("/>\n", to->file);
    return;
  }
  fputc('>', to->file);
  for (size_t i = 0; i < variable->n_dimensions; i++)
    if (variable->dimensions[i].variable == SEAM_NONE)
      fprintf(to->file, "<Dimension start=\"%zu\"/>", variable->dimensions[i].size);
    else
      fprintf(to->file, "<Dimension valueReference=\"%lu\"/>",
              (unsigned long)to->of->variables[variable->dimensions[i].variable].reference);
  if (variable->start_text != NULL) {
    fputs("<Start", to->file);
    write_attribute(to, "value", variable->start_text);
    fputs("/>", to->file);
  }
  fprintf(to->file, "</%s>\n", type);
}

/* Returns true if the initial value is computed. */
static bool is_initial_unknown(const fmi_variable *variable) {
  const bool may_be = variable->causality == FMI_OUTPUT || variable->causality == FMI_CALCULATED_PARAMETER;
  return may_be && variable->variability != FMI_CONSTANT && variable->initial != FMI_EXACT;
}

static bool is_output(const fmi_variable *variable) { return variable->causality == FMI_OUTPUT; }

/* Writes the list of the variables for which belongs() is true. FMI 2 encloses the list in an element; an empty element
 * is left out. */
static void write_unknowns(writer *to, const char *list, const char *element, bool (*belongs)(const fmi_variable *)) {
  const bool is_two = to->version == FMI_2;
  bool any = false;
  for (size_t i = 0; i < to->of->n_variables; i++) {
    const fmi_variable *variable = &to->of->variables[i];
    if (!belongs(variable))
      continue;
    if (!any && is_two)
      fprintf(to->file, "    <%s>\n", list);
    any = true;
    fprintf(to->file, "    %s<%s %s=\"%lu\"", is_two ? "  " : "", is_two ? "Unknown" : element,
            is_two ? "index" : "valueReference", number_of(to, i));
    if (belongs == is_output && variable->n_depends_on != SEAM_NONE) {
      fputs(" dependencies=\"", to->file);
      for (size_t k = 0; k < variable->n_depends_on; k++)
        fprintf(to->file, "%s%lu", k > 0 ? " " : "", number_of(to, variable->depends_on[k]));
      fputc('"', to->file);
    }
    fputs("/>\n", to->file);
  }
  if (any && is_two)
    fprintf(to->file, "    </%s>\n", list);
}

static void check_names(writer *to) {
  table names = {0};
  for (size_t i = 0; i < to->of->n_variables; i++) {
    to->name = to->of->variables[i].name;
    if (to->name == NULL)
      refuse(to, "a variable without a name");
    else if (table_find(&names, to->name, strlen(to->name)) != NULL)
      refuse(to, "two variables have this name");
    else if (!table_add(&names, to->name, strlen(to->name), i))
      to->status = seam_fail(to->error, SEAM_NO_MEMORY, "no memory for a model description");
    if (to->status != SEAM_OK)
      break;
  }
  to->name = NULL;
  table_release(&names);
}

static void write_all(writer *to) {
  check_names(to);
  write_head(to);
  fputs("  <ModelVariables>\n", to->file);
  size_t n_independent = 0;
  for (size_t i = 0; i < to->of->n_variables; i++) {
    write_variable(to, &to->of->variables[i]);
    n_independent += to->of->variables[i].causality == FMI_INDEPENDENT;
  }
  to->name = NULL;
  if (to->of->n_variables == 0)
    refuse(to, "no variables");
  if (n_independent > 1 || (to->version == FMI_3 && n_independent == 0))
    refuse(to, "one variable must be the independent one, time");
  fputs("  </ModelVariables>\n  <ModelStructure>\n", to->file);
  write_unknowns(to, "Outputs", "Output", is_output);
  write_unknowns(to, "InitialUnknowns", "InitialUnknown", is_initial_unknown);
  fputs("  </ModelStructure>\n</fmiModelDescription>\n", to->file);
}

seam_status fmi_description_write(const fmi_description *of, char **text, size_t *size, seam_error *error) {
  char *written = NULL;
  size_t length = 0;
  writer to = {.file = memory_stream_open(&written, &length), .of = of, .version = of->version, .error = error};
  if (to.file == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a model description");
  write_all(&to);
  const bool failed = ferror(to.file) != 0;
  if ((fclose(to.file) != 0 || failed) && to.status == SEAM_OK)
    to.status = seam_fail(error, SEAM_NO_MEMORY, "no memory for a model description");
  if (to.status != SEAM_OK) {
    free(written);
    return to.status;
  }
  *text = written;
  *size = length;
  return SEAM_OK;
}
