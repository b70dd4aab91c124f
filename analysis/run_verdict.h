/* What the verdict on a run and comparisons judge by (<seam/verdict.h>). */
#ifndef ANALYSIS_RUN_VERDICT_H
#define ANALYSIS_RUN_VERDICT_H

#include <seam/mbs.h>

/* The balance total + dissipated - driven, J: constant but for errors. */
double analysis_energy_balance(const mbs_energy *energy);

#endif
