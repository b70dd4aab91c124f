# Finds SuiteSparse's KLU and CAMD, for which Debian 12 ships no CMake package, as the target SuiteSparse::KLU.
# KLU, AMD, CAMD, COLAMD, BTF and SuiteSparse_config are under the LGPL 2.1 or the BSD licence. Nothing of SuiteSparse that is
# under the GPL (CHOLMOD's supernodal part, SPQR) may come in: Seam's binaries are under the BSD licence.
find_path(SuiteSparse_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(SuiteSparse_LIBRARIES)
set(SuiteSparse_VARIABLES SuiteSparse_INCLUDE_DIR)
foreach(part klu amd camd colamd btf suitesparseconfig)
  find_library(SuiteSparse_${part}_LIBRARY ${part})
  list(APPEND SuiteSparse_LIBRARIES ${SuiteSparse_${part}_LIBRARY})
  list(APPEND SuiteSparse_VARIABLES SuiteSparse_${part}_LIBRARY)
endforeach()
mark_as_advanced(${SuiteSparse_VARIABLES})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuiteSparse REQUIRED_VARS ${SuiteSparse_VARIABLES})

if(SuiteSparse_FOUND AND NOT TARGET SuiteSparse::KLU)
  add_library(SuiteSparse::KLU INTERFACE IMPORTED)
  target_include_directories(SuiteSparse::KLU INTERFACE ${SuiteSparse_INCLUDE_DIR})
  target_link_libraries(SuiteSparse::KLU INTERFACE ${SuiteSparse_LIBRARIES})
endif()
