/* What keys of contacts and ropes, compliant or hard, go together. */
#ifndef MODELS_SECTIONS_CONTACTS_H
#define MODELS_SECTIONS_CONTACTS_H

#include "models/sections/elements.h"

seam_status contacts_check(reader *r, const element *read);
seam_status contacts_check_rope(reader *r, const element *read);

/* Keys that only what is hard takes, or only what is compliant; `kind`: contact, stop or rope. */
seam_status contacts_check_hardness(reader *r, const element *read, const char *kind);

#endif
