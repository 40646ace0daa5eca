# At install time: copies the shared libraries that ${program} and ${module} need into lib/ of the installed tree, by soname.
file(GET_RUNTIME_DEPENDENCIES
  EXECUTABLES ${program}
  MODULES ${module}
  RESOLVED_DEPENDENCIES_VAR resolved
  UNRESOLVED_DEPENDENCIES_VAR unresolved
  CONFLICTING_DEPENDENCIES_PREFIX conflicting
  PRE_EXCLUDE_REGEXES
    "^ld-linux" "^lib(c|m|mvec|dl|rt|pthread|resolv|util|anl|nsl|nss_.*)\\.so"  # the C library
    "^libmpi" "^libmpich" "^libopen-(rte|pal)" "^lib(pmix|ucp|ucs|uct|ucm|fabric|ibverbs|rdmacm)"
    "^libcuda\\.so" "^libnvidia" "^libnccl")
foreach(name IN LISTS conflicting_FILENAMES)  # the same file by two paths, or two versions: the first found wins
  list(GET conflicting_${name} 0 path)
  list(APPEND resolved ${path})
endforeach()
if(unresolved)
  message(FATAL_ERROR "plaq: shared libraries not found: ${unresolved}")
endif()

foreach(path IN LISTS resolved)
  file(REAL_PATH ${path} file)
  cmake_path(GET path FILENAME soname)
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/lib" TYPE FILE RENAME ${soname} FILES ${file})
  # A search path of its own would switch off that of the program.
  file(RPATH_REMOVE FILE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/${soname}")
endforeach()
