/* Functions that make a scene, shared by the files drawing/scene*.c. `at` has the coordinates of a point in the frame
 * of its body, m. If bodies are drawn apart (scene_layout.c), their points are shifted in their frames, and `at` is the
 * shifted point. Lengths in "units" are multiples of scene.unit. */
#ifndef DRAWING_SCENE_PARTS_H
#define DRAWING_SCENE_PARTS_H

#include "drawing/scene.h"

#define SCENE_HALF_BLOCK 3.4 /* half the length of a sliding body, units */
#define SCENE_CUT_RADIUS 2.7 /* radius of the ring about a cut element, units */

typedef struct scene_maker {
  scene *scene;
  const seam_model_file *file;
  const mbs_model *model;
  scene_poses poses;
  bool *force_is_cut;       /* (force elements) */
  double along[2];          /* unit vector along which bodies are drawn apart (scene_layout.c) */
  bool *is_block;           /* (bodies) the body is drawn as a block */
  const char *owner, *kind; /* owner and kind of the next shapes (scene_shape) */
  bool is_cut;              /* the next shapes are of a cut element, which has a mark */
} scene_maker;

/* Makes room for one more item of `size` bytes in a list of n items; *capacity: its capacity. Returns the list, which
 * may have a new address; NULL: no memory, and `items` stays valid. */
void *scene_reserve(scene *result, void *items, size_t n, size_t *capacity, size_t size);

/* Begins a shape. Its path consists of the segments appended to maker->scene->paths until scene_end(). */
scene_shape *scene_begin(scene_maker *maker, scene_class class, scene_anchor anchor);
void scene_end(scene_maker *maker);

/* Adds a symbol to a body at a point, rotated by `angle` (rad) in the frame of the body. `data`: an SVG path, y up, in
 * units. */
void scene_symbol(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                  const char *data);
/* Adds a symbol at a point of a body. The symbol does not rotate with the body; `angle` is in the global frame. */
void scene_upright(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                   const char *data);
void scene_circle(scene_maker *maker, scene_class class, size_t body, const double at[2], double radius);

void scene_name(scene_maker *maker, size_t body, const double at[2]);

/* Gets the pose (x, y, φ) of a body; zeros for the ground. */
void scene_pose(const double *q, size_t body, double pose[3]);
/* Computes the coordinates `at`, in the frame of a body, of the global point `point`. */
void scene_local(const double *q, size_t body, const double point[2], double at[2]);

/* Returns a box that contains no points. */
scene_box scene_empty_box(void);

/* is_pin: the point is the marker of a joint that is not prismatic. */
typedef void (*scene_visitor)(void *context, size_t body, bool is_pin, const double at[2]);
/* Calls `visit` for every point of the mechanism: for each body its centre of mass, rod ends and points of outlines;
 * then for the markers of joints and force elements. */
void scene_visit_points(const scene_maker *maker, scene_visitor visit, void *context);

/* Decides if bodies are drawn apart, and sets maker->scene->apart and maker->along. */
void scene_lay_out(scene_maker *maker);
/* Get a point: the centre of mass of a body, or the marker of a joint or force element on body `side`. Return false if
 * there is no marker. */
void scene_centre(const scene_maker *maker, size_t body, double at[2]);
bool scene_joint_point(const scene_maker *maker, size_t joint, int side, double at[2]);
bool scene_force_point(const scene_maker *maker, size_t force, int side, double at[2]);

void scene_add_bodies(scene_maker *maker);
void scene_add_joints(scene_maker *maker);
void scene_add_forces(scene_maker *maker);
/* Chooses the positions of names. */
void scene_position_labels(scene *result, const double *q);

/* Add a symbol of the ground at a point, unless there is one already. The wall goes through the point, rotated by
 * `angle`, with hatching below it. The pivot carries the body `carried`. */
void scene_ground_wall(scene_maker *maker, const double at[2], double angle);
void scene_ground_pivot(scene_maker *maker, const double at[2], size_t carried);

/* Two points, each in the frame of its body, m. */
typedef struct scene_ends {
  size_t bodies[2];
  double at[2][2];
} scene_ends;

/* Begins a shape whose anchor depends on two points. */
void scene_between(scene_maker *maker, scene_class class, scene_anchor anchor, const scene_ends *ends, double inset);
/* Adds a symbol that is stretched between two points: x is 0 to 1 in `data`, y in units. */
void scene_stretched(scene_maker *maker, scene_class class, const scene_ends *ends, double inset, const char *data);
/* Adds a symbol at the end on side 0 or 1, in the direction of the line between the ends. In `data`, x is in multiples
 * of `scale` (m), y in units. */
void scene_at_end(scene_maker *maker, scene_class class, const scene_ends *ends, int side, double scale,
                  const char *data);

/* Add the name of an element and, if it is cut, a mark: at a point, or midway between two points. */
void scene_ring_and_name(scene_maker *maker, size_t body, const double at[2]);
void scene_cut_and_name(scene_maker *maker, const scene_ends *ends);
/* Adds a pin at each of two points. If a point is on the ground, also adds a pivot of the ground. */
void scene_pins(scene_maker *maker, const scene_ends *ends);
/* Returns true if two bodies are in different subsystems, so that an element between them is cut. */
bool scene_is_cut(const scene *result, const size_t bodies[2]);

/* Finds the hinge of two bodies, the point about which they rotate relative to each other: their revolute joint or, if
 * there is none, the centre of mass of the first body that is not the ground. Returns the index of this body; `at` is
 * in its frame. */
size_t scene_hinge(const scene_maker *maker, const size_t bodies[2], double at[2]);
/* Path data, in units, of a circular arrow and of its head. */
extern const char scene_arc[], scene_arc_head[];

/* Gets width and height of a name, m. */
void scene_label_size(const scene *result, const scene_label *label, double size[2]);

/* Pitch circle of a wheel: of a gear or belt, of the pinion of a rack, or of a rolling wheel. centre: in the frame of
 * the body, m. is_ring: the wheel has internal teeth. */
typedef struct scene_wheel {
  double centre[2], radius;
  bool is_ring;
} scene_wheel;
/* Gets the wheel on side 0 or 1 of a joint; false: there is none. */
bool scene_wheel_of(const scene_maker *maker, size_t joint, int side, scene_wheel *wheel);
/* Adds the line of a cable; `force`: its first span. */
void scene_cable(scene_maker *maker, size_t force);
/* Adds a curve on a body; `at`: origin of the curve. */
void scene_curve(scene_maker *maker, size_t curve, size_t body, const double at[2]);
/* Adds the two strands of a belt over two wheels; distance: m, distance of the centres of the wheels. Radii of opposite
 * signs: the strands cross. */
void scene_strands(scene_maker *maker, const scene_ends *wheels, double distance, const double radius[2]);

#endif
