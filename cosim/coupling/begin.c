/* Start of an exchange with FMUs, which compute their initial states from their inputs in initialization mode. An FMU
 * leaves this mode ("begins") after all parts whose outputs determine its inputs. An input depends on the outputs that
 * are linked to it, and on outputs that act through feedthrough of parts in between. The FMUs of a loop begin together,
 * with inputs from the outputs that they have in initialization mode. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/note.h"
#include "base/then.h"
#include "cosim/coupling/exchange.h"
#include "cosim/parts/fmu_part.h"

typedef struct beginning {
  cosim_exchange *exchange;
  bool *depends; /* (n x n) depends[i n + j] is true if inputs of part i depend on outputs of FMU j */
  bool *begins;  /* (n) parts that begin next, together */
} beginning;

static cosim_part *part_of(const beginning *b, int part) { return b->exchange->parts->member[part].part; }
static bool has_not_begun(const beginning *b, int part) { return b->exchange->history[part].t < b->exchange->t; }

/* Returns true if some output may depend directly on this input. In an FMU that has not begun, every output may. */
static bool may_depend_on(const cosim_part *part, int input) {
  bool some = cosim_fmu_part_initializes(part);
  for (int o = 0; o < part->n_outputs && !part->is_mechanical; o++)
    some |= !cosim_is_held(part, o) && (part->feedthrough == NULL || part->feedthrough[o * part->n_inputs + input]);
  return some;
}

/* Sets b->depends for all parts whose inputs depend on outputs of `source`. `open` (n) is scratch. */
static void mark_dependent(const beginning *b, int source, int *open) {
  const cosim_exchange *x = b->exchange;
  bool *found = b->begins; /* (n) true for parts that have been visited; b->begins serves as scratch */
  int n_open = 0;
  memset(found, 0, (size_t)x->n * sizeof *found);
  open[n_open++] = source;
  while (n_open > 0) {
    const int from = open[--n_open];
    for (const cosim_link *link = x->links; link < x->links + x->n_links; link++) {
      if (link->from != from)
        continue;
      b->depends[(size_t)link->to * (size_t)x->n + (size_t)source] = true;
      if (!found[link->to] && may_depend_on(part_of(b, link->to), link->input)) {
        found[link->to] = true;
        open[n_open++] = link->to;
      }
    }
  }
}

/* Stores the present outputs of the parts that begin next, as their outputs at the start. */
static void store_start_outputs(const beginning *b) {
  cosim_exchange *x = b->exchange;
  for (int p = 0; p < x->n; p++)
    if (b->begins[p]) {
      part_of(b, p)->ops->get_outputs(part_of(b, p), x->parts->member[p].outputs);
      x->history[p].t = x->t;
      cosim_exchange_prescribe(x, p, x->parts->member[p].outputs);
    }
}

/* Chooses the parts that begin next, from the parts that have not begun. A part waits for parts that have not begun and
 * determine its inputs, except for parts in the same loop. Sets *some if there are such parts. Returns true if one of
 * them is in a loop. */
static bool choose_next(const beginning *b, bool *some) {
  const size_t n = (size_t)b->exchange->n;
  bool has_loop = false;
  *some = false;
  for (size_t p = 0; p < n; p++) {
    b->begins[p] = has_not_begun(b, (int)p);
    for (size_t q = 0; q < n && b->begins[p]; q++)
      b->begins[p] = !(has_not_begun(b, (int)q) && b->depends[p * n + q] && !b->depends[q * n + p]);
    has_loop = has_loop || (b->begins[p] && b->depends[p * n + p]);
    *some |= b->begins[p];
  }
  return has_loop;
}

static seam_status begin(const beginning *b, int part, seam_error *error) {
  cosim_exchange *x = b->exchange;
  cosim_part *of = part_of(b, part);
  seam_error cause = {0};
  for (int i = 0; i < of->n_inputs; i++) {
    const double value = cosim_exchange_input(x, part, i);
    x->sampled[i] = isfinite(value) ? value : 0;
  }
  const seam_status status = cosim_fmu_part_begin(of, x->sampled, &cause);
  return status == SEAM_OK ? SEAM_OK : seam_fail(error, status, "subsystem '%s': %s", of->name, cause.message);
}

seam_status cosim_exchange_begin_fmus(cosim_exchange *self, double H, seam_error *error) {
  const size_t n = (size_t)self->n;
  const beginning b = {self, calloc(n * n + 1, sizeof(bool)), calloc(n + 1, sizeof(bool))};
  int *open = calloc(n + 1, sizeof *open);
  bool some = true;
  seam_status status = b.depends != NULL && b.begins != NULL && open != NULL
                           ? cosim_exchange_evaluate(self, COSIM_AT_START, H, error)
                           : seam_fail(error, SEAM_NO_MEMORY, "no memory for the start of %d subsystems", self->n);
  for (int p = 0; p < self->n && status == SEAM_OK; p++)
    if (has_not_begun(&b, p))
      mark_dependent(&b, p, open);
  while (some && status == SEAM_OK) {
    seam_error cause = {0};
    if (choose_next(&b, &some)) { /* solves for the outputs that parts in loops have before they begin */
      store_start_outputs(&b);
      if (cosim_exchange_evaluate(self, COSIM_AT_START, H, &cause) != SEAM_OK)
        seam_note("at the start the inputs of some FMUs depend on each other, and no solution was found: these FMUs "
                  "begin with the last values of the search (%s)",
                  cause.message);
    }
    for (int p = 0; p < self->n; p++)
      if (b.begins[p])
        THEN(status, begin(&b, p, error));
    if (some && status == SEAM_OK) {
      store_start_outputs(&b);
      status = cosim_exchange_evaluate(self, COSIM_AT_START, H, error);
    }
  }
  free(b.depends);
  free(b.begins);
  free(open);
  return status;
}
