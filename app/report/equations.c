#include <string.h>

#include "app/report/gathered.h"
#include "app/report/markup.h"

static void write_row(FILE *file, const char *entry, const char *what, const char *name, const json_node *value) {
  markup_print(file, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td><code>", entry, what, name);
  if (value->text != NULL)
    markup_text(file, value->text);
  else
    markup_bytes(file, value->begin, value->length);
  fputs("</code></td></tr>\n", file);
}

/* Writes an entry: one row for each element of a map, else a single row. */
static void write_entry(FILE *file, const json_node *entry) {
  if (entry->kind != JSON_OBJECT)
    write_row(file, entry->key, "", "", entry);
  for (const json_node *part = entry->kind == JSON_OBJECT ? entry->first : NULL; part != NULL; part = part->next)
    if (part->kind != JSON_OBJECT)
      write_row(file, entry->key, part->key, "", part);
    else
      for (const json_node *one = part->first; one != NULL; one = one->next)
        write_row(file, entry->key, part->key, one->key, one);
}

static bool has_equations(const json_node *subsystem) {
  return json_get(subsystem, "inputs") != NULL || json_get(subsystem, "outputs") != NULL ||
         json_get(subsystem, "states") != NULL;
}

static const json_node *first_of(const json_node *section) { return section != NULL ? section->first : NULL; }

static void write_entries(FILE *file, const json_node *section, bool of_subsystems) {
  for (const json_node *entry = first_of(section); entry != NULL; entry = entry->next)
    if (!of_subsystems || has_equations(entry))
      write_entry(file, entry);
}

bool report_has_equations(const report *from) {
  const json_node *model = from->n_runs > 0 ? json_get(from->runs[0].results.summary, "model") : NULL;
  bool has =
      json_get(model, "equations") != NULL || json_get(model, "events") != NULL || json_get(model, "stop") != NULL;
  for (const json_node *entry = first_of(json_get(json_get(model, "cosim"), "subsystems")); entry != NULL;
       entry = entry->next)
    has = has || has_equations(entry);
  return has;
}

void report_write_equations(FILE *file, const report *from) {
  if (!report_has_equations(from))
    return;
  fputs("<section id=\"equations\" aria-labelledby=\"equations-title\">\n<h2 id=\"equations-title\">Equations and "
        "events</h2>\n"
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Entry</th><th scope=\"col\"></th><th "
        "scope=\"col\">name</th><th scope=\"col\">value</th></tr></thead><tbody>\n",
        file);
  const json_node *model = json_get(from->runs[0].results.summary, "model");
  const json_node *stop = json_get(model, "stop");
  write_entries(file, json_get(model, "equations"), false);
  write_entries(file, json_get(json_get(model, "cosim"), "subsystems"), true);
  write_entries(file, json_get(model, "events"), false);
  if (stop != NULL)
    write_entry(file, stop);
  fputs("</tbody></table></div>\n</section>\n", file);
}
