# A tree that can be copied anywhere: bin/plaq, the Python package, headers and, in lib/, libplaq, which all use, and the shared
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

  # The Python package, of which the program has plaq analyse, plaq plot and plaq campaign report: PYTHONPATH=PREFIX/lib/python.
  # In a wheel it is the root of the tree.
  install(DIRECTORY python/plaq/ DESTINATION ${PLAQ_PYTHON_DIRECTORY}
    FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  if(TARGET plaq_python)
    plaq_install_rpath(plaq_python ${PLAQ_PYTHON_DIRECTORY})
    string(APPEND files ";$<TARGET_FILE:plaq_python>")
    install(TARGETS plaq_python LIBRARY DESTINATION ${PLAQ_PYTHON_DIRECTORY})
    install(DIRECTORY ${PROJECT_BINARY_DIR}/python/plaq/ DESTINATION ${PLAQ_PYTHON_DIRECTORY}
      FILES_MATCHING PATTERN "*.pyi")
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

# What programs in C++ need: headers, find_package(plaq), pkg-config, and the archive.
include(CMakePackageConfigHelpers)
set(plaq_library_name ${CMAKE_SHARED_LIBRARY_PREFIX}plaq${CMAKE_SHARED_LIBRARY_SUFFIX})
set(plaq_pc_definitions "")
if(PLAQ_WITH_CUDA)
  set(plaq_pc_definitions " -DPLAQ_WITH_CUDA=1")
endif()
set(plaq_static_needs "")
if(PLAQ_STATIC)
  add_library(plaq_static STATIC $<TARGET_OBJECTS:plaq> $<TARGET_OBJECTS:plaq_control>)
  set_target_properties(plaq_static PROPERTIES OUTPUT_NAME plaq LINKER_LANGUAGE CXX)
  install(TARGETS plaq_static ARCHIVE DESTINATION lib)
  set(plaq_static_needs ${MPI_C_LIBRARIES} fmt spdlog ${PLAQ_pugixml_LIBRARY} ${plaq_hdf5_libraries} ${PLAQ_zlib_LIBRARY}
    ${OpenMP_CXX_LIBRARIES} -pthread ${CMAKE_DL_LIBS} m)
  if(PLAQ_WITH_CUDA)
    list(APPEND plaq_static_needs ${CUDA_cudart_static_LIBRARY} rt)
  endif()
  if(PLAQ_HDF5_ARCHIVE_SERVES)
    # The archive of HDF5 comes behind libplaq.a: what it needs of that is asked for by name.
    list(APPEND plaq_static_needs -Wl,--wrap=stdout,--wrap=stderr -Wl,--undefined=__wrap_stdout,--undefined=__wrap_stderr)
  endif()
endif()
configure_package_config_file(packaging/cmake/plaqConfig.cmake.in plaqConfig.cmake INSTALL_DESTINATION lib/cmake/plaq)
write_basic_package_version_file(plaqConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/plaqConfig.cmake ${PROJECT_BINARY_DIR}/plaqConfigVersion.cmake DESTINATION lib/cmake/plaq)
configure_file(packaging/cmake/plaq.pc.in plaq.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/plaq.pc DESTINATION lib/pkgconfig)
install(CODE "set(source \"${PROJECT_SOURCE_DIR}\")
set(destination \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/include\")")
install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/InstallHeaders.cmake)

install(DIRECTORY examples/ DESTINATION share/plaq/examples)
install(DIRECTORY docs/ DESTINATION share/doc/plaq/docs)
foreach(file README.md LICENSE CHANGELOG.md)
  install(FILES ${file} DESTINATION share/doc/plaq OPTIONAL)
endforeach()
