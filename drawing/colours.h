/* Colours of drawings on a white background: of SVG, and of frames drawn by gnuplot. */
#ifndef DRAWING_COLOURS_H
#define DRAWING_COLOURS_H

#define COLOUR_INK "#1b1f24"
#define COLOUR_LINK "#4a5563" /* edge of a link, and lines of bodies */
#define COLOUR_RUBBER "#8b6f47"
#define COLOUR_HOUSING "#dfe5ea"
#define COLOUR_LOAD "#b3261e"
#define COLOUR_DRIVE "#6a3d9a"
#define COLOUR_CUT "#c2185b"

/* Colours of the edges of links, by subsystem: the colours of Okabe and Ito (2008), which colour-blind readers can
 * distinguish; light colours are made darker. */
#define COLOUR_SUBSYSTEM_0 "#0072b2"
#define COLOUR_SUBSYSTEM_1 "#b57d00"
#define COLOUR_SUBSYSTEM_2 "#00805d"
#define COLOUR_SUBSYSTEM_3 "#a9588a"
#define COLOUR_SUBSYSTEM_4 "#2d8fc7"
#define COLOUR_SUBSYSTEM_5 "#d55e00"
#define COLOUR_SUBSYSTEM_6 "#a39a00"

#endif
