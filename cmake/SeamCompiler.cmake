# Language, warnings and code generation common to every target of this tree.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

# POSIX.1-2008 and no more: its X/Open part would take names like y1 for Bessel functions.
add_compile_definitions(_POSIX_C_SOURCE=200809L)

# No contraction to fused multiply-add: the same source gives the same bits with every compiler and processor.
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -ffp-contract=off)
# Rooms in which no run spends its time are optimised less: that halves the time to compile them.
set(SEAM_LIGHT $<$<CONFIG:Release>:-O1>)
if(CMAKE_C_COMPILER_ID STREQUAL "Clang") # modes in states, which are doubles, are enumerators and exact
  add_compile_options(-Wno-enum-float-conversion)
endif()
if(SEAM_WERROR)
  add_compile_options(-Werror)
endif()
if(SEAM_SANITIZE)
  add_compile_options(-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  if(CMAKE_C_COMPILER_ID STREQUAL "Clang") # NULL + 0, the end of an empty list
    add_compile_options(-fno-sanitize=pointer-overflow)
  endif()
endif()
if(SEAM_SANITIZE_THREADS)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()
