/* Tokens of expressions. */
#ifndef MODELS_EXPRESSION_LEXER_H
#define MODELS_EXPRESSION_LEXER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SIGN, TOKEN_UNKNOWN } token_kind;

typedef struct token {
  token_kind kind;
  const char *start; /* start of the token in the text */
  size_t length;     /* bytes */
} token;

/* Returns the first token at or after `text` (terminated). Signs are + - * / ^ ( ) , < <= > >=. */
token lexer_next(const char *text);

/* Returns the length of the rest of a quantity's name, such as ".force" in "spring.force"; `text` is where the first
 * part of the name ends. 0: no such rest. */
size_t lexer_quantity_length(const char *text);

/* Finds the next name in a text, dots in it included ("a.b"); false: none. `cursor` starts at the text. */
bool lexer_next_name(const char **cursor, token *name);

/* Returns the value of a number token, correctly rounded in the "C" locale. */
double lexer_number(const token *number);

/* Returns true for a letter (also any byte beyond ASCII), a digit or an underscore. */
bool lexer_is_name_character(char c);

#endif
