/* Tables of the tests' data: a header line, then words and numbers between semicolons. */
#ifndef TESTS_SUPPORT_TABLE_H
#define TESTS_SUPPORT_TABLE_H

#include <stdio.h>

enum { most_columns = 24, most_text = 512 };

typedef struct table {
  FILE *file;
  char line[most_text];
  const char *word[most_columns]; /* of the present row */
  double number[most_columns];
} table;

/* tests/data/NAME; fails the test when there is none. */
table table_open(const char *name);

/* The next row into *t; its number of columns, 0 at the end, where the file is closed. */
int table_next(table *t);

#endif
