/* Tokens of expressions. */
#ifndef MODELS_EXPRESSION_LEXER_H
#define MODELS_EXPRESSION_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SIGN, TOKEN_UNKNOWN } token_kind;

typedef struct token {
  token_kind kind;
  const char *start; /* start of the token in the text */
  size_t length;     /* bytes */
  double number;     /* value of a number */
} token;

/* Returns the first token at or after `text`. Signs are + - * / ^ ( ) , < <= > >=; numbers are those of seam_number(),
 * without a sign. */
token lexer_next(const char *text);

static inline bool token_is(const token *t, const char *text) {
  return strlen(text) == t->length && memcmp(text, t->start, t->length) == 0;
}

/* Returns the length of the quantity at `text`, such as ".force" after "spring" in "spring.force"; 0: none. */
size_t lexer_quantity_length(const char *text);

/* Finds the next name, which may contain dots ("a.b"); false: none. *cursor begins at the start of the text. */
bool lexer_next_name(const char **cursor, token *name);

/* Returns true for a letter, a digit, an underscore, or a byte beyond ASCII. */
bool lexer_is_name_character(char c);

#endif
