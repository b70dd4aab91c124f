/* Clocks, in seconds. */
#ifndef APP_CLOCK_H
#define APP_CLOCK_H

double clock_wall(void); /* since some time in the past, never set back */
double clock_cpu(void);  /* used by this process, all threads */

#endif
