# Writes a C file with the text of the style of pictures, byte for byte.
#   cmake -D OUTPUT=style_text.c -D INPUT=app/plots/style.gp -P embed.cmake
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((....,){20})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "/* Made by app/plots/embed.cmake. */\n#include \"app/plots/picture.h\"\n\n"
                     "const char style_text[] = {\n${bytes}0};\n")
