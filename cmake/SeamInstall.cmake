# What `cmake --install` puts where: the library, its headers, the command with its manual pages and completion, packages
# for CMake and pkg-config, the documentation. All of it works from wherever the prefix is moved to.
include(CMakePackageConfigHelpers)
set(SEAM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Seam)
file(RELATIVE_PATH SEAM_LIBRARY_FROM_COMMAND ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})

install(TARGETS seam EXPORT SeamTargets FILE_SET HEADERS)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/seam)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/seam PATTERN CMakeLists.txt EXCLUDE)

if(TARGET seam_command)
  set(SEAM_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Where zsh looks for completion")
  set_target_properties(seam_command PROPERTIES INSTALL_RPATH "$ORIGIN/${SEAM_LIBRARY_FROM_COMMAND}")
  install(TARGETS seam_command)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/app/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_BINARY_DIR}/app/completion/seam DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${PROJECT_BINARY_DIR}/app/completion/_seam DESTINATION ${SEAM_ZSH_COMPLETIONS})
  install(FILES ${PROJECT_BINARY_DIR}/app/completion/seam.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
if(TARGET seam_mpi)
  set_target_properties(seam_mpi PROPERTIES INSTALL_RPATH "$ORIGIN/${SEAM_LIBRARY_FROM_COMMAND}")
  install(TARGETS seam_mpi)
  file(WRITE ${PROJECT_BINARY_DIR}/app/seam-mpi.1 ".so man1/seam-sweep.1\n")
  install(FILES ${PROJECT_BINARY_DIR}/app/seam-mpi.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# ---- Packages for CMake and pkg-config

install(EXPORT SeamTargets NAMESPACE Seam:: DESTINATION ${SEAM_CMAKE_DIR})
configure_package_config_file(cmake/SeamConfig.cmake.in SeamConfig.cmake INSTALL_DESTINATION ${SEAM_CMAKE_DIR})
write_basic_package_version_file(SeamConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SeamConfig.cmake ${PROJECT_BINARY_DIR}/SeamConfigVersion.cmake
        DESTINATION ${SEAM_CMAKE_DIR})

# A program needs of a shared library nothing but it; of a static one, what that needs.
set(SEAM_PC_REQUIRES)
set(SEAM_PC_LIBS -lm)
if(NOT BUILD_SHARED_LIBS)
  install(FILES cmake/FindSuiteSparse.cmake DESTINATION ${SEAM_CMAKE_DIR})
  set(SEAM_PC_REQUIRES "lapacke lapack libfyaml minizip expat zlib")
  set(SEAM_PC_LIBS "-lsundials_cvodes -lsundials_idas -lsundials_nvecserial -l${SEAM_SUNDIALS_CORE} -lklu -lamd -lcamd -lcolamd -lbtf \
-lsuitesparseconfig -lpthread -ldl -lm")
  list(JOIN SEAM_SUNDIALS_MPI " " mpi)
  string(APPEND SEAM_PC_LIBS " ${mpi}")
endif()
set(SEAM_PC_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH SEAM_PREFIX_FROM_PC ${CMAKE_INSTALL_PREFIX}/${SEAM_PC_DIR} ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/seam.pc.in seam.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/seam.pc DESTINATION ${SEAM_PC_DIR})

# ---- `cmake --build BUILD --target uninstall`, and archives by CPack; tools/package.sh makes Debian's packages

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -D MANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
                                      -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake VERBATIM)
  set(CPACK_PACKAGE_NAME seam)
  set(CPACK_PACKAGE_CONTACT "Seam contributors <maintainers@seam-multibody.org>")
  set(CPACK_GENERATOR TGZ)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  include(CPack)
endif()
