/* Texts in XML. */
#ifndef FMI_XML_H
#define FMI_XML_H

#include <stdbool.h>
#include <stdio.h>

/* Writes a text as the value of an attribute. If the text has invalid UTF-8 or a control character, writes only the
 * text before this fault and returns false. */
bool fmi_xml_write(FILE *to, const char *text);

#endif
