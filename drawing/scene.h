/* A mechanism as shapes, which are placed by the poses of its bodies.
 *
 * Lengths are metres, y points up. An affine map takes the path of each shape to global coordinates. It depends only on
 * the shape's anchor and the poses (x, y, φ) of bodies. Programs that draw a scene, in C or in a browser, need only
 * these rules (scene_shape_map()). A shape has bodies[], points at[] on them, and a length `inset`. P is the point
 * at[0] of bodies[0], Q the point at[1] of bodies[1], e = PQ/|PQ|. The anchor is one of these:
 *
 *   body       the path is fixed in the frame of bodies[0]: rotated by φ, translated by (x, y)
 *   upright    translated by P, not rotated
 *   first      rotated by the angle of e, translated by P + inset e
 *   second     rotated by the angle of e, translated by Q - inset e
 *   stretched  as `first`, after scaling x, which is 0 to 1 in the path, by |PQ| - 2 inset
 *   cable      the path is global, at the first poses; at other poses it is computed from `nodes` (scene_cables.c)
 *
 * If P and Q coincide, e is (1, 0); |PQ| - 2 inset is at least 0. The ground, MBS_GROUND, has the pose 0. */
#ifndef DRAWING_SCENE_H
#define DRAWING_SCENE_H

#include <stdio.h>

#include <seam/mbs.h>
#include <seam/models.h>

#include "base/json.h"
#include "drawing/path.h"

/* Anchors of shapes. Columns: code, name in the JSON of scene_write_json(). */
#define SCENE_ANCHOR_TABLE(X)                                                                                          \
  X(SCENE_ON_BODY, "body")                                                                                             \
  X(SCENE_UPRIGHT, "upright")                                                                                          \
  X(SCENE_AT_FIRST, "first")                                                                                           \
  X(SCENE_AT_SECOND, "second")                                                                                         \
  X(SCENE_STRETCHED, "stretched")                                                                                      \
  X(SCENE_CABLE, "cable")

/* Classes of shapes, from back to front. Columns: code, name. */
#define SCENE_CLASS_TABLE(X)                                                                                           \
  X(SCENE_HATCHING, "hatching")   /* hatching of the ground */                                                         \
  X(SCENE_GROUND, "ground")       /* lines of the ground */                                                            \
  X(SCENE_LINK, "link")           /* filled: a body */                                                                 \
  X(SCENE_LINE, "line")           /* open outline of a body, curves */                                                 \
  X(SCENE_PITCH, "pitch")         /* pitch circles of gears, belts */                                                  \
  X(SCENE_GUIDE, "guide")         /* rails on bodies, massless rods */                                                 \
  X(SCENE_RUBBER, "rubber")       /* the soft ring of a bushing */                                                     \
  X(SCENE_ELEMENT, "element")     /* lines of springs, dampers, cylinders */                                           \
  X(SCENE_HOUSING, "housing")     /* filled: cylinders */                                                              \
  X(SCENE_BLOCK, "block")         /* filled: sliding blocks, slots */                                                  \
  X(SCENE_PIN, "pin")             /* filled: revolute joints */                                                        \
  X(SCENE_CENTRE, "centre")       /* circle of a centre of mass */                                                     \
  X(SCENE_SOLID, "solid")         /* filled with ink: welds, quarters of centres of mass */                            \
  X(SCENE_LOAD, "load")           /* arrows of forces and torques */                                                   \
  X(SCENE_LOAD_HEAD, "load-head") /* heads of these arrows, filled */                                                  \
  X(SCENE_DRIVE, "drive")         /* arrows of prescribed motions; SCENE_DRIVE_HEAD: their heads */                    \
  X(SCENE_DRIVE_HEAD, "drive-head")                                                                                    \
  X(SCENE_CUT, "cut") /* marks of couplings */

#define SCENE_CODE(code, name) code,
typedef enum scene_anchor { SCENE_ANCHOR_TABLE(SCENE_CODE) SCENE_ANCHORS } scene_anchor;
typedef enum scene_class { SCENE_CLASS_TABLE(SCENE_CODE) SCENE_CLASSES } scene_class;
#undef SCENE_CODE

typedef struct scene_shape {
  scene_class class;
  scene_anchor anchor;
  size_t bodies[2];           /* bodies[1] only for the anchors first, second and stretched */
  double at[2][2];            /* points in the frames of `bodies`, m; anchor `body`: at[0] is the middle of a symbol */
  double inset;               /* m */
  size_t first_node, n_nodes; /* cable: range of its nodes in scene.nodes */
  const char *owner;          /* name of the body, joint or force element that the shape belongs to */
  const char *kind;           /* kind of the owner: "body", "revolute", ... */
  size_t first, length;       /* range of the path in scene.paths.at */
} scene_shape;

/* A node of a cable, which guides or fixes it: a point of a body, or the centre of a disc on a body. radius: m;
 * positive: the disc is to the left of the cable; negative: to the right; 0: there is no disc. */
typedef struct scene_cable_node {
  size_t body;
  double at[2];
  double radius;
} scene_cable_node;

/* Name of an element. The middle of its text is at `offset` (m, global frame) from the point `at` of a body. */
typedef struct scene_label {
  const char *text;
  const char *kind;
  bool is_body;
  size_t body;
  double at[2];
  double offset[2];
  bool is_shown; /* false: the name would cover another one and is not drawn */
} scene_label;

typedef struct scene_box {
  double low[2], high[2];
} scene_box;

typedef struct scene {
  const mbs_model *model;
  const char *name; /* name of the model */
  double unit;      /* m, radius of a revolute joint: the unit of symbols */
  double text;      /* m, size of the letters of names */
  double gravity[2];
  double apart;        /* m, distance between coinciding bodies that are drawn apart (scene_shapes.c); 0: none are */
  scene_shape *shapes; /* (n_shapes) shapes from back to front */
  size_t n_shapes, shape_capacity;
  scene_label *labels; /* (n_labels) */
  size_t n_labels, label_capacity;
  scene_cable_node *nodes; /* (n_nodes) */
  size_t n_nodes, node_capacity;
  path_list paths;
  size_t *subsystem;       /* (bodies) index of the subsystem; SEAM_NONE: in no subsystem */
  const char **subsystems; /* (n_subsystems) names */
  size_t n_subsystems;
  scene_box box; /* box of all shapes in all poses, m */
} scene;

/* Poses of the bodies: q (n x 3 mbs_n_bodies()) has x, y, φ of each body. */
typedef struct scene_poses {
  const double *q;
  size_t n; /* at least 1; positions of names use the first poses; guides and the box use all */
} scene_poses;

/* Makes the scene of a model. with_cuts: bodies have colours of subsystems, and cut elements have marks. The scene is
 * valid while the file exists. Call scene_free() whatever the status. Fails with SEAM_NO_MEMORY. */
seam_status scene_create(const seam_model_file *file, bool with_cuts, scene_poses poses, scene *result,
                         seam_error *error);
void scene_free(scene *result);

/* Returns the map from the coordinates of a shape's path to global coordinates, at poses q. */
path_map scene_shape_map(const scene_shape *shape, const double *q);
/* Computes the global coordinates `point` of the point `at` of a body, at poses q. */
void scene_point(const double *q, size_t body, const double at[2], double point[2]);

/* Extends a box so that it contains a point. A visitor for path_visit(). */
void scene_extend(void *box_to_extend, const double point[2]);

/* Returns the angles (n_nodes) by which cables change direction at their nodes, at first NaN; the caller frees them.
 * NULL: no memory. scene_cable_points() reads those of the previous pose and writes those of the present pose. */
double *scene_new_cable_angles(const scene *drawn);
size_t scene_cable_n_points(const scene *drawn, const scene_shape *shape);
/* Computes the points, m, of a cable at poses q; their number is scene_cable_n_points(). `angles`: list of
 * scene_new_cable_angles(). False: no memory. */
bool scene_cable_points(const scene *drawn, const scene_shape *shape, const double *q, double *angles,
                        double (*points)[2]);
/* Appends the line through the points of scene_cable_points() to a path. False: no memory. */
bool scene_cable_path(const scene *drawn, const scene_shape *shape, const double *q, double *angles, path_list *path);

/* Writes the scene as a JSON object (docs/cli.md#draw). key: its key in the present object; NULL: it has none. */
void scene_write_json(const scene *from, json_writer *json, const char *key);

/* Gets width and height of a name, m. */
void scene_label_size(const scene *from, const scene_label *label, double size[2]);

/* Compares two shapes, for qsort(): from back to front. */
int scene_by_class(const void *a, const void *b);

const char *scene_class_name(scene_class class);

#endif
