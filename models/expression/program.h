/* Code of an expression: instructions for a stack of values. */
#ifndef MODELS_EXPRESSION_PROGRAM_H
#define MODELS_EXPRESSION_PROGRAM_H

#include <stdatomic.h>
#include <stddef.h>

#include "models/expression/expression.h"
#include "models/expression/functions.h"

enum { PROGRAM_DEEPEST = 64 }; /* largest number of values on the stack */

typedef enum opcode {
  OP_NUMBER,   /* push `number` */
  OP_VARIABLE, /* push x[index] */
  OP_ONE,      /* replace the top value u by call(u) */
  OP_TWO,      /* replace the two top values u, v by call(u, v) */
  OP_CALLER,   /* replace the two top values u, v by the value of a function of the calling program */
  OP_UNLESS,   /* remove the two top values u, v; go to `index` if call(u, v) is 0 */
  OP_JUMP      /* go to `index`, which is further on in the code */
} opcode;

/* Returns true if an instruction calls a function. The comparison of an `if` does not count. */
static inline bool instruction_calls(opcode op) { return op == OP_ONE || op == OP_TWO || op == OP_CALLER; }

typedef struct instruction {
  opcode op;
  unsigned index;
  union {
    double number;
    const function *call;
  };
} instruction;

struct expression {
  atomic_flag *noted; /* set after the note on a derivative that is not finite; points to `noted_once` */
  atomic_flag noted_once;
  const char *text; /* stored behind the code */
  size_t n_code;
  instruction code[];
};

#endif
