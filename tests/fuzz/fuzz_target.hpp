// A fuzz target is one file NAME_fuzz.cpp: it defines LLVMFuzzerTestOneInput (libFuzzer's interface), which
// hands its input to fuzz_input with the function to be tried, and fuzz_seeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/system/error.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/gauge/gauge_format.hpp"

namespace plaq::fuzz {

// Calls read(source). A plaq::Error about the file is an answer; any other ends the program.
template <class Read>
int fuzz_input(const std::uint8_t* bytes, std::size_t size, Read read) {
  try {
    read(ByteSource::memory("fuzz", std::as_bytes(std::span(bytes, size))));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
  }
  return 0;
}

// A format's functions, as files are opened.
inline int fuzz_format(const std::uint8_t* bytes, std::size_t size, const GaugeFormat& format) {
  return fuzz_input(bytes, size, [&](const ByteSource& source) {
    if (format.recognize(source)) format.inspect(source);
  });
}

// Good files, small ones, that mutations start from.
std::vector<std::string> fuzz_seeds();

}  // namespace plaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);
