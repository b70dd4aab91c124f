/* How a scene is made, part by part. */
#ifndef DRAWING_SCENE_PARTS_H
#define DRAWING_SCENE_PARTS_H

#include "drawing/scene.h"

#define SCENE_HALF_BLOCK 3.4 /* length of a sliding body, units */

/* Data that the parts need beside the scene. */
typedef struct scene_maker {
  scene *made;
  const seam_model_file *file;
  const mbs_model *model;
  scene_poses poses;
  bool *joint_is_cut, *force_is_cut;
  double along[2];          /* direction in which bodies are drawn apart */
  bool *is_block;           /* (bodies) drawn as a block that slides */
  const char *owner, *kind; /* of the shapes that follow */
} scene_maker;

/* Begins a shape; its path follows. */
scene_shape *scene_begin(scene_maker *maker, scene_class class, scene_anchor anchor);
/* Ends it. */
void scene_end(scene_maker *maker);

/* A symbol on a body: at a place of it, turned by `angle` in its frame, in units. */
void scene_symbol(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                  const char *data);
/* A symbol that stays upright. */
void scene_upright(scene_maker *maker, scene_class class, size_t body, const double at[2], double angle,
                   const char *data);
void scene_circle(scene_maker *maker, scene_class class, size_t body, const double at[2], double radius);

void scene_name(scene_maker *maker, size_t body, const double at[2]);

/* A body's pose; zeros for the ground. */
void scene_pose(const double *q, size_t body, double pose[3]);
/* A global point, or direction, in a body's frame. */
void scene_local(const double *q, size_t body, const double point[2], double at[2]);

/* Boxes, and what makes one hold a point: a visitor of paths. */
scene_box scene_empty_box(void);
void scene_extend(void *box_to_extend, const double point[2]);

/* Owner of a place. */
typedef enum scene_place_kind { SCENE_OF_BODY, SCENE_OF_GUIDE, SCENE_OF_JOINT, SCENE_OF_FORCE } scene_place_kind;
typedef void (*scene_visitor)(void *context, size_t body, scene_place_kind kind, const double at[2]);
/* Calls for every place of the mechanism as drawn: centres of mass first, then ends of rods, points of outlines,
 * markers. */
void scene_visit_places(const scene_maker *maker, scene_visitor visit, void *context);

/* Decides whether bodies are drawn apart. */
void scene_lay_out(scene_maker *maker);
/* Places as drawn, in the frames of their bodies: of a centre of mass, and of markers; false: there is none. */
void scene_centre(const scene_maker *maker, size_t body, double at[2]);
bool scene_joint_place(const scene_maker *maker, size_t joint, int side, double at[2]);
bool scene_force_place(const scene_maker *maker, size_t force, int side, double at[2]);

/* ---- Parts ---- */

void scene_add_bodies(scene_maker *maker);
void scene_add_joints(scene_maker *maker);
void scene_add_forces(scene_maker *maker);
/* Moves labels to where they cover nothing. */
void scene_place_labels(scene *made, const double *q);

/* A wall of the ground through a place, hatched below where it is turned by `angle`; a pivot. None where the ground has
 * a symbol already. */
void scene_ground_wall(scene_maker *maker, const double at[2], double angle);
void scene_ground_pivot(scene_maker *maker, const double at[2], size_t carried);

/* Begins a shape between two places. */
scene_shape *scene_between(scene_maker *maker, scene_class class, scene_anchor anchor, const size_t bodies[2],
                           double at[2][2], double inset);
/* A symbol whose x runs from 0 to 1 between them. */
void scene_stretched(scene_maker *maker, scene_class class, const size_t bodies[2], double at[2][2], double inset,
                     const char *data);
void scene_name_between(scene_maker *maker, const size_t bodies[2], double at[2][2]);

/* Marks of a coupling at a place, and between two. */
void scene_cut_ring(scene_maker *maker, size_t body, const double at[2]);
void scene_cut_line(scene_maker *maker, const size_t bodies[2], double at[2][2]);
/* Adds the last parts of an element between two: the mark where it is cut, and its name. */
void scene_cut_and_name(scene_maker *maker, bool is_cut, const size_t bodies[2], double at[2][2]);
/* A pin at either end, with its pivot on the ground. */
void scene_pins(scene_maker *maker, const size_t bodies[2], double at[2][2]);

/* Where two bodies turn against each other: their revolute joint, or the centre of mass of the one that moves, whose
 * number is returned. */
size_t scene_hinge(const scene_maker *maker, const size_t bodies[2], double at[2]);
/* An arrow that turns, and its head. */
extern const char scene_arc[], scene_arc_head[];

/* Width and height of a name, m. */
void scene_label_size(const scene *made, const scene_label *label, double size[2]);

/* A wheel of a gear or belt, or a rack's pinion: its pitch circle in its body's frame, m; a ring has its teeth inside.
 */
typedef struct scene_wheel {
  double centre[2], radius;
  bool is_ring;
} scene_wheel;
/* False: there is none on this side of the joint. */
bool scene_wheel_of(const scene_maker *maker, size_t joint, int side, scene_wheel *wheel);
/* The line of a cable, by its first span. */
void scene_cable(scene_maker *maker, size_t force);
/* A curve on a body, about the origin `at`. */
void scene_curve(scene_maker *maker, size_t curve, size_t body, const double at[2]);
/* Strands of a belt over two wheels; radii of opposite signs where they cross. */
void scene_strands(scene_maker *maker, const size_t bodies[2], double at[2][2], double distance,
                   const double radius[2]);

#endif
