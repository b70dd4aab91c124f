/* The part of a factorisation that depends on the pattern alone: a sequence of elimination with little fill, the
 * pattern of the factors, jobs, and the lists of all updates.
 *
 * A column of the factors has the blocks of A below its diagonal, and those of its children in the elimination tree.
 * Its parent is the column of its first block below ([Davis 2006] 4.1). */
#include "solvers/ldl_plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <camd.h>

#include "base/arrays.h"
#include "solvers/thresholds.h"

/* ---- Graphs ---- */

/* The neighbours of node i are of[start[i]] to of[start[i + 1] - 1]. If an edge is given twice, so is the neighbour. */
typedef struct graph {
  int *start, *of;
} graph;

static void free_graph(graph *made) {
  free(made->start);
  free(made->of);
}

/* Makes a graph with each edge from its smaller end to the larger one and, if in_both_directions is true, also back.
 * new_number: new numbers of the ends; NULL: as they are. False: no memory. Free the graph in any case. */
static bool make_graph(graph *made, int n, int n_edges, const int (*edge)[2], const int *new_number,
                       bool in_both_directions) {
  made->start = calloc((size_t)n + 2, sizeof *made->start);
  made->of = malloc((2 * (size_t)n_edges + 1) * sizeof *made->of);
  if (made->start == NULL || made->of == NULL || n_edges > INT_MAX / 2)
    return false;
  int *next = made->start + 1; /* next[i + 1] counts edges of node i; later next[i] is the index of its next edge */
  for (int fill = 0; fill < 2; fill++) {
    for (int e = 0; e < n_edges; e++)
      for (int end = 0; end < 2; end++) {
        const int from = new_number == NULL ? edge[e][end] : new_number[edge[e][end]];
        const int to = new_number == NULL ? edge[e][1 - end] : new_number[edge[e][1 - end]];
        if (from == to || (!in_both_directions && from > to))
          continue;
        if (fill)
          made->of[next[from]++] = to;
        else
          next[from + 1]++;
      }
    for (int i = 0; i < n && !fill; i++)
      next[i + 1] += next[i];
  }
  return true;
}

/* ---- Sequence of elimination: parts ---- */

enum { MAX_PARTS = 4 };

typedef struct parts {
  const graph *graph;
  int n;
  int *level; /* (n) level of each node; -1: not visited, -2: in a small component */
  int *queue; /* (n) nodes in the order of visits */
} parts;

/* Visits all nodes that are connected with the node `from`, level by level; returns their number. */
static int visit_levels(parts *self, int from) {
  int n_visited = 1;
  self->level[from] = 0;
  self->queue[0] = from;
  for (int k = 0; k < n_visited; k++) {
    const int node = self->queue[k];
    for (int i = self->graph->start[node]; i < self->graph->start[node + 1]; i++) {
      const int to = self->graph->of[i];
      if (self->level[to] != -1)
        continue;
      self->level[to] = self->level[node] + 1;
      self->queue[n_visited++] = to;
    }
  }
  return n_visited;
}

static void set_levels(parts *self, int n_visited, int level) {
  for (int k = 0; k < n_visited; k++)
    self->level[self->queue[k]] = level;
}

/* Returns true if each level from `first` to `last` has at most four nodes. */
static bool are_thin(const parts *self, int n_visited, int first, int last) {
  enum { thin = 4 };
  for (int k = 0; k + thin < n_visited; k++) {
    const int level = self->level[self->queue[k]];
    if (level >= first && level <= last && level == self->level[self->queue[k + thin]])
      return false;
  }
  return true;
}

/* Finds a connected component with at least 16 nodes and more than half of all nodes. The level of a node is its
 * distance from one far end of the component; nodes outside get negative levels. Writes to cut the n_parts - 1 levels
 * that divide the component into parts of similar size. Returns false if n_parts is 1 or no component is large enough.
 * Also returns false if a level from the first to the last cut has more than four nodes. */
static bool find_cuts(parts *self, int n_parts, int *cut) {
  enum { long_enough = 16 };
  for (int i = 0; i < self->n; i++)
    self->level[i] = -1;
  for (int i = 0; i < self->n; i++) {
    if (self->level[i] != -1)
      continue;
    int n_visited = visit_levels(self, i);
    if (2 * n_visited <= self->n || n_visited < long_enough) {
      set_levels(self, n_visited, -2);
      continue;
    }
    const int far = self->queue[n_visited - 1];
    set_levels(self, n_visited, -1);
    n_visited = visit_levels(self, far);
    for (int k = 0; k < n_parts - 1; k++)
      cut[k] = self->level[self->queue[(long long)n_visited * (k + 1) / n_parts]];
    return n_parts > 1 && are_thin(self, n_visited, cut[0], cut[n_parts - 2]);
  }
  return false;
}

/* Replaces the nodes' levels by numbers of passes; lower numbers are eliminated first. Levels that are cuts come last,
 * and the middle one of three cuts after the other two. Between two cuts every second level comes first, then every
 * second one of the others, and so on. In the order of levels digits would be lost: the far end is connected last. */
static void set_passes(parts *self, int n_parts, const int *cut) {
  int last_pass = 0;
  for (int k = 0; k < n_parts - 2; k++)
    while (1 << last_pass < cut[k + 1] - cut[k])
      last_pass++;
  for (int i = 0; i < self->n; i++) {
    const int level = self->level[i];
    self->level[i] = 0;
    for (int k = 0; k < n_parts - 1 && level >= cut[k]; k++)
      if (level == cut[k])
        self->level[i] = 2 * (k + 1) == n_parts ? last_pass + 1 : last_pass;
      else if (k < n_parts - 2 && level < cut[k + 1])
        for (int halved = level - cut[k]; halved > 0 && halved % 2 == 0; halved /= 2)
          self->level[i]++;
  }
}

/* ---- Sequence of elimination ---- */

/* Orders the nodes of a graph; fails unless there was enough memory for the graph. */
static seam_status order_graph(bool enough, const graph *of_blocks, int n, int *pass, int *sequence,
                               seam_error *error) {
  double control[CAMD_CONTROL];
  camd_defaults(control);
  if (enough && (n == 0 || camd_order(n, of_blocks->start, of_blocks->of, sequence, control, NULL, pass) >= CAMD_OK))
    return SEAM_OK;
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of %d blocks", n);
}

seam_status seam_ldl_order(int n_blocks, int n_edges, const int (*edge)[2], int n_parts, int *sequence,
                           seam_error *error) {
  const size_t n = (size_t)n_blocks + 1;
  graph of_blocks = {0};
  int *scratch = calloc(2 * n, sizeof *scratch);
  parts self = {&of_blocks, n_blocks, scratch, scratch + n};
  const bool enough = scratch != NULL && make_graph(&of_blocks, n_blocks, n_edges, edge, NULL, true);
  if (enough) {
    int cut[MAX_PARTS - 1] = {0};
    while (n_parts > 1 && !find_cuts(&self, n_parts, cut))
      n_parts /= 2;
    set_passes(&self, n_parts, cut);
  }
  const seam_status status = order_graph(enough, &of_blocks, n_blocks, self.level, sequence, error);
  free_graph(&of_blocks);
  free(scratch);
  return status;
}

seam_status seam_ldl_order_in_passes(int n_blocks, int n_edges, const int (*edge)[2], int *pass, int *sequence,
                                     seam_error *error) {
  graph of_blocks = {0};
  const bool enough = make_graph(&of_blocks, n_blocks, n_edges, edge, NULL, true);
  const seam_status status = order_graph(enough, &of_blocks, n_blocks, pass, sequence, error);
  free_graph(&of_blocks);
  return status;
}

/* ---- Lists that grow ---- */

typedef struct list {
  void *items;
  size_t n, capacity;
} list;

/* Makes room for n more items of `size` bytes. */
static bool reserve(list *to, size_t n, size_t size) {
  void *items = to->n + n > INT_MAX ? NULL : array_grow(to->items, &to->capacity, to->n + n, size);
  if (items != NULL)
    to->items = items;
  return items != NULL;
}

/* Adds an item and returns a pointer to it; NULL: no memory. */
static void *append(list *to, size_t size) { return reserve(to, 1, size) ? (char *)to->items + to->n++ * size : NULL; }

/* ---- Positions: the elimination tree with contiguous subtrees ---- */

typedef struct analysis {
  seam_ldl_plan *plan;
  graph later;          /* blocks of A below the diagonal, column by column */
  int *child, *sibling; /* first child of a column; next child of the column's parent; -1: there is none */
  int *visited_by;      /* (n_blocks) last column in whose pattern each position was found */
  int *block;           /* block at each position */
  list below;
  list updates, runs, spans;
} analysis;

/* Finds the parent of each column in the elimination tree of `all`; -1: none. root (n): scratch, shortcuts from columns
 * to the roots of their subtrees ([Davis 2006] 4.1). */
static void find_parents(const graph *all, int n, int *parent, int *root) {
  for (int k = 0; k < n; k++) {
    parent[k] = root[k] = -1;
    for (int i = all->start[k]; i < all->start[k + 1]; i++)
      for (int at = all->of[i]; at >= 0 && at < k;) {
        const int next = root[at];
        root[at] = k;
        if (next < 0)
          parent[at] = k;
        at = next;
      }
  }
}

/* Visits the tree's columns, children before parents; order[i] becomes the i-th column. Uses up self->child. */
static void visit_children_first(analysis *self, int n, const int *parent, const int *sequence, int *order) {
  for (int k = 0; k < n; k++)
    self->child[k] = self->sibling[k] = -1;
  for (int k = n; k-- > 0;)
    if (parent[k] >= 0) {
      self->sibling[k] = self->child[parent[k]];
      self->child[parent[k]] = k;
    }
  for (int top = 0, next = 0; top < n; top++)
    for (int at = parent[top] < 0 ? top : -1; at >= 0;) {
      if (self->child[at] >= 0) { /* goes down to the first child when the column is visited first */
        const int down = self->child[at];
        self->child[at] = -1;
        at = down;
        continue;
      }
      order[next++] = sequence[at];
      at = self->sibling[at] >= 0 ? self->sibling[at] : parent[at];
    }
}

/* Numbers the positions such that subtrees are contiguous. */
static bool find_positions(analysis *self, const seam_ldl_pattern *pattern) {
  const int n = self->plan->n_blocks;
  int *position = self->plan->position;
  int *parent = self->plan->schedule; /* serves as scratch here */
  graph all = {0};
  for (int k = 0; k < n; k++)
    position[pattern->sequence[k]] = k;
  const bool enough = make_graph(&all, n, pattern->n_edges, pattern->edge, position, true);
  if (enough) {
    find_parents(&all, n, parent, self->visited_by);
    visit_children_first(self, n, parent, pattern->sequence, self->block);
  }
  free_graph(&all);
  for (int k = 0; k < n && enough; k++)
    position[self->block[k]] = k;
  return enough;
}

/* ---- Pattern of the factors ---- */

static int compare_positions(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Adds positions to the blocks below column k, unless they are k or among them. The caller has reserved room. */
static void merge(analysis *self, int k, const int *positions, int n) {
  int *below = self->below.items;
  for (int i = 0; i < n; i++)
    if (positions[i] != k && self->visited_by[positions[i]] != k) {
      self->visited_by[positions[i]] = k;
      below[self->below.n++] = positions[i];
    }
}

static bool find_column(analysis *self, int k) {
  seam_ldl_plan *plan = self->plan;
  size_t most = (size_t)(self->later.start[k + 1] - self->later.start[k]);
  for (int c = self->child[k]; c >= 0; c = self->sibling[c])
    most += (size_t)(plan->start[c + 1] - plan->start[c]);
  if (!reserve(&self->below, most, sizeof(int)))
    return false;
  plan->start[k] = (int)self->below.n;
  merge(self, k, self->later.of + self->later.start[k], self->later.start[k + 1] - self->later.start[k]);
  for (int c = self->child[k]; c >= 0; c = self->sibling[c])
    merge(self, k, (const int *)self->below.items + plan->start[c], plan->start[c + 1] - plan->start[c]);
  int *positions = (int *)self->below.items + plan->start[k];
  const int n = (int)self->below.n - plan->start[k];
  if (n == 0)
    return true;
  qsort(positions, (size_t)n, sizeof *positions, compare_positions);
  self->sibling[k] = self->child[positions[0]];
  self->child[positions[0]] = k;
  return true;
}

static bool find_pattern(analysis *self, const seam_ldl_pattern *pattern) {
  seam_ldl_plan *plan = self->plan;
  const int n = plan->n_blocks;
  free(plan->below);
  plan->below = NULL;
  self->below = (list){0};
  free_graph(&self->later);
  self->later = (graph){0};
  if (!make_graph(&self->later, n, pattern->n_edges, pattern->edge, plan->position, false))
    return false;
  for (int k = 0; k < n; k++)
    self->child[k] = self->sibling[k] = self->visited_by[k] = -1;
  for (int k = 0; k < n; k++) {
    if (!find_column(self, k))
      return false;
    plan->start[k + 1] = (int)self->below.n;
  }
  plan->below = self->below.items;
  self->below.items = NULL;
  for (int k = 0, first = 0; k < n; k++) {
    const int order = pattern->order[self->block[k]];
    plan->columns[k] =
        (seam_ldl_column){.order = order, .first = first, .n_below = plan->start[k + 1] - plan->start[k]};
    first += order;
  }
  for (int k = 0; k < n; k++)
    for (int i = plan->start[k]; i < plan->start[k + 1]; i++)
      plan->columns[k].height += plan->columns[plan->below[i]].order;
  return true;
}

/* ---- Jobs ----
 *
 * A position is a column's number in the sequence of elimination. The columns are divided into independent jobs and the
 * remainder, which depends on several jobs. Jobs are made of subtrees of the elimination tree. The costliest subtree is
 * split repeatedly: its root moves to the remainder, its children become subtrees. After each split the subtrees are
 * divided into jobs. The best division has the least work in its costliest job and the remainder together. If this is
 * not below 80 % of all work, there are no jobs. */

/* Returns the parent of a column in the elimination tree; n_blocks: the column has no parent. */
static int parent_of(const seam_ldl_plan *plan, int k) {
  return plan->start[k] < plan->start[k + 1] ? plan->below[plan->start[k]] : plan->n_blocks;
}

double seam_ldl_column_cost(const seam_ldl_plan *plan, int k) {
  const double order = plan->columns[k].order, height = plan->columns[k].height;
  return order * (order + 1) * (height + 1) / 2 + order * height * (height + 1) / 2;
}

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

/* Lists the positions of all jobs, and then of the remainder, in `sorted`, and counts them for each job. */
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

/* Divides the positions of a plan whose pattern is known. sorted (n_blocks) lists them job by job, then the remainder.
 * n_positions: numbers of positions of the jobs, all 0 if there is only the remainder. False: no memory. */
static bool divide(const seam_ldl_plan *plan, int *sorted, int n_positions[SEAM_LDL_JOBS]) {
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
      const int parent = parent_of(plan, k);
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

/* Renumbers the positions so that each job has consecutive ones. This changes only the order of a column's updates. */
static bool assign_jobs(analysis *self, const seam_ldl_pattern *pattern) {
  const int n = self->plan->n_blocks;
  seam_ldl_plan *plan = self->plan;
  int *sorted = self->visited_by;
  int n_positions[SEAM_LDL_JOBS] = {0};
  if (pattern->in_jobs && !divide(plan, sorted, n_positions))
    return false;
  for (int job = 0, first = 0; job < SEAM_LDL_JOBS && n_positions[job] > 0; job++) {
    plan->job[plan->n_jobs++] = (seam_ldl_job){.column = first, .end_column = first + n_positions[job]};
    first += n_positions[job];
  }
  plan->job[plan->n_jobs] =
      (seam_ldl_job){.column = plan->n_jobs > 0 ? plan->job[plan->n_jobs - 1].end_column : 0, .end_column = n};
  if (plan->n_jobs == 0)
    return true;
  for (int k = 0; k < n; k++)
    plan->schedule[k] = self->block[sorted[k]];
  memcpy(self->block, plan->schedule, (size_t)n * sizeof *self->block);
  for (int k = 0; k < n; k++)
    plan->position[self->block[k]] = k;
  return find_pattern(self, pattern);
}

/* ---- Schedule ---- */

/* Finds two independent ranges of a job's columns: the first ends before p, the second has the columns from p to s - 1.
 * p is the first column of a subtree, and s is the parent of its root or, if that is outside the job, the job's end.
 * Returns the p that makes the shorter range longest. `first`: scratch, first position of each subtree. */
static int find_halves(const seam_ldl_plan *plan, const seam_ldl_job *job, int *first) {
  int best = job->end_column, longest = 0;
  for (int k = job->column; k < job->end_column; k++)
    first[k] = k;
  for (int k = job->column; k < job->end_column; k++) {
    int parent = parent_of(plan, k);
    if (parent > job->end_column)
      parent = job->end_column;
    if (parent < job->end_column && first[k] < first[parent]) {
      first[parent] = first[k];
      continue;
    }
    const int before = first[k] - job->column;
    const int length = before < parent - first[k] ? before : parent - first[k];
    if (length > longest) {
      longest = length;
      best = first[k];
    }
  }
  return best;
}

/* Alternates columns of both ranges: the processor can work on two independent columns at a time. */
static void set_schedule(analysis *self, const seam_ldl_job *job) {
  seam_ldl_plan *plan = self->plan;
  int *first = self->visited_by;
  const int half = find_halves(plan, job, first);
  for (int k = job->column, i = job->column, j = half; k < job->end_column;) {
    if (i < half)
      plan->schedule[k++] = i++;
    if (j < job->end_column && (i == half || first[j] >= half))
      plan->schedule[k++] = j++;
  }
}

/* ---- Layout ---- */

static bool lay_out(analysis *self) {
  seam_ldl_plan *plan = self->plan;
  long long n_values = 0;
  plan->row = malloc(((size_t)plan->start[plan->n_blocks] + 1) * sizeof *plan->row);
  if (plan->row == NULL)
    return false;
  for (int k = 0; k < plan->n_blocks; k++) {
    seam_ldl_column *column = &plan->columns[k];
    int rows = column->order;
    for (int i = plan->start[k]; i < plan->start[k + 1]; i++) {
      plan->row[i] = rows;
      rows += plan->columns[plan->below[i]].order;
    }
    column->first_value = (int)n_values;
    n_values += (long long)column->order * (column->order + column->height);
    if (column->height > plan->largest_height)
      plan->largest_height = column->height;
    if (n_values > INT_MAX)
      return false;
  }
  plan->n_values = (int)n_values;
  return true;
}

/* ---- Updates ---- */

/* Returns true if `job` updates its own copy of column k, which belongs to the remainder. */
static bool is_shared(const seam_ldl_plan *plan, int job, int k) {
  return job < plan->n_jobs && k >= plan->job[plan->n_jobs].column;
}

/* Appends the update of the later column plan->below[i] by column k, and its runs. The runs are the rows of column k
 * from this block on, divided into ranges that are consecutive in the later column. */
static bool find_runs(analysis *self, int job, int k, int i) {
  const seam_ldl_plan *plan = self->plan;
  const int to = plan->below[i];
  const seam_ldl_column *column = &plan->columns[to];
  const int first = column->first_value + (is_shared(plan, job, to) ? (job + 1) * plan->n_shared_values : 0);
  seam_ldl_update *update = append(&self->updates, sizeof *update);
  seam_ldl_run *run = NULL;
  int at = plan->start[to];
  int end = -1, n_runs = 0;
  if (update == NULL)
    return false;
  for (; i < plan->start[k + 1]; i++) {
    const int position = plan->below[i];
    while (position != to && plan->below[at] != position)
      at++;
    const int row = position == to ? 0 : plan->row[at];
    if (run == NULL || row != end) {
      run = append(&self->runs, sizeof *run);
      if (run == NULL)
        return false;
      *run = (seam_ldl_run){.target = first + row * column->order};
      n_runs++;
    }
    run->n_rows += plan->columns[position].order;
    end = row + plan->columns[position].order;
  }
  *update = (seam_ldl_update){column->order, n_runs};
  return true;
}

static bool find_spans(analysis *self, int job, int k) {
  const seam_ldl_plan *plan = self->plan;
  seam_ldl_column *column = &self->plan->columns[k];
  seam_ldl_span *span = NULL;
  for (int i = plan->start[k]; i < plan->start[k + 1]; i++) {
    const seam_ldl_column *below = &plan->columns[plan->below[i]];
    const int first = below->first + (is_shared(plan, job, plan->below[i]) ? (job + 1) * plan->n_shared_pivots : 0);
    if (span == NULL || span->first + span->n_rows != first) {
      span = append(&self->spans, sizeof *span);
      if (span == NULL)
        return false;
      *span = (seam_ldl_span){.first = first};
      column->n_spans++;
    }
    span->n_rows += below->order;
  }
  return true;
}

static bool find_updates(analysis *self, int number) {
  seam_ldl_plan *plan = self->plan;
  seam_ldl_job *job = &plan->job[number];
  job->update = (int)self->updates.n;
  job->run = (int)self->runs.n;
  job->span = (int)self->spans.n;
  for (int step = job->column; step < job->end_column; step++) {
    const int k = plan->schedule[step];
    for (int i = plan->start[k]; i < plan->start[k + 1]; i++)
      if (!find_runs(self, number, k, i))
        return false;
    if (!find_spans(self, number, k))
      return false;
  }
  job->end_span = (int)self->spans.n;
  return true;
}

/* ---- Forests ---- */

static bool find_links(seam_ldl_plan *plan) {
  for (int k = 0; k < plan->n_blocks; k++)
    if (plan->columns[k].n_below > 1 || plan->n_jobs > 0)
      return true;
  plan->links = malloc(((size_t)plan->n_blocks + 1) * sizeof *plan->links);
  for (int step = 0; step < plan->n_blocks && plan->links != NULL; step++) {
    const int k = plan->schedule[step];
    const seam_ldl_column *column = &plan->columns[k];
    const seam_ldl_column *below = column->n_below > 0 ? &plan->columns[plan->below[plan->start[k]]] : column;
    plan->links[step] = (seam_ldl_link){.kind = 4 * column->order + column->height,
                                        .value = column->first_value,
                                        .target = below->first_value,
                                        .pivot = column->first,
                                        .first_unknown = plan->unknown[column->first],
                                        .first_below = plan->unknown[below->first]};
  }
  return plan->links != NULL;
}

/* ---- Analysis ---- */

#define PLAN_ARRAYS(X)                                                                                                 \
  X(plan, schedule, n)                                                                                                 \
  X(plan, position, n)                                                                                                 \
  X(plan, unknown, (size_t)plan->n_unknowns)                                                                           \
  X(plan, start, n)                                                                                                    \
  X(plan, columns, n)
#define ANALYSIS_ARRAYS(X)                                                                                             \
  X(self, child, n)                                                                                                    \
  X(self, sibling, n)                                                                                                  \
  X(self, visited_by, n)                                                                                               \
  X(self, block, n)

static bool analyse(analysis *self, const seam_ldl_pattern *pattern) {
  const int n_blocks = pattern->n_blocks;
  const size_t n = (size_t)n_blocks;
  seam_ldl_plan *plan = self->plan;
  plan->n_blocks = n_blocks;
  for (int i = 0; i < n_blocks; i++)
    plan->n_unknowns += pattern->order[i];
  const bool enough = true PLAN_ARRAYS(ALLOCATE_ARRAY) ANALYSIS_ARRAYS(ALLOCATE_ARRAY);
  if (!enough)
    return false;
  if (!find_positions(self, pattern) || !find_pattern(self, pattern) || !assign_jobs(self, pattern) || !lay_out(self))
    return false;
  for (int number = 0; number <= plan->n_jobs; number++) {
    seam_ldl_job *job = &plan->job[number];
    job->pivot = job->column < n_blocks ? plan->columns[job->column].first : plan->n_unknowns;
    job->end_pivot = job->end_column < n_blocks ? plan->columns[job->end_column].first : plan->n_unknowns;
  }
  const seam_ldl_job *remainder = &plan->job[plan->n_jobs];
  if (plan->n_jobs > 0 && remainder->column < n_blocks) {
    plan->n_shared_values = plan->n_values - plan->columns[remainder->column].first_value;
    plan->n_shared_pivots = plan->n_unknowns - remainder->pivot;
  }
  if ((long long)plan->n_values + SEAM_LDL_JOBS * (long long)plan->n_shared_values > INT_MAX)
    return false;
  for (int job = 0; job <= plan->n_jobs; job++) {
    set_schedule(self, &plan->job[job]);
    if (!find_updates(self, job))
      return false;
  }
  for (int i = 0, unknown = 0; i < n_blocks; i++)
    for (int c = 0; c < pattern->order[i]; c++)
      plan->unknown[plan->columns[plan->position[i]].first + c] = unknown++;
  return find_links(plan);
}

seam_status seam_ldl_plan_create(const seam_ldl_pattern *pattern, seam_ldl_plan **plan, seam_error *error) {
  analysis *self = &(analysis){.plan = calloc(1, sizeof **plan)};
  const bool made = self->plan != NULL && analyse(self, pattern);
  free_graph(&self->later);
  ANALYSIS_ARRAYS(FREE_ARRAY)
  free(self->below.items);
  if (self->plan != NULL) {
    self->plan->updates = self->updates.items;
    self->plan->runs = self->runs.items;
    self->plan->spans = self->spans.items;
  }
  if (!made) {
    seam_ldl_plan_destroy(self->plan);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of %d blocks", pattern->n_blocks);
  }
  *plan = self->plan;
  return SEAM_OK;
}

void seam_ldl_plan_destroy(seam_ldl_plan *plan) {
  if (plan == NULL)
    return;
  PLAN_ARRAYS(FREE_ARRAY)
  free(plan->below);
  free(plan->row);
  free(plan->updates);
  free(plan->runs);
  free(plan->spans);
  free(plan->links);
  free(plan);
}

/* ---- Queries ---- */

int seam_ldl_n_values(const seam_ldl_plan *plan) { return plan->n_values; }

double seam_ldl_cost(const seam_ldl_plan *plan) {
  double cost = 0;
  for (int k = 0; k < plan->n_blocks; k++)
    cost += seam_ldl_column_cost(plan, k);
  return cost;
}

bool seam_ldl_is_before(const seam_ldl_plan *plan, int i, int j) { return plan->position[i] < plan->position[j]; }

int seam_ldl_block(const seam_ldl_plan *plan, int i, int j) {
  const seam_ldl_column *column = &plan->columns[plan->position[j]];
  if (i == j)
    return column->first_value;
  int low = plan->start[plan->position[j]];
  int high = plan->start[plan->position[j] + 1] - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (plan->below[middle] < plan->position[i])
      low = middle + 1;
    else
      high = middle;
  }
  return column->first_value + plan->row[low] * column->order;
}

int seam_ldl_reference_of(const seam_ldl_plan *plan, int i) { return plan->columns[plan->position[i]].first; }

static bool is_marked(const seam_ldl_plan *plan, int pivot, int n, const bool *of) {
  return plan->unknown[pivot] < n && of[plan->unknown[pivot]];
}

int seam_ldl_couplings(const seam_ldl_plan *plan, int n, const bool *of, int *values) {
  int n_found = 0;
  for (int k = 0; k < plan->n_blocks; k++) {
    const seam_ldl_column *column = &plan->columns[k];
    int value = column->first_value;
    for (int i = plan->start[k] - 1; i < plan->start[k + 1]; i++) { /* the diagonal block, then the blocks below */
      const seam_ldl_column *rows = i < plan->start[k] ? column : &plan->columns[plan->below[i]];
      for (int r = rows->first; r < rows->first + rows->order; r++)
        for (int c = column->first; c < column->first + column->order; c++, value++) {
          if (r == c || !(is_marked(plan, r, n, of) || is_marked(plan, c, n, of)))
            continue;
          if (values != NULL)
            values[n_found] = value;
          n_found++;
        }
    }
  }
  return n_found;
}
