# cmake -DFILE=libhdf5.so -DLIST=list.txt -P LibraryClosure.cmake: writes which shared libraries the file needs, directly and
# by others, a path a line. Those that every machine has are left out.
include(${CMAKE_CURRENT_LIST_DIR}/SystemLibraries.cmake)
file(GET_RUNTIME_DEPENDENCIES LIBRARIES ${FILE} RESOLVED_DEPENDENCIES_VAR resolved UNRESOLVED_DEPENDENCIES_VAR unresolved
  CONFLICTING_DEPENDENCIES_PREFIX conflicting PRE_EXCLUDE_REGEXES ${libraries_of_system})
foreach(name IN LISTS conflicting_FILENAMES)  # the same file by two paths, or two versions: the first found wins
  list(GET conflicting_${name} 0 path)
  list(APPEND resolved ${path})
endforeach()
list(JOIN resolved "\n" lines)
file(WRITE ${LIST} "${lines}")
