/* cr_redirect_stderr() stands in criterion.h. */
#include <criterion/criterion.h>
