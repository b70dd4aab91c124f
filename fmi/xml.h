/* Attributes in XML, and texts in URIs. */
#ifndef FMI_XML_H
#define FMI_XML_H

#include <stdbool.h>
#include <stdio.h>

/* Writes an attribute with a text as its value. If the text has invalid UTF-8 or a control character, writes only the
 * text before this fault and returns false. */
bool fmi_xml_attribute(FILE *to, const char *name, const char *text);

/* Writes an xs:double, with INF for infinity, and an attribute with such a value. */
void fmi_xml_number(FILE *to, double number);
void fmi_xml_number_attribute(FILE *to, const char *name, double number);

/* Copies a text and decodes its escapes, as "%20" (RFC 3986). Returns the terminating zero of the copy. */
const char *fmi_uri_decode(const char *from, char *to);

#endif
