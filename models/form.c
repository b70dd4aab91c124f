#include "models/form.h"

const form form_text = {.kind = FORM_TEXT};
const form form_name = {.kind = FORM_NAME};
const form form_names = {.kind = FORM_LIST, .of = &form_name};
const form form_flag = {.kind = FORM_FLAG};

const form form_number = {.kind = FORM_NUMBER, .name = "number", .meaning = "a number, or an expression of parameters"};
const form form_not_negative = {.kind = FORM_NUMBER,
                                .name = "not_negative",
                                .meaning = "a number that is not negative, or an expression of parameters",
                                .within = NOT_NEGATIVE};
const form form_positive = {.kind = FORM_NUMBER,
                            .name = "positive",
                            .meaning = "a positive number, or an expression of parameters",
                            .within = POSITIVE};

const form form_2_numbers = {FORM_EXACTLY(2, form_number)};
const form form_2_not_negative = {FORM_EXACTLY(2, form_not_negative)};
const form form_2_positive = {FORM_EXACTLY(2, form_positive)};
const form form_3_not_negative = {FORM_EXACTLY(3, form_not_negative)};
const form form_numbers = {.kind = FORM_LIST, .of = &form_number};
const form form_matrix = {.kind = FORM_LIST, .of = &form_numbers};

const form form_law = {.kind = FORM_NUMBER, .name = "law", .meaning = "an expression, or a number"};
const form form_laws = {.kind = FORM_NAMED, .of = &form_law};
const form form_values = {.kind = FORM_NAMED, .of = &form_number};
const form form_texts = {.kind = FORM_NAMED, .of = &form_text};

const form form_point = {
    .name = "point", .meaning = "the name of a point, or [x, y] in m", FORM_ANY_OF(&form_name, &form_2_numbers)};
const form form_two_points = {FORM_EXACTLY(2, form_point)};
const form form_body_frames = {.kind = FORM_NAMED,
                               .name = "own_frames",
                               .meaning = "for each body its place [ξ, η] in the frame of the body, m",
                               .least = 1,
                               .of = &form_2_numbers};
const form form_position = {.name = "place",
                            .meaning = "a place in the initial configuration, or in the frames of bodies",
                            FORM_ANY_OF(&form_point, &form_body_frames)};
const form form_two_positions = {.name = "two_places",
                                 .meaning =
                                     "[P, Q]: a place on the first body, one on the second, or places in their frames",
                                 FORM_ANY_OF(&form_two_points, &form_body_frames)};
