/* Tables of a study in formats for papers and web pages. */
#ifndef APP_RESULTS_TABLE_TEXT_H
#define APP_RESULTS_TABLE_TEXT_H

#include "app/options.h"

#define OPTION_AS                                                                                                      \
  { "--as", "STYLE", .help = "write each table for a paper too: markdown or latex", .words = "markdown latex" }

/* Checks --as. SEAM_BAD_INPUT: it names an unknown format. */
seam_status table_text_check(const app_options *parsed, seam_error *error);

/* If --as is given, writes NAME.md or NAME.tex beside the table NAME.csv at `path`, with the same rows and numbers of
 * four digits. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status table_text_write(const app_options *parsed, const char *path, seam_error *error);

#endif
