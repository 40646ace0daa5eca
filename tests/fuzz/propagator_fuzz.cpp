// SciDAC propagators, and those of MILC and FNAL. (HDF5 is read by its library.)
#include <fmt/format.h>

#include "io/lime/lime_plaq_info.hpp"
#include "io/lime/scidac_xml.hpp"
#include "io/propagator/propagator_formats.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/propagator_seeds.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return plaq::fuzz::fuzz_input(bytes, size, [](const plaq::ByteSource& source) {
    if (plaq::is_binary_propagator(source)) {
      plaq::inspect_binary_propagator(source);
      return;
    }
    plaq::is_usqcd_propagator(source) ? plaq::inspect_usqcd_propagator(source)
                                      : plaq::inspect_scidac_propagator(source);
  });
}

namespace {

using namespace plaq;

// A record for each color.
std::string usqcd_file() {
  std::string file =
      lime_text_record(lime_type::private_file, format_scidac_file({2, 2, 2, 2}), true, false) +
      lime_text_record(lime_type::user_file,
                       "<usqcdKSPropFile><version>1.0</version><info>a</info></usqcdKSPropFile>", false,
                       true);
  ScidacRecord record;
  record.datatype = "USQCD_F3_ColorVector";
  record.precision = Precision::single_precision;
  record.type_size = 24;
  record.data_count = 1;
  for (int color = 0; color < 3; ++color)
    file += lime_text_record(lime_type::private_record, format_scidac_record(record), true, false) +
            lime_text_record(lime_type::user_record,
                             fmt::format("<usqcdKSPropInfo><color>{}</color></usqcdKSPropInfo>", color),
                             false, false) +
            lime_record(lime_type::scidac_data, std::string(16 * 24, 'x'), false, false) +
            lime_text_record(lime_type::checksum, format_scidac_checksum({1, 2}), false, true);
  return file;
}

}  // namespace

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<std::string> seeds = {usqcd_file()};
  for (const PropagatorKind quarks : {PropagatorKind::spinors, PropagatorKind::staggered})
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      const auto frame = frame_scidac_propagator({{2, 2, 2, 2}, quarks, precision, "a text", {}},
                                                 {ChecksumKind::scidac, 1, 2});
      const auto bytes = static_cast<std::size_t>(16 * record_bytes(quarks, precision));
      seeds.push_back(frame.head + std::string(bytes, 'x') + frame.tail);
    }
  for (const auto& seed : fuzz::binary_propagator_seeds()) seeds.push_back(seed);
  return seeds;
}
