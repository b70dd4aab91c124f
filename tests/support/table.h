/* Tables of the tests' data: a header line, then words and numbers between semicolons. */
#ifndef TESTS_SUPPORT_TABLE_H
#define TESTS_SUPPORT_TABLE_H

#include <stdio.h>

enum { MAX_COLUMNS = 24, MAX_TEXT = 512 };

typedef struct table {
  FILE *file;
  char line[MAX_TEXT];
  const char *word[MAX_COLUMNS]; /* of the present row */
  double number[MAX_COLUMNS];
} table;

/* tests/data/NAME; fails the test when there is none. */
table table_open(const char *name);

/* The next row into *t; its number of columns, 0 at the end, where the file is closed. */
int table_next(table *t);

#endif
