# A tree that can be copied anywhere: bin/plaq and, in lib/, the shared libraries that it needs and that a bare
# compute node may lack. MPI, the GPU driver, NCCL and the C library belong to the cluster and stay out.
include(GNUInstallDirs)

if(TARGET plaq_program)
  set(rpath "$ORIGIN/../lib")
  # An MPI in a place of its own (a module) is still found there, after the tree.
  foreach(library IN LISTS MPI_C_LIBRARIES)
    if(IS_ABSOLUTE "${library}" AND NOT library MATCHES "^/(usr/)?lib")
      cmake_path(GET library PARENT_PATH directory)
      list(APPEND rpath ${directory})
    endif()
  endforeach()
  # The old kind of tag, because it also serves the libraries that our libraries need.
  target_link_options(plaq_program PRIVATE LINKER:--disable-new-dtags)
  set_target_properties(plaq_program PROPERTIES INSTALL_RPATH "${rpath}")
  install(TARGETS plaq_program RUNTIME DESTINATION bin)

  # The Python package: PYTHONPATH=PREFIX/lib/python; in a wheel it is the root of the tree.
  set(module "")
  if(TARGET plaq_python)
    set(PLAQ_PYTHON_DIRECTORY lib/python/plaq CACHE STRING "Where the Python package is installed, in the tree")
    mark_as_advanced(PLAQ_PYTHON_DIRECTORY)
    set(module "$<TARGET_FILE:plaq_python>")
    file(RELATIVE_PATH to_lib /prefix/${PLAQ_PYTHON_DIRECTORY} /prefix/lib)
    string(REPLACE "\$ORIGIN/../lib" "\$ORIGIN/${to_lib}" module_rpath "${rpath}")
    target_link_options(plaq_python PRIVATE LINKER:--disable-new-dtags)
    set_target_properties(plaq_python PROPERTIES INSTALL_RPATH "${module_rpath}")
    install(TARGETS plaq_python LIBRARY DESTINATION ${PLAQ_PYTHON_DIRECTORY})
    install(DIRECTORY ${PROJECT_BINARY_DIR}/python/plaq/ DESTINATION ${PLAQ_PYTHON_DIRECTORY}
      FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  endif()

  install(CODE "set(program \"$<TARGET_FILE:plaq_program>\")\nset(module \"${module}\")")
  install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/CarryLibraries.cmake)
endif()

install(DIRECTORY jobs/plot jobs/analyse jobs/report DESTINATION share/plaq FILES_MATCHING PATTERN "*.py")
install(DIRECTORY examples/ DESTINATION share/plaq/examples)
install(DIRECTORY docs/ DESTINATION share/doc/plaq/docs)
foreach(file README.md LICENSE CHANGELOG.md)
  install(FILES ${file} DESTINATION share/doc/plaq OPTIONAL)
endforeach()
