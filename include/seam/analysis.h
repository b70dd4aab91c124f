/** @file
 * Analysis of co-simulation: numerical stability, errors against the monolithic run, orders of convergence. Models and
 * states are only read: calls from different threads may share them, results and seam_linearised may not. Misuse: see
 * <seam/status.h>. */
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

/** The linear test model of constitutive coupling, two damped oscillators joined by a spring-damper that is cut: its
 * seven dimensionless parameters ([Li] eq. 3.31), for a macro step of 1. */
typedef struct seam_test_model {
  double lambda_r, lambda_i;              /* Λr1, Λi1: decay and frequency of the first mass */
  double alpha_m21, alpha_r21, alpha_i21; /* mass, decay and frequency of the second against the first */
  double alpha_rc1, alpha_ic1;            /* decay and frequency of the coupling against the first */
} seam_test_model;

typedef struct seam_stability_point {
  double rho;         /* largest modulus of the eigenvalues of the propagation matrix; stable when <= 1 */
  double uncertainty; /* estimated error of ρ through rounding, largest where eigenvalues coincide */
  size_t n_state;     /* order of the matrix: states of both subsystems and the history of the coupling variables */
} seam_stability_point;

/** Finds ρ for a scheme ("ff-k1", "fd-d-k2", "dd-k0-explicit") by pushing unit vectors of the full state through the
 * master that runs co-simulations; subsystems are integrated exactly. SEAM_BAD_INPUT for an impossible scheme or a
 * parameter that is not finite or a mass ratio that is not positive; SEAM_SINGULAR where the scheme is undefined. */
SEAM_PUBLIC seam_status seam_constitutive_stability(const seam_test_model *model, const char *scheme,
                                                    seam_stability_point *point, seam_error *error);

/** The same for constraint coupling: the oscillators are joined rigidly, x2 = x1, and the two parameters of the
 * coupling are not used (eq. 4.63). Schemes as "ff-baumgarte(mu=5)-k1", "fd-projection-k0", "ff-index2-k2". */
SEAM_PUBLIC seam_status seam_constraint_stability(const seam_test_model *model, const char *scheme,
                                                  seam_stability_point *point, seam_error *error);

/** The same two models by what they are made of: masses on springs and dampers, overdamped or without a spring if need
 * be, and how they start. */
typedef struct seam_oscillators {
  double m1, c1, d1; /* kg, N/m, Ns/m: the first mass against the ground */
  double m2, c2, d2; /* the second */
  double cc, dc;     /* between them, not used where they are joined rigidly */
  double x1, v1;     /* m, m/s, at the start; not used by stability */
  double x2, v2;
  double end; /* s, of a run */
} seam_oscillators;

/** ρ for a macro step H (s); as seam_constitutive_stability() or, where `rigid`, seam_constraint_stability().
 * SEAM_BAD_INPUT also for a mass or a macro step that is not positive. */
SEAM_PUBLIC seam_status seam_oscillators_stability(const seam_oscillators *model, bool rigid, const char *scheme,
                                                   double H, seam_stability_point *point, seam_error *error);

/** The linear test model of model-based correction, two oscillators (10 kg each; 1e6 N/m, 1 Ns/m and 1e7 N/m, 2 Ns/m
 * against the ground) joined by a spring-damper that is cut: the first gives its motion, the second the force
 * ([Haid] eq. 27). */
typedef struct seam_mbcorr_model {
  double stiffness, damping; /* c_k (N/m), d_k (Ns/m) of the coupling */
  double macro_step;         /* s */
} seam_mbcorr_model;

/** ρ of explicit co-simulation by Jacobi, inputs extrapolated by polynomials of order 0 to 4, through the exchange that
 * runs it. Schemes "hold0" to "hold4", and with the correction "hold0-corrected" to "hold4-corrected". SEAM_BAD_INPUT;
 * SEAM_SINGULAR where the correction is undefined. */
SEAM_PUBLIC seam_status seam_mbcorr_stability(const seam_mbcorr_model *model, const char *scheme,
                                              seam_stability_point *point, seam_error *error);

/** Normalised root mean square errors of the three outputs (eq. 33) over 0.3 s from 1e-3 m and 1 m/s of both masses,
 * with the exact past: against the exact solution from t = 0 on, and from the macro point before (eq. 31). Infinite for
 * a run that overflows. */
#define SEAM_MBCORR_END 0.3 /* s */

typedef struct seam_mbcorr_nrmse {
  double global, local;
} seam_mbcorr_nrmse;

SEAM_PUBLIC seam_status seam_mbcorr_errors(const seam_mbcorr_model *model, const char *scheme,
                                           seam_mbcorr_nrmse *errors, seam_error *error);

/** @} */

/** @defgroup seam_stops Events that end a run
 * @{ */

/** Returns true if some event of the model ends a run. */
SEAM_PUBLIC bool seam_has_stops(const mbs_model *model);

/** The event that ends the monolithic run from `start` (assembled) before `end` (s), where runs that are compared end;
 * event->number is SEAM_NONE and event->time the end where there is none. `interrupt` may be NULL. */
SEAM_PUBLIC seam_status seam_find_stop(const mbs_model *model, const mbs_state *start,
                                       const mbs_integrator_options *options, const seam_interrupt *interrupt,
                                       double end, mbs_event *event, seam_error *error);
/** @} */

/** @defgroup seam_modes Modes of a mechanism
 * @{ */

/** A motion δq = Re(shape e^(s t)) of the mechanism linearised about a state. */
typedef struct seam_mode {
  double s[2];               /* eigenvalue, 1/s: real part, imaginary part >= 0 (a conjugate pair is one mode) */
  double frequency;          /* |Im s| / 2π, Hz */
  double damping_ratio;      /* -Re s / |s|; 0 of a neutral mode */
  bool neutral;              /* s = 0 but for rounding: no force resists the motion nor drives it */
  const double *shape[2];    /* (3 n_bodies) real and imaginary part; its largest component is 1, see below */
  const double *states[2];   /* (mbs_n_states()) changes of the states of force elements and of variables in the mode;
                                those of a mode that moves no body are scaled by the largest of them */
  const double *measures[2]; /* (seam_measured_quantities()) changes of these quantities in the mode, by exact
                                derivatives; NULL: there are none. NaN about a state that moves, where a quantity has no
                                derivative, and of reactions where constraints are redundant */
} seam_mode;

typedef struct seam_modes {
  size_t n;
  seam_mode *mode;    /* (n) in the order of |s| */
  double *shapes;     /* theirs, in one block */
  double *amplitudes; /* of measures, likewise */
} seam_modes;

/** Shapes are scaled by the largest component, where radians count as the mechanism's size in m: the largest distance
 * of a joint from a centre of mass.
 *
 * Modes about a state with its a and lambda, as mbs_evaluate() or mbs_find_equilibrium() leave it. About a state that
 * moves or accelerates the coefficients are frozen; sampled variables stay. Free with seam_modes_destroy().
 * SEAM_NO_MEMORY, SEAM_NOT_FINITE, SEAM_SINGULAR. */
SEAM_PUBLIC seam_status seam_modes_create(const mbs_model *model, const mbs_state *state, seam_modes **created,
                                          seam_error *error);
SEAM_PUBLIC void seam_modes_destroy(seam_modes *modes);

/** Largest rate of growth Re s (1/s) of modes that are not neutral; 0 when none grows. Rates below 1e-9 |s| or 1e-12 of
 * the largest |s| are rounding. */
SEAM_PUBLIC double seam_modes_growth(const seam_modes *modes);

/** Growth of the linearised motion about an equilibrium, with all states: those of force elements, continuous and
 * sampled variables. */
typedef struct seam_rest_stability {
  double growth;    /**< 1/s, of the motion that grows fastest; 0: none grows */
  double frequency; /**< Hz, of that */
  bool is_found;    /**< false: sampled variables have several periods or stand beside hard contacts, or the model has
                       neither states nor laws of quantities, so that stiffness decides */
} seam_rest_stability;

/** `state` as mbs_find_equilibrium() leaves it. With sampled variables growth is that of the motion from sample to
 * sample; below 1e-6 a sample it is rounding. Without, it is seam_modes_growth(). Errors of seam_modes_create();
 * SEAM_NOT_CONVERGED. */
SEAM_PUBLIC seam_status seam_rest_stability_find(const mbs_model *model, const mbs_state *state,
                                                 seam_rest_stability *found, seam_error *error);
/** @} */

/** @defgroup seam_convergence Convergence of the linear test models
 * Normalised root mean square errors against the exact solution.
 * @{ */

#define SEAM_TEST_MODEL_END 0.5 /* s */

/** Fills the model as published ([Li] 3.2.3, 3.5.4, 4.5, 4.9): over 0.5 s from x1 = 1, v = 0 and x2 = 0 or, where
 * `rigid`, x2 = 1; c = 1000 N/m, d = 10 Ns/m everywhere, m1 = 1 kg, m2 = 1 kg under the original constitutive schemes,
 * else 2 kg. SEAM_BAD_INPUT: the scheme. */
SEAM_PUBLIC seam_status seam_oscillators_default(bool rigid, const char *scheme, seam_oscillators *model,
                                                 seam_error *error);

typedef struct seam_test_errors {
  double global_position, global_velocity; /* against the solution from t = 0 on (eq. 3.34) */
  double local_position, local_velocity;   /* against the solution from the macro point before (eq. 3.35) */
  double global_rounding, local_rounding;  /* errors below these are rounding */
  double global_force; /* of λ at macro points, as global_position; NaN: the scheme has none there */
} seam_test_errors;

/** One run with a macro step H that divides its end; of the published models, those below. `exact_history`: coupling
 * variables have their exact past; else the order is raised step by step. Errors of a run that overflows are infinite.
 * SEAM_BAD_INPUT: the scheme, or H. */
SEAM_PUBLIC seam_status seam_oscillators_errors(const seam_oscillators *model, bool rigid, const char *scheme,
                                                bool exact_history, double H, seam_test_errors *errors,
                                                seam_error *error);
SEAM_PUBLIC seam_status seam_constitutive_errors(const char *scheme, bool exact_history, double H,
                                                 seam_test_errors *errors, seam_error *error);
SEAM_PUBLIC seam_status seam_constraint_errors(const char *scheme, bool exact_history, double H,
                                               seam_test_errors *errors, seam_error *error);

/** Order of convergence: slope of log(error) over log(macro step) by least squares. */
typedef struct seam_order {
  size_t n;        /* errors in the fit */
  double slope;    /* NaN with fewer than three of them */
  double interval; /* the slope is certain to +- this with 95 % confidence, from how far the errors are off the line, by
                      Student's t; NaN with fewer than three */
} seam_order;

typedef struct seam_orders {
  seam_order all;
  seam_order fine; /* of the three smallest macro steps in the fit */
  double plateau;  /* errors up to it do not count: at the smallest macro steps they fall no more; 0: they do */
} seam_orders;

/** Macro steps (n) descend. Errors (n) not finite or not above their floor (n; NULL: zeros) are left out, and those of
 * a plateau: with a slope below 1/2 over the two or three smallest macro steps, all up to 3 times their largest. */
SEAM_PUBLIC seam_orders seam_orders_fit(const double *macro_steps, const double *errors, const double *floors,
                                        size_t n);
/** @} */

/** @defgroup seam_schemes Schemes of a mechanism
 * @{ */

typedef struct seam_scheme_name {
  char text[32];
} seam_scheme_name;

/** All schemes with one corrector and usual options, for constitutive or for constraint cuts, in the order of
 * decomposition, method, k. Writes at most `capacity` of them, returns how many there are. */
SEAM_PUBLIC size_t seam_scheme_names(bool at_constraint, seam_scheme_name *names, size_t capacity);

/** The words of a scheme's name, without options in brackets. */
typedef struct seam_scheme_words {
  const char *decomposition; /* "ff", "fd", "df" or "dd" */
  const char *method;        /* "" without one; "d", "index2", "colloc", ... */
  int order;                 /* k; of collocation s */
  const char *iteration;     /* "explicit", "semi", "update", "implicit" or "exchange" */
} seam_scheme_words;

/** SEAM_BAD_INPUT: it is not the name of a scheme. */
SEAM_PUBLIC seam_status seam_scheme_read(const char *name, seam_scheme_words *words, seam_error *error);

/** Checks that the co-simulation can be created, and started from an assembled state at t = 0 (NULL: it is not
 * started), with `scheme` in place of the scheme of its kind, or (NULL) with the builder's own schemes; macro steps are
 * of equal length. Failures are those of cosim_use_scheme(), cosim_create() and cosim_start(). */
SEAM_PUBLIC seam_status seam_scheme_check(const mbs_state *state, const cosim_builder *builder, const char *scheme,
                                          seam_error *error);
/** @} */

/** @defgroup seam_comparison Comparison with the monolithic run
 * @{ */

/** The monolithic run at the macro points H, 2H, ..., end; the last macro step is shorter where end/H is not whole. */
typedef struct seam_reference seam_reference;

/** Integrates the whole model from `start` (assembled) by the method of `options` at tolerances divided by 100 (fixed
 * steps: by erk), and times a plain run with the options themselves. `model` must outlive it. SEAM_BAD_INPUT for an end
 * or a macro step that is not positive; SEAM_WRONG: no integrator reaches half of the run; or what the plain run
 * returns. */
SEAM_PUBLIC seam_status seam_reference_create(const mbs_model *model, const mbs_state *start,
                                              const mbs_integrator_options *options, double macro_step, double end,
                                              const seam_interrupt *interrupt, seam_reference **created,
                                              seam_error *error);
/** A co-simulation in its place, with macro steps of at most `fine` that divide `macro_step`; `builder` outlives it. */
SEAM_PUBLIC seam_status seam_reference_of_run(const cosim_builder *builder, const mbs_state *start,
                                              const mbs_integrator_options *options, double fine, double macro_step,
                                              double end, const seam_interrupt *interrupt, seam_reference **created,
                                              seam_error *error);
SEAM_PUBLIC void seam_reference_destroy(seam_reference *reference);
/** CPU time of the plain run, s. */
SEAM_PUBLIC double seam_reference_cpu(const seam_reference *reference);
/** Options of the integrator that makes the reference run. */
SEAM_PUBLIC mbs_integrator_options seam_reference_options(const seam_reference *reference);

/** Factor by which its tolerances are tighter: 100; less where the run with that factor stops at a singular
 * configuration. */
SEAM_PUBLIC double seam_reference_tightness(const seam_reference *reference);

/** Agreement of a second run with the reference. */
typedef struct seam_agreement {
  double share;  /* largest difference over the travel of the quantity; NaN: there was no second run */
  double until;  /* s: errors are judged up to there */
  char why[320]; /* why not up to the end; "" */
} seam_agreement;

/** Confirms the reference before it judges, by a run of another family with other tolerances and another largest step.
 * Where both part, both are made again at tighter tolerances. SEAM_WRONG says why it is not believed; comparisons with
 * it then have no errors. `agreement` may be NULL. SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_reference_check(seam_reference *reference, const seam_interrupt *interrupt,
                                             seam_agreement *agreement, seam_error *error);

typedef struct seam_column_error {
  double nrmse;   /* NaN where the reference does not move by more than the tolerances */
  double largest; /* m, rad, m/s, rad/s; of measures in their units */
} seam_column_error;

/** All quantities of the model's measures in their order; `list` NULL: only their number. */
SEAM_PUBLIC size_t seam_measured_quantities(const mbs_model *model, mbs_quantity *list);

/** Sees a co-simulated run at its start and every macro point, t, while it is stable; may end it by its status. */
typedef struct seam_observer {
  seam_status (*see)(void *context, const cosim_simulation *simulation, double t, seam_error *error);
  void *context;
} seam_observer;

/** Outcome of a compared run. */
typedef enum seam_outcome {
  SEAM_RUN_FINISHED,
  SEAM_RUN_UNSTABLE,      /**< seam_growth_check() */
  SEAM_RUN_NOT_CONVERGED, /**< a corrector did not converge */
  SEAM_RUN_FAILED         /**< a subsystem or a step failed */
} seam_outcome;

/** One co-simulated run beside the reference, over its points: the macro points, no more than 10 000 of them. */
typedef struct seam_comparison {
  seam_outcome outcome;
  seam_word word;       /* of a finished run; not checked: beside a reference that is not confirmed */
  seam_deviation error; /* as a run has it */
  double tolerance;     /* of the control of macro steps; NaN: they are of equal length */
  double time;          /* reached, s */
  char why[1024];       /* of a run that did not finish; else "" */
  char limit[320];      /* why errors fall slower than by the order of the schemes: cut contacts and strands; else "" */
  double error_position, error_velocity; /* NRMSE over all bodies' (x, y, φ) and their rates (eq. 3.34) */
  double max_g, max_gd, max_gdd;         /* largest residuals of cut joints */
  double energy_drift; /* largest |total + dissipated - driven - its first value|, over the largest kinetic energy of
                          the monolithic run (J where that rests); NaN: it has more bodies, or is a co-simulation */
  size_t macro_steps;
  double cpu, cpu_monolithic;   /* s; of the co-simulation, and of the plain monolithic run */
  seam_column_error *columns;   /* x, y, phi of each body, then their rates, then seam_measured_quantities(); NULL where
                                   not judged */
  cosim_simulation *simulation; /* as the run left it */
} seam_comparison;

/** Runs the co-simulation with the reference's macro step instead of the options' or, where the builder has a step
 * control, under that; errors are then those of cosim_state_between() at the reference's points. A run
 * that becomes unstable is a result: the status is SEAM_OK. `interrupt` and `observer` may be NULL. Failures are those
 * of cosim_create() and cosim_start(), of the observer, SEAM_INTERRUPTED, and SEAM_NO_MEMORY. Free with
 * seam_comparison_destroy(). */
SEAM_PUBLIC seam_status seam_comparison_create(const seam_reference *reference, const cosim_builder *builder,
                                               const seam_interrupt *interrupt, const seam_observer *observer,
                                               seam_comparison **created, seam_error *error);
SEAM_PUBLIC void seam_comparison_destroy(seam_comparison *comparison);

/** "accurate", "rough", "wrong", "not judged"; "unstable", "not converged", "failed"; static. */
SEAM_PUBLIC const char *seam_comparison_text(const seam_comparison *comparison);
/** @} */

/** @defgroup seam_maps Maps: ρ over a grid of two parameters
 * @{ */

/** Stable is ρ <= 1 + 1e-10 ([Li] 3.2). Undecided: double precision cannot decide because of rounding, or
 * the scheme is undefined there (ρ is NaN). */
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
  bool is_geometric; /* equal ratios instead of equal distances: both ends are positive */
} seam_map_axis;

typedef struct seam_map {
  const char *model;  /* "constitutive": parameters lambda-r, lambda-i, alpha-m21, alpha-r21,
                         alpha-i21, alpha-rc1, alpha-ic1 of seam_test_model; "constraint": the
                         first five; "mbcorr": ck, dk, macro-step of seam_mbcorr_model; "oscillators" and
                         "rigid-oscillators": m1, c1, d1, m2, c2, d2, cc, dc of seam_oscillators, macro-step */
  const char *scheme; /* as in seam_constitutive_stability(), seam_constraint_stability(), seam_mbcorr_stability() */
  double value[SEAM_MAX_MAP_PARAMETERS]; /* of all parameters; those of the axes are not used */
  seam_map_axis x, y;
  int threads;     /* 0: one for each processor */
  double accuracy; /* of "mbcorr": limit of the global error of seam_mbcorr_errors(), which then stands in place of ρ in
                      multiples of it: accurate points are SEAM_STABLE; 0: stability */
} seam_map;

typedef struct seam_map_point {
  double x, y;
  seam_stability_point found;
  seam_verdict verdict;
} seam_map_point;

/** A map of a model with the defaults of its parameters (lambda 0, all ratios 1; macro-step 1e-4), over [-2, 0] x [0,
 * 10] of lambda-r and lambda-i (for mbcorr, geometric, over [1, 1e10] x [1, 1e7] of ck and dk) with 41 x 41 points, one
 * thread; the scheme is NULL. SEAM_BAD_INPUT lists the models. */
SEAM_PUBLIC seam_status seam_map_default(const char *model, seam_map *map, seam_error *error);

/** Index of a parameter by its name. SEAM_BAD_INPUT lists them. */
SEAM_PUBLIC seam_status seam_map_parameter(const char *model, const char *name, int *index, seam_error *error);
/** The name, NULL beyond the last; static storage. */
SEAM_PUBLIC const char *seam_map_parameter_name(const char *model, int index);

/** Called repeatedly, by the thread that called seam_stability_map(), with the number of points done; false stops. */
typedef bool seam_map_progress(void *data, size_t done);

/** Fills points (y.count rows of x.count). The result does not depend on the number of threads. `progress` may be NULL.
 * SEAM_BAD_INPUT for an impossible axis, scheme or value; SEAM_INTERRUPTED; SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_stability_map(const seam_map *map, seam_map_point *points, seam_map_progress *progress,
                                           void *data, seam_error *error);
/** @} */

/** @defgroup seam_linearised Stability of a mechanism
 * Every subsystem linearised about a state, in minimal coordinates, integrated exactly, and coupled by the master that
 * runs co-simulations, under the same schemes. Exact for small motions about an equilibrium; about a state that moves
 * or accelerates the coefficients are frozen. Where a joint other than revolute, fixed or motion of an angle is cut,
 * its direction is frozen too: the effect of its load on a turning direction is omitted.
 * @{ */

typedef struct seam_linearised seam_linearised;

/** SEAM_BAD_INPUT for a co-simulation with couplings of user equations or energy corrections, which are not linearised:
 * names one. */
SEAM_PUBLIC seam_status seam_linearised_check(const cosim_builder *builder, seam_error *error);

/** `state` has its a and lambda, as mbs_evaluate() or mbs_find_equilibrium() leave them. Failures are those of
 * cosim_create(). Macro step and integrator of the options are not used. */
SEAM_PUBLIC seam_status seam_linearised_create(const mbs_state *state, const cosim_builder *builder,
                                               seam_linearised **created, seam_error *error);
/** The same where the co-simulation has signals or user equations: about a state of `whole`, the mechanism with these
 * in it (seam_model_whole()), which must outlive it. User equations are linearised too, and signals extrapolated as in
 * a run; with sampled equations macro steps divide their period, and stable means that nothing grows at all.
 * SEAM_BAD_INPUT too for sampled variables of the mechanism itself, for several periods, and for user parts whose
 * derivatives are not known: names them. Errors are not predicted there. */
SEAM_PUBLIC seam_status seam_linearised_create_of(const mbs_model *whole, const mbs_state *state,
                                                  const cosim_builder *builder, seam_linearised **created,
                                                  seam_error *error);
SEAM_PUBLIC void seam_linearised_destroy(seam_linearised *self);

/** Largest rate of growth (1/s) of the linearised mechanism itself; 0 when no motion grows. */
SEAM_PUBLIC double seam_linearised_growth(const seam_linearised *self);

/** Stable: no motion grows faster than the mechanism's own. Undecided: eigenvalues lie so close to the limit that
 * rounding may have put them on either side, as it does with those of neutral motions. */
typedef struct seam_scheme_point {
  double macro_step; /* s */
  double rho;        /* spectral radius of the propagation matrix; NaN where the scheme is undefined: unstable */
  double uncertainty;
  seam_verdict verdict;
} seam_scheme_point;

/** ρ of one macro step H > 0. SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_linearised_stability(seam_linearised *self, double H, seam_scheme_point *point,
                                                  seam_error *error);

/** Error of the scheme on a motion that is known exactly, with the exact past: equal loads on all modes are taken away,
 * so that soft modes move most. Over one period of the slowest (where that does not oscillate: over 1/|s|), the largest
 * distance of the subsystems' coordinates from the exact ones in the norm of the masses, against the amplitude. NaN
 * when no mode has a stiffness, when the macro step is longer than that time, or below 1e-6 of it. SEAM_NO_MEMORY, or
 * what a macro step returns. */
SEAM_PUBLIC seam_status seam_linearised_error(seam_linearised *self, double H, double *relative, seam_error *error);

/** Macro steps under which a scheme is stable, or undecided. */
typedef struct seam_stable_interval {
  double from, to;    /* s; limits within the range are found to 1e-4 of themselves */
  bool has_undecided; /* some points are undecided */
} seam_stable_interval;

/** Examines `count` >= 2 macro steps from `from` to `to` in a geometric sequence (points, may be NULL) and between
 * those that differ, and where collocation may have bands of instability one per cent apart; writes at most `capacity`
 * intervals in ascending order, *n of them. Narrower ones may be missed. */
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
  bool is_stable, has_error; /* with some of the macro steps: it is not unstable; its error can be predicted */
  double macro_step, error; /* the largest macro step (s) up to which errors are at most the one that is wanted, at most
                               a tenth of the time that they are taken over, and its error; NaN: none */
  bool repeats;             /* macro steps, under a corrector */
  size_t n_unknowns;        /* that the master solves for in a macro step */
} seam_scheme_study;

/** Examines `count` >= 2 macro steps as seam_linearised_intervals() does: fills points (count) and errors (count), NaN
 * of macro steps that are unstable or whose seam_linearised_error() is NaN. `interrupt` (NULL: none) is called with
 * macro steps. SEAM_INTERRUPTED, SEAM_BAD_INPUT, SEAM_NO_MEMORY, or what a macro step returns. */
SEAM_PUBLIC seam_status seam_linearised_study(seam_linearised *self, double from, double to, size_t count,
                                              double wanted, const seam_interrupt *interrupt, seam_scheme_point *points,
                                              double *errors, seam_scheme_study *study, seam_error *error);

typedef enum seam_advice {
  SEAM_TAKE_SCHEME,     /* with its study's macro step */
  SEAM_STATE_MOVES,     /* none: the state moves or accelerates; errors are of small motions about an equilibrium */
  SEAM_DIRECTION_TURNS, /* none: the direction of a cut joint turns under load, which the linearisation leaves out */
  SEAM_NONE_STABLE,     /* no scheme is stable with any of the macro steps */
  SEAM_NO_PREDICTION,   /* no error can be predicted: see seam_linearised_error() */
  SEAM_NONE_ACCURATE    /* no scheme reaches the requested error */
} seam_advice;

typedef struct seam_recommendation {
  seam_advice advice;
  size_t scheme; /* number of the study; SEAM_NONE without a recommendation */
} seam_recommendation;

/** Recommends one of n schemes that were studied in a state: the one that is accurate enough with the largest macro
 * step; among equal ones the one with fewer unknowns, then the one with the smaller error. `turns`: the direction of a
 * cut joint turns under load there. */
SEAM_PUBLIC seam_recommendation seam_recommend(const mbs_model *model, const mbs_state *state, bool turns,
                                               const seam_scheme_study *studies, size_t n);
/** @} */

/** @defgroup seam_trial A macro step on a motion
 * A prediction for small motions need not hold for large ones: a run beside the monolithic run shows it.
 * @{ */

enum { SEAM_MAX_TRIALS = 8 };

typedef struct seam_trial_def {
  const mbs_model *model;
  const mbs_state *start; /* of the motion, assembled, at t = 0 */
  const mbs_integrator_options *integrator;
  const cosim_builder *builder;
  double macro_step, end;          /* s; at most 10000 macro steps are tried */
  double wanted;                   /* the largest error_position */
  double ratio;                    /* above 1: the longest macro step is looked for, to this ratio; 0: any will do */
  const seam_interrupt *interrupt; /* NULL: none */
} seam_trial_def;

typedef struct seam_trial {
  double end;               /* s, of what was tried */
  size_t n_runs;            /* macro steps that were tried, each shorter than the one before */
  double first_error;       /* with the macro step of the definition; NaN where that run failed */
  char why[1024];           /* reason why that run is not stable; "": it is */
  double macro_step, error; /* the first one that is stable and has no more than the wanted error; NaN: none */
  double last;              /* s, the last one that was tried */
  bool rests;               /* nothing moves: no error can be found */
} seam_trial;

/** Tries the macro step, and shorter ones until seam_comparison_create() finds the run stable and no less accurate than
 * wanted. SEAM_WRONG where the reference is not confirmed; failures of seam_reference_create() and
 * seam_comparison_create(). */
SEAM_PUBLIC seam_status seam_try_macro_step(const seam_trial_def *def, seam_trial *trial, seam_error *error);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
