# plaq_control: the objects of rooms that read, check and write, and leave the computing to others (settings, jobs). They are a
# part of plaq, compiled with -O1, which takes a third less time than -O3.
#
# A room is among them if its CMakeLists.txt says so before it names sources: set(plaq_target plaq_control)
add_library(plaq_control OBJECT)
set_target_properties(plaq_control PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(plaq_control PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(plaq_control PRIVATE plaq_flags plaq_dependencies)
target_compile_options(plaq_control PRIVATE $<$<CONFIG:Release>:-O1>)
target_sources(plaq PRIVATE $<TARGET_OBJECTS:plaq_control>)
# With -O1 GCC takes alternatives of variants for members that nobody has set.
target_compile_options(plaq_control PRIVATE
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<CONFIG:Release>>:-Wno-maybe-uninitialized>)
