/** @file
 * Analysis of co-simulation: numerical stability, errors against the monolithic run, orders of convergence. Functions
 * only read models and states, so threads may share these. Only one thread at a time may use a result or a
 * seam_linearised. Misuse: see <seam/status.h>. */
#ifndef SEAM_ANALYSIS_H
#define SEAM_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/cosim.h>
#include <seam/mbs.h>
#include <seam/measures.h>
#include <seam/status.h>
#include <seam/verdict.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup seam_test_models The linear test models
 * @{ */

/** Linear test model of constitutive coupling: two damped oscillators joined by a spring-damper, which is cut. Its
 * seven parameters are dimensionless ([Li] eq. 3.31): the macro step has the length 1. */
typedef struct seam_test_model {
  double lambda_r, lambda_i;              /* Λr1, Λi1: decay and frequency of the first mass */
  double alpha_m21, alpha_r21, alpha_i21; /* ratios of mass, decay, frequency: second mass over first */
  double alpha_rc1, alpha_ic1;            /* ratios of decay and frequency: coupling over first mass */
} seam_test_model;

typedef struct seam_stability_point {
  double rho;         /* spectral radius of the propagation matrix; stable: <= 1 */
  double uncertainty; /* estimated round-off error of ρ, largest where eigenvalues coincide */
  size_t n_state;     /* order of the matrix: states of both subsystems and stored past coupling variables */
} seam_stability_point;

/** Finds ρ (seam_stability_point) for a scheme ("ff-k1", "fd-d-k2", "dd-k0-explicit"). The master makes a macro step
 * from each unit vector of the full state; the results are the columns of the propagation matrix. Subsystems are
 * integrated exactly. SEAM_BAD_INPUT: an impossible scheme, a parameter that is not finite, a mass ratio that is not
 * positive; SEAM_SINGULAR: the scheme is undefined. */
SEAM_PUBLIC seam_status seam_constitutive_stability(const seam_test_model *model, const char *scheme,
                                                    seam_stability_point *point, seam_error *error);

/** Finds ρ for constraint coupling ([Li] eq. 4.63): the oscillators are joined rigidly, x2 = x1; alpha_rc1 and
 * alpha_ic1 are not used. Schemes: "ff-baumgarte(mu=5)-k1", "fd-projection-k0", "ff-index2-k2". Fails as
 * seam_constitutive_stability() does. */
SEAM_PUBLIC seam_status seam_constraint_stability(const seam_test_model *model, const char *scheme,
                                                  seam_stability_point *point, seam_error *error);

/** Both test models in physical units, with initial values; an oscillator may be overdamped or have no spring. */
typedef struct seam_oscillators {
  double m1, c1, d1; /* kg, N/m, Ns/m: first mass, its spring and damper to the ground */
  double m2, c2, d2; /* second mass, its spring and damper to the ground */
  double cc, dc;     /* spring and damper between the masses; not used if joined rigidly */
  double x1, v1;     /* m, m/s: start of the first mass; not used for stability */
  double x2, v2;
  double end; /* s, end of a run */
} seam_oscillators;

/** Finds ρ for a macro step H (s). A spring-damper or, if `rigid`, a rigid coupling joins the masses. Fails as
 * seam_constitutive_stability() does; SEAM_BAD_INPUT also for a mass or a macro step that is not positive. */
SEAM_PUBLIC seam_status seam_oscillators_stability(const seam_oscillators *model, bool rigid, const char *scheme,
                                                   double H, seam_stability_point *point, seam_error *error);

/** Linear test model of model-based correction ([Haid] eq. 27): two oscillators joined by a spring-damper, which is
 * cut. Each has 10 kg; the first has 1e6 N/m and 1 Ns/m to the ground, the second 1e7 N/m and 2 Ns/m. The first
 * subsystem outputs its motion, the second the force of the coupling. */
typedef struct seam_mbcorr_model {
  double stiffness, damping; /* c_k (N/m), d_k (Ns/m) of the coupling */
  double macro_step;         /* s */
} seam_mbcorr_model;

/** Finds ρ of explicit Jacobi co-simulation, in which the subsystems exchange their outputs as signals. Polynomials of
 * order 0 to 4 extrapolate the inputs. Schemes: "hold0" to "hold4", and with the correction "hold0-corrected" to
 * "hold4-corrected". SEAM_BAD_INPUT; SEAM_SINGULAR: the correction is undefined. */
SEAM_PUBLIC seam_status seam_mbcorr_stability(const seam_mbcorr_model *model, const char *scheme,
                                              seam_stability_point *point, seam_error *error);

/** Normalised root mean square errors ([Haid] eq. 33) of the first mass's position and velocity and of the force, over
 * 0.3 s. Both masses start at 1e-3 m with 1 m/s; past values are exact. Global: against the exact solution from t = 0.
 * Local: over one macro step from the run's own state ([Haid] eq. 31). Errors are infinite if the run overflows. */
#define SEAM_MBCORR_END 0.3 /* s */

typedef struct seam_mbcorr_nrmse {
  double global, local;
} seam_mbcorr_nrmse;

SEAM_PUBLIC seam_status seam_mbcorr_errors(const seam_mbcorr_model *model, const char *scheme,
                                           seam_mbcorr_nrmse *errors, seam_error *error);

/** @} */

/** @defgroup seam_stops Events that end a run
 * @{ */

/** Returns true if the model has an event that can end a run. */
SEAM_PUBLIC bool seam_has_stops(const mbs_model *model);

/** Finds the event that ends the monolithic run from `start` (assembled) before `end` (s). Runs that are compared with
 * this run should end at event->time. If no event ends the run, event->number is SEAM_NONE and event->time is `end`.
 * `interrupt` may be NULL. */
SEAM_PUBLIC seam_status seam_find_stop(const mbs_model *model, const mbs_state *start,
                                       const mbs_integrator_options *options, const seam_interrupt *interrupt,
                                       double end, mbs_event *event, seam_error *error);
/** @} */

/** @defgroup seam_modes Modes of a mechanism
 * @{ */

/** A motion δq = Re(shape e^(s t)) of the mechanism linearised about a state. */
typedef struct seam_mode {
  double s[2];             /* eigenvalue s, 1/s: real part; imaginary part >= 0, since a conjugate pair is one mode */
  double frequency;        /* |Im s| / 2π, Hz */
  double damping_ratio;    /* -Re s / |s|; 0 for a neutral mode */
  bool neutral;            /* s = 0 up to round-off: no force resists or drives the motion */
  const double *shape[2];  /* (3 n_bodies) real and imaginary part; largest component 1, see seam_modes_create() */
  const double *states[2]; /* (mbs_n_states()) changes of the states z; the largest is 1 in a mode that moves no body */
  const double *measures[2]; /* (one for each of seam_measured_quantities()) changes of the measures, by exact
                                derivatives; NULL: no measures. NaN: the linearised state is in motion, or the quantity
                                has no derivative or is a reaction of redundant constraints */
} seam_mode;

typedef struct seam_modes {
  size_t n;
  seam_mode *mode;    /* (n) modes in ascending order of |s| */
  double *shapes;     /* storage of shapes and states */
  double *amplitudes; /* storage of measures */
} seam_modes;

/** Finds the modes about a state whose a and lambda are evaluated, by mbs_evaluate() or mbs_find_equilibrium(). A shape
 * is divided by its largest component. Components that are angles are first multiplied by the mechanism's size: the
 * largest distance (m) of a joint from a centre of mass. If the state moves or accelerates, the coefficients of the
 * linearised equations are frozen at this state. Sampled variables stay constant. Free with seam_modes_destroy().
 * SEAM_NO_MEMORY, SEAM_NOT_FINITE, SEAM_SINGULAR. */
SEAM_PUBLIC seam_status seam_modes_create(const mbs_model *model, const mbs_state *state, seam_modes **created,
                                          seam_error *error);
SEAM_PUBLIC void seam_modes_destroy(seam_modes *modes);

/** Returns the largest growth rate Re s (1/s) of modes that are not neutral; 0: no mode grows. A rate counts as 0,
 * because it is round-off, below 1e-9 |s| or below 1e-12 of the largest |s| of all modes. NaN for NULL. */
SEAM_PUBLIC double seam_modes_growth(const seam_modes *modes);

/** Growth of the linearised motion about an equilibrium; it includes the states of force elements and all variables. */
typedef struct seam_equilibrium_stability {
  double growth;    /**< 1/s, largest growth rate; 0: no motion grows */
  double frequency; /**< Hz, frequency of that motion */
  double period;    /**< s, period of the samples from which growth is measured; 0: no variable is sampled */
  bool is_found;    /**< false: growth is not computed. Reasons: sampled variables have several periods; sampled
                       variables and hard contacts occur together; the mechanism has neither states nor laws of
                       quantities. In the last case its stiffness alone decides if a motion grows */
} seam_equilibrium_stability;

/** Finds the growth about `state`, a result of mbs_find_equilibrium(). With sampled variables growth is measured from
 * sample to sample; less than 1e-6 per sample is round-off and counts as 0. Without sampled variables growth is the
 * result of seam_modes_growth(). Fails as seam_modes_create() does, or with SEAM_NOT_CONVERGED. */
SEAM_PUBLIC seam_status seam_equilibrium_stability_find(const mbs_model *model, const mbs_state *state,
                                                        seam_equilibrium_stability *found, seam_error *error);
/** @} */

/** @defgroup seam_convergence Convergence of the linear test models
 * Normalised root mean square errors against the exact solution.
 * @{ */

#define SEAM_TEST_MODEL_END 0.5 /* s */

/** Fills the model as published ([Li] 3.2.3, 3.5.4, 4.5, 4.9): runs of 0.5 s from x1 = 1, v = 0 and x2 = 0 (`rigid`: x2
 * = 1); c = 1000 N/m and d = 10 Ns/m everywhere; m1 = 1 kg. m2 is 1 kg for schemes without a method in their names
 * ("ff-k1"), else 2 kg. SEAM_BAD_INPUT: the scheme is impossible. */
SEAM_PUBLIC seam_status seam_oscillators_default(bool rigid, const char *scheme, seam_oscillators *model,
                                                 seam_error *error);

typedef struct seam_test_errors {
  double global_position, global_velocity; /* against the solution from t = 0 on ([Li] eq. 3.34) */
  double local_position, local_velocity;   /* over one macro step from the run's own state ([Li] eq. 3.35) */
  double global_rounding, local_rounding;  /* estimated round-off: smaller errors are not significant */
  double global_force; /* error of λ at macro points, computed as global_position is; NaN: the scheme has no λ there */
} seam_test_errors;

/** Finds the errors of one run with a macro step H that divides model->end. `exact_history`: coupling variables have
 * exact past values; false: extrapolation begins with order 0. Errors are infinite if the run overflows.
 * SEAM_BAD_INPUT: an impossible scheme or H. seam_constitutive_errors() and seam_constraint_errors() use the models of
 * seam_oscillators_default(). */
SEAM_PUBLIC seam_status seam_oscillators_errors(const seam_oscillators *model, bool rigid, const char *scheme,
                                                bool exact_history, double H, seam_test_errors *errors,
                                                seam_error *error);
SEAM_PUBLIC seam_status seam_constitutive_errors(const char *scheme, bool exact_history, double H,
                                                 seam_test_errors *errors, seam_error *error);
SEAM_PUBLIC seam_status seam_constraint_errors(const char *scheme, bool exact_history, double H,
                                               seam_test_errors *errors, seam_error *error);

/** Order of convergence: slope of log(error) over log(macro step), fitted by least squares. */
typedef struct seam_order {
  size_t n;        /* number of errors in the fit */
  double slope;    /* NaN: fewer than three errors */
  double interval; /* half width of the slope's 95 % confidence interval, by Student's t; NaN: as for slope */
} seam_order;

typedef struct seam_orders {
  seam_order all;
  seam_order fine; /* fit of the three smallest macro steps of `all` */
  double plateau;  /* errors up to this value no longer fall with the macro step and are left out; 0: no plateau */
} seam_orders;

/** Fits n errors over descending macro steps. Errors count only if they are finite and exceed their `floors` (n; NULL:
 * all zero). If the slope over the last two or three of them is below 1/2, the errors have reached a plateau. Errors up
 * to 3 times the largest one of the plateau do not count either. */
SEAM_PUBLIC seam_orders seam_orders_fit(const double *macro_steps, const double *errors, const double *floors,
                                        size_t n);
/** @} */

/** @defgroup seam_schemes Schemes of a mechanism
 * @{ */

typedef struct seam_scheme_name {
  char text[32];
} seam_scheme_name;

/** Lists all schemes, for constitutive or for constraint couplings, without iteration and options in their names;
 * iteration and options then have their default values. Names are sorted by decomposition, method and k. Writes at most
 * `capacity` names; returns the number of schemes. */
SEAM_PUBLIC size_t seam_scheme_names(bool at_constraint, seam_scheme_name *names, size_t capacity);

/** The words of a scheme's name, without options in brackets. */
typedef struct seam_scheme_words {
  const char *decomposition; /* "ff", "fd", "df" or "dd" */
  const char *method;        /* "d", "index2", "colloc", ...; "": none */
  int order;                 /* k; collocation: degree s of the forces */
  const char *iteration;     /* "explicit", "semi", "update", "implicit" or "exchange" */
} seam_scheme_words;

/** Splits a scheme's name into its words. SEAM_BAD_INPUT: no such scheme. */
SEAM_PUBLIC seam_status seam_scheme_read(const char *name, seam_scheme_words *words, seam_error *error);

/** Checks that the co-simulation can be created, and started from an assembled state at t = 0 (NULL: not started).
 * `scheme` replaces the schemes of all couplings of its kind; NULL: they keep theirs. Step control and exact_history of
 * the builder are ignored. Failures are those of cosim_use_scheme(), cosim_create() and cosim_start(). */
SEAM_PUBLIC seam_status seam_scheme_check(const mbs_state *state, const cosim_builder *builder, const char *scheme,
                                          seam_error *error);
/** @} */

/** @defgroup seam_comparison Comparison with the monolithic run
 * @{ */

/** Monolithic run at the macro points H, 2H, ..., end; the last macro step is shorter if end/H is not an integer. */
typedef struct seam_reference seam_reference;

/** Integrates the uncut model from `start` (assembled) by the method of `options` (erk if they give a fixed step).
 * Tolerances are those of `options` divided by 100; rtol is at most 1e-7 (multistep methods: 1e-10), and at least
 * 1e-13. If the run stops at a singular configuration, tries looser tolerances. If it still ends early, tries two
 * other integrators. Also measures the CPU time of a plain run, by exactly these options and without results. `model`
 * must outlive the reference. SEAM_BAD_INPUT: an end or a macro step that is not positive; SEAM_WRONG: all three runs
 * end before the middle. Also failures of the plain run. */
SEAM_PUBLIC seam_status seam_reference_create(const mbs_model *model, const mbs_state *start,
                                              const mbs_integrator_options *options, double macro_step, double end,
                                              const seam_interrupt *interrupt, seam_reference **created,
                                              seam_error *error);
/** Creates a reference from a co-simulation. Its macro steps are at most `fine` (s) and divide `macro_step`. `builder`
 * must outlive the reference. */
SEAM_PUBLIC seam_status seam_reference_of_run(const cosim_builder *builder, const mbs_state *start,
                                              const mbs_integrator_options *options, double fine, double macro_step,
                                              double end, const seam_interrupt *interrupt, seam_reference **created,
                                              seam_error *error);
SEAM_PUBLIC void seam_reference_destroy(seam_reference *reference);
/** Returns the CPU time, s, of the plain run; if the reference is a co-simulation, of this co-simulation. */
SEAM_PUBLIC double seam_reference_cpu(const seam_reference *reference);
/** Returns the options of the reference run's integrator. */
SEAM_PUBLIC mbs_integrator_options seam_reference_options(const seam_reference *reference);

/** Returns rtol of the options, divided by that of the reference: usually 100. It is less if a run with the factor 100
 * stops at a singular configuration. It differs, too, if the reference has the least or largest rtol possible. */
SEAM_PUBLIC double seam_reference_tightness(const seam_reference *reference);

/** Agreement of a second run with the reference. */
typedef struct seam_agreement {
  double share;  /* largest difference of a quantity, over its travel (seam_deviation); NaN: no second run */
  double until;  /* s, time up to which errors are judged */
  char why[320]; /* why errors are not judged up to the end; "": they are */
} seam_agreement;

/** Confirms a monolithic reference by a second run with another integrator (family or order), other tolerances and
 * another largest step. Call it before comparisons. If the two runs differ, both are repeated at tighter tolerances.
 * The message of SEAM_WRONG states why the reference is not confirmed; comparisons with this reference then do not
 * judge errors. `agreement` may be NULL. SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_reference_check(seam_reference *reference, const seam_interrupt *interrupt,
                                             seam_agreement *agreement, seam_error *error);

typedef struct seam_column_error {
  double nrmse;   /* NaN: the reference moves by less than the tolerances */
  double largest; /* largest error, in m, rad, m/s or rad/s; for measures in their units */
} seam_column_error;

/** Lists all quantities of the model's measures in their order and returns their number; `list` may be NULL. */
SEAM_PUBLIC size_t seam_measured_quantities(const mbs_model *model, mbs_quantity *list);

/** Observer, called at the start and at every macro point t while the run is stable; a status other than SEAM_OK ends
 * the run. */
typedef struct seam_observer {
  seam_status (*see)(void *context, const cosim_simulation *simulation, double t, seam_error *error);
  void *context;
} seam_observer;

/** Outcome of a compared run. */
typedef enum seam_outcome {
  SEAM_RUN_FINISHED,
  SEAM_RUN_UNSTABLE,      /**< seam_growth_check() found the run unstable */
  SEAM_RUN_NOT_CONVERGED, /**< a corrector did not converge */
  SEAM_RUN_FAILED         /**< a subsystem or a step failed, or the model ends there, as where a piston meets its end */
} seam_outcome;

/** Comparison of a co-simulated run with the reference at the reference's points: at most 10 000 macro points. */
typedef struct seam_comparison {
  seam_outcome outcome;
  seam_status status;   /* SEAM_OK: the run finished; else the status of the macro step that failed */
  seam_word word;       /* verdict on a finished run; `not checked`: the reference is not confirmed */
  seam_deviation error; /* error of the run, as in its verdict */
  double tolerance;     /* tolerance of the step control; NaN: macro steps are of equal length */
  double time;          /* s, time that the run reached */
  char why[1024];       /* why the run did not finish; else "" */
  char limit[320];      /* why errors fall more slowly than the schemes' order: cut contacts and strands; else "" */
  double error_position, error_velocity; /* NRMSE over all bodies' (x, y, φ) and their rates ([Li] eq. 3.34) */
  double max_g, max_gd, max_gdd;         /* largest residuals of cut joints */
  double energy_drift; /* largest change of total + dissipated - driven since the start, divided by the largest kinetic
                          energy of the reference (if that is zero: the change itself, J); NaN: the reference has more
                          bodies than the cut mechanism, or is a co-simulation */
  size_t macro_steps;
  double cpu, cpu_monolithic;   /* s, CPU times of the co-simulation and of the plain monolithic run */
  seam_column_error *columns;   /* errors of x, y, phi of each body, of their rates, then of seam_measured_quantities();
                                   NULL: not judged */
  cosim_simulation *simulation; /* simulation at the run's last macro point */
} seam_comparison;

/** Runs the co-simulation with the reference's macro step. If the builder has a step control, it chooses the steps;
 * errors at the reference's points are then found by cosim_state_between(). A run that becomes unstable is a result:
 * the status is SEAM_OK. `interrupt` and `observer` may be NULL. Failures of cosim_create(), cosim_start() and the
 * observer; SEAM_INTERRUPTED, SEAM_NO_MEMORY. Free with seam_comparison_destroy(). */
SEAM_PUBLIC seam_status seam_comparison_create(const seam_reference *reference, const cosim_builder *builder,
                                               const seam_interrupt *interrupt, const seam_observer *observer,
                                               seam_comparison **created, seam_error *error);
SEAM_PUBLIC void seam_comparison_destroy(seam_comparison *comparison);

/** Returns static text. If the run finished, it is the verdict: "accurate", "rough", "wrong" or "not judged". Otherwise
 * it states how the run ended: "unstable", "not converged" or "failed". NULL: no comparison. */
SEAM_PUBLIC const char *seam_comparison_text(const seam_comparison *comparison);
/** @} */

/** @defgroup seam_maps Maps: ρ over a grid of two parameters
 * @{ */

/** Stable: ρ <= 1 + 1e-10 ([Li] 3.2). Undecided: within round-off of the limit, or the scheme is undefined (ρ NaN). */
typedef enum seam_verdict { SEAM_STABLE, SEAM_UNSTABLE, SEAM_UNDECIDED } seam_verdict;

SEAM_PUBLIC seam_verdict seam_stability_verdict(const seam_stability_point *point);

/** "stable", "unstable", "undecided"; static storage. */
SEAM_PUBLIC const char *seam_verdict_text(seam_verdict verdict);

enum { SEAM_MAX_MAP_PARAMETERS = 12 };

/** `count` values from `from` to `to`, both included; count >= 2. */
typedef struct seam_map_axis {
  int parameter; /* index of seam_map_parameter() */
  double from, to;
  size_t count;
  bool is_geometric; /* equal ratios instead of equal distances; both ends must be positive */
} seam_map_axis;

typedef struct seam_map {
  const char *model;  /* "constitutive": parameters lambda-r, lambda-i, alpha-m21, alpha-r21,
                         alpha-i21, alpha-rc1, alpha-ic1 of seam_test_model; "constraint": the
                         first five; "mbcorr": ck, dk, macro-step of seam_mbcorr_model; "oscillators" and
                         "rigid-oscillators": m1, c1, d1, m2, c2, d2, cc, dc of seam_oscillators, macro-step */
  const char *scheme; /* as in seam_constitutive_stability(), seam_constraint_stability(), seam_mbcorr_stability() */
  double value[SEAM_MAX_MAP_PARAMETERS]; /* value of each parameter; not used for those of the axes */
  seam_map_axis x, y;
  int threads;     /* 0: one per processor */
  double accuracy; /* "mbcorr": limit of the global error of seam_mbcorr_errors(). The error divided by this limit
                      replaces ρ, so that points with an error up to the limit are SEAM_STABLE. 0: the map shows
                      stability */
} seam_map;

typedef struct seam_map_point {
  double x, y;
  seam_stability_point found;
  seam_verdict verdict;
} seam_map_point;

/** Fills a map of a model: 41 x 41 points, one thread, scheme NULL. The axes depend on the model:
 *   constitutive, constraint         lambda-r over [-2, 0], lambda-i over [0, 10]; all ratios are 1
 *   mbcorr                           geometric: ck over [1, 1e10], dk over [1, 1e7]; macro-step is 1e-4
 *   oscillators, rigid-oscillators   geometric: macro-step over [1e-3, 1], cc (rigid: c1) over [1, 1e6]
 * Other constants of the oscillators are those of [Li] 3.5.4. The message of SEAM_BAD_INPUT lists the models. */
SEAM_PUBLIC seam_status seam_map_default(const char *model, seam_map *map, seam_error *error);

/** Finds the index of a parameter. The message of SEAM_BAD_INPUT lists the names. */
SEAM_PUBLIC seam_status seam_map_parameter(const char *model, const char *name, int *index, seam_error *error);
/** Returns a parameter's name, NULL beyond the last; static storage. */
SEAM_PUBLIC const char *seam_map_parameter_name(const char *model, int index);

/** Finds ρ of map->model under map->scheme with the values map->value; axes and accuracy are not used. Fails as the
 * function of the model does, such as seam_oscillators_stability(). */
SEAM_PUBLIC seam_status seam_map_stability(const seam_map *map, seam_stability_point *point, seam_error *error);

/** Called repeatedly, in the thread of seam_stability_map(), with the number of points done; false ends the map. */
typedef bool seam_map_progress(void *data, size_t done);

/** Fills `points` (y.count rows of x.count points). The result does not depend on the number of threads. `progress`
 * may be NULL. SEAM_BAD_INPUT: an impossible axis, scheme or value; SEAM_INTERRUPTED; SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_stability_map(const seam_map *map, seam_map_point *points, seam_map_progress *progress,
                                           void *data, seam_error *error);
/** @} */

/** @defgroup seam_linearised Stability of a mechanism
 * Every subsystem is linearised about a state, in minimal coordinates, and integrated exactly. The master of the
 * co-simulation couples the subsystems by the builder's schemes. The result is exact for small motions about an
 * equilibrium. If the state moves or accelerates, the coefficients are frozen at this state. The direction of a cut
 * joint's load is also frozen. This is exact for revolute and fixed joints and motions of an angle, and an
 * approximation for others.
 * @{ */

typedef struct seam_linearised seam_linearised;

/** Returns SEAM_BAD_INPUT for energy corrections and for couplings of user equations, which cannot be linearised. */
SEAM_PUBLIC seam_status seam_linearised_check(const cosim_builder *builder, seam_error *error);

/** Linearises about `state`, whose a and lambda are evaluated, by mbs_evaluate() or mbs_find_equilibrium(). Failures of
 * cosim_create(). Macro step and integrator of the options are not used. */
SEAM_PUBLIC seam_status seam_linearised_create(const mbs_state *state, const cosim_builder *builder,
                                               seam_linearised **created, seam_error *error);
/** Linearises a co-simulation with signals or user equations about a state of `whole`. This is the monolithic model
 * that contains them (seam_model_whole()). `whole` must outlive the result. User equations are linearised; signals are
 * extrapolated as in a run. With sampled equations, macro steps must divide the sample period, and errors are not
 * predicted; a scheme is then stable only if no motion grows at all. SEAM_BAD_INPUT also: sampled variables in the
 * mechanism itself, several sample periods, user parts without derivatives. */
SEAM_PUBLIC seam_status seam_linearised_create_of(const mbs_model *whole, const mbs_state *state,
                                                  const cosim_builder *builder, seam_linearised **created,
                                                  seam_error *error);
SEAM_PUBLIC void seam_linearised_destroy(seam_linearised *self);

/** Returns the largest growth rate (1/s) of the uncut linearised mechanism; 0: no motion grows. */
SEAM_PUBLIC double seam_linearised_growth(const seam_linearised *self);

/** Stability of a scheme with one macro step. Stable: no motion grows at more than 1.05 times the uncut mechanism's
 * rate. Undecided: an eigenvalue is within round-off of the limit, as for motions that no force resists or drives. */
typedef struct seam_scheme_point {
  double macro_step; /* s */
  double rho;        /* spectral radius of the propagation matrix; NaN: the scheme is undefined, hence unstable */
  double uncertainty;
  seam_verdict verdict;
} seam_scheme_point;

/** Finds ρ and the verdict for a macro step H > 0. SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_linearised_stability(seam_linearised *self, double H, seam_scheme_point *point,
                                                  seam_error *error);

/** Predicts the error of the scheme in a motion after a deflection. Until t = 0, loads of equal size act on all modes
 * and deflect the mechanism, soft modes most. At t = 0 the loads end; past values are exact. *relative is the largest
 * distance of the subsystems' coordinates from the exact ones, in the mass norm, divided by the amplitude of the
 * motion. The distance is taken over a time T: one period of the slowest mode, or 1/|s| if this mode does not
 * oscillate (s: eigenvalue). NaN: no mode has a stiffness, or the macro step is longer than T or below 1e-6 T.
 * SEAM_NO_MEMORY, failures of a macro step. */
SEAM_PUBLIC seam_status seam_linearised_error(seam_linearised *self, double H, double *relative, seam_error *error);

/** Interval of macro steps with which a scheme is stable or undecided. */
typedef struct seam_stable_interval {
  double from, to;    /* s; limits inside the examined range have a relative accuracy of 1e-4 */
  bool has_undecided; /* some points are undecided */
} seam_stable_interval;

/** Examines `count` >= 2 macro steps, in a geometric sequence from `from` to `to`. Fills `points` (count; may be NULL).
 * Between neighbours with different verdicts it locates the limit. Where collocation may have bands of instability, it
 * also examines steps 1 % apart. Writes *n intervals in ascending order, at most `capacity`. An interval that lies
 * between two examined macro steps may be missed. */
SEAM_PUBLIC seam_status seam_linearised_intervals(seam_linearised *self, double from, double to, size_t count,
                                                  seam_scheme_point *points, seam_stable_interval *intervals,
                                                  size_t capacity, size_t *n, seam_error *error);
/** @} */

/** @defgroup seam_study Choice of scheme and macro step
 * @{ */

enum { SEAM_MAX_STABLE_INTERVALS = 16 };

/** Stability and error of a scheme over a range of macro steps. */
typedef struct seam_scheme_study {
  size_t n_intervals;
  seam_stable_interval interval[SEAM_MAX_STABLE_INTERVALS]; /* (n_intervals) ascending */
  bool is_stable, has_error; /* at least one macro step is not unstable; at least one error can be predicted */
  double macro_step, error;  /* macro_step: s, largest examined macro step that is accurate: its error and those of all
                                smaller ones are at most `wanted`. It is at most a tenth of the time over which errors
                                are measured. error: its error. NaN: no macro step is accurate enough */
  bool repeats;              /* the scheme has a corrector that repeats macro steps */
  size_t n_unknowns;         /* unknowns that the master solves for in a macro step */
} seam_scheme_study;

/** Examines `count` >= 2 macro steps and finds the intervals of seam_linearised_intervals(). Fills points (count) and
 * errors (count; NaN: unstable, or seam_linearised_error() is NaN). `wanted`: largest accepted error, for
 * study->macro_step. `interrupt` (NULL: none) is called with the macro step in place of the time. SEAM_INTERRUPTED,
 * SEAM_BAD_INPUT, SEAM_NO_MEMORY, failures of a macro step. */
SEAM_PUBLIC seam_status seam_linearised_study(seam_linearised *self, double from, double to, size_t count,
                                              double wanted, const seam_interrupt *interrupt, seam_scheme_point *points,
                                              double *errors, seam_scheme_study *study, seam_error *error);

typedef enum seam_advice {
  SEAM_TAKE_SCHEME,     /* the scheme is recommended, with its study's macro step */
  SEAM_STATE_MOVES,     /* no scheme: the state moves or accelerates, but predictions need an equilibrium */
  SEAM_DIRECTION_TURNS, /* no scheme: the direction of a cut joint rotates under load, which the linearisation omits */
  SEAM_NONE_STABLE,     /* no scheme is stable with any of the macro steps */
  SEAM_NO_PREDICTION,   /* no error can be predicted: see seam_linearised_error() */
  SEAM_NONE_ACCURATE    /* no scheme reaches the requested error */
} seam_advice;

typedef struct seam_recommendation {
  seam_advice advice;
  size_t scheme; /* index of the study of the recommended scheme; SEAM_NONE: no scheme is recommended */
} seam_recommendation;

/** Recommends a scheme among the schemes of n studies about a state: the scheme with the largest macro_step (not NaN).
 * Among equal macro steps, recommends the scheme with fewest unknowns. If unknowns are also equal, prefers a scheme
 * without repeated steps, then the smallest error. `turns`: see SEAM_DIRECTION_TURNS. */
SEAM_PUBLIC seam_recommendation seam_recommend(const mbs_model *model, const mbs_state *state, bool turns,
                                               const seam_scheme_study *studies, size_t n);
/** @} */

/** @defgroup seam_trial A macro step on a motion
 * A prediction for small motions need not hold for large ones. A trial runs the full motion and compares it with the
 * monolithic run.
 * @{ */

enum { SEAM_MAX_TRIALS = 8 };

typedef struct seam_trial_def {
  const mbs_model *model;
  const mbs_state *start; /* assembled start of the motion, t = 0 */
  const mbs_integrator_options *integrator;
  const cosim_builder *builder;
  double macro_step, end; /* s, first macro step to try, and end of the motion; the runs end after 10000 of these macro
                             steps at the latest */
  double wanted;          /* largest accepted error_position */
  double ratio; /* 0: the first accurate macro step is the result. Above 1: longer macro steps are tried, too, until an
                   inaccurate one is at most `ratio` times as long as an accurate one */
  const seam_interrupt *interrupt; /* NULL: none */
} seam_trial_def;

typedef struct seam_trial {
  double end;               /* s, end of the tried runs */
  size_t n_runs;            /* macro steps tried until one was accurate, without longer ones that were tried later */
  double first_error;       /* error with the macro step of the definition; NaN: that run failed */
  char why[1024];           /* why that run is not stable; "": it is stable */
  double macro_step, error; /* macro_step: s, first (with `ratio`: longest) macro step with at most the wanted error.
                               error: its error. NaN: no macro step has at most the wanted error */
  double last;              /* s, last of the n_runs macro steps */
  bool rests;               /* no body moves: no error can be found */
} seam_trial;

/** Tries the macro step, then shorter ones, at most SEAM_MAX_TRIALS in all. Ends when seam_comparison_create() finds a
 * stable run with at most the wanted error. SEAM_WRONG: the reference is not confirmed; failures of
 * seam_reference_create() and seam_comparison_create(). */
SEAM_PUBLIC seam_status seam_try_macro_step(const seam_trial_def *def, seam_trial *trial, seam_error *error);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
