# What Seam is built with. All of it is looked for before one message names what is missing, and how to get it.
set(SEAM_MISSING)
set(SEAM_MISSING_PACKAGES)

# seam_need(WHAT PACKAGES [OPTION]): remembers what is missing, the Debian packages that have it, and the option that does
# without it.
macro(seam_need what packages)
  string(APPEND SEAM_MISSING "\n  ${what}: ${packages}")
  if(${ARGC} GREATER 2)
    string(APPEND SEAM_MISSING ", or configure with -D ${ARGV2}=OFF")
  endif()
  string(REPLACE " " ";" packages_of_one "${packages}")
  list(APPEND SEAM_MISSING_PACKAGES ${packages_of_one})
endmacro()

# seam_need_module(PREFIX MODULES WHAT PACKAGES [OPTION]): the imported target PkgConfig::PREFIX of modules of pkg-config.
macro(seam_need_module prefix modules)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${modules})
  endif()
  if(NOT ${prefix}_FOUND)
    seam_need(${ARGN})
  endif()
endmacro()

# ---- The library and the command

find_package(PkgConfig QUIET)
find_package(Threads REQUIRED)
find_package(SUNDIALS QUIET COMPONENTS cvodes idas) # 7.0 takes itself for incompatible with 6.4
find_package(SuiteSparse QUIET)
find_package(EXPAT 2.4 QUIET)
find_package(ZLIB QUIET)
if(NOT PKG_CONFIG_FOUND)
  seam_need("pkg-config" "pkgconf")
endif()
if(SUNDIALS_NOT_FOUND_MESSAGE MATCHES OpenMP) # Debian's 7 asks for it
  seam_need("OpenMP for ${CMAKE_C_COMPILER_ID}, which SUNDIALS asks for" "libomp-dev")
elseif(NOT SUNDIALS_FOUND OR SUNDIALS_VERSION VERSION_LESS 6.4)
  seam_need("SUNDIALS 6.4 or later, with CVODES and IDAS" "libsundials-dev")
endif()
set(SEAM_SUNDIALS_CORE sundials_core) # and 7 may ask for MPI
set(SEAM_SUNDIALS_MPI ${MPI_C_LIBRARIES})
if(SUNDIALS_VERSION VERSION_LESS 7)
  set(SEAM_SUNDIALS_CORE sundials_generic)
  set(SEAM_SUNDIALS_MPI)
endif()
if(NOT SuiteSparse_FOUND)
  seam_need("KLU and CAMD of SuiteSparse" "libsuitesparse-dev")
endif()
seam_need_module(LAPACKE "lapacke;lapack" "LAPACKE" "liblapacke-dev liblapack-dev libblas-dev")
seam_need_module(LIBFYAML "libfyaml>=0.7.12" "libfyaml 0.7.12 or later" "libfyaml-dev")
if(NOT EXPAT_FOUND)
  seam_need("Expat 2.4 or later" "libexpat1-dev")
endif()
seam_need_module(MINIZIP "minizip<2" "MiniZip 1" "libminizip-dev")
if(NOT ZLIB_FOUND)
  seam_need("zlib" "zlib1g-dev")
endif()

# dygraphs (MIT), which the page of `seam report` is made of.
find_path(SEAM_DYGRAPHS dygraph.min.js PATHS /usr/share/javascript/dygraphs NO_DEFAULT_PATH)
find_file(SEAM_DYGRAPHS_LICENCE copyright PATHS /usr/share/doc/libjs-dygraphs NO_DEFAULT_PATH)
mark_as_advanced(SEAM_DYGRAPHS SEAM_DYGRAPHS_LICENCE)
if(SEAM_COMMAND AND NOT (SEAM_DYGRAPHS AND SEAM_DYGRAPHS_LICENCE))
  seam_need("dygraphs, with its licence" "libjs-dygraphs")
endif()

# ---- What is optional

# Static archives of all libraries, for the engine of exported FMUs; those that no run does without, for the library too.
set(SEAM_FMU_ARCHIVES)
set(SEAM_NUMERICAL_ARCHIVES)
if(SEAM_WITH_FMI AND NOT SEAM_SANITIZE AND NOT SEAM_SANITIZE_THREADS)
  set(missing)
  foreach(part sundials_cvodes sundials_idas sundials_nvecserial ${SEAM_SUNDIALS_CORE} klu btf amd camd colamd suitesparseconfig
               lapacke lapack blas fyaml expat minizip z)
    find_library(SEAM_FMU_${part} lib${part}.a PATH_SUFFIXES lapack blas) # Debian's reference BLAS, whatever else is there
    mark_as_advanced(SEAM_FMU_${part})
    list(APPEND SEAM_FMU_ARCHIVES ${SEAM_FMU_${part}})
    if(NOT part MATCHES "^(expat|minizip|z)$")
      list(APPEND SEAM_NUMERICAL_ARCHIVES ${SEAM_FMU_${part}})
    endif()
    if(NOT SEAM_FMU_${part})
      string(APPEND missing " lib${part}.a")
    endif()
  endforeach()
  if(missing)
    message(STATUS "the engine of exported FMUs is not built, and libseam loads the system's libraries: it needs the archives${missing}")
    set(SEAM_WITH_FMI OFF)
    set(SEAM_FMU_ARCHIVES)
  endif()
endif()

# seam-mpi is built where there is an MPI; SUNDIALS 7 may have looked for one.
set(SEAM_MPI OFF)
if(SEAM_COMMAND AND SEAM_WITH_MPI AND NOT SEAM_SANITIZE AND NOT SEAM_SANITIZE_THREADS)
  find_package(MPI QUIET COMPONENTS C)
  set(SEAM_MPI ${MPI_C_FOUND})
  if(NOT SEAM_MPI)
    message(STATUS "seam-mpi is not built: there is no MPI; libopenmpi-dev and openmpi-bin have one")
  endif()
endif()

if(SEAM_TESTS AND SEAM_LINT)
  include(CheckLanguage)
  check_language(CXX)
  find_program(SEAM_CLANG_FORMAT NAMES clang-format-14)
  find_program(SEAM_CLANG_TIDY NAMES clang-tidy-14)
  mark_as_advanced(SEAM_CLANG_FORMAT SEAM_CLANG_TIDY)
  if(NOT CMAKE_CXX_COMPILER)
    seam_need("a C++ compiler" "g++" SEAM_LINT)
  endif()
  if(NOT SEAM_CLANG_FORMAT OR NOT SEAM_CLANG_TIDY)
    message(STATUS "lint.format and lint.tidy are left out: other versions than clang-format-14 and clang-tidy-14 want another style")
    set(SEAM_CLANG_FORMAT OFF) # one without the other is none
  endif()
endif()

if(SEAM_MISSING)
  list(REMOVE_DUPLICATES SEAM_MISSING_PACKAGES)
  list(JOIN SEAM_MISSING_PACKAGES " " packages)
  message(FATAL_ERROR "Seam is not configured: what follows is missing; behind it the packages of Debian that have it."
                      "${SEAM_MISSING}\n\n  apt-get install --no-install-recommends ${packages}\n"
                      "\ntools/dependencies.sh installs them, and all that tests and checks need.")
endif()
