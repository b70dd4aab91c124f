# Finds SuiteSparse's KLU and SPQR, for which Debian 12 ships no CMake package.
# Components KLU and SPQR become the targets SuiteSparse::KLU and SuiteSparse::SPQR.
find_path(SuiteSparse_INCLUDE_DIR SuiteSparse_config.h PATH_SUFFIXES suitesparse)
mark_as_advanced(SuiteSparse_INCLUDE_DIR)

set(SuiteSparse_KLU_PARTS klu amd colamd btf suitesparseconfig)
set(SuiteSparse_SPQR_PARTS spqr cholmod suitesparseconfig)

foreach(component ${SuiteSparse_FIND_COMPONENTS})
  set(SuiteSparse_${component}_FOUND ${SuiteSparse_INCLUDE_DIR})
  set(libraries)
  foreach(part ${SuiteSparse_${component}_PARTS})
    find_library(SuiteSparse_${part}_LIBRARY ${part})
    mark_as_advanced(SuiteSparse_${part}_LIBRARY)
    list(APPEND libraries ${SuiteSparse_${part}_LIBRARY})
    if(NOT SuiteSparse_${part}_LIBRARY)
      set(SuiteSparse_${component}_FOUND FALSE)
    endif()
  endforeach()
  if(SuiteSparse_${component}_FOUND AND NOT TARGET SuiteSparse::${component})
    add_library(SuiteSparse::${component} INTERFACE IMPORTED)
    target_include_directories(SuiteSparse::${component} INTERFACE ${SuiteSparse_INCLUDE_DIR})
    target_link_libraries(SuiteSparse::${component} INTERFACE ${libraries})
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuiteSparse REQUIRED_VARS SuiteSparse_INCLUDE_DIR HANDLE_COMPONENTS)
