# A filter of Doxygen: a comment behind a member of a structure or an enumerator documents it, as `/**< ... */` does.
# A comment on lines of its own stays what it is.
/^[^\/#*].*[,;{] +\/\* / { sub(/\/\* /, "/**< ") }
{ print }
