/* The result of reading a model file. */
#ifndef MODELS_MODEL_FILE_H
#define MODELS_MODEL_FILE_H

#include <seam/models.h>

#include "base/arena.h"
#include "models/source.h"
#include "models/yaml.h"

typedef struct model_place {
  const char *name;
  size_t offset; /* of its key in the text of the file */
} model_place;

typedef struct model_places {
  source file; /* a copy of its name and text */
  model_place *at;
  size_t n;
} model_places;

/* Outline of a body. */
typedef struct model_shape {
  seam_outline *outlines; /* (n) */
  size_t n;
  double rod_length;   /* m; NaN: the file does not write it as a rod */
  bool is_rough;       /* a rod of given length near two places, */
  const char *ends[2]; /* names of the points that are its ends; NULL: they have none */
} model_shape;

/* Inputs and outputs of an FMU of the model beside the time; texts live with the file. */
typedef struct model_fmu {
  const char **inputs, **outputs, **parameters; /* variables, quantities, parameters: names */
  size_t n_inputs, n_outputs, n_parameters;
  double *values;   /* (n_parameters) */
  bool has_outputs; /* else they are the quantities of every run */
} model_fmu;

/* Made when it is asked for. */
typedef struct model_text {
  char *_Atomic json; /* NULL: not yet */
} model_text;

struct seam_model_file {
  arena memory; /* of the texts and lists */
  const char *name;
  arena nodes;            /* of the effective model */
  const yaml_node *root;  /* of it */
  model_text *text;       /* changes behind a file that is constant */
  struct lookup **tables; /* (n_tables) functions that laws call */
  size_t n_tables;
  struct given_function *given; /* (n_given) functions that the caller of the reader gives */
  size_t n_given;
  mbs_model *mechanism;
  mbs_model *whole;     /* with what the co-simulation brings; NULL: the mechanism */
  const char *no_whole; /* why it cannot be integrated as a whole; NULL: it can */
  unsigned *over_run;   /* of each measure; NULL: none */
  seam_simulation simulation;
  model_places places;
  model_shape *shapes;        /* (bodies) */
  struct fmu_subsystem *fmus; /* a list of those that subsystems are */
  cosim_builder *cosim;       /* NULL when the file has no such section */
  model_fmu fmu;
  bool has_start;         /* there is a section `start:` */
  const char *start_from; /* its earlier results; NULL: none */
  const char *reference;  /* the file of the whole; NULL: this one */
  bool assumes_step;      /* a system of FMUs without macro step and stepSize */
};

/* To the message of a run that ended with `status`: which table was asked for a value beyond its points, if that made a
 * number not finite. */
void model_file_name_table(const seam_model_file *file, seam_status status, seam_error *error);

#endif
