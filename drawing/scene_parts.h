/* Functions that make a scene, shared by the files drawing/scene*.c. */
#ifndef DRAWING_SCENE_PARTS_H
#define DRAWING_SCENE_PARTS_H

#include "drawing/scene.h"

#define SCENE_HALF_BLOCK 3.4 /* half the length of a sliding body, units */
#define SCENE_CUT_RADIUS 2.7 /* radius of the ring about a cut element, units */

/* Data for making a scene. */
typedef struct scene_maker {
  scene *made;
  const seam_model_file *file;
  const mbs_model *model;
  scene_poses poses;
  bool *joint_is_cut, *force_is_cut;
  double along[2];          /* direction in which bodies are drawn apart */
  bool *is_block;           /* (bodies) drawn as a sliding block */
  const char *owner, *kind; /* owner of the next shapes */
} scene_maker;

/* Makes room for one more item in a list of n items of `size` bytes. Returns the list, which may have moved; NULL:
 * memory is exhausted, and `items` stays valid. */
void *scene_room(scene *made, void *items, size_t n, size_t *room, size_t size);

/* Begins a shape, whose path follows; scene_end() ends it. */
scene_shape *scene_begin(scene_maker *maker, scene_class class, scene_anchor anchor);
void scene_end(scene_maker *maker);

/* Adds a symbol to a body, at a place and turned by `angle`, both in the body's frame. `data`: an SVG path; its unit is
 * the scene's. */
void scene_symbol(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                  const char *data);
/* Adds a symbol that does not turn with the body. */
void scene_upright(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                   const char *data);
void scene_circle(scene_maker *maker, scene_class class, size_t body, const double at[2], double radius);

void scene_name(scene_maker *maker, size_t body, const double at[2]);

/* Gives a body's pose; zeros for the ground. */
void scene_pose(const double *q, size_t body, double pose[3]);
/* Finds the coordinates `at`, in a body's frame, of the global point `point`. */
void scene_local(const double *q, size_t body, const double point[2], double at[2]);

/* The first returns a box without points. The second, which is a visitor for path_visit(), extends a box so that it
 * contains a point. */
scene_box scene_empty_box(void);
void scene_extend(void *box_to_extend, const double point[2]);

/* Kind of owner of a place. */
typedef enum scene_place_kind { SCENE_OF_BODY, SCENE_OF_GUIDE, SCENE_OF_JOINT, SCENE_OF_FORCE } scene_place_kind;
typedef void (*scene_visitor)(void *context, size_t body, scene_place_kind kind, const double at[2]);
/* Calls `visit` for every place of the mechanism as drawn: for each body its centre of mass, rod ends and points of
 * outlines; then for the markers of joints and force elements. */
void scene_visit_places(const scene_maker *maker, scene_visitor visit, void *context);

/* Decides if and how bodies are drawn apart. */
void scene_lay_out(scene_maker *maker);
/* Give a place as drawn, in the body's frame: the centre of mass, or the marker of a joint or force element. Return
 * false if there is no marker. */
void scene_centre(const scene_maker *maker, size_t body, double at[2]);
bool scene_joint_place(const scene_maker *maker, size_t joint, int side, double at[2]);
bool scene_force_place(const scene_maker *maker, size_t force, int side, double at[2]);

/* ---- Parts ---- */

void scene_add_bodies(scene_maker *maker);
void scene_add_joints(scene_maker *maker);
void scene_add_forces(scene_maker *maker);
/* Moves labels to places where they cover nothing. */
void scene_place_labels(scene *made, const double *q);

/* Add a symbol of the ground at a place, unless there is one already: a wall through the place, turned by `angle` and
 * hatched below; or a pivot for the body `carried`. */
void scene_ground_wall(scene_maker *maker, const double at[2], double angle);
void scene_ground_pivot(scene_maker *maker, const double at[2], size_t carried);

/* Begins a shape between two places. */
scene_shape *scene_between(scene_maker *maker, scene_class class, scene_anchor anchor, const size_t bodies[2],
                           double at[2][2], double inset);
/* Adds a symbol that is stretched between two places: x from 0 to 1 in `data`. */
void scene_stretched(scene_maker *maker, scene_class class, const size_t bodies[2], double at[2][2], double inset,
                     const char *data);

/* Add the name of an element and, if it is cut, a mark: the first at one place, the second midway between two
 * places. */
void scene_ring_and_name(scene_maker *maker, bool is_cut, size_t body, const double at[2]);
void scene_cut_and_name(scene_maker *maker, bool is_cut, const size_t bodies[2], double at[2][2]);
/* Adds a pin at each of both places, and below it a pivot of the ground if the place is on the ground. */
void scene_pins(scene_maker *maker, const size_t bodies[2], double at[2][2]);

/* Finds the place about which two bodies turn relative to each other: their revolute joint or, if there is none, the
 * centre of mass. `at` is in the frame of the body that moves, whose index is returned. */
size_t scene_hinge(const scene_maker *maker, const size_t bodies[2], double at[2]);
/* Path data of a circular arrow for rotations, and of its head. */
extern const char scene_arc[], scene_arc_head[];

/* Gives width and height of a name, m. */
void scene_label_size(const scene *made, const scene_label *label, double size[2]);

/* Pitch circle of a wheel of a gear or belt, or of a rack's pinion, in the body's frame, m. A ring has its teeth
 * inside. */
typedef struct scene_wheel {
  double centre[2], radius;
  bool is_ring;
} scene_wheel;
/* Gives the wheel; false: none on this side of the joint. */
bool scene_wheel_of(const scene_maker *maker, size_t joint, int side, scene_wheel *wheel);
/* Adds the line of a cable, given by its first span. */
void scene_cable(scene_maker *maker, size_t force);
/* Adds a curve on a body, with origin `at`. */
void scene_curve(scene_maker *maker, size_t curve, size_t body, const double at[2]);
/* Adds the two strands of a belt over two wheels at a distance, m. If the strands cross, the radii have opposite
 * signs. */
void scene_strands(scene_maker *maker, const size_t bodies[2], double at[2][2], double distance,
                   const double radius[2]);

#endif
