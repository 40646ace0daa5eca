// The bytes around vectors on the even sites: one record scidac-binary-data in LIME
// (io/lime/scidac_field.hpp), on a lattice of half the extent in x: the even site (x, y, z, t) is at x/2.
// Records as io/vectors/vector_codec.hpp has them. Serial.
#pragma once

#include <string>
#include <string_view>

#include "core/system/error.hpp"
#include "core/system/location.hpp"
#include "io/lime/scidac_field.hpp"

namespace plaq {

// One of plaq's own kinds of files of vectors.
struct VectorKind {
  std::string_view contents;  // for errors: "the near-null vectors of a multigrid setup"
  std::string_view called;    // "near-null vectors"
  std::string_view one;       // "near-null vector"
  std::string_view type_end;  // of the data type: PLAQ_F and this, or PLAQ_H
};

// Slices of vectors in five dimensions.
constexpr int most_slices = 1 << 10;

// Contents of the records of a file.
struct VectorShape {
  Extents extents{};
  int vectors = 0, spins = 4;  // of three colors
  Precision stored = Precision::single_precision;
  int reals() const { return 6 * spins; }
  int site_bytes() const;
};

// True if a LIME file has such vectors; false for files that are too damaged to tell.
bool is_scidac_of(const VectorKind& kind, const ByteSource& source);
// Refuses a record of another kind. Throws Error(input_file).
void expect_kind(const ScidacField& field, const VectorKind& kind);
// Refuses numbers that are not of this shape; returns their bytes.
std::uint64_t expect_shape(const ScidacField& field, const VectorKind& kind, const VectorShape& shape);

// Throws Error(input_file) unless the file is one in LIME; `expected`: "eigenvectors", for the message.
void expect_scidac(const ByteSource& source, std::string_view expected);
// The description of a file of this kind, with the place of its numbers, which are of shape_of(description).
// read_text(field, source) makes it of the texts. Throws Error(input_file).
template <class ReadText>
auto inspect_vectors(const ByteSource& source, const VectorKind& kind, std::string_view expected,
                     const ReadText& read_text) {
  expect_scidac(source, expected);
  ScidacField field(source, kind.contents);
  expect_kind(field, kind);
  const LinkChecksum checksum = field.demand_as_written();
  auto info = read_text(field, source);
  info.path = source.name();
  info.checksum = checksum;
  info.data_offset = field.data_offset();
  info.data_bytes = expect_shape(field, kind, shape_of(info));
  return info;
}

// The text of a file. `older`: a version before the present one that can be read, too. Throws
// Error(input_file) for a text of another kind or version.
OwnText demand_own_text(const ScidacField& field, const OwnTextKind& kind, std::string_view older = {});

// `text` of a description, which read(text, name) reads back with all entries. `name`: for messages, "the
// text of eigenvectors". Throws Error(output_file).
template <class Description, class Read>
std::string checked_own_text(std::string_view name, std::string text, const Description& description,
                             const Read& read) {
  check_user_text(name, text);
  try {
    const Description back = read(text, std::string(name));
    if (back.entries.size() != description.entries.size() ||
        back.operator_entries.size() != description.operator_entries.size())
      throw Error(ErrorKind::output_file, std::string(name) + ": two entries have one key");
  } catch (const Error& error) {
    throw Error(ErrorKind::output_file, error.what());
  }
  return text;
}

std::uint64_t bytes_of_vectors(const std::string& path, const VectorShape& shape);
GaugeFileFrame frame_vectors(const VectorKind& kind, const VectorShape& shape, std::string_view file_title,
                             const std::string& user_record, const LinkChecksum& checksum);

}  // namespace plaq
