#include <limits.h>
#include <stdlib.h>

#include <camd.h>

#include "solvers/ldl_plan.h"

/* ---- Graphs ---- */

void seam_graph_destroy(seam_graph *graph) {
  free(graph->start);
  free(graph->of);
}

bool seam_graph_create(seam_graph *graph, int n, int n_edges, const int (*edge)[2], const int *new_number,
                       bool in_both_directions) {
  graph->start = calloc((size_t)n + 2, sizeof *graph->start);
  graph->of = malloc((2 * (size_t)n_edges + 1) * sizeof *graph->of);
  if (graph->start == NULL || graph->of == NULL || n_edges > INT_MAX / 2)
    return false;
  int *next = graph->start + 1; /* next[i + 1] counts edges of node i; later next[i] is the index of its next edge */
  for (int fill = 0; fill < 2; fill++) {
    for (int e = 0; e < n_edges; e++)
      for (int end = 0; end < 2; end++) {
        const int from = new_number == NULL ? edge[e][end] : new_number[edge[e][end]];
        const int to = new_number == NULL ? edge[e][1 - end] : new_number[edge[e][1 - end]];
        if (from == to || (!in_both_directions && from > to))
          continue;
        if (fill)
          graph->of[next[from]++] = to;
        else
          next[from + 1]++;
      }
    for (int i = 0; i < n && !fill; i++)
      next[i + 1] += next[i];
  }
  return true;
}

/* ---- Parts ---- */

enum { MAX_PARTS = 4 };

typedef struct parts {
  const seam_graph *graph;
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
 * distance from one far end of the component. Nodes outside of the component get negative levels. Writes to cut the
 * n_parts - 1 levels that divide the component into parts of similar size. Returns false if n_parts is 1, if no
 * component is large enough, or if a level from the first to the last cut has more than four nodes. */
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

/* Replaces the nodes' levels by numbers of passes; nodes with lower numbers are eliminated first. Levels that are cuts
 * come last, and the middle one of three cuts after the other two. Of the levels between two cuts, every second one
 * comes first, then every second one of the remaining levels, and so on. Elimination in sequence from one cut to the
 * next would lose digits, because the far end of the part is not connected yet. */
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

/* ---- Order ---- */

/* Orders the nodes of a graph; fails unless there was enough memory for the graph. */
static seam_status order(bool enough, const seam_graph *graph, int n, int *pass, int *sequence, seam_error *error) {
  double control[CAMD_CONTROL];
  camd_defaults(control);
  if (enough && (n == 0 || camd_order(n, graph->start, graph->of, sequence, control, NULL, pass) >= CAMD_OK))
    return SEAM_OK;
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of %d blocks", n);
}

seam_status seam_ldl_order(int n_blocks, int n_edges, const int (*edge)[2], int n_parts, int *sequence,
                           seam_error *error) {
  const size_t n = (size_t)n_blocks + 1;
  seam_graph graph = {0};
  int *scratch = calloc(2 * n, sizeof *scratch);
  parts self = {&graph, n_blocks, scratch, scratch + n};
  const bool enough = scratch != NULL && seam_graph_create(&graph, n_blocks, n_edges, edge, NULL, true);
  if (enough) {
    int cut[MAX_PARTS - 1] = {0};
    while (n_parts > 1 && !find_cuts(&self, n_parts, cut))
      n_parts /= 2;
    set_passes(&self, n_parts, cut);
  }
  const seam_status status = order(enough, &graph, n_blocks, self.level, sequence, error);
  seam_graph_destroy(&graph);
  free(scratch);
  return status;
}

seam_status seam_ldl_order_in_passes(int n_blocks, int n_edges, const int (*edge)[2], int *pass, int *sequence,
                                     seam_error *error) {
  seam_graph graph = {0};
  const bool enough = seam_graph_create(&graph, n_blocks, n_edges, edge, NULL, true);
  const seam_status status = order(enough, &graph, n_blocks, pass, sequence, error);
  seam_graph_destroy(&graph);
  return status;
}
