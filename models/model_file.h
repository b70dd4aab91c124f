/* The contents of a model file after reading. */
#ifndef MODELS_MODEL_FILE_H
#define MODELS_MODEL_FILE_H

#include <seam/models.h>

#include "base/arena.h"
#include "models/source.h"
#include "models/yaml.h"

typedef struct name_location {
  const char *name;
  size_t offset; /* bytes from the start of the text to the name's key */
} name_location;

typedef struct name_locations {
  source file; /* copies of the file's name and text, for messages */
  name_location *at;
  size_t n;
} name_locations;

/* Geometry of a body, for drawing and for positions of points. */
typedef struct model_shape {
  seam_outline *outlines; /* (n) shapes of the body in drawings */
  size_t n;
  double rod_length;   /* m; NaN: the file does not describe the body as a rod */
  bool is_rough;       /* the body is a rod of given length whose ends are only near two given points */
  bool has_position;   /* the file gives the position of the body */
  const char *ends[2]; /* names of the points at the rod's ends; NULL: none */
} model_shape;

/* Interface of an FMU made from the model: inputs and outputs, without the time. */
typedef struct model_fmu {
  const char **inputs, **outputs, **parameters; /* names of input variables, of output quantities, and of parameters */
  size_t n_inputs, n_outputs, n_parameters;
  double *values;   /* (n_parameters) values of the parameters */
  bool has_outputs; /* true: the file lists the outputs; false: they are the default columns of results */
} model_fmu;

struct seam_model_file {
  arena memory; /* memory of texts and lists that live as long as the file */
  const char *name;
  arena nodes;            /* memory of the nodes of the effective model, the file after overrides and repeats */
  const yaml_node *root;  /* the effective model */
  char *_Atomic *json;    /* *json: the effective model as JSON text; NULL until the first call that needs the text */
  struct lookup **tables; /* (n_tables) tables of the file, which expressions call as functions */
  size_t n_tables;
  struct caller_function *caller_functions; /* (n_caller_functions) functions of the calling program */
  size_t n_caller_functions;
  mbs_model *mechanism;
  mbs_model *undivided; /* `mechanism` with equations and signals of `cosim:`; NULL: not needed, or not possible */
  const char *why_not_undivided; /* reason why no monolithic run is possible; NULL: one is possible */
  unsigned *over_run; /* (number of measures) statistics over the run that the file asks for, as bits; NULL: none */
  seam_simulation simulation;
  name_locations locations;
  model_shape *shapes;        /* (number of bodies) */
  struct fmu_subsystem *fmus; /* linked list of the FMUs used as subsystems */
  cosim_builder *cosim;       /* NULL: the file has no `cosim:` */
  model_fmu fmu;
  bool has_start;         /* the file has a section `start:` */
  const char *start_from; /* path of earlier results to start from; NULL: none */
  const char *reference;  /* model file of the undivided mechanism, for comparisons; NULL: this file */
  bool assumes_step;      /* true: the file is a system of FMUs without a macro step, so a default is used */
};

/* First line of a model file made from a system of FMUs (system.c), if neither the system nor its FMUs give a macro
 * step. */
#define SYSTEM_ASSUMES_STEP "# neither the system nor its FMUs say a macro step\n"

/* If `status` is SEAM_NOT_FINITE, appends to the message of *error the name of the first table that was evaluated
 * outside its points. Else does nothing. */
void model_file_name_table(const seam_model_file *file, seam_status status, seam_error *error);

#endif
