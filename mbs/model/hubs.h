/* Bodies of many joints that are eliminated after the joints that hang on them.
 *
 * A body is usually eliminated before its joints, which couples all of these. Where a body separates parts of the
 * mechanism from the ground, the joints to these parts may come first instead, as articulated-body inertias do
 * ([Featherstone] 7): with the body held, a part is a mechanism of its own, and since it could move with the body like
 * one rigid whole, its constraints are as independent as they are in the mechanism. So all pivots stay definite. */
#ifndef MBS_HUBS_H
#define MBS_HUBS_H

#include <stdbool.h>

#include "mbs/model/joint.h"

typedef struct mbs_hubs {
  int n_hubs;
  int *body;           /* (n_hubs) */
  int *of_body;        /* (n_bodies + 1) number of the hub, or -1 */
  bool (*hangs)[2];    /* (n_joints) the joint hangs on its body on this side, or would if that were a hub */
  int deepest;         /* the largest depth */
  int *depth_of_hub;   /* (n_hubs) number of hubs between it and the ground */
  int *depth_of_joint; /* (n_joints) the same; a joint that hangs on a hub is deeper than the hub by one */
} mbs_hubs;

/* Chooses hubs among bodies 1..n_bodies (0 is the ground) wherever that saves work. False: no memory. */
bool mbs_hubs_create(mbs_hubs *hubs, const mbs_joint *joints, int n_joints, int n_bodies);
void mbs_hubs_destroy(mbs_hubs *hubs);

#endif
