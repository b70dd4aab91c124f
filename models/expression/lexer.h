/* Tokens of expressions. */
#ifndef MODELS_EXPRESSION_LEXER_H
#define MODELS_EXPRESSION_LEXER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SIGN, TOKEN_UNKNOWN } token_kind;

typedef struct token {
  token_kind kind;
  const char *start; /* in the text */
  size_t length;     /* bytes */
} token;

/* The token at or after `text` (terminated). Signs are + - * / ^ ( ) , < <= > >=. */
token lexer_next(const char *text);

/* Length of the name of a quantity at the beginning of a text behind a name: ".force", with its points; 0: none. */
size_t lexer_quantity_length(const char *text);

/* The names of a text with their points, one after the other; `cursor` begins at the text. */
bool lexer_next_name(const char **cursor, token *name);

/* The value of a number token, correctly rounded in the "C" locale. */
double lexer_number(const token *number);

/* A letter (any character beyond ASCII counts as one), a digit or an underscore. */
bool lexer_is_name_character(char c);

#endif
