/* Texts in XML. */
#ifndef FMI_XML_H
#define FMI_XML_H

#include <stdbool.h>
#include <stdio.h>

/* Writes a text as the value of an attribute. False: it has bytes that are not UTF-8, or control characters, and is
 * written up to there. */
bool fmi_xml_write(FILE *to, const char *text);

#endif
