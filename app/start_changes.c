#include "app/start_changes.h"

#include <math.h>
#include <stdio.h>

#include "app/failure.h"

static const double noticeable = 1e-6; /* m, rad, m/s or rad/s */

static const struct {
  const char *name, *unit;
  int kind; /* entry of the list */
} coordinates[6] = {{"x", "m", 0},    {"y", "m", 0},    {"phi", "rad", 1},
                    {"vx", "m/s", 2}, {"vy", "m/s", 2}, {"omega", "rad/s", 3}};

static double size_of(const app_start_change *change) { return fabs(change->after - change->before); }

app_start_changes start_changes_between(const seam_model_file *file, const mbs_state *before, const mbs_state *after) {
  app_start_change largest[MAX_START_CHANGES] = {0};
  app_start_changes found = {0};
  const mbs_model *model = seam_model_mechanism(file);
  for (size_t b = 0; b < mbs_n_bodies(model); b++)
    for (int i = 0; i < 6; i++) {
      const size_t at = 3 * b + (size_t)(i % 3);
      app_start_change *most = &largest[coordinates[i].kind];
      const app_start_change change = {b, i, i < 3 ? before->q[at] : before->v[at],
                                       i < 3 ? after->q[at] : after->v[at]};
      const bool is_given = i < 3 ? !seam_model_is_rough(file, b) : change.before != 0;
      if (is_given && size_of(&change) > fmax(noticeable, size_of(most)))
        *most = change;
    }
  for (int k = 0; k < MAX_START_CHANGES; k++)
    if (size_of(&largest[k]) > 0)
      found.list[found.n++] = largest[k];
  return found;
}

void start_changes_print(const app_start_changes *changes, const mbs_model *model, const char *who, const char *hint) {
  for (size_t k = 0; k < changes->n; k++) {
    const app_start_change *change = &changes->list[k];
    fprintf(stderr, "%s", k == 0 ? "note: " : ", ");
    if (k == 0)
      fprintf(stderr, "%s, most of all ", who);
    print_name(mbs_body_name(model, change->body));
    fprintf(stderr, ".%s from %.6g to %.6g %s", coordinates[change->number].name, change->before, change->after,
            coordinates[change->number].unit);
  }
  if (changes->n > 0)
    fprintf(stderr, "; %s\n", hint);
}

void start_changes_write(const app_start_changes *changes, const mbs_model *model, const char *key, json_writer *json) {
  json_open(json, key, '[');
  for (const app_start_change *change = changes->list; change < changes->list + changes->n; change++) {
    json_open(json, NULL, '{');
    json_string(json, "body", mbs_body_name(model, change->body));
    json_string(json, "coordinate", coordinates[change->number].name);
    json_number(json, "before", change->before);
    json_number(json, "after", change->after);
    json_string(json, "unit", coordinates[change->number].unit);
    json_close(json, '}');
  }
  json_close(json, ']');
}
