/* Compiles a text to instructions in one pass, by recursive descent along the grammar in expression.h. Operations on
 * constants are evaluated at once, so an expression without variables becomes one number. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "models/expression/expression.h"
#include "models/expression/lexer.h"
#include "models/expression/program.h"

enum { DEEPEST_NESTING = 100 }; /* nested brackets, powers and functions; limits the recursion */

typedef struct position {
  size_t n_code;
  size_t fixed; /* a branch of an `if` begins or ends here, so earlier instructions are not folded */
  size_t depth; /* number of values on the stack */
} position;

typedef struct compiler {
  const char *text;
  const expression_names *names;
  const expression_scope *scope;
  expression_error *error;
  seam_status status;
  token now;
  instruction *code;
  size_t capacity;
  position at;
  size_t nesting;
  bool has_fault;         /* a constant is not finite: an error, except in a branch that is never taken */
  expression_error fault; /* the first one */
} compiler;

SEAM_PRINTF(3, 4) static void fail_at(compiler *c, const token *at, const char *format, ...) {
  if (c->status != SEAM_OK)
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(c->error->cause, sizeof c->error->cause, format, arguments);
  va_end(arguments);
  c->error->column = (size_t)(at->start - c->text);
  c->status = SEAM_BAD_INPUT;
}

/* Words, signs and functions of programming languages, and how a model file writes them. */
typedef struct foreign {
  const char *written, *fix;
} foreign;

/* Writes the fix for the token; false: it is not among the n `words`. */
static bool fix_foreign(compiler *c, const foreign *words, size_t n, const token *found) {
  size_t i = 0;
  while (i < n && !token_is(found, words[i].written))
    i++;
  if (i < n && c->status == SEAM_OK)
    snprintf(c->error->fix, sizeof c->error->fix, "%s", words[i].fix);
  return i < n;
}

static void fail_expected(compiler *c, const char *what) {
  static const char one_comparison[] =
      "'if' and conditions of events have one comparison: if(a > b, c, d) is c where a > b, else d";
  static const foreign words[] = {{"and", "for a > 0 and b > 0 write min(a, b) > 0"},
                                  {"&", "for a > 0 && b > 0 write min(a, b) > 0"},
                                  {"or", "for a > 0 or b > 0 write max(a, b) > 0"},
                                  {"|", "for a > 0 || b > 0 write max(a, b) > 0"},
                                  {"=", "compare by <, <=, > or >=: an equality is true only at single times"},
                                  {"<", one_comparison},
                                  {"<=", one_comparison},
                                  {">", one_comparison},
                                  {">=", one_comparison},
                                  {"?", "for a > b ? c : d write if(a > b, c, d)"},
                                  {"if", "for c if a > b else d write if(a > b, c, d)"},
                                  {"*", "powers are written a^b"}};
  const token found = c->now;
  (void)fix_foreign(c, words, sizeof words / sizeof *words, &found);
  if (found.kind == TOKEN_END)
    fail_at(c, &found, "expected %s, found the end of the expression", what);
  else
    fail_at(c, &found, "expected %s, found '%.*s'", what, (int)(found.length < 40 ? found.length : 40), found.start);
}

static void fail_unknown(compiler *c, const token *at, bool is_function) {
  static const foreign functions[] = {{"ln", "did you mean 'log'?"},          {"sgn", "did you mean 'sign'?"},
                                      {"pow", "powers are written a^b"},      {"mod", "write a - b*floor(a/b)"},
                                      {"ceil", "write -floor(-a)"},           {"round", "write floor(a + 0.5)"},
                                      {"heaviside", "write if(a > 0, 1, 0)"}, {"step", "write if(a > 0, 1, 0)"}};
  const expression_names *names = c->names;
  const expression_scope *scope = c->scope;
  const index_values *indices = names->indices;
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)(at->length < sizeof name ? at->length : sizeof name - 1), at->start);
  nearest search = nearest_to(name);
  if (is_function) {
    functions_add_names(&search);
    for (size_t i = 0; i < scope->functions.count; i++)
      nearest_try(&search, scope->function_list[i]->name);
  } else {
    for (size_t i = 0; i < names->n_variables; i++)
      nearest_try(&search, names->variables[i]);
    for (size_t i = 0; indices != NULL && i < indices->n; i++)
      nearest_try(&search, indices->names[i]);
    for (size_t i = 0; i < scope->parameters.count; i++)
      nearest_try(&search, scope->parameter_names[i]);
    constants_add_names(&search);
    if (names->add_quantities != NULL)
      names->add_quantities(names->quantities, &search);
  }
  if (c->status != SEAM_OK)
    return;
  char *fix = c->error->fix;
  const size_t size = sizeof c->error->fix;
  if (!is_function || !fix_foreign(c, functions, sizeof functions / sizeof *functions, at))
    nearest_hint(&search, fix, size);
  if (search.name == NULL && !is_function) {
    size_t used = (size_t)snprintf(fix, size, "known: ");
    for (size_t i = 0; i < names->n_variables && used < size; i++)
      used += (size_t)snprintf(fix + used, size - used, "%s, ", names->variables[i]);
    if (used < size)
      snprintf(fix + used, size - used, "names of 'parameters'%s",
               names->add_quantities != NULL ? ", quantities as NAME.QUANTITY" : "");
  }
  fail_at(c, at, "unknown %s '%s'", is_function ? "function" : "name", name);
}

/* ---- Code -------------------------------------------------------------------------------------------------------- */

static void emit(compiler *c, instruction new_one) {
  if (c->status != SEAM_OK)
    return;
  instruction *larger = array_grow(c->code, &c->capacity, c->at.n_code + 1, sizeof *larger);
  if (larger == NULL) {
    c->status = SEAM_NO_MEMORY;
    return;
  }
  c->code = larger;
  c->code[c->at.n_code++] = new_one;
}

static void push(compiler *c, instruction operand) {
  if (c->at.depth == PROGRAM_DEEPEST)
    fail_at(c, &c->now, "the expression has more than %d intermediate values: use fewer brackets inside each other",
            PROGRAM_DEEPEST);
  c->at.depth++;
  emit(c, operand);
}

/* Returns true if an operation on the last n instructions, all numbers, can be evaluated at once. */
static bool ends_in_numbers(const compiler *c, size_t n) {
  if (c->at.n_code < c->at.fixed + n)
    return false;
  for (size_t i = c->at.n_code - n; i < c->at.n_code; i++)
    if (c->code[i].op != OP_NUMBER)
      return false;
  return true;
}

static void apply(compiler *c, const function *f, const token *at) {
  if (c->status != SEAM_OK)
    return;
  const bool is_two = f->arity == 2;
  if (is_two)
    c->at.depth--;
  if (!ends_in_numbers(c, is_two ? 2 : 1)) {
    emit(c, (instruction){.op = !is_two ? OP_ONE : f->caller != NULL ? OP_CALLER : OP_TWO, .call = f});
    return;
  }
  if (is_two)
    c->at.n_code--;
  double *u = &c->code[c->at.n_code - 1].number;
  const double v = is_two ? c->code[c->at.n_code].number : 0;
  const double result = function_value(f, *u, v);
  if (!isfinite(result) && !c->has_fault) {
    char *cause = c->fault.cause;
    const size_t size = sizeof c->fault.cause;
    c->has_fault = true;
    c->fault = (expression_error){.column = (size_t)(at->start - c->text)};
    if (f->table != NULL)
      snprintf(cause, size, "table '%.60s' has no value at %g, outside of its points", f->name, *u);
    else if (f->of_two == operator_find("/", 1)->of_two && v == 0)
      snprintf(cause, size, "division by zero");
    else if (f->arity == 1)
      snprintf(cause, size, "%s(%g) is not a finite number", f->name, *u);
    else
      snprintf(cause, size, "%s of %g and %g is not a finite number", f->name, *u, v);
  }
  *u = result;
}

/* ---- Grammar ----------------------------------------------------------------------------------------------------- */

static void parse_sum(compiler *c);
static void parse_signed(compiler *c);

static void advance(compiler *c) { c->now = lexer_next(c->now.start + c->now.length); }

static bool is_sign(const compiler *c, const char *signs) {
  return c->now.kind == TOKEN_SIGN && c->now.length == 1 && strchr(signs, c->now.start[0]) != NULL;
}

static void expect(compiler *c, char sign, const char *what) {
  const char signs[] = {sign, '\0'};
  if (is_sign(c, signs))
    advance(c);
  else
    fail_expected(c, what);
}

static void parse_branches(compiler *c, const function *compare) {
  const size_t depth = c->at.depth;
  const size_t test = c->at.n_code;
  emit(c, (instruction){.op = OP_UNLESS, .call = compare});
  c->at.fixed = c->at.n_code;
  parse_sum(c);
  const size_t jump = c->at.n_code;
  emit(c, (instruction){.op = OP_JUMP});
  expect(c, ',', "',' and the value where the condition does not hold");
  c->at.fixed = c->at.n_code;
  c->at.depth = depth;
  const size_t other = c->at.n_code;
  parse_sum(c);
  c->at.fixed = c->at.n_code;
  if (c->status != SEAM_OK)
    return;
  c->code[test].index = (unsigned)other;
  c->code[jump].index = (unsigned)c->at.n_code;
}

/* Parses a branch of an `if` with a constant condition. Drops code and faults of a branch that is not taken. */
static void parse_known_branch(compiler *c, bool taken) {
  const position before = c->at;
  const bool had_fault = c->has_fault;
  const expression_error fault = c->fault;
  parse_sum(c);
  if (taken || c->status != SEAM_OK)
    return;
  c->at = before;
  c->has_fault = had_fault;
  c->fault = fault;
}

static const function *comparison_at(const compiler *c) {
  const function *found = c->now.kind == TOKEN_SIGN ? operator_find(c->now.start, c->now.length) : NULL;
  return found != NULL && strchr("<>", found->name[0]) != NULL ? found : NULL;
}

static void parse_if(compiler *c) {
  parse_sum(c);
  const function *compare = comparison_at(c);
  if (compare == NULL) {
    fail_expected(c, "a comparison (<, <=, >, >=)");
    return;
  }
  advance(c);
  parse_sum(c);
  expect(c, ',', "',' and the value where the condition holds");
  if (c->status != SEAM_OK)
    return;
  c->at.depth -= 2;
  if (!ends_in_numbers(c, 2)) {
    parse_branches(c, compare);
    return;
  }
  c->at.n_code -= 2;
  const bool is_true = compare->of_two(c->code[c->at.n_code].number, c->code[c->at.n_code + 1].number) != 0;
  parse_known_branch(c, is_true);
  expect(c, ',', "',' and the value where the condition does not hold");
  parse_known_branch(c, !is_true);
}

static const function *find_function(const compiler *c, const token *name) {
  const function *f = function_find(name->start, name->length);
  const table_slot *slot = f == NULL ? table_find(&c->scope->functions, name->start, name->length) : NULL;
  if (slot != NULL)
    f = c->scope->function_list[slot->value];
  return c->names->are_of_time ? function_of_time(f) : f;
}

static bool find_constant(const compiler *c, const token *name, double *value) {
  const index_values *indices = c->names->indices;
  for (size_t i = 0; indices != NULL && i < indices->n; i++)
    if (token_is(name, indices->names[i])) {
      *value = indices->values[i];
      return true;
    }
  const table_slot *slot = table_find(&c->scope->parameters, name->start, name->length);
  if (slot != NULL)
    *value = c->scope->parameter_values[slot->value];
  return slot != NULL || constant_find(name->start, name->length, value);
}

static void parse_call(compiler *c, const token *name) {
  advance(c);
  if (token_is(name, "if")) {
    parse_if(c);
    expect(c, ')', "')' after the three parts of 'if'");
    return;
  }
  const function *f = find_function(c, name);
  if (f == NULL) {
    fail_unknown(c, name, true);
    return;
  }
  parse_sum(c);
  if (f->arity == 2) {
    expect(c, ',', "',' and a second argument");
    parse_sum(c);
  }
  expect(c, ')', f->arity == 2 ? "')' after two arguments" : "')' after one argument");
  apply(c, f, name);
}

/* Finds the index of a quantity; false: the name is unknown. If the caller gives a reason, the compilation fails. */
static bool find_quantity(compiler *c, const token *name, size_t *index) {
  const expression_names *names = c->names;
  if (names->quantity == NULL || c->status != SEAM_OK)
    return false;
  if (names->quantity(names->quantities, name->start, name->length, index, c->error))
    return true;
  if (c->error->cause[0] == '\0')
    return false;
  c->error->column = (size_t)(name->start - c->text);
  c->status = SEAM_BAD_INPUT;
  return false;
}

static void parse_name(compiler *c) {
  if (c->names->quantity != NULL)
    c->now.length += lexer_quantity_length(c->now.start + c->now.length);
  const token name = c->now;
  advance(c);
  if (is_sign(c, "(")) {
    parse_call(c, &name);
    return;
  }
  const expression_names *names = c->names;
  size_t index = 0;
  double value = 0;
  while (index < names->n_variables && !token_is(&name, names->variables[index]))
    index++;
  const bool is_variable = index < names->n_variables;
  if (!is_variable && find_constant(c, &name, &value))
    push(c, (instruction){.op = OP_NUMBER, .number = value});
  else if (is_variable || find_quantity(c, &name, &index))
    push(c, (instruction){.op = OP_VARIABLE, .index = (unsigned)index});
  else if (find_function(c, &name) != NULL)
    fail_at(c, &name, "'%.*s' is a function: its arguments follow in brackets", (int)name.length, name.start);
  else
    fail_unknown(c, &name, false);
}

static void parse_signed(compiler *c) {
  token minus = {0};
  bool negative = false;
  for (; is_sign(c, "+-"); advance(c)) {
    if (c->now.start[0] == '+')
      continue;
    negative = !negative;
    minus = c->now;
  }
  if (++c->nesting > DEEPEST_NESTING)
    fail_at(c, &c->now, "the expression is nested deeper than %d levels", DEEPEST_NESTING);
  if (c->status == SEAM_OK && c->now.kind == TOKEN_NUMBER) {
    if (!isfinite(c->now.number))
      fail_at(c, &c->now, "the number is too large");
    push(c, (instruction){.op = OP_NUMBER, .number = c->now.number});
    advance(c);
  } else if (c->status == SEAM_OK && c->now.kind == TOKEN_NAME) {
    parse_name(c);
  } else if (c->status == SEAM_OK && is_sign(c, "(")) {
    advance(c);
    parse_sum(c);
    expect(c, ')', "')'");
  } else if (c->status == SEAM_OK) {
    fail_expected(c, "a number, a name or '('");
  }
  if (c->status == SEAM_OK && is_sign(c, "^")) {
    const token power = c->now;
    const bool is_exponential = ends_in_numbers(c, 1) && c->code[c->at.n_code - 1].number > 0;
    advance(c);
    parse_signed(c);
    apply(c, is_exponential ? &function_exponential : operator_find("^", 1), &power);
  }
  if (negative)
    apply(c, &function_negate, &minus);
  c->nesting--;
}

/* Parses operands joined by left-associative operators of the same precedence. */
static void parse_level(compiler *c, const char *signs, void (*parse_argument)(compiler *)) {
  parse_argument(c);
  while (c->status == SEAM_OK && is_sign(c, signs)) {
    const token sign = c->now;
    advance(c);
    parse_argument(c);
    apply(c, operator_find(sign.start, sign.length), &sign);
  }
}

static void parse_product(compiler *c) { parse_level(c, "*/", parse_signed); }

static void parse_sum(compiler *c) { parse_level(c, "+-", parse_product); }

static void parse_condition(compiler *c) {
  parse_sum(c);
  const token sign = c->now;
  const function *compare = c->status == SEAM_OK ? comparison_at(c) : NULL;
  if (c->names->is_comparison == NULL || compare == NULL)
    return;
  *c->names->is_comparison = true;
  *c->names->at_zero = strchr(compare->name, '=') != NULL ? 1 : -1;
  advance(c);
  parse_sum(c);
  apply(c, operator_find("-", 1), &sign);
  if (compare->name[0] == '<')
    apply(c, &function_negate, &sign);
}

static seam_status compile(compiler *c, const char *text, const expression_names *names, expression_error *error) {
  *error = (expression_error){0};
  static const expression_scope empty;
  *c = (compiler){.text = text,
                  .names = names,
                  .scope = names->scope != NULL ? names->scope : &empty,
                  .error = error,
                  .now = lexer_next(text)};
  parse_condition(c);
  if (names->is_negated)
    apply(c, &function_negate, &c->now);
  if (c->status == SEAM_OK && c->now.kind != TOKEN_END) {
    fail_expected(c, "an operator or the end");
    const char *at = c->now.start;
    const char *end = at; /* end[-1] exists, since a sum stands before */
    while (isspace((unsigned char)end[-1]))
      end--;
    const bool follows_number = isdigit((unsigned char)end[-1]) || end[-1] == '.';
    if (is_sign(c, ",") && isdigit((unsigned char)at[-1]) && isdigit((unsigned char)at[1]))
      snprintf(error->fix, sizeof error->fix, "decimals follow a point, as in 1.5");
    else if (c->now.kind == TOKEN_NAME && error->fix[0] == '\0')
      snprintf(error->fix, sizeof error->fix, "%s",
               follows_number ? "units are SI and not written: 30 degrees are 30*deg, 100 mm 0.1, 60 rpm 60*2*pi/60"
                              : "products are written a*b");
  }
  if (c->status == SEAM_OK && c->has_fault) {
    *error = c->fault;
    c->status = SEAM_BAD_INPUT;
  }
  return c->status;
}

seam_status expression_compile(const char *text, const expression_names *names, expression **out,
                               expression_error *error) {
  compiler c;
  seam_status status = compile(&c, text, names, error);
  if (status == SEAM_OK) {
    const size_t code_size = c.at.n_code * sizeof *c.code;
    const size_t text_size = strlen(text) + 1;
    expression *e = malloc(sizeof *e + code_size + text_size);
    if (e != NULL) {
      e->noted = &e->noted_once;
      atomic_flag_clear(e->noted);
      e->n_code = c.at.n_code;
      memcpy(e->code, c.code, code_size);
      e->text = memcpy((char *)e->code + code_size, text, text_size);
    }
    *out = e;
    status = e != NULL ? SEAM_OK : SEAM_NO_MEMORY;
  }
  free(c.code);
  return status;
}

seam_status expression_number(const char *text, const expression_names *names, double *value, expression_error *error) {
  compiler c;
  const seam_status status = compile(&c, text, names, error);
  if (status == SEAM_OK)
    *value = c.code[0].number;
  free(c.code);
  return status;
}

bool expression_is_reserved(const char *name) {
  const size_t length = strlen(name);
  double value = 0;
  return strcmp(name, "if") == 0 || function_find(name, length) != NULL || constant_find(name, length, &value);
}
