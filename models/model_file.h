/* The result of reading a model file. */
#ifndef MODELS_MODEL_FILE_H
#define MODELS_MODEL_FILE_H

#include <seam/models.h>

#include "base/arena.h"
#include "models/source.h"
#include "models/yaml.h"

typedef struct model_place {
  const char *name;
  size_t offset; /* position of the name's key, bytes from the start of the text */
} model_place;

typedef struct model_places {
  source file; /* copies of name and text */
  model_place *at;
  size_t n;
} model_places;

/* Outline of a body. */
typedef struct model_shape {
  seam_outline *outlines; /* (n) */
  size_t n;
  double rod_length;   /* m; NaN: not written as a rod */
  bool is_rough;       /* the body is a rod of given length near two places */
  bool has_place;      /* the file says where the body is */
  const char *ends[2]; /* names of the points at its ends; NULL: none */
} model_shape;

/* Inputs and outputs of an FMU of the model, except time; the file owns the texts. */
typedef struct model_fmu {
  const char **inputs, **outputs, **parameters; /* names of variables, quantities and parameters */
  size_t n_inputs, n_outputs, n_parameters;
  double *values;   /* (n_parameters) */
  bool has_outputs; /* true: the file lists outputs; false: the outputs are the default columns of results */
} model_fmu;

/* JSON text, made at the first call. */
typedef struct model_text {
  char *_Atomic json; /* NULL: not made yet */
} model_text;

struct seam_model_file {
  arena memory; /* memory of texts and lists */
  const char *name;
  arena nodes;            /* memory of the effective model */
  const yaml_node *root;  /* effective model */
  model_text *text;       /* JSON text, made on demand; a pointer, since the file is constant */
  struct lookup **tables; /* (n_tables) tables, functions that laws call */
  size_t n_tables;
  struct given_function *given; /* (n_given) functions given by the caller */
  size_t n_given;
  mbs_model *mechanism;
  mbs_model *whole;     /* monolithic: mechanism with equations and signals of the co-simulation; NULL: `mechanism` */
  const char *no_whole; /* why no monolithic run is possible; NULL: it is possible */
  unsigned *over_run;   /* (number of measures) bits of the statistics over the run; NULL: none */
  seam_simulation simulation;
  model_places places;
  model_shape *shapes;        /* (bodies) */
  struct fmu_subsystem *fmus; /* linked list of FMUs that are subsystems */
  cosim_builder *cosim;       /* NULL: the file has no `cosim:` */
  model_fmu fmu;
  bool has_start;         /* there is a section `start:` */
  const char *start_from; /* earlier results to start from; NULL: none */
  const char *reference;  /* model file of the reference; NULL: this one */
  bool assumes_step;      /* true: a system of FMUs that gives no macro step */
};

/* Adds the name of the first table that was evaluated beyond its points to the message of a run that ended with
 * SEAM_NOT_FINITE. */
void model_file_name_table(const seam_model_file *file, seam_status status, seam_error *error);

#endif
