#include "comms/transport/face_checksum.hpp"

#include <algorithm>

#include "core/algebra/bits.hpp"
#include "core/launch/launch.hpp"

namespace plaq {
namespace {

// A team for each run of each face, and one at least, which counts.
template <class TargetT>
struct FaceChecksum {
  FaceChecksums all;
  bool make;

  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    constexpr auto parts = static_cast<std::size_t>(FaceChecksums::parts);
    const FaceChecksums::Face& face = all.faces[static_cast<unsigned>(index) / parts];
    const std::size_t part = static_cast<unsigned>(index) % parts;
    const std::uint64_t number = all.numbers[make ? 0 : 1];
    const std::size_t words = (face.bytes + 7) / 8, length = (words + parts - 1) / parts,
                      first = part * length;
    const std::uint64_t key = mixed(face.key + number);
    const std::size_t here = first >= words ? 0 : (words - first < length ? words - first : length);
    const std::uint64_t sum = team.sum(static_cast<int>(here), [&](int i) {
      const std::size_t at = first + static_cast<std::size_t>(i);
      return mixed(moved(face, at) ^ mixed(key + at));
    });
    team.for_range(1, [&](int) {
      if (all.count == 0) {
      } else if (make) {
        face.sums[part] = sum;
      } else if (face.sums[part] != sum) {
        volatile std::uint64_t* fault = all.fault;
        if (*fault == 0) *fault = ((number + 1) << 32) + face.name;
      }
      if (index == 0) all.numbers[make ? 1 : 0] = make ? number : number + 1;
    });
  }

  // Word `at`, copied where the face has a copy. Of the last one only bytes that are the face's are touched.
  static PLAQ_HD std::uint64_t moved(const FaceChecksums::Face& face, std::size_t at) {
    if (8 * at + 8 <= face.bytes) {
      const std::uint64_t word = static_cast<const std::uint64_t*>(face.data)[at];
      if (face.copy != nullptr) static_cast<std::uint64_t*>(face.copy)[at] = word;
      return word;
    }
    std::uint64_t word = 0;
    for (std::size_t b = 8 * at; b < face.bytes; ++b) {
      const unsigned char byte = static_cast<const unsigned char*>(face.data)[b];
      if (face.copy != nullptr) static_cast<unsigned char*>(face.copy)[b] = byte;
      word |= static_cast<std::uint64_t>(byte) << (8 * (b - 8 * at));
    }
    return word;
  }
};

}  // namespace

template <class Target>
void launch_face_checksums(const FaceChecksums& faces, bool make, const Queue& queue) {
  TeamDomain teams;
  teams.count = std::max(faces.count * FaceChecksums::parts, 1);
  teams.team_size = 256;
  teams.scratch_bytes = sum_scratch_bytes_of<std::uint64_t>(team_sum_width);
  for_each_team(teams, queue, FaceChecksum<Target>{faces, make});
}

template void launch_face_checksums<BuildTarget>(const FaceChecksums&, bool, const Queue&);

}  // namespace plaq
