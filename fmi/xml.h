/* Texts in XML. */
#ifndef FMI_XML_H
#define FMI_XML_H

#include <stdbool.h>
#include <stdio.h>

/* Writes a text as the value of an attribute. Invalid UTF-8 or a control character: returns false after it has written
 * the text before this. */
bool fmi_xml_write(FILE *to, const char *text);

#endif
