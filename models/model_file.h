/* The contents of a model file after reading. */
#ifndef MODELS_MODEL_FILE_H
#define MODELS_MODEL_FILE_H

#include <seam/models.h>

#include "base/arena.h"
#include "models/yaml.h"

/* A file that the model names, and that was read with it. */
typedef struct data_file {
  struct data_file *next;
  const char *path;
} data_file;

/* Geometry of a body, for drawing and for positions of points. */
typedef struct model_shape {
  seam_outline *outlines; /* (n) shapes of the body in drawings */
  size_t n;
  double rod_length;   /* m; NaN: the body is not a rod */
  bool is_rough;       /* the rod has a given length; its ends are only near two points */
  bool has_position;   /* the file gives the position of the body */
  const char *ends[2]; /* names of the points near the ends of a rough rod; NULL: none */
} model_shape;

/* Interface of an FMU made from the model; the time, which every FMU has, is not in it. */
typedef struct model_fmu {
  const char **inputs, **outputs, **parameters; /* names of variables, quantities and parameters */
  size_t n_inputs, n_outputs, n_parameters;
  double *values;   /* (n_parameters) values of the parameters */
  bool has_outputs; /* the file lists the outputs; false: they are the default columns of results */
} model_fmu;

struct seam_model_file {
  arena memory; /* nodes, texts and lists that live as long as the file */
  const char *name;
  source origin;          /* name and text of the file, for messages */
  const yaml_node *root;  /* the effective model, the file after overrides and repeats */
  char *_Atomic *json;    /* *json: the effective model as JSON; NULL until the first call that needs it */
  struct lookup **tables; /* (n_tables) */
  size_t n_tables;
  struct caller_function *caller_functions; /* (n_caller_functions) functions of the calling program */
  size_t n_caller_functions;
  mbs_model *mechanism;
  mbs_model *undivided; /* `mechanism` with equations and signals of `cosim:`; NULL: not needed, or not possible */
  mbs_model *sized;     /* the same if a monolithic run is not possible; has the sizes of states and signals; or NULL */
  const char *why_not_undivided; /* NULL: a monolithic run is possible */
  unsigned *over_run;            /* (number of measures) statistics over the run, as bits; NULL: none */
  seam_simulation simulation;
  model_shape *shapes;        /* (number of bodies) */
  struct fmu_subsystem *fmus; /* linked list of the FMUs used as subsystems */
  data_file *data_files;      /* linked list, the last file first */
  cosim_builder *cosim;       /* NULL: the file has no `cosim:` */
  model_fmu fmu;
  bool has_start;         /* the file has a section `start:` */
  const char *start_from; /* path of earlier results; NULL: none */
  const char *reference;  /* model file of the undivided mechanism, for comparisons; NULL: this file */
  bool assumes_step;      /* a system of FMUs gives no macro step, so a default is used */
};

/* First line of a model file made from a system of FMUs (system.c) that gives no macro step. */
#define SYSTEM_ASSUMES_STEP "# neither the system nor its FMUs say a macro step\n"

/* If `status` is SEAM_NOT_FINITE, appends the name of the first table that was evaluated outside its points to the
 * message. */
void model_file_name_table(const seam_model_file *file, seam_status status, seam_error *error);

#endif
