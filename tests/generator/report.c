#include "tests/generator/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- One trial --------------------------------------------------------------------------------------------------- */

static void add_group(record *r, const char *name) {
  for (int i = 0; i < r->n_groups; i++)
    if (strcmp(r->group[i], name) == 0)
      return;
  snprintf(r->group[r->n_groups++], sizeof *r->group, "%s", name);
}

static void describe_run(record *r, const trial *t) {
  char name[32];
  if (t->run == CUT) {
    snprintf(r->how, sizeof r->how, "%s by %s", t->label, t->integrator);
    add_group(r, "cut");
    snprintf(name, sizeof name, "cut, %s", t->integrator);
  } else {
    snprintf(name, sizeof name, t->order > 0 && t->step == 0 ? "%s %d" : "%s", t->integrator, t->order);
    snprintf(r->how, sizeof r->how, "%s", name);
    add_group(r, "whole");
  }
  add_group(r, name);
}

void record_trial(record *r, const trial *t) {
  const outcome o = r->outcome;
  *r = (record){.seed = t->seed, .cpu = (double)clock() / CLOCKS_PER_SEC, .outcome = o};
  describe_run(r, t);
  for (int i = 0; i < t->n_subsets; i++) {
    const size_t length = strlen(r->kinds);
    snprintf(r->kinds + length, sizeof r->kinds - length, "%s%s", i > 0 ? "+" : "", t->subset[i].kind->name);
    add_group(r, t->subset[i].kind->name);
  }
}

void record_print(const record *r) {
  const outcome *o = &r->outcome;
  printf("seed %llu: %s; %s; %s", (unsigned long long)r->seed, judgement_names[o->judgement], r->kinds, r->how);
  if (o->worst.what != NULL)
    printf("; %s: error %.2g, bound %.2g", o->worst.what, o->worst.error, o->worst.bound);
  if (o->growth > 0)
    printf(", growth %.2g", o->growth);
  printf("; %zu steps, %.2f s%s%s\n", o->steps, r->cpu, o->why[0] != '\0' ? "; " : "", o->why);
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static void row_add(report_row *row, const record *r) {
  const finding *worst = &r->outcome.worst;
  row->count[r->outcome.judgement]++;
  if (r->outcome.judgement == RIGHT && worst->error > row->largest_ratio * worst->bound) {
    row->largest_ratio = worst->error / worst->bound;
    row->seed = r->seed;
  }
}

static report_row *row_of(report *self, const char *name) {
  for (int i = 0; i < self->n; i++)
    if (strcmp(self->row[i].name, name) == 0)
      return &self->row[i];
  if (self->n == MAX_ROWS)
    abort();
  snprintf(self->row[self->n].name, sizeof self->row[self->n].name, "%s", name);
  return &self->row[self->n++];
}

void report_add(report *self, const record *r) {
  row_add(&self->whole, r);
  for (int i = 0; i < r->n_groups; i++)
    row_add(row_of(self, r->group[i]), r);
}

static void print_row(const char *name, const report_row *row) {
  size_t all = 0;
  for (int i = 0; i < N_JUDGEMENTS; i++)
    all += row->count[i];
  printf("%-22s %7zu", name, all);
  for (int i = 0; i < N_JUDGEMENTS; i++)
    printf(" %9zu", row->count[i]);
  printf("   %8.2g (seed %llu)\n", row->largest_ratio, (unsigned long long)row->seed);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const report_row *)a)->name, ((const report_row *)b)->name);
}

void report_print(const report *self) {
  report sorted = *self;
  qsort(sorted.row, (size_t)sorted.n, sizeof *sorted.row, by_name);
  printf("%-22s %7s", "", "trials");
  for (int i = 0; i < N_JUDGEMENTS; i++)
    printf(" %9s", judgement_names[i]);
  printf("   largest error/bound of right ones\n");
  print_row("all", &sorted.whole);
  for (int i = 0; i < sorted.n; i++)
    print_row(sorted.row[i].name, &sorted.row[i]);
}
