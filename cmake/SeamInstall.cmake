# What `cmake --install` puts where: the library, its headers, the command with its manual pages and completion, and
# packages for CMake and pkg-config.
# All of it works from wherever the prefix is moved to.
include(CMakePackageConfigHelpers)
set(SEAM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Seam)

install(TARGETS seam EXPORT SeamTargets FILE_SET HEADERS)
file(RELATIVE_PATH SEAM_LIBRARY_FROM_COMMAND ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(seam_command PROPERTIES INSTALL_RPATH "$ORIGIN/${SEAM_LIBRARY_FROM_COMMAND}")
install(TARGETS seam_command)
if(TARGET seam_mpi)
  set_target_properties(seam_mpi PROPERTIES INSTALL_RPATH "$ORIGIN/${SEAM_LIBRARY_FROM_COMMAND}")
  install(TARGETS seam_mpi)
endif()

set(SEAM_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Where zsh looks for completion")
install(DIRECTORY ${PROJECT_BINARY_DIR}/app/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/app/completion/seam DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PROJECT_BINARY_DIR}/app/completion/_seam DESTINATION ${SEAM_ZSH_COMPLETIONS})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/seam)

install(EXPORT SeamTargets NAMESPACE Seam:: DESTINATION ${SEAM_CMAKE_DIR})
configure_package_config_file(cmake/SeamConfig.cmake.in SeamConfig.cmake INSTALL_DESTINATION ${SEAM_CMAKE_DIR})
write_basic_package_version_file(SeamConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SeamConfig.cmake ${PROJECT_BINARY_DIR}/SeamConfigVersion.cmake
        DESTINATION ${SEAM_CMAKE_DIR})

set(SEAM_PC_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH SEAM_PREFIX_FROM_PC ${CMAKE_INSTALL_PREFIX}/${SEAM_PC_DIR} ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/seam.pc.in seam.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/seam.pc DESTINATION ${SEAM_PC_DIR})
