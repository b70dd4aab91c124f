/* Where a side of a cut stands among the inputs and outputs of its part: number of the first; coordinates and
 * components follow each other; -1: there is none. */
#ifndef COSIM_SIDE_H
#define COSIM_SIDE_H

typedef struct cosim_side {
  int part;
  int force_input;                      /* wrench on this side's marker (fx, fy, torque) */
  int position_input, velocity_input;   /* motion of the other side's marker, x̃ and ṽ */
  int acceleration_input;               /* prescribed acceleration ã of this side's marker, one for each row */
  int position, velocity, acceleration; /* outputs: motion of this side's marker */
  int position_integral;                /* output: over the present macro step */
  int multiplier;                       /* output: force that the prescribed acceleration takes */
} cosim_side;

#endif
