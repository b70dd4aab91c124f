# Writes a C file with the text of each model file, byte for byte.
#   cmake -D OUTPUT=catalogue_table.c -D FOLDER=models/catalogue -P embed.cmake
file(GLOB paths ${FOLDER}/*.yaml)
list(SORT paths)
set(code "/* Made by models/embed.cmake from models/catalogue. */\n#include \"models/catalogue.h\"\n")
set(rows "")
foreach(path IN LISTS paths)
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((....,){20})" "\\1\n" bytes "${bytes}")
  string(APPEND code "\nstatic const unsigned char ${name}[] = {\n${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", ${name}},\n")
endforeach()
string(APPEND code "\nconst catalogue_row catalogue_rows[] = {\n${rows}};\n"
       "const size_t catalogue_size = sizeof catalogue_rows / sizeof *catalogue_rows;\n")
file(WRITE ${OUTPUT} "${code}")
