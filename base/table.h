/* Hash table from names to numbers, with linear probing. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct table_slot {
  const char *name; /* NULL: free */
  size_t length;
  size_t value;
} table_slot;

/* A zero-initialised table is empty. */
typedef struct table {
  table_slot *slots; /* (capacity), a power of two or 0 */
  size_t capacity, count;
} table;

/* Returns the slot of a name, or NULL. Names need not be terminated. */
const table_slot *table_find(const table *in, const char *name, size_t length);

/* Adds a new name, which must outlive the table. Returns false when memory is exhausted. */
bool table_add(table *to, const char *name, size_t length, size_t value);

void table_release(table *of);

#endif
