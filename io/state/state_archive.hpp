// Numbers and fields of unfinished work one after the other, as a State: one function visits them, to keep
// them as well as to take them back.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/system/error.hpp"
#include "io/bytes/byte_stream.hpp"
#include "io/state/state_file.hpp"

namespace plaq {

class StateArchive {
 public:
  /// Keeps what it visits.
  StateArchive() = default;
  /// Gives back what another one has kept.
  explicit StateArchive(const State& state) : restores_(true), state_(state), in_(state_.numbers) {}
  StateArchive(const StateArchive&) = delete;
  StateArchive& operator=(const StateArchive&) = delete;

  /// True if it replaces what it visits. Throws Error(input_file) where the state does not fit.
  bool restores() const { return restores_; }
  /// True for the first visit of an object that several others share.
  bool is_new(const void* object) { return seen_.insert(object).second; }

  /// A number or a truth value: all its bits.
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) {
    using Stored = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
    if (!restores_) return out_.number(static_cast<Stored>(value));
    const auto found = in_.number<Stored>();
    expect(found.has_value());
    value = static_cast<T>(found.value_or(Stored{}));
  }
  /// Numbers, with their count.
  template <class T>
  void operator()(std::vector<T>& values) {
    std::size_t count = values.size();
    (*this)(count);
    expect(!restores_ || count <= in_.left() / 8);
    values.resize(count);
    for (T& value : values) (*this)(value);
  }
  /// A field, whose memory is shared until the state is written. Restored ones are on the host, without halo.
  void field(Field& field) {
    if (!restores_) return state_.fields.push_back(field);
    expect(fields_ < state_.fields.size());
    field = state_.fields[fields_++];
  }

  /// Throws Error(input_file) unless this holds.
  static void expect(bool fits) {
    if (!fits)
      throw Error(ErrorKind::input_file,
                  "the state of unfinished work does not fit: another version of plaq "
                  "wrote it");
  }
  /// All was given back.
  void expect_end() const { expect(in_.left() == 0 && fields_ == state_.fields.size()); }
  /// All that was kept.
  State take() { return {out_.bytes(), std::move(state_.fields)}; }

 private:
  bool restores_ = false;
  State state_;
  ByteWriter out_;
  ByteReader in_{std::string_view()};
  std::size_t fields_ = 0;  // given back
  std::set<const void*> seen_;
};

}  // namespace plaq
