/* Divides the columns of the factors into independent jobs and the remainder. The remainder has the columns that depend
 * on several jobs. A position is a column's number in the sequence of elimination. Jobs are made of subtrees of the
 * elimination tree. The costliest subtree is split repeatedly: its root is moved to the remainder, its children become
 * subtrees. After each split the subtrees are divided into jobs. The best division is used: the one whose costliest job
 * and remainder together have the least work. If this is not below 80 % of all work, there are no jobs. */
#include <stdlib.h>
#include <string.h>

#include "solvers/ldl_plan.h"
#include "solvers/thresholds.h"

enum { MAX_SPLITS = 64 };

typedef struct division {
  int n;    /* number of subtrees */
  int *top; /* (n) roots in ascending order: the last position of each subtree */
  int end[SEAM_LDL_JOBS];
  double time; /* multiplications of the costliest job and of the remainder, which is done after the jobs */
} division;

typedef struct tree {
  int n;
  int *first;    /* (n) first position of the subtree whose root is at each position */
  double *until; /* (n + 1) multiplications of all columns before each position */
} tree;

static double cost_of(const tree *self, int root) { return self->until[root + 1] - self->until[self->first[root]]; }

/* Divides the list of subtrees into jobs of nearly equal cost. */
static void distribute(const tree *self, division *d) {
  double of_subtrees = 0, largest = 0;
  for (int i = 0; i < d->n; i++)
    of_subtrees += cost_of(self, d->top[i]);
  double to_do = of_subtrees;
  for (int job = 0, i = 0; job < SEAM_LDL_JOBS; job++) {
    const double left = to_do / (SEAM_LDL_JOBS - job);
    double cost = 0;
    for (; i < d->n && (job == SEAM_LDL_JOBS - 1 || cost + cost_of(self, d->top[i]) / 2 <= left); i++)
      cost += cost_of(self, d->top[i]);
    d->end[job] = i;
    to_do -= cost;
    largest = cost > largest ? cost : largest;
  }
  d->time = largest + self->until[self->n] - of_subtrees;
}

/* Replaces the costliest subtree by its children. Returns false if it is a leaf, or there is none. */
static bool split(const tree *self, division *d) {
  if (d->n == 0)
    return false;
  int costliest = 0;
  for (int i = 1; i < d->n; i++)
    if (cost_of(self, d->top[i]) > cost_of(self, d->top[costliest]))
      costliest = i;
  const int root = d->top[costliest];
  int n_children = 0;
  for (int child = root - 1; child >= self->first[root]; child = self->first[child] - 1)
    n_children++;
  if (n_children == 0)
    return false;
  memmove(d->top + costliest + n_children, d->top + costliest + 1, (size_t)(d->n - costliest - 1) * sizeof *d->top);
  for (int child = root - 1, i = costliest + n_children; i-- > costliest; child = self->first[child] - 1)
    d->top[i] = child;
  d->n += n_children - 1;
  return true;
}

static void store_best(division *best, const division *d) {
  memcpy(best->top, d->top, (size_t)d->n * sizeof *d->top);
  memcpy(best->end, d->end, sizeof d->end);
  best->n = d->n;
  best->time = d->time;
}

/* Writes to `sorted` the positions of all jobs, job by job, and then of the remainder. Writes to n_positions the number
 * of positions of each job. */
static void list_positions(const tree *self, const division *d, int *sorted, int *n_positions) {
  int n = 0;
  int next = 0; /* first position not yet listed; positions between the subtrees belong to the remainder */
  int next_shared = 0;
  for (int i = 0; i < d->n; i++)
    next_shared += d->top[i] + 1 - self->first[d->top[i]];
  for (int job = 0, i = 0; job < SEAM_LDL_JOBS; job++) {
    const int before = n;
    for (; i < d->end[job]; i++) {
      for (; next < self->first[d->top[i]]; next++)
        sorted[next_shared++] = next;
      for (; next <= d->top[i]; next++)
        sorted[n++] = next;
    }
    n_positions[job] = n - before;
  }
  for (; next < self->n; next++)
    sorted[next_shared++] = next;
}

bool seam_ldl_divide(const seam_ldl_plan *plan, int *sorted, int n_positions[SEAM_LDL_JOBS]) {
  const size_t n = (size_t)plan->n_blocks + 1;
  tree self = {.n = plan->n_blocks};
  division d = {.top = malloc(2 * n * sizeof *d.top)};
  self.first = malloc(n * sizeof *self.first);
  self.until = malloc((n + 1) * sizeof *self.until);
  const bool enough = d.top != NULL && self.first != NULL && self.until != NULL;
  memset(n_positions, 0, SEAM_LDL_JOBS * sizeof *n_positions);
  if (enough) {
    division best = {.top = d.top + n};
    for (int k = 0; k < self.n; k++)
      self.first[k] = k;
    self.until[0] = 0;
    for (int k = 0; k < self.n; k++) {
      const int parent = seam_ldl_parent(plan, k);
      if (parent < self.n && self.first[k] < self.first[parent])
        self.first[parent] = self.first[k];
      if (parent == self.n)
        d.top[d.n++] = k;
      self.until[k + 1] = self.until[k] + seam_ldl_column_cost(plan, k);
    }
    distribute(&self, &d);
    store_best(&best, &d);
    for (int i = 0; i < MAX_SPLITS && split(&self, &d); i++) {
      distribute(&self, &d);
      if (d.time < best.time)
        store_best(&best, &d);
    }
    if (best.time < seam_work_in_jobs * self.until[self.n])
      list_positions(&self, &best, sorted, n_positions);
  }
  free(d.top);
  free(self.first);
  free(self.until);
  return enough;
}
