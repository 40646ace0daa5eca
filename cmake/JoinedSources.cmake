# PLAQ_JOIN_SOURCES: what few sources need more time for than for what they all include is compiled together.
#
# Folders whose plain sources are one translation unit each, so that what they all include is read once: less than half
# the time. Names in their anonymous namespaces must then differ; sources that share some stand apart. Folders that are
# not named here are compiled source by source, as all are without the option.
set(joined_folders
  comms core gaugefix kernels multigrid observables plaq quarks settings
  io/bytes io/eigenvectors io/gauge io/lime io/multigrid io/propagator io/transformation io/tuning io/vectors
  jobs/bench jobs/campaign jobs/common jobs/contract jobs/correlators jobs/dirac jobs/files jobs/gaugefix jobs/generate jobs/gluon jobs/loops
  jobs/measure jobs/model
  jobs/plan jobs/program jobs/propagator jobs/rates jobs/results jobs/run jobs/schema jobs/selftest
  jobs/slurm jobs/study)
set(sources_apart
  comms/transport/peer_layout.cpp comms/transport/transport_choice.cpp gaugefix/run/gauge_fixer.cpp
  comms/watchdog/heartbeat.cpp
  io/gauge/ddalphaamg_format.cpp io/gauge/lime_gauge_frame.cpp io/gauge/link_survey.cpp io/gauge/milc_format.cpp
  io/gauge/nersc_format.cpp io/gauge/openqcd_format.cpp
  jobs/files/info_multigrid.cpp jobs/files/info_propagator.cpp jobs/files/info_transformation.cpp
  jobs/results/results_bytes.cpp jobs/selftest/selftest_wilson.cpp)

# In `result`: the sources that `file`, a path from the root, is compiled together with, as a name; empty: it stands apart.
function(plaq_joined_group result file)
  set(${result} "" PARENT_SCOPE)
  if(NOT PLAQ_JOIN_SOURCES OR file IN_LIST sources_apart)
    return()
  endif()
  set(folder ${file})
  while(NOT folder STREQUAL "")
    cmake_path(GET folder PARENT_PATH folder)
    if(folder IN_LIST joined_folders)
      string(REPLACE "/" "_" group ${folder})
      set(${result} ${group} PARENT_SCOPE)
      return()
    endif()
  endwhile()
endfunction()

# Marks the sources of one room of plaq that are compiled together.
function(plaq_join)
  foreach(file IN LISTS ARGN)
    cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
    plaq_joined_group(group ${folder}/${file})
    if(group)
      set_source_files_properties(${file} TARGET_DIRECTORY plaq PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()

# Kernel sources and what is generated are joined as well, those of kernels/ and all others, as C++ and as CUDA: most of
# the time of a small one goes into headers, which nvcc reads four times. `ending`: cpp or cu; absolute paths. Names in
# anonymous namespaces must differ here, too.
function(plaq_join_or_add ending)
  if(NOT PLAQ_JOIN_SOURCES)
    target_sources(plaq PRIVATE ${ARGN})
    return()
  endif()
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE room)
  set(group others)
  if(room STREQUAL kernels)
    set(group kernels)
  endif()
  foreach(file IN LISTS ARGN)
    plaq_include_name(name ${file})
    set_property(GLOBAL APPEND_STRING PROPERTY plaq_joined_${group}_${ending} "#include \"${name}\"\n")
  endforeach()
endfunction()

# After all rooms: the sources that include what was joined.
function(plaq_add_joined_kernels)
  foreach(group kernels others)
    foreach(ending cpp cu)
      get_property(text GLOBAL PROPERTY plaq_joined_${group}_${ending})
      if(text)
        set(source ${plaq_generated}/joined_${group}.${ending})
        file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
        target_sources(plaq PRIVATE ${source})
      endif()
    endforeach()
  endforeach()
endfunction()

# Test files, those of a folder, a few at once: most of the time of a short one goes into headers. Names in anonymous
# namespaces of a folder must differ here, too.
set(tests_at_once 6)
set(tests_apart
  comms/grid/process_grid comms/placement/launch_table
  core/algebra/lanes core/algebra/random core/lattice/lattice_view
  io/gauge/ildg io/gauge/large_file
  jobs/campaign/choice
  jobs/program/program_solvers jobs/program/program_staggered
  jobs/program/program_study jobs/program/program_study_setups jobs/program/program_study_solvers jobs/studies/study_job
  kernels/blas/blas_lengths kernels/dirac/operators kernels/dirac/transports kernels/dirac/waves
  kernels/gauge/link_storage kernels/gauge/temporal_gauge kernels/quark/staggered_mesons
  kernels/quark/staggered_baryons
  multigrid/coarse/coarse_schur multigrid/coarse/galerkin multigrid/coarse/mass_shift multigrid/coarse/probing
  multigrid/cycle/polynomial_smoother multigrid/setup/setup multigrid/transfer/transfer multigrid/transfer/truncation
  quarks/clover_links quarks/dirac_multigrid quarks/system_solver quarks/dirac_temporal_gauge quarks/low_modes
  quarks/dirac_actions quarks/multigrid_faults quarks/source
  solvers/domain_wall/residual_mass
  solvers/krylov/multishift_cg solvers/krylov/outcomes solvers/krylov/smoother solvers/krylov/solve
  solvers/krylov/staggered
  solvers/mixed/mixed_precision)

function(plaq_join_tests target)
  if(NOT PLAQ_JOIN_SOURCES)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    string(REGEX REPLACE "_test[.]cpp$" "" file ${source})
    if(file IN_LIST tests_apart)
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    string(REPLACE "/" "_" name ${folder})
    if(NOT DEFINED number_${name})
      set(number_${name} 0)
    endif()
    math(EXPR group "${number_${name}} / ${tests_at_once}")
    math(EXPR number_${name} "${number_${name}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${group})
  endforeach()
endfunction()
