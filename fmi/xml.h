/* Texts in XML. */
#ifndef FMI_XML_H
#define FMI_XML_H

#include <stdbool.h>
#include <stdio.h>

/* Writes a text as an attribute's value. Returns false at invalid UTF-8 or a control character; only the text before it
 * is written. */
bool fmi_xml_write(FILE *to, const char *text);

#endif
