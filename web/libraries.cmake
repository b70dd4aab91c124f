# The libraries that Seam is linked with in the browser, built from Debian's source packages. tools/playground.sh has
# CMake include this file in Seam's own project, so that CMakeLists.txt and cmake/SeamDependencies.cmake find these
# targets in place of installed libraries: no list of Seam's sources stands here. SEAM_LIBRARY_SOURCES is the folder of
# the unpacked source packages.
file(GLOB zlib ${SEAM_LIBRARY_SOURCES}/zlib-*)
file(GLOB minizip ${SEAM_LIBRARY_SOURCES}/minizip-*)
file(GLOB expat ${SEAM_LIBRARY_SOURCES}/expat-*/expat/lib)
file(GLOB fyaml ${SEAM_LIBRARY_SOURCES}/libfyaml-*)
file(GLOB sundials ${SEAM_LIBRARY_SOURCES}/sundials-*)
file(GLOB suitesparse ${SEAM_LIBRARY_SOURCES}/suitesparse-*)
file(GLOB lapack ${SEAM_LIBRARY_SOURCES}/lapack-*)
file(GLOB f2c ${SEAM_LIBRARY_SOURCES}/libf2c2-*)

# emcc starts Python for each file, which takes longer than compiling it: clang is called directly, with emcc's flags.
execute_process(COMMAND emcc --cflags OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(CMAKE_C_COMPILE_OBJECT "$ENV{SEAM_COMPILER_LAUNCHER} clang-14 ${flags} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
set(made ${CMAKE_BINARY_DIR}/libraries) # headers that a configuration would write

# web_library(NAME FILES...) adds a static library, compiled without warnings since its sources are not Seam's.
function(web_library name)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${ARGN})
  target_compile_options(${name} PRIVATE -w -ffp-contract=off -U_POSIX_C_SOURCE -D_GNU_SOURCE) # Seam keeps to POSIX; these do not
endfunction()

function(web_alias name)
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  target_link_libraries(${name} INTERFACE ${ARGN})
endfunction()

# ---- Files and text

file(GLOB sources ${zlib}/*.c)
list(FILTER sources EXCLUDE REGEX "/gz")
web_library(web_zlib ${sources})
target_include_directories(web_zlib PUBLIC ${zlib})
web_library(web_platform ${CMAKE_CURRENT_LIST_DIR}/platform.c)
web_alias(ZLIB::ZLIB web_zlib web_platform)

foreach(header ioapi unzip zip crypt)
  configure_file(${minizip}/${header}.h ${made}/minizip/${header}.h COPYONLY)
endforeach()
web_library(web_minizip ${minizip}/ioapi.c ${minizip}/unzip.c ${minizip}/zip.c)
target_compile_definitions(web_minizip PUBLIC USE_FILE32API) # off_t has 64 bits anyway
target_include_directories(web_minizip PUBLIC ${made} ${made}/minizip)
target_link_libraries(web_minizip PUBLIC web_zlib)
web_alias(PkgConfig::MINIZIP web_minizip)

web_library(web_expat ${expat}/xmlparse.c ${expat}/xmlrole.c ${expat}/xmltok.c)
file(WRITE ${made}/expat/expat_config.h "#define XML_DTD 1\n#define XML_NS 1\n#define XML_CONTEXT_BYTES 1024\n#define XML_DEV_URANDOM 1\n")
target_include_directories(web_expat PUBLIC ${expat} PRIVATE ${made}/expat)
web_alias(EXPAT::EXPAT web_expat)

file(GLOB sources ${fyaml}/src/lib/*.c ${fyaml}/src/xxhash/*.c)
web_library(web_fyaml ${sources})
file(STRINGS ${fyaml}/debian/changelog version LIMIT_COUNT 1 REGEX "libfyaml")
string(REGEX REPLACE ".*\\(([0-9.]+)-.*" "\\1" version "${version}")
file(WRITE ${made}/fyaml/config.h "#define VERSION \"${version}\"\n#define HAVE_SSIZE_T 1\n#define HAVE_DECL_ENVIRON 1\n")
target_compile_definitions(web_fyaml PRIVATE HAVE_CONFIG_H)
target_include_directories(web_fyaml PUBLIC ${fyaml}/include PRIVATE ${made}/fyaml ${fyaml}/src/lib ${fyaml}/src/internal ${fyaml}/src/xxhash)
web_alias(PkgConfig::LIBFYAML web_fyaml)

# ---- Integrators and linear algebra

set(PACKAGE_VERSION 6.4.1)
set(PACKAGE_VERSION_MAJOR 6)
set(PACKAGE_VERSION_MINOR 4)
set(PACKAGE_VERSION_PATCH 1)
set(SUNDIALS_C_COMPILER_HAS_MATH_PRECISIONS ON)
set(SUNDIALS_C_COMPILER_HAS_ISINF_ISNAN ON)
set(SUNDIALS_C_COMPILER_HAS_INLINE ON)
set(SUNDIALS_C_COMPILER_HAS_SNPRINTF_AND_VA_COPY ON)
set(SUNDIALS_HAVE_POSIX_TIMERS ON)
set(SUNDIALS_DEPRECATED_MSG_MACRO "__attribute__((__deprecated__(msg)))")
set(PRECISION_LEVEL "#define SUNDIALS_DOUBLE_PRECISION 1")
set(INDEX_TYPE "#define SUNDIALS_INT64_T 1") # as Debian's
set(SUNDIALS_CINDEX_TYPE int64_t)
set(SUNDIALS_LOGGING_LEVEL 0)
configure_file(${sundials}/include/sundials/sundials_config.in ${made}/sundials/sundials/sundials_config.h)
file(WRITE ${made}/sundials/sundials/sundials_export.h
     "#define SUNDIALS_EXPORT\n#define SUNDIALS_NO_EXPORT\n#define SUNDIALS_DEPRECATED __attribute__((__deprecated__))\n"
     "#define SUNDIALS_DEPRECATED_EXPORT SUNDIALS_DEPRECATED\n#define SUNDIALS_DEPRECATED_NO_EXPORT SUNDIALS_DEPRECATED\n")
file(GLOB sources ${sundials}/src/cvodes/*.c ${sundials}/src/idas/*.c ${sundials}/src/sundials/*.c ${sundials}/src/nvector/serial/*.c
     ${sundials}/src/sunmatrix/dense/*.c ${sundials}/src/sunmatrix/band/*.c ${sundials}/src/sunmatrix/sparse/*.c
     ${sundials}/src/sunlinsol/dense/*.c ${sundials}/src/sunlinsol/band/*.c ${sundials}/src/sunlinsol/sp*/*.c
     ${sundials}/src/sunlinsol/pcg/*.c ${sundials}/src/sunnonlinsol/newton/*.c ${sundials}/src/sunnonlinsol/fixedpoint/*.c)
list(FILTER sources EXCLUDE REGEX "xbraid|futils|/f(sun|nvector)")
web_library(web_sundials ${sources})
target_include_directories(web_sundials PUBLIC ${sundials}/include ${made}/sundials PRIVATE ${sundials}/src/sundials)
web_alias(SUNDIALS::cvodes_shared web_sundials)
web_alias(SUNDIALS::idas_shared web_sundials)

file(GLOB sources ${suitesparse}/SuiteSparse_config/*.c ${suitesparse}/AMD/Source/*.c ${suitesparse}/CAMD/Source/*.c
     ${suitesparse}/BTF/Source/*.c ${suitesparse}/COLAMD/Source/*.c ${suitesparse}/KLU/Source/*.c)
web_library(web_klu ${sources})
foreach(part SuiteSparse_config AMD/Include CAMD/Include BTF/Include COLAMD/Include KLU/Include)
  target_include_directories(web_klu PUBLIC ${suitesparse}/${part})
endforeach()
target_compile_definitions(web_klu PRIVATE NTIMER)
file(GLOB sources ${suitesparse}/KLU/Source/*.c) # once more for complex matrices
list(FILTER sources EXCLUDE REGEX "klu_(defaults|analyze|analyze_given|memory|free_symbolic)\\.c")
web_library(web_klu_complex ${sources})
target_compile_definitions(web_klu_complex PRIVATE COMPLEX)
target_include_directories(web_klu_complex PRIVATE $<TARGET_PROPERTY:web_klu,INTERFACE_INCLUDE_DIRECTORIES>)
web_alias(SuiteSparse::KLU web_klu_complex web_klu)
set_target_properties(SuiteSparse::KLU PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "$<TARGET_PROPERTY:web_klu,INTERFACE_INCLUDE_DIRECTORIES>")

execute_process(COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/lapack.py ${lapack} ${CMAKE_SOURCE_DIR} ${made}/lapack
                COMMAND_ERROR_IS_FATAL ANY)
configure_file(${f2c}/f2c.h0 ${made}/f2c/f2c.h COPYONLY)
configure_file(${lapack}/LAPACKE/include/lapacke_mangling_with_flags.h.in ${made}/f2c/lapacke_mangling.h COPYONLY)
file(GLOB sources ${made}/lapack/*.c ${lapack}/LAPACKE/utils/lapacke_d*.c)
foreach(name d_lg10 d_sign i_dnnt i_len i_nint pow_dd pow_di pow_ii s_cat s_cmp s_copy)
  list(APPEND sources ${f2c}/${name}.c)
endforeach()
foreach(name xerbla make_complex_double make_complex_float)
  list(APPEND sources ${lapack}/LAPACKE/utils/lapacke_${name}.c)
endforeach()
web_library(web_lapack ${sources} ${lapack}/LAPACKE/src/lapacke_nancheck.c ${CMAKE_CURRENT_LIST_DIR}/fortran90.c)
target_compile_definitions(web_lapack PRIVATE NO_OVERWRITE PUBLIC ADD_)
target_include_directories(web_lapack PUBLIC ${lapack}/LAPACKE/include ${made}/f2c)
web_alias(PkgConfig::LAPACKE web_lapack)

# ---- Lets find_package() and pkg_check_modules() find everything

set(SUNDIALS_VERSION 6.4.1)
macro(web_provide method package)
  if("${package}" MATCHES "^(PkgConfig|SUNDIALS|SuiteSparse|EXPAT|ZLIB)$")
    set(${package}_FOUND TRUE)
    string(TOUPPER ${package} package_in_capitals)
    set(${package_in_capitals}_FOUND TRUE)
  endif()
endmacro()
cmake_language(SET_DEPENDENCY_PROVIDER web_provide SUPPORTED_METHODS FIND_PACKAGE)
set(PKG_CONFIG_FOUND TRUE)
macro(pkg_check_modules prefix)
  set(${prefix}_FOUND TRUE)
endmacro()

# ---- The command: a function seamEngine() that makes an engine, which runs one command line and is then discarded

set(engine_options
  -sMODULARIZE=1 -sEXPORT_NAME=seamEngine -sENVIRONMENT=worker,node -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=1GB
  -sINVOKE_RUN=0 -sEXIT_RUNTIME=0 -sEXPORTED_RUNTIME_METHODS=FS,callMain -sTOTAL_STACK=4MB)
cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL target_link_options seam_command PRIVATE ${engine_options})")
