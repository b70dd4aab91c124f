/* A small program for mechanisms with hard contacts, independent of the library: minimal coordinates q, Runge and
 * Kutta's steps up to each switch, modes and impacts found by trying all of them. */
#ifndef TESTS_SUPPORT_EVENT_DRIVEN_H
#define TESTS_SUPPORT_EVENT_DRIVEN_H

#include <stdbool.h>

enum { EVENT_MAX_N = 3, EVENT_MAX_CONTACTS = 3, EVENT_MAX_ROWS = 2 * EVENT_MAX_CONTACTS };

/* Of a contact. It slides up or down where its slip is positive or negative. */
enum { EVENT_OPEN, EVENT_STICKS, EVENT_UP, EVENT_DOWN, EVENT_MODES };

/* M a = h + Σ Jᵀ λ. Rows are normal and tangential of each contact: rates J v + drift, second rates J a + convection.
 */
typedef struct event_equations {
  double M[EVENT_MAX_N][EVENT_MAX_N], h[EVENT_MAX_N], gap[EVENT_MAX_CONTACTS];
  double J[EVENT_MAX_ROWS][EVENT_MAX_N], drift[EVENT_MAX_ROWS], convection[EVENT_MAX_ROWS];
} event_equations;

typedef struct event_run event_run;

/* A mechanism: its equations at t, q, v, n coordinates, contacts; `mass` and `length` are sizes of it, by which pivots
 * are called zero; coordinates that are angles. */
struct event_run {
  void (*equations)(const event_run *run, event_equations *e);
  int n, n_contacts;
  double mu, restitution[EVENT_MAX_CONTACTS];
  double mass, length;
  bool is_angle[EVENT_MAX_N];
  bool variant; /* for the use of `equations` */
  double step;  /* s */
  double t, q[EVENT_MAX_N], v[EVENT_MAX_N];
  int mode[EVENT_MAX_CONTACTS];
  double force[EVENT_MAX_ROWS]; /* at the last accelerations */
  int n_impacts;
};

/* Up to `end`; fails the test where no modes fit. */
void event_advance(event_run *run, double end);

#endif
