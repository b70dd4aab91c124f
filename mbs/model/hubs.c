/* Cut vertices by depth-first search from the ground ([Hopcroft-Tarjan]). d(v) is the number of body v in the order of
 * visits; low(c) is the least d of the bodies that joints connect directly with the search tree below c. Body v
 * separates the search tree below its child c from the ground if low(c) >= d(v). */
#include "mbs/model/hubs.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"

typedef struct search {
  int n_vertices, n_edges;
  int (*edge)[2];  /* (n_edges) joints, then edges from the ground to the bodies of joints with depends_on_frame */
  int *start, *at; /* edges of vertex v: at[start[v]] to at[start[v + 1] - 1]; each entry is 2 edge + side */
  int *next;       /* next edge of a vertex to follow, index in `at` */
  int *number;     /* d of each vertex, from 1; 0: not visited yet */
  int *low;
  int *level;      /* number of edges from the root */
  int *entry;      /* edge to the parent; -1: a root */
  int *path;       /* vertices from the root to the present one */
  int *visited;    /* vertices in order of visits */
  int (*child)[2]; /* (n_edges) for the vertex on each side: its child whose subtree contains the vertex on the other
                      side; -1: there is no such child */
  int n_visited;
} search;

/* ---- Edges ---- */

static void list_edges(search *s, const mbs_joint *joints, int n_joints) {
  s->n_edges = n_joints;
  for (int j = 0; j < n_joints; j++) {
    memcpy(s->edge[j], joints[j].body, sizeof joints[j].body);
    for (int side = 0; side < 2 && joints[j].type->depends_on_frame; side++)
      memcpy(s->edge[s->n_edges++], (int[2]){0, joints[j].body[side]}, sizeof *s->edge);
  }
  for (int e = 0; e < s->n_edges; e++)
    for (int side = 0; side < 2; side++)
      s->start[s->edge[e][side] + 1]++;
  for (int v = 0; v < s->n_vertices; v++) {
    s->start[v + 1] += s->start[v];
    s->next[v] = s->start[v];
  }
  for (int e = 0; e < s->n_edges; e++)
    for (int side = 0; side < 2; side++)
      s->at[s->next[s->edge[e][side]]++] = 2 * e + side;
  memcpy(s->next, s->start, (size_t)s->n_vertices * sizeof *s->next);
}

/* ---- Search ---- */

static void enter(search *s, int v, int entry, int level) {
  s->visited[s->n_visited++] = v;
  s->number[v] = s->low[v] = s->n_visited;
  s->entry[v] = entry;
  s->level[v] = level;
  s->path[level] = v;
}

static void search_from(search *s, int root) {
  enter(s, root, -1, 0);
  for (int v = root; v >= 0;) {
    if (s->next[v] < s->start[v + 1]) {
      const int at = s->at[s->next[v]++];
      const int edge = at / 2;
      const int side = at % 2;
      const int to = s->edge[edge][1 - side];
      if (edge == s->entry[v] || to == v)
        continue;
      if (s->number[to] == 0) {
        s->child[edge][side] = to;
        enter(s, to, edge, s->level[v] + 1);
        v = to;
      } else if (s->number[to] < s->number[v]) {
        s->child[edge][1 - side] = s->path[s->level[to] + 1];
        if (s->number[to] < s->low[v])
          s->low[v] = s->number[to];
      }
      continue;
    }
    const int up = s->level[v] > 0 ? s->path[s->level[v] - 1] : -1;
    if (up >= 0 && s->low[v] < s->low[up])
      s->low[up] = s->low[v];
    v = up;
  }
}

static bool separates(const search *s, int v, int child) { return child >= 0 && s->low[child] >= s->number[v]; }

/* ---- Choice ---- */

/* Returns the approximate number of block multiplications to factorise the full matrix of n_joints joints on a body. */
static double cost_of_full(double n_joints) { return n_joints * n_joints * n_joints / 6; }

/* Fills hubs->hangs. A body becomes a hub if its elimination after the joints that hang on it is less work. */
static void choose(mbs_hubs *hubs, const search *s, int n_joints) {
  const double cost_of_hanging = 4;
  for (int v = 1; v < s->n_vertices; v++) {
    int n_hanging = 0;
    int n_at = 0;
    for (int k = s->start[v]; k < s->start[v + 1]; k++) {
      const int joint = s->at[k] / 2;
      if (joint >= n_joints)
        continue;
      hubs->hangs[joint][s->at[k] % 2] = separates(s, v, s->child[joint][s->at[k] % 2]);
      n_hanging += hubs->hangs[joint][s->at[k] % 2];
      n_at++;
    }
    hubs->of_body[v] = -1;
    if (!(n_hanging * cost_of_hanging + cost_of_full(n_at - n_hanging) < cost_of_full(n_at)))
      continue;
    hubs->body[hubs->n_hubs] = v;
    hubs->of_body[v] = hubs->n_hubs++;
  }
}

/* Overwrites the level of each vertex by its depth: the number of hubs that separate it from the ground. Fills the
 * depths of hubs and joints. */
static void find_depths(mbs_hubs *hubs, search *s, int n_joints) {
  int *depth = s->level;
  for (int i = 0; i < s->n_visited; i++) {
    const int v = s->visited[i];
    const int edge = s->entry[v];
    const int up = edge < 0 ? -1 : s->edge[edge][s->child[edge][0] == v ? 0 : 1];
    depth[v] = up < 0 ? 0 : depth[up] + (hubs->of_body[up] >= 0 && separates(s, up, v));
    if (depth[v] > hubs->deepest)
      hubs->deepest = depth[v];
  }
  for (int i = 0; i < hubs->n_hubs; i++)
    hubs->depth_of_hub[i] = depth[hubs->body[i]];
  for (int j = 0; j < n_joints; j++) {
    const int child = s->child[j][0] >= 0 ? s->child[j][0] : s->child[j][1];
    hubs->depth_of_joint[j] = child >= 0 ? depth[child] : 0;
  }
}

#define SEARCH_ARRAYS(X)                                                                                               \
  X(s, edge, 3 * m)                                                                                                    \
  X(s, start, n)                                                                                                       \
  X(s, at, 6 * m)                                                                                                      \
  X(s, next, n)                                                                                                        \
  X(s, number, n)                                                                                                      \
  X(s, low, n)                                                                                                         \
  X(s, level, n)                                                                                                       \
  X(s, entry, n)                                                                                                       \
  X(s, path, n)                                                                                                        \
  X(s, visited, n)                                                                                                     \
  X(s, child, 3 * m)

#define HUB_ARRAYS(X)                                                                                                  \
  X(hubs, body, n)                                                                                                     \
  X(hubs, of_body, n)                                                                                                  \
  X(hubs, hangs, m)                                                                                                    \
  X(hubs, depth_of_hub, n)                                                                                             \
  X(hubs, depth_of_joint, m)

bool mbs_hubs_create(mbs_hubs *hubs, const mbs_joint *joints, int n_joints, int n_bodies) {
  search found = {.n_vertices = n_bodies + 1};
  search *s = &found;
  const size_t n = (size_t)n_bodies + 1;
  const size_t m = (size_t)n_joints;
  *hubs = (mbs_hubs){0};
  const bool enough = true SEARCH_ARRAYS(ALLOCATE_ARRAY) HUB_ARRAYS(ALLOCATE_ARRAY);
  if (enough) {
    hubs->of_body[0] = -1;
    list_edges(s, joints, n_joints);
    memset(s->child, -1, (size_t)s->n_edges * sizeof *s->child);
    for (int v = 0; v < s->n_vertices; v++)
      if (s->number[v] == 0)
        search_from(s, v);
    choose(hubs, s, n_joints);
    find_depths(hubs, s, n_joints);
  }
  SEARCH_ARRAYS(FREE_ARRAY)
  return enough;
}

void mbs_hubs_destroy(mbs_hubs *hubs) { HUB_ARRAYS(FREE_ARRAY) }
