#include "app/reproduce/reproduce.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "app/report/markup.h"
#include "app/results/output.h"
#include "base/then.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
    "'unsafe-inline'\">\n"
    "<style>body{font:15px/1.45 sans-serif;max-width:64em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}"
    "td,th{padding:.15em .7em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}img{max-width:100%}"
    ".bad{color:#a00}pre{background:#f4f4f4;padding:.5em;overflow:auto}</style>\n";

void page_summarise(const reproduced *list, size_t n, char *text, size_t size) {
  size_t printed = 0, independent = 0, claims = 0;
  size_t by[NO_AGREEMENT + 1] = {0}; /* printed numbers by agreement */
  size_t independent_hold = 0, claims_hold = 0;
  size_t used = 0;
  for (const reproduced *one = list; one < list + n; one++)
    for (const finding *f = one->found.list; f < one->found.list + one->found.n; f++)
      if (f->kind == PRINTED) {
        printed++;
        by[f->agreement]++;
      } else if (f->kind == INDEPENDENT) {
        independent++;
        independent_hold += f->holds;
      } else {
        claims++;
        claims_hold += f->holds;
      }
  *text = '\0';
#define APPEND(condition, ...)                                                                                         \
  if ((condition) && used < size)                                                                                      \
  used += (size_t)snprintf(text + used, size - used, __VA_ARGS__)
  APPEND(printed > 0, "%zu of %zu printed numbers to the last digit, %zu within a unit of it", by[ALL_DIGITS], printed,
         by[ALL_DIGITS] + by[WITHIN_UNIT]);
  APPEND(by[WITHIN_TOLERANCE] > 0, ", %zu in their band", by[WITHIN_TOLERANCE]);
  APPEND(by[NO_AGREEMENT] > 0, ", %zu differ", by[NO_AGREEMENT]);
  APPEND(claims > 0, "%s%zu of %zu comparisons hold", used > 0 ? "; " : "", claims_hold, claims);
  APPEND(independent > 0, "%s%zu of %zu numbers that others computed", used > 0 ? "; " : "", independent_hold,
         independent);
  APPEND(used == 0, "nothing to compare");
#undef APPEND
}

/* Writes markup, and after it a text (NULL: none). */
static void write_text(FILE *file, const char *markup, const char *text) {
  fputs(markup, file);
  markup_text(file, text != NULL ? text : "");
}

static void write_pictures(FILE *file, const char *folder) {
  struct dirent **names = NULL;
  const int n = scandir(folder, &names, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    const char *name = names[i]->d_name;
    const size_t length = strlen(name);
    char *path = length > 4 && strcmp(name + length - 4, ".svg") == 0 ? output_path(folder, name) : NULL;
    char *text = NULL;
    if (path != NULL && output_read(path, &text, NULL) == SEAM_OK) {
      fputs("<p><img alt=\"\" src=\"data:image/svg+xml;base64,", file);
      base64_write(file, text, strlen(text));
      fputs("\"></p>\n", file);
    }
    free(text);
    free(path);
    free(names[i]);
  }
  free((void *)names);
}

static void write_findings(FILE *file, const comparison *found) {
  if (found->n == 0)
    return;
  fputs("<table><tr><th>what</th><th></th><th></th><th>found</th><th></th></tr>\n", file);
  for (const finding *f = found->list; f < found->list + found->n; f++) {
    char words[128];
    finding_text(f, words, sizeof words);
    write_text(file, "<tr><td>", f->row);
    write_text(file, f->column != NULL ? ", " : "", f->column);
    fprintf(file, "</td><td>%s", finding_kind(f));
    write_text(file, "</td><td>", f->stated);
    fputs("</td><td>", file);
    markup_number(file, f->found);
    fprintf(file, "</td><td%s>%s", f->holds ? "" : " class=\"bad\"", words);
    write_text(file, f->known_reason != NULL ? ": " : "", f->known_reason);
    fputs("</td></tr>\n", file);
  }
  fputs("</table>\n", file);
}

static void write_figure(FILE *file, const reproduced *one) {
  write_text(file, "<h2 id=\"", one->of.name);
  write_text(file, "\">", one->of.name);
  write_text(file, ": ", one->of.title);
  write_text(file, "</h2>\n<p>", one->of.claim);
  fputs("</p>\n", file);
  for (const json_node *study = one->of.studies->first; study != NULL; study = study->next) {
    char *folder = output_path(one->directory, study->key);
    if (folder != NULL)
      write_pictures(file, folder);
    free(folder);
  }
  write_pictures(file, one->directory);
  write_findings(file, &one->found);
  write_text(file, "<details><summary>description</summary><pre>", one->of.text);
  fprintf(file, "</pre></details>\n<p>%.2f s of processor time</p>\n", one->cpu);
}

seam_status page_write(const reproduced *list, size_t n, const char *path, seam_error *error) {
  app_replacement page;
  TRY(output_replace(path, &page, error));
  FILE *file = page.file;
  fputs(head, file);
  write_text(file, "<title>", list->of.source);
  write_text(file, ", reproduced</title></head><body>\n<h1>", list->of.source);
  fprintf(file, ", reproduced by Seam %s</h1>\n<table><tr><th>figure</th><th>claim</th><th>found</th></tr>\n",
          seam_version());
  for (size_t i = 0; i < n; i++) {
    char text[512];
    const char *claim = list[i].of.claim;
    page_summarise(&list[i], 1, text, sizeof text);
    write_text(file, "<tr><td><a href=\"#", list[i].of.name);
    write_text(file, "\">", list[i].of.name);
    write_text(file, "</a></td><td>", claim != NULL ? claim : list[i].of.title);
    write_text(file, "</td><td>", text);
    fputs("</td></tr>\n", file);
  }
  fputs("</table>\n", file);
  for (size_t i = 0; i < n; i++)
    write_figure(file, &list[i]);
  fputs("</body></html>\n", file);
  return output_commit(&page, error);
}
