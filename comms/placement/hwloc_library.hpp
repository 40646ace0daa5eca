// hwloc 2.x, loaded when it is wanted: a program on a node without it asks the kernel instead.
#pragma once

#if defined(PLAQ_WITH_HWLOC)
#include <hwloc.h>

namespace plaq {

struct HwlocLibrary {
  static const HwlocLibrary* get();  // null where it cannot be loaded

  decltype(&::hwloc_get_api_version) get_api_version = nullptr;
  decltype(&::hwloc_topology_init) init = nullptr;
  decltype(&::hwloc_topology_destroy) destroy = nullptr;
  decltype(&::hwloc_topology_set_components) set_components = nullptr;
  decltype(&::hwloc_topology_set_flags) set_flags = nullptr;
  decltype(&::hwloc_topology_set_io_types_filter) set_io_types_filter = nullptr;
  decltype(&::hwloc_topology_set_xmlbuffer) set_xmlbuffer = nullptr;
  decltype(&::hwloc_topology_load) load = nullptr;
  decltype(&::hwloc_get_type_depth) get_type_depth = nullptr;
  decltype(&::hwloc_get_obj_by_depth) get_obj_by_depth = nullptr;
  decltype(&::hwloc_bitmap_next) bitmap_next = nullptr;
};

}  // namespace plaq
#endif
