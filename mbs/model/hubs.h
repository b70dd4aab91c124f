/* Hubs: bodies with many joints, eliminated after the joints that hang on them. A joint hangs on a body if the body
 * separates the joint's other body from the ground.
 *
 * A body is usually eliminated before its joints, which couples all of its joints with each other. But joints that hang
 * on it can be eliminated before it, as in the method of articulated-body inertias ([Featherstone] 7). The bodies that
 * the hub carries are then treated as if the hub were fixed. Their constraints stay independent, since the carried
 * bodies can follow each motion of the hub like one rigid body. So all pivots keep their signs. */
#ifndef MBS_HUBS_H
#define MBS_HUBS_H

#include <stdbool.h>

#include "mbs/model/joint.h"

typedef struct mbs_hubs {
  int n_hubs;
  int *body;        /* (n_hubs) */
  int *of_body;     /* (n_bodies + 1) number of this body among the hubs; -1: not a hub */
  bool (*hangs)[2]; /* (n_joints) true if the joint hangs on the body of this side; also for bodies that are not hubs */
  int deepest;      /* largest depth */
  int *depth_of_hub;   /* (n_hubs) number of hubs between this one and the ground */
  int *depth_of_joint; /* (n_joints) number of hubs between joint and ground, including one on which the joint hangs */
} mbs_hubs;

/* Chooses as hubs those of the bodies 1..n_bodies (0 is the ground) that cost less work if they are eliminated after
 * their joints. Returns false when memory is exhausted. */
bool mbs_hubs_create(mbs_hubs *hubs, const mbs_joint *joints, int n_joints, int n_bodies);
void mbs_hubs_destroy(mbs_hubs *hubs);

#endif
