/* Functions of the files drawing/scene*.c that make a scene together. `at` has the coordinates of a point in the frame
 * of its body, m. Bodies that are drawn apart (scene_shapes.c) have shifted points; `at` is then the shifted point.
 * Lengths in "units" are multiples of scene.unit. */
#ifndef DRAWING_SCENE_PARTS_H
#define DRAWING_SCENE_PARTS_H

#include "drawing/scene.h"

typedef struct scene_body_point {
  size_t body, number;
  bool is_pin; /* marker of a joint that is not prismatic */
  double at[2];
} scene_body_point;

typedef struct scene_maker {
  scene *scene;
  const seam_model_file *file;
  const mbs_model *model;
  scene_poses poses;
  bool *force_is_cut; /* (force elements) */
  double along[2];    /* unit vector along which bodies are drawn apart */
  /* Lists of the joints of each body, ascending. Side s of joint j has the number 2 j + s; SEAM_NONE: the end. */
  size_t *first_side;       /* (bodies + 1) by body, then of the ground */
  size_t *next_side;        /* (2 joints) */
  bool *is_block;           /* (bodies) the body is drawn as a block */
  scene_body_point *points; /* (n_points) */
  size_t n_points, point_capacity;
  const char *owner, *kind; /* owner and kind of the next shapes (scene_shape) */
  bool is_cut;              /* the next shapes are of a cut element, which has a mark */
} scene_maker;

/* ---- Points (scene_shapes.c) ---- */

/* Gets the pose (x, y, φ) of a body; zeros for the ground. */
void scene_pose(const double *q, size_t body, double pose[3]);
/* Computes the coordinates `at`, in the frame of a body, of the global point `point`. */
void scene_local(const double *q, size_t body, const double point[2], double at[2]);

/* Decides if bodies are drawn apart, and sets scene.apart and maker->along. */
void scene_lay_out(scene_maker *maker);
/* Get the centre of mass of a body, or the marker of a joint or force element on body `side`. False: there is none. */
void scene_centre(const scene_maker *maker, size_t body, double at[2]);
bool scene_joint_point(const scene_maker *maker, size_t joint, int side, double at[2]);
bool scene_force_point(const scene_maker *maker, size_t force, int side, double at[2]);

/* Returns the first joint side on a body or the ground (first_side); SEAM_NONE: it has none. */
size_t scene_first_side(const scene_maker *maker, size_t body);

/* Sets maker->points to all points of the mechanism: for each body its centre of mass, rod ends and points of outlines;
 * then the markers of joints and force elements. */
void scene_list_points(scene_maker *maker);

/* Returns a box that contains no points. */
scene_box scene_empty_box(void);

/* ---- Shapes and names (scene_shapes.c) ---- */

/* Makes room for one more item of `size` bytes in a list of n items; *capacity: its capacity. Returns the list, which
 * may have a new address; NULL: no memory, and `items` stays valid. */
void *scene_reserve(scene *result, void *items, size_t n, size_t *capacity, size_t size);

/* Begins a shape. The segments appended to maker->scene->paths before the next one begins are its path. `at`: point of
 * the body for the anchor, or the middle of a symbol; NULL: (0, 0). */
scene_shape *scene_begin(scene_maker *maker, scene_class class, scene_anchor anchor, size_t body, const double *at);

/* Adds a symbol at a point of a body, rotated by `angle` (rad) in the body's frame. `data`: an SVG path, y up, in
 * multiples of the unit of symbols (scene.h). */
void scene_symbol(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                  const char *data);
/* Adds a symbol at a point of a body. The symbol does not rotate with the body; `angle` is in the global frame. */
void scene_upright(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                   const char *data);
void scene_circle(scene_maker *maker, scene_class class, size_t body, const double at[2], double radius);
/* Adds the owner's name. */
void scene_name(scene_maker *maker, size_t body, const double at[2]);

/* Returns true if two bodies are in different subsystems, so that an element between them is cut. */
bool scene_is_cut(const scene *result, const size_t bodies[2]);

/* ---- Bodies, joints and force elements ---- */

void scene_add_bodies(scene_maker *maker);
void scene_add_joints(scene_maker *maker);
void scene_add_forces(scene_maker *maker);
/* Adds the line of a cable; `force`: its first span. */
void scene_cable(scene_maker *maker, size_t force);

/* Pitch circle of a wheel: of a gear or belt, of the pinion of a rack, or of a rolling wheel. */
typedef struct scene_wheel {
  double centre[2], radius; /* m, in the frame of the body */
  bool is_ring;             /* the wheel has internal teeth */
} scene_wheel;
/* Gets the wheel on side 0 or 1 of a joint; false: there is none. */
bool scene_wheel_of(const scene_maker *maker, size_t joint, int side, scene_wheel *wheel);

#endif
