/* Clocks, s. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

double clock_wall(void); /* monotonic, since an arbitrary time */
double clock_cpu(void);  /* processor time of this process, all threads */

#endif
