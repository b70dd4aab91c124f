/* What assembly changed of the start that the file says. */
#ifndef APP_START_CHANGES_H
#define APP_START_CHANGES_H

#include <seam/models.h>

#include "base/json.h"

/* A coordinate or rate of a body. */
typedef struct app_start_change {
  size_t body;
  int number; /* x, y, phi, vx, vy, omega */
  double before, after;
} app_start_change;

enum { MAX_START_CHANGES = 4 }; /* the largest in m, rad, m/s, rad/s */

typedef struct app_start_changes {
  app_start_change list[MAX_START_CHANGES]; /* (n) those above 1e-6 */
  size_t n;
} app_start_changes;

/* Between two states of a file's model. Poses that are rough on purpose do not count. A rate that was zero is none that
 * the file gives: it follows from others. */
app_start_changes start_changes_between(const seam_model_file *file, const mbs_state *before, const mbs_state *after);

/* A line to standard error that says who did it, and a hint: nothing where nothing changed. */
void start_changes_print(const app_start_changes *changes, const mbs_model *model, const char *who, const char *hint);

/* An array of them under `key`. */
void start_changes_write(const app_start_changes *changes, const mbs_model *model, const char *key, json_writer *json);

#endif
