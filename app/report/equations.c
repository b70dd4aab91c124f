/* Writes equations, and conditions of events, of the effective model in summary.json. */
#include <string.h>

#include "app/report/gathered.h"
#include "app/report/markup.h"

static void write_row(FILE *file, const char *entry, const char *what, const char *name, const json_node *value) {
  const char *const words[] = {entry, what, name != NULL ? name : ""};
  fputs("<tr><th scope=\"row\">", file);
  markup_text(file, words[0]);
  for (size_t i = 1; i < sizeof words / sizeof *words; i++) {
    fputs(i == 1 ? "</th><td>" : "</td><td>", file);
    markup_text(file, words[i]);
  }
  fputs("</td><td><code>", file);
  if (value->text != NULL)
    markup_text(file, value->text);
  else
    markup_bytes(file, value->begin, value->length);
  fputs("</code></td></tr>\n", file);
}

/* Writes an entry: one row for each element of a map, else a single row. */
static void write_entry(FILE *file, const json_node *entry) {
  if (entry->kind != JSON_OBJECT)
    write_row(file, entry->key, "", NULL, entry);
  for (const json_node *part = entry->kind == JSON_OBJECT ? entry->first : NULL; part != NULL; part = part->next)
    if (part->kind != JSON_OBJECT)
      write_row(file, entry->key, part->key, NULL, part);
    else
      for (const json_node *one = part->first; one != NULL; one = one->next)
        write_row(file, entry->key, part->key, one->key, one);
}

static bool has_equations(const json_node *subsystem) {
  return json_get(subsystem, "inputs") != NULL || json_get(subsystem, "outputs") != NULL ||
         json_get(subsystem, "states") != NULL;
}

static const json_node *first_of(const json_node *section) { return section != NULL ? section->first : NULL; }

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
  for (const json_node *entry = first_of(json_get(model, "equations")); entry != NULL; entry = entry->next)
    write_entry(file, entry);
  for (const json_node *entry = first_of(json_get(json_get(model, "cosim"), "subsystems")); entry != NULL;
       entry = entry->next)
    if (has_equations(entry))
      write_entry(file, entry);
  for (const json_node *entry = first_of(json_get(model, "events")); entry != NULL; entry = entry->next)
    write_entry(file, entry);
  if (json_get(model, "stop") != NULL)
    write_entry(file, json_get(model, "stop"));
  fputs("</tbody></table></div>\n</section>\n", file);
}
