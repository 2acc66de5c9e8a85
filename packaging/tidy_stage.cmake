# Run by CPack before it makes the packages: what Debian's policy wants otherwise than `cmake --install` does it.
set(stage ${CPACK_TEMPORARY_DIRECTORY})
set(docs ${stage}/daemon/usr/share/doc/hotkeyd)
file(REMOVE ${docs}/LICENSE)  # Debian has one copy of it for all packages.
# The units' folder that this Debian's helpers read.
if(EXISTS ${stage}/daemon/usr/lib/systemd)
  file(MAKE_DIRECTORY ${stage}/daemon/lib)
  file(RENAME ${stage}/daemon/usr/lib/systemd ${stage}/daemon/lib/systemd)
endif()
file(GLOB_RECURSE long_texts ${docs}/*.md ${docs}/NOTICE)
foreach(text ${long_texts})
  file(SIZE ${text} size)
  if(size GREATER 4096)
    execute_process(COMMAND gzip -9n ${text} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
# Files of the packages do not depend on who builds them, and with which umask.
execute_process(COMMAND chmod -R u+rwX,go+rX,go-w ${stage}/daemon ${stage}/cli ${stage}/sdk COMMAND_ERROR_IS_FATAL ANY)
