#include "app/schemes.h"

#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>

#include "app/failure.h"
#include "base/then.h"

static bool is_listed(const app_schemes *result, const char *name, size_t length) {
  size_t i = 0;
  while (i < result->n && (strlen(result->names[i]) != length || strncmp(result->names[i], name, length) != 0))
    i++;
  return i < result->n;
}

/* Adds a name unless it is there. */
static seam_status add(app_schemes *result, const char *name, size_t length, seam_error *error) {
  enum { MIN_WIDTH = 6 }; /* smallest width of the column of schemes, characters */
  if (is_listed(result, name, length))
    return SEAM_OK;
  char **names = realloc(result->names, (result->n + 1) * sizeof *names);
  if (names != NULL)
    result->names = names;
  char *copy = strndup(name, length);
  if (names == NULL || copy == NULL) {
    free(copy);
    return out_of_memory(error);
  }
  result->names[result->n++] = copy;
  result->width = (int)length > result->width ? (int)length : result->width;
  result->width = result->width > MIN_WIDTH ? result->width : MIN_WIDTH;
  return SEAM_OK;
}

seam_status schemes_split(const char *list, app_schemes *result, seam_error *error) {
  for (;; list++) {
    int depth = 0;
    size_t item_length = 0; /* up to a comma outside brackets, or to the end */
    list += strspn(list, " ");
    for (; list[item_length] != '\0' && !(list[item_length] == ',' && depth == 0); item_length++)
      depth += (list[item_length] == '(') - (list[item_length] == ')');
    size_t length = item_length;
    while (length > 0 && list[length - 1] == ' ')
      length--;
    if (length == 0)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: a scheme is missing in the list; write names separated by commas, such as ff-k1,ff-d-k2");
    const seam_status status = add(result, list, length, error);
    list += item_length;
    if (status != SEAM_OK || *list == '\0')
      return status;
  }
}

seam_status schemes_add_all(bool at_constraint, app_schemes *result, seam_error *error) {
  seam_scheme_name names[64];
  const size_t n = seam_scheme_names(at_constraint, names, sizeof names / sizeof *names);
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    status = add(result, names[i].text, strlen(names[i].text), error);
  return status;
}

seam_status schemes_prefix_option(const char *option, seam_status status, seam_error *error) {
  if (status != SEAM_BAD_INPUT)
    return status;
  const seam_error cause = *error;
  return seam_fail(error, status, "%s: error: %.980s", option, cause.message);
}

const char *schemes_name_of_file(const app_setup *setup) {
  const cosim_builder *builder = seam_model_cosim(setup->file);
  const cosim_options options = cosim_builder_definition(builder)->options;
  const bool forces = cosim_has_couplings(builder, false);
  const bool joints = cosim_has_couplings(builder, true);
  const char *only = forces ? options.constitutive_scheme : options.constraint_scheme;
  if (!forces && !joints && cosim_builder_definition(builder)->n_part_couplings == 0)
    return "exchange"; /* the subsystems exchange signals only */
  return (forces && joints) || cosim_builder_definition(builder)->n_coupling_options > 0 || only == NULL ? "file"
                                                                                                         : only;
}

char *schemes_folder(const char *scheme) {
  char *folder = malloc(strlen(scheme) + 1);
  char *at = folder;
  for (; folder != NULL && *scheme != '\0'; scheme++)
    if (*scheme == '(' || *scheme == ',')
      *at++ = '-';
    else if (*scheme != '=' && *scheme != ')' && *scheme != ' ')
      *at++ = *scheme;
  if (folder != NULL)
    *at = '\0';
  return folder;
}

seam_status schemes_use(const app_schemes *schemes, size_t i, const app_setup *setup, bool may_control,
                        cosim_builder **created, seam_error *error) {
  seam_status status = cosim_builder_copy(seam_model_cosim(setup->file), created, error);
  if (status == SEAM_OK && !schemes->from_file)
    status = cosim_use_scheme(*created, schemes->names[i], error);
  if (status != SEAM_OK || (may_control && schemes_may_choose_steps(setup) && cosim_builder_collocates(*created)))
    return status;
  return cosim_set_step_control(*created, NULL, error);
}

bool schemes_may_choose_steps(const app_setup *setup) {
  const char *key = seam_model_left_to_collocation(setup->file);
  return key != NULL && strcmp(key, "macro_step") == 0;
}

void schemes_note_control(const app_setup *setup, bool quiet) {
  if (cosim_builder_definition(seam_model_cosim(setup->file))->step_control != NULL && !quiet)
    fputs("note: 'step_control' of the file is not used, because this command takes macro steps of equal length\n",
          stderr);
}

bool schemes_cut_both_kinds(const app_setup *setup) {
  const cosim_builder *builder = seam_model_cosim(setup->file);
  return cosim_has_couplings(builder, false) && cosim_has_couplings(builder, true);
}

/* Checks that the co-simulation starts with scheme i. The scheme is for one kind of couplings, force elements or
 * joints; that of the file for the other kind may not fit. If schemes are only listed, a failed check is therefore
 * repeated with default schemes for both kinds. */
static seam_status check(const app_schemes *schemes, size_t i, const app_setup *setup, seam_error *error) {
  const cosim_builder *file_builder = seam_model_cosim(setup->file);
  const char *scheme = schemes->from_file ? NULL : schemes->names[i];
  /* The state of a monolithic model has equations too: the co-simulation cannot start from it. */
  const mbs_state *state = setup->model == seam_model_mechanism(setup->file) ? setup->state : NULL;
  seam_status status = seam_scheme_check(state, file_builder, scheme, error);
  if (status != SEAM_BAD_INPUT || !schemes->for_listing || !schemes_cut_both_kinds(setup))
    return status;
  cosim_builder *builder = NULL;
  status = cosim_builder_copy(file_builder, &builder, error);
  THEN(status, cosim_use_scheme(builder, "ff-k1", error));
  THEN(status, cosim_use_scheme(builder, "ff-index2-k1", error));
  THEN(status, seam_scheme_check(state, builder, scheme, error));
  cosim_builder_destroy(builder);
  return status;
}

/* A scheme of the list "all" becomes explicit if it fits only so, as beside a subsystem that cannot repeat macro steps.
 * Then *error says why it does not fit as it was. */
static seam_status check_or_make_explicit(app_schemes *schemes, size_t i, const app_setup *setup, seam_error *error) {
  const seam_status status = check(schemes, i, setup, error);
  char *const given = schemes->names[i];
  char *name = status == SEAM_BAD_INPUT && schemes->is_all ? malloc(strlen(given) + sizeof "-explicit") : NULL;
  if (name == NULL)
    return status;
  const int length = sprintf(name, "%s-explicit", given);
  schemes->names[i] = name;
  const bool fits = check(schemes, i, setup, &(seam_error){0}) == SEAM_OK;
  schemes->names[i] = fits ? name : given;
  schemes->width = fits && length > schemes->width ? length : schemes->width;
  free(fits ? given : name);
  return fits ? SEAM_OK : status;
}

/* Returns true if two reasons differ in names of schemes only. */
static bool is_same_reason(const char *a, const char *b) {
  static const char after_word[] = " ':;,()";
  for (;; a++, b++) {
    const size_t n = strcspn(a, after_word), n_b = strcspn(b, after_word);
    const bool are_names =
        n > 3 && n_b > 3 && strspn(a, "fd") == 2 && strspn(b, "fd") == 2 && a[2] == '-' && b[2] == '-';
    if (!are_names && (n != n_b || strncmp(a, b, n) != 0))
      return false;
    a += n;
    b += n_b;
    if (*a != *b || *a == '\0')
      return *a == *b;
  }
}

/* Different reasons why schemes do not fit. Further ones are left out. */
typedef struct reasons {
  seam_error of[8];
  size_t n;
} reasons;

static void note_reason(reasons *known, const seam_error *failure) {
  size_t i = 0;
  while (i < known->n && !is_same_reason(known->of[i].message, failure->message))
    i++;
  if (i == known->n && i < sizeof known->of / sizeof *known->of)
    known->of[known->n++] = *failure;
}

/* Finds schemes with which the co-simulation cannot start. Fails or, if the list is "all", removes them and prints
 * their names, with the reasons. */
static seam_status remove_impossible(const app_setup *setup, bool quiet, app_schemes *result, seam_error *error) {
  size_t n_possible = 0, n_explicit = 0;
  const size_t n = result->n;
  reasons why = {.n = 0};
  for (size_t i = 0; i < n; i++) {
    seam_error failure = {0};
    if (check_or_make_explicit(result, i, setup, &failure) == SEAM_OK) {
      char *name = result->names[i];
      memmove(result->names + n_possible + 1, result->names + n_possible, (i - n_possible) * sizeof *result->names);
      result->names[n_possible++] = name;
      n_explicit += failure.status != SEAM_OK;
    } else if (!result->is_all || failure.status == SEAM_NO_MEMORY) {
      *error = failure;
      if (!result->from_file)
        return schemes_prefix_option("--schemes", error->status, error);
      seam_model_place(setup->file, error);
      return error->status;
    }
    if (failure.status != SEAM_OK)
      note_reason(&why, &failure);
  }
  if (why.n > 0 && !quiet) {
    for (size_t i = n_possible; i < n; i++)
      fprintf(stderr, "%s%s", i == n_possible ? "note: schemes that do not fit this model: " : ", ", result->names[i]);
    if (n_explicit > 0)
      fprintf(stderr, "%s%zu fit as explicit ones only", n_possible < n ? "; " : "note: of the schemes ", n_explicit);
    for (size_t i = 0; i < why.n; i++)
      fprintf(stderr, "%s%s\n", i == 0 ? "; " : "note: ", why.of[i].message);
  }
  while (result->n > n_possible)
    free(result->names[--result->n]);
  return n_possible > 0 ? SEAM_OK
                        : seam_fail(error, SEAM_BAD_INPUT, "seam: no scheme fits the couplings of this model; %.900s",
                                    why.of[0].message);
}

static seam_status read(const char *list, const app_setup *setup, bool quiet, app_schemes *result, seam_error *error) {
  const cosim_builder *builder = setup_cosim(setup, error);
  if (builder == NULL)
    return SEAM_BAD_INPUT;
  seam_status status = SEAM_OK;
  result->from_file = list == NULL;
  result->is_all = list != NULL && strcmp(list, "all") == 0;
  if (result->from_file) {
    const char *name = schemes_name_of_file(setup);
    status = add(result, name, strlen(name), error);
  } else if (!result->is_all)
    status = schemes_split(list, result, error);
  for (int kind = 0; kind < 2 && result->is_all && status == SEAM_OK; kind++)
    if (cosim_has_couplings(builder, kind == 1))
      status = schemes_add_all(kind == 1, result, error);
  if (status == SEAM_OK && result->is_all && result->n == 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: no coupling of this model takes another scheme: its subsystems exchange only signals, or "
                     "its couplings have schemes in the file; leave out --schemes");
  if (status == SEAM_OK && list != NULL && result->n > 1 && is_listed(result, "all", 3))
    status = seam_fail(error, SEAM_BAD_INPUT,
                       "seam: 'all' cannot be combined with names; write --schemes all, or names alone");
  return status == SEAM_OK ? remove_impossible(setup, quiet, result, error) : status;
}

seam_status schemes_read(const char *list, const app_setup *setup, bool quiet, app_schemes *result, seam_error *error) {
  *result = (app_schemes){0};
  return read(list, setup, quiet, result, error);
}

seam_status schemes_list_fitting(const app_setup *setup, app_schemes *result, seam_error *error) {
  *result = (app_schemes){.for_listing = true};
  return read("all", setup, true, result, error);
}

void schemes_free(app_schemes *result) {
  for (size_t i = 0; i < result->n; i++)
    free(result->names[i]);
  free(result->names);
}
