/* A mechanism, a subsystem of it with ports, and the inputs of those ports in the motion of the whole. A failure here
 * fails the test. */
#ifndef TESTS_SUPPORT_SUBSYSTEM_FIXTURE_H
#define TESTS_SUPPORT_SUBSYSTEM_FIXTURE_H

#include "cosim/parts/multibody_part.h"
#include "cosim/schemes/element.h"
#include "tests/support/mechanisms.h"

enum { MAX_CUT_BODIES = 8, MAX_PORTS = 4, MAX_INPUTS = 24, MAX_OUTPUTS = 64 };

typedef struct subsystem_fixture {
  mechanism whole; /* assembled */
  bool keep[MAX_CUT_BODIES];
  mbs_port_def ports[MAX_PORTS];
  int n_ports;
  cosim_part *part; /* started at whole.state */
} subsystem_fixture;

/* Consumes the mechanism; the part holds the named bodies (ended by NULL) and gets a port at every element between one
 * of them and another body, in the order joints, forces; drives (n_ports) says how. `options` NULL: erk of order 8 with
 * the fixed step `step`. */
subsystem_fixture cut(mechanism whole, const char *const *bodies, const mbs_port_kind *drives, bool integrals,
                      double step, const mbs_integrator_options *options);
void subsystem_fixture_free(subsystem_fixture *c);

/* Motion of an element's marker on side 0 or 1, in a state of the whole after mbs_evaluate(). */
cosim_motion marker_motion(const mbs_model *model, const mbs_state *state, bool is_joint, size_t element, int side);
/* Wrench W (4) of an element, see cosim/schemes/element.h. */
void element_wrench(const mbs_model *model, const mbs_state *state, bool is_joint, size_t number, double W[4]);

/* Values of all inputs as the whole gives them at its present state. */
void true_inputs(const subsystem_fixture *c, double *inputs);
/* Advances the whole from its state by H with `integrator`, which is there already, and gives the inputs on the way:
 * cubics through τ = 0, 1/3, 2/3, 1. */
void record(subsystem_fixture *c, mbs_integrator *integrator, double H, cosim_signal *inputs);

/* Largest difference of q and v, and of a, between the kept bodies of two states of the whole. */
double motion_error(const subsystem_fixture *c, const mbs_state *x, const mbs_state *y);
double acceleration_error(const subsystem_fixture *c, const mbs_state *x, const mbs_state *y);

/* ---- Mechanisms ---- */

/* Two rods: "arm" on a pivot, "free" held to it by a spring of nonlinear law ("spring"), a consistent bushing ("bush")
 * and a nonlinear torsion spring ("twist"), one along an axis ("axial"). Moving at the start. */
mechanism sprung_pair(void);

#endif
