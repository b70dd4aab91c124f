/* The cut element: a force element or joint between two parts, as a function of the motions of its two markers.
 *
 * A force element, also called constitutive, gives the wrench on side 1; a joint, or constraint, gives its residuals.
 * Coordinates 0, 1, 2 of a marker are its position (x, y) in global axes and the angle φ of its body. Components 0, 1,
 * 2 of the wrench are the force and the torque on side 1 about its marker. If n_forces is 4, component 3 is the
 * negative torque on side 2 about its own marker; else the torques on both sides are opposite. */
#ifndef COSIM_ELEMENT_H
#define COSIM_ELEMENT_H

#include <stdbool.h>

enum { COSIM_MAX_DIMS = 3, COSIM_MAX_FORCES = 4 };

/* Motion of a marker: coordinates x, their rates v and a, and their integrals p over the present macro step. */
typedef struct cosim_motion {
  double x[COSIM_MAX_DIMS], v[COSIM_MAX_DIMS], a[COSIM_MAX_DIMS], p[COSIM_MAX_DIMS];
} cosim_motion;

typedef struct cosim_element cosim_element;

/* Derivatives of a wrench or of residuals with respect to (x1, x2) or (v1, v2): a row for each component. */
typedef double cosim_gradient[COSIM_MAX_FORCES][2 * COSIM_MAX_DIMS];

typedef struct cosim_element_ops {
  /* Constitutive: W (4, unused components zero), and its derivatives. */
  void (*wrench)(const cosim_element *self, const cosim_motion m[2], double W[COSIM_MAX_FORCES]);
  void (*wrench_gradients)(const cosim_element *self, const cosim_motion m[2], cosim_gradient Wx, cosim_gradient Wv);
  /* Constraint: residuals g, their first and second rate (n_rows each) at time t. */
  void (*residuals)(const cosim_element *self, double t, const cosim_motion m[2], double *g, double *gd, double *gdd);
  /* J = ∂g/∂x and its rate (n_rows rows each): δg = J δx, δg' = J δv + J' δx. */
  void (*residual_gradients)(const cosim_element *self, const cosim_motion m[2], cosim_gradient J,
                             cosim_gradient J_rate);
  /* Changes of the residuals when the motions change by `change`. */
  void (*residual_derivatives)(const cosim_element *self, const cosim_motion m[2], const cosim_motion change[2],
                               double *g, double *gd, double *gdd);
  /* Wrench (4) of unit multipliers: W = map · μ, row by row (4 x n_rows). */
  void (*wrench_map)(const cosim_element *self, const cosim_motion m[2], double map[COSIM_MAX_FORCES][COSIM_MAX_DIMS]);
} cosim_element_ops;

/* First member of every element. */
struct cosim_element {
  const cosim_element_ops *ops;
  int n_dims, dim[COSIM_MAX_DIMS];       /* coordinates in use */
  int n_forces, force[COSIM_MAX_FORCES]; /* components of the wrench in use */
  bool is_affine; /* the wrench or the residuals are affine in the motions; a joint's residual r is then the difference
                     of coordinate dim[r] */
  bool has_kinks; /* constitutive: the law has jumps or kinks */
  bool switches;  /* the kinks separate states such as open and closed; macro steps end where the state changes */
  int n_rows;     /* number of scalar constraints; 0: constitutive element */
  double length, rate; /* scale of positions, m; scale of speeds divided by `length`, 1/s; unused if is_affine */
};

/* Linear spring-dampers in n_dims coordinates, W = c (x2 - x1) + d (v2 - v1); c and d (n_dims). */
typedef struct cosim_linear_element {
  cosim_element base;
  double stiffness[COSIM_MAX_DIMS], damping[COSIM_MAX_DIMS];
} cosim_linear_element;
cosim_linear_element cosim_linear_element_of(int n_dims, const double *stiffness, const double *damping);

/* The constraint x2 - x1 = 0 in n_dims coordinates. */
cosim_element cosim_joined_element_of(int n_dims);

/* ---- The wrench W(x, v) of a force element: its rate and changes for given motions of the markers ---- */

/* Adds G (u1, u2) to y (n). G is n x 6, row by row, such as Wx = ∂W/∂x or Wv = ∂W/∂v; u1 and u2 have 3 coordinates. */
void cosim_add_product(int n, const double *G, const double *u1, const double *u2, double *y);

/* Finds the change of W (4) along a change of the motions. */
void cosim_law_change(const double *Wx, const double *Wv, const cosim_motion change[2], double *W);

/* Find the rate W' = Wx v + Wv a of the motion m. cosim_rate_by_gradients() takes Wx and Wv, cosim_law_rate() evaluates
 * them at m. cosim_law_rate_change() finds the change of W' when m changes by `change`. */
void cosim_rate_by_gradients(const double *Wx, const double *Wv, const cosim_motion m[2], double *rate);
void cosim_law_rate(const cosim_element *element, const cosim_motion m[2], double *rate);
void cosim_law_rate_change(const cosim_element *element, const double *Wx, const double *Wv, const cosim_motion m[2],
                           const cosim_motion change[2], double *rate);

/* Returns true if Wx or Wv jumps between the motions a and b, so that W' jumps. Only the motion at which Wx and Wv are
 * evaluated varies from a to b; v and a in W' are those of motion b. */
bool cosim_law_rate_jumps(const cosim_element *element, const cosim_motion a[2], const cosim_motion b[2]);

/* ---- Wrenches that a joint cannot transmit: those orthogonal to the columns of its wrench map S(x) ---- */

/* Returns true if the element is a joint whose wrench has more components than the joint has scalar constraints. */
static inline bool cosim_has_untransmittable(const cosim_element *element) {
  return element->n_rows > 0 && element->n_forces > element->n_rows;
}

/* Finds n_forces - n_rows orthonormal rows that span the wrenches which the joint cannot transmit at the motion m. */
void cosim_untransmittable(const cosim_element *element, const cosim_motion m[2],
                           double rows[COSIM_MAX_FORCES][COSIM_MAX_FORCES]);

/* P = I - S (SᵀS)⁻¹ Sᵀ projects onto these wrenches. Finds P' W (4), the rate of P W at constant W (4), for markers at
 * m with the velocities rate[].v. */
void cosim_untransmittable_rate(const cosim_element *element, const cosim_motion m[2], const cosim_motion rate[2],
                                const double *W, double *change);

#endif
