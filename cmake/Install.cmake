# A tree that can be copied anywhere: bin/plaq, the Python package and, in lib/, libplaq, which both use, and the shared
# libraries that it needs and that a bare compute node may lack. MPI, the GPU driver, NCCL and the C library belong to the
# cluster and stay out.
include(GNUInstallDirs)

# The search path of a file that lies in `from`, relative to the tree's root.
function(plaq_install_rpath target from)
  file(RELATIVE_PATH to_lib /prefix/${from} /prefix/lib)
  set(rpath "$ORIGIN/${to_lib}")
  string(REGEX REPLACE "/$" "" rpath "${rpath}")
  if(PLAQ_CARRY_LIBRARIES)
    # An MPI in a place of its own (a module) is still found there, after the tree.
    foreach(library IN LISTS MPI_C_LIBRARIES)
      if(IS_ABSOLUTE "${library}" AND NOT library MATCHES "^/(usr/)?lib")
        cmake_path(GET library PARENT_PATH directory)
        list(APPEND rpath ${directory})
      endif()
    endforeach()
  else()
    set_target_properties(${target} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
  target_link_options(${target} PRIVATE LINKER:--enable-new-dtags)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}" BUILD_RPATH_USE_ORIGIN ON)
endfunction()

if(TARGET plaq_program)
  plaq_install_rpath(plaq lib)
  plaq_install_rpath(plaq_program bin)
  install(TARGETS plaq LIBRARY DESTINATION lib)
  install(TARGETS plaq_program RUNTIME DESTINATION bin)
  set(files "$<TARGET_FILE:plaq>;$<TARGET_FILE:plaq_program>")

  # The Python package: PYTHONPATH=PREFIX/lib/python; in a wheel it is the root of the tree.
  if(TARGET plaq_python)
    set(PLAQ_PYTHON_DIRECTORY lib/python/plaq CACHE STRING "Where the Python package is installed, in the tree")
    mark_as_advanced(PLAQ_PYTHON_DIRECTORY)
    plaq_install_rpath(plaq_python ${PLAQ_PYTHON_DIRECTORY})
    string(APPEND files ";$<TARGET_FILE:plaq_python>")
    install(TARGETS plaq_python LIBRARY DESTINATION ${PLAQ_PYTHON_DIRECTORY})
    install(DIRECTORY ${PROJECT_BINARY_DIR}/python/plaq/ DESTINATION ${PLAQ_PYTHON_DIRECTORY}
      FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  endif()

  if(PLAQ_CARRY_LIBRARIES)
    set(left_out "^libhdf5")
    if(plaq_hdf5_is_carried)
      set(left_out "")
    endif()
    install(CODE "set(files \"${files}\")\nset(library \"$<TARGET_FILE:plaq>\")\nset(left_out \"${left_out}\")
set(objdump \"${CMAKE_OBJDUMP}\")")
    install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/CarryLibraries.cmake)
  endif()
endif()

install(DIRECTORY jobs/plot jobs/analyse jobs/report DESTINATION share/plaq FILES_MATCHING PATTERN "*.py")
install(DIRECTORY examples/ DESTINATION share/plaq/examples)
install(DIRECTORY docs/ DESTINATION share/doc/plaq/docs)
foreach(file README.md LICENSE CHANGELOG.md)
  install(FILES ${file} DESTINATION share/doc/plaq OPTIONAL)
endforeach()
