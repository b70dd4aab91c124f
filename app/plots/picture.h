/* Pictures drawn by gnuplot: a script that holds style, data and drawing, and what gnuplot makes of it. */
#ifndef APP_PLOTS_PICTURE_H
#define APP_PLOTS_PICTURE_H

#include <stdio.h>

#include <seam/status.h>

#include "app/plots/label.h"

/* app/plots/style.gp, which is compiled in: one row. */
typedef struct styles_row {
  const char *name;
  const unsigned char *text; /* terminated */
} styles_row;
extern const styles_row styles_rows[];
extern const size_t styles_size;

enum { PICTURE_PNG = 1, PICTURE_SVG = 2, PICTURE_PDF = 4, PICTURE_ALL = 7 };

typedef struct picture {
  const char *directory, *name; /* DIRECTORY/NAME.gp, DIRECTORY/NAME.png, ... */
  const char *drawn_as;         /* name in the script of a picture whose own is from outside; NULL: its own */
  const char *what;             /* the first line of the script, a comment */
  double width, height;         /* cm */
  unsigned formats;
  void (*define)(FILE *script, const void *data); /* data blocks and settings; NULL: none */
  void (*draw)(FILE *script, const void *data);   /* once for each format */
  const void *data;
} picture;

/* Writes the script and lets gnuplot draw in all formats, in none when there are none. Where there is no gnuplot, a
 * message says so and the result is SEAM_OK. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status picture_make(const picture *self, seam_error *error);

/* Heading of a page of that height (cm): a bold line and small ones, those that are empty left out. To be
 * written before the first panel, and picture_end_heading() behind it. */
enum { PICTURE_MAX_LINES = 3 };
void picture_write_heading(FILE *script, const label *lines, double height);
void picture_end_heading(FILE *script);

/* What the heading takes (cm). */
double picture_heading_height(const label *lines);

#endif
