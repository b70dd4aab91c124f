/* Tables of the tests' data: a header line, then words and numbers between semicolons. */
#ifndef TESTS_SUPPORT_DATA_TABLE_H
#define TESTS_SUPPORT_DATA_TABLE_H

#include <stdio.h>

enum { MAX_COLUMNS = 24, MAX_TEXT = 512 };

typedef struct data_table {
  FILE *file;
  char line[MAX_TEXT];
  const char *word[MAX_COLUMNS]; /* of the present row */
  double number[MAX_COLUMNS];
} data_table;

/* tests/data/NAME; fails the test when there is none. */
data_table data_table_open(const char *name);

/* The next row into *t; its number of columns, 0 at the end, where the file is closed. */
int data_table_next(data_table *t);

#endif
