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

  install(CODE "set(program \"$<TARGET_FILE:plaq_program>\")")
  install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/CarryLibraries.cmake)
endif()

install(DIRECTORY jobs/plot jobs/analyse jobs/report DESTINATION share/plaq FILES_MATCHING PATTERN "*.py")
install(DIRECTORY examples/ DESTINATION share/plaq/examples)
install(DIRECTORY docs/ DESTINATION share/doc/plaq/docs)
foreach(file README.md LICENSE CHANGELOG.md)
  install(FILES ${file} DESTINATION share/doc/plaq OPTIONAL)
endforeach()
