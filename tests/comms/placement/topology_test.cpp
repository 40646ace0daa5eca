// Topology of a node: from made-up files of the kernel, from an XML text of hwloc, and of this machine.
#include "comms/placement/topology.hpp"

#include <sched.h>

#include "tests/comms/placement/made_up_node.hpp"
#include "tests/support/files.hpp"

namespace plaq {
namespace {

namespace fs = std::filesystem;
using test::range;

TEST(CoreSet, TextIsThatOfTheKernel) {
  for (const char* text : {"", "0", "0-3", "0-3,8,10-11", "5,7,9", "0-127"})
    EXPECT_EQ(CoreSet::parse(text).text(), text);
  EXPECT_EQ(CoreSet::parse("0-3,8\n").cores(), (std::vector<int>{0, 1, 2, 3, 8}));
  EXPECT_EQ(CoreSet({4, 1, 2, 4}).text(), "1-2,4");
  for (const char* text : {"x", "1-", "-1", "1,,2", "1 2", ",1", "1-2-3", "99999999999", "3-1", "0,3-1"})
    EXPECT_THROW(CoreSet::parse(text), Error) << text;
}

TEST(CoreSet, SetsMeetAndInclude) {
  const auto a = CoreSet::parse("0-3"), b = CoreSet::parse("2-5"), c = CoreSet::parse("4-5");
  EXPECT_EQ((a & b).text(), "2-3");
  EXPECT_EQ((a | c).text(), "0-5");
  EXPECT_TRUE(a.meets(b) && b.includes(c) && a.includes({}));
  EXPECT_FALSE(a.meets(c) || c.includes(b) || a.meets({}));
  EXPECT_TRUE(b.contains(5) && !b.contains(6));
}

TEST(Topology, BusIdsHaveOneForm) {
  EXPECT_EQ(plain_bus_id("0000:3B:00.0"), "0000:3b:00.0");
  EXPECT_EQ(plain_bus_id("00000000:C1:1F.7"), "0000:c1:1f.7");
  EXPECT_EQ(plain_bus_id("10000:01:00.0"), "10000:01:00.0");
  EXPECT_EQ(plain_bus_id("GPU-1234"), "GPU-1234");
  EXPECT_EQ(plain_bus_id(""), "");
}

TEST(Topology, DistanceIsNumaNodeThenSocket) {
  const NodeTopology node = test::empty_node(2, 2, 4);
  const CoreSet near = range(4, 4);
  EXPECT_EQ(node.distance(5, near), 0);
  EXPECT_EQ(node.distance(1, near), 1);
  EXPECT_EQ(node.distance(9, near), 2);
  EXPECT_EQ(node.distance(9, {}), 0);
  EXPECT_EQ(node.numa_text(range(2, 4)), "0-1");
  EXPECT_EQ(node.numa_text({}), "");
}

TEST(Topology, TheNearestCardIsBehindTheSameBridge) {
  NodeTopology node = test::node_with_gpus(test::empty_node(2, 1, 4), {0, 0, 1, 1});
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(nearest_card(node, node.gpus[i], 0)->name, "mlx5_" + std::to_string(i));
  node.cards.erase(node.cards.begin() + 1);  // GPU 1: then the one at the same root
  EXPECT_EQ(nearest_card(node, node.gpus[1], 0)->name, "mlx5_0");
  node.cards.erase(node.cards.begin());  // then none of this socket: those of the other in turn
  EXPECT_EQ(nearest_card(node, node.gpus[0], 0)->name, "mlx5_2");
  EXPECT_EQ(nearest_card(node, node.gpus[1], 1)->name, "mlx5_3");
  EXPECT_EQ(nearest_card(node, node.gpus[1], 2)->name, "mlx5_2");
  node.cards.clear();
  EXPECT_EQ(nearest_card(node, node.gpus[1], 0), nullptr);
}

// Two sockets of two cores. A GPU and an InfiniBand card behind one bridge at the first, a GPU at the second,
// an Ethernet card at the first.
void expect_two_sockets(const NodeTopology& node) {
  ASSERT_EQ(node.numa_nodes.size(), 2u);
  EXPECT_EQ(node.numa_nodes[1].number, 1);
  EXPECT_EQ(node.numa_nodes[1].cores.text(), "2-3");
  EXPECT_EQ(node.packages, (std::vector<CoreSet>{range(0, 2), range(2, 2)}));
  ASSERT_EQ(node.gpus.size(), 2u);
  const BusDevice *first = node.gpu("0000:17:00.0"), *second = node.gpu("0000:97:00.0");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->near.text(), "0-1");
  EXPECT_EQ(first->bridges, (std::vector<std::string>{"pci0000:16", "0000:16:01.0"}));
  EXPECT_EQ(second->near.text(), "2-3");
  EXPECT_EQ(second->bridges, (std::vector<std::string>{"pci0000:97"}));
  EXPECT_EQ(node.gpu("0000:aa:00.0"), nullptr);
  ASSERT_EQ(node.cards.size(), 1u);
  EXPECT_EQ(node.cards[0].name, "mlx5_0");
  EXPECT_EQ(node.cards[0].bus_id, "0000:18:00.0");
  EXPECT_EQ(node.cards[0].near, first->near);
  EXPECT_EQ(node.cards[0].bridges, first->bridges);
  EXPECT_EQ(nearest_card(node, *first, 0)->name, "mlx5_0");
}
const std::vector<std::string> wanted = {"0000:17:00.0", "0000:97:00.0", "0000:aa:00.0"};

class MadeUpKernel : public testing::Test {
 protected:
  MadeUpKernel() {
    for (const char* core : {"0", "1", "2", "3"})
      write(std::string("devices/system/cpu/cpu") + core + "/topology/physical_package_id",
            *core < '2' ? "0\n" : "1\n");
    write("devices/system/cpu/cpufreq/policy", "");
    write("devices/system/node/node0/cpulist", "0-1\n");
    write("devices/system/node/node1/cpulist", "2-3\n");
    write("devices/system/node/node2/cpulist", "\n");  // memory without cores
    device("pci0000:16/0000:16:01.0/0000:17:00.0", "0-1\n");
    device("pci0000:16/0000:16:01.0/0000:18:00.0", "0-1\n");
    device("pci0000:97/0000:97:00.0", "2-3\n");
    device("pci0000:16/0000:16:02.0", "0-1\n");
    fs::create_directories(sys_ / "devices/pci0000:16/0000:16:02.0/virtio0");
    link("class/infiniband/mlx5_0/device", "devices/pci0000:16/0000:16:01.0/0000:18:00.0");
    link("class/net/eth0/device", "devices/pci0000:16/0000:16:02.0/virtio0");
    fs::create_directories(sys_ / "class/net/lo");
  }

  void write(const std::string& file, const std::string& text) {
    fs::create_directories((sys_ / file).parent_path());
    std::ofstream(sys_ / file) << text;
  }
  void link(const std::string& from, const std::string& to) {
    fs::create_directories((sys_ / from).parent_path());
    fs::create_directory_symlink(sys_ / to, sys_ / from);
  }
  void device(const std::string& path, const std::string& cores) {
    write("devices/" + path + "/local_cpulist", cores);
    link("bus/pci/devices/" + fs::path(path).filename().string(), "devices/" + path);
  }

  const test::TemporaryFolder folder_;
  const fs::path sys_ = folder_.path();
};

TEST_F(MadeUpKernel, IsRead) {
  expect_two_sockets(topology_of_kernel(wanted, sys_));
  fs::remove_all(sys_ / "class/infiniband");
  const NodeTopology node = topology_of_kernel(wanted, sys_);
  ASSERT_EQ(node.cards.size(), 1u);
  EXPECT_EQ(node.cards[0].name, "eth0");
  EXPECT_EQ(node.cards[0].bus_id, "0000:16:02.0");
}

TEST_F(MadeUpKernel, WhatIsMissingOrBrokenIsLeftEmpty) {
  write("devices/system/node/node1/cpulist", "rubbish");
  fs::remove(sys_ / "devices/pci0000:16/0000:16:01.0/0000:17:00.0/local_cpulist");
  const NodeTopology node = topology_of_kernel(wanted, sys_);
  EXPECT_EQ(node.numa_nodes.size(), 1u);
  ASSERT_TRUE(node.gpu("0000:17:00.0"));
  EXPECT_TRUE(node.gpu("0000:17:00.0")->near.empty());
  const NodeTopology nothing = topology_of_kernel(wanted, sys_ / "nowhere");
  EXPECT_TRUE(nothing.numa_nodes.empty() && nothing.packages.empty() && nothing.gpus.empty() &&
              nothing.cards.empty());
}

// Text that hwloc 2 exports (https://www.open-mpi.org/projects/hwloc/doc/v2.9.0/, "Importing and exporting
// topologies from/to XML files").
constexpr const char* hwloc_xml = R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
<object type="Machine" os_index="0" cpuset="0xf" complete_cpuset="0xf" allowed_cpuset="0xf" nodeset="0x3" complete_nodeset="0x3" allowed_nodeset="0x3" gp_index="1">
 <object type="Package" os_index="0" cpuset="0x3" complete_cpuset="0x3" nodeset="0x1" complete_nodeset="0x1" gp_index="2">
  <object type="NUMANode" os_index="0" cpuset="0x3" complete_cpuset="0x3" nodeset="0x1" complete_nodeset="0x1" gp_index="3" local_memory="1000"/>
  <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="4"/>
  <object type="PU" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x1" complete_nodeset="0x1" gp_index="5"/>
  <object type="Bridge" gp_index="6" bridge_type="0-1" depth="0" bridge_pci="0000:[16-18]">
   <object type="Bridge" gp_index="7" bridge_type="1-1" depth="1" bridge_pci="0000:[17-18]" pci_busid="0000:16:01.0" pci_type="0604 [8086:352a] [0000:0000] 04" pci_link_speed="0.0">
    <object type="PCIDev" gp_index="8" pci_busid="0000:17:00.0" pci_type="0302 [10de:2335] [10de:18be] a1" pci_link_speed="63.0"/>
    <object type="PCIDev" gp_index="9" pci_busid="0000:18:00.0" pci_type="0207 [15b3:1021] [15b3:0041] 00" pci_link_speed="63.0">
     <object type="OSDev" gp_index="10" name="ib0" osdev_type="2"/>
     <object type="OSDev" gp_index="11" name="mlx5_0" osdev_type="3"/>
    </object>
   </object>
   <object type="PCIDev" gp_index="12" pci_busid="0000:16:02.0" pci_type="0200 [1af4:1000] [1af4:0001] 00" pci_link_speed="0.0">
    <object type="OSDev" gp_index="13" name="eth0" osdev_type="2"/>
   </object>
  </object>
 </object>
 <object type="Package" os_index="1" cpuset="0xc" complete_cpuset="0xc" nodeset="0x2" complete_nodeset="0x2" gp_index="14">
  <object type="NUMANode" os_index="1" cpuset="0xc" complete_cpuset="0xc" nodeset="0x2" complete_nodeset="0x2" gp_index="15" local_memory="1000"/>
  <object type="PU" os_index="2" cpuset="0x4" complete_cpuset="0x4" nodeset="0x2" complete_nodeset="0x2" gp_index="16"/>
  <object type="PU" os_index="3" cpuset="0x8" complete_cpuset="0x8" nodeset="0x2" complete_nodeset="0x2" gp_index="17"/>
  <object type="Bridge" gp_index="18" bridge_type="0-1" depth="0" bridge_pci="0000:[97-97]">
   <object type="PCIDev" gp_index="19" pci_busid="0000:97:00.0" pci_type="0302 [10de:2335] [10de:18be] a1" pci_link_speed="63.0"/>
  </object>
 </object>
</object>
</topology>
)";

TEST(Hwloc, AnXmlTextIsRead) {
  const auto node = topology_of_hwloc(wanted, hwloc_xml);
  if (!node && !topology_of_hwloc({})) GTEST_SKIP() << "this plaq is without hwloc";
  ASSERT_TRUE(node.has_value());
  expect_two_sockets(*node);
  EXPECT_FALSE(topology_of_hwloc(wanted, "<rubbish/>").has_value());
}

TEST(Topology, OfThisMachineHasTheCoresOfThisProcess) {
  cpu_set_t set;
  CPU_ZERO(&set);
  ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  std::vector<NodeTopology> nodes = {read_topology({})};
  // Some containers have no /sys.
  if (std::filesystem::exists("/sys/devices/system/cpu/cpu0/topology"))
    nodes.push_back(topology_of_kernel({}));
  for (const NodeTopology& node : nodes) {
    CoreSet all;
    for (const CoreSet& package : node.packages) all = all | package;
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(static_cast<std::size_t>(core), &set)) {
        EXPECT_TRUE(all.contains(core)) << core << " of " << node.source;
      }
    EXPECT_TRUE(node.gpus.empty());
    EXPECT_FALSE(node.source.empty());
  }
  EXPECT_EQ(nodes.front().packages, nodes.back().packages);
}

}  // namespace
}  // namespace plaq
