# At install time: copies the shared libraries that ${files} need into lib/ of the installed tree, by soname. Those that match
# ${left_out} stay out. libplaq, ${library}, must need each one itself: its RUNPATH is for these alone.
include(${CMAKE_CURRENT_LIST_DIR}/SystemLibraries.cmake)
file(GET_RUNTIME_DEPENDENCIES
  LIBRARIES ${files}
  RESOLVED_DEPENDENCIES_VAR resolved
  UNRESOLVED_DEPENDENCIES_VAR unresolved
  CONFLICTING_DEPENDENCIES_PREFIX conflicting
  PRE_EXCLUDE_REGEXES ${libraries_of_system} ${left_out}
    "^libmpi" "^libmpich" "^libopen-(rte|pal)" "^lib(pmix|ucp|ucs|uct|ucm|fabric|ibverbs|rdmacm)"
    "^libcuda\\.so" "^libnvidia" "^libnccl" "^libplaq\\.so" "^lib[at]san" "^libubsan")
foreach(name IN LISTS conflicting_FILENAMES)  # the same file by two paths, or two versions: the first found wins
  list(GET conflicting_${name} 0 path)
  list(APPEND resolved ${path})
endforeach()
if(unresolved)
  message(FATAL_ERROR "plaq: shared libraries not found: ${unresolved}")
endif()

execute_process(COMMAND ${objdump} -p ${library} OUTPUT_VARIABLE header)
foreach(path IN LISTS resolved)
  file(REAL_PATH ${path} file)
  cmake_path(GET path FILENAME soname)
  string(FIND "${header}" " ${soname}\n" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "plaq: ${soname} is needed by another library alone: -DPLAQ_CARRY_LIBRARIES=OFF carries none")
  endif()
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/lib" TYPE FILE RENAME ${soname} FILES ${file})
  # A search path of its own names places of this machine.
  file(RPATH_REMOVE FILE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/${soname}")
endforeach()
