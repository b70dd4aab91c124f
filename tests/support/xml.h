/* A look at XML as Seam writes it. */
#ifndef TESTS_SUPPORT_XML_H
#define TESTS_SUPPORT_XML_H

#include <stdbool.h>

/* Whether every element that opens closes, in order, and there is one root; for texts with neither comments nor
 * processing instructions. */
bool xml_is_well_formed(const char *text);

#endif
