// Members of a JSON object that others may have written: every type is looked at before it is taken. Serial.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace plaq::jobs {

// Reads members one after the other. A member that is absent leaves its variable as it was; one of another
// type, or a number that the variable cannot hold, makes the whole object bad.
class JsonMembers {
 public:
  explicit JsonMembers(std::string_view text) : json_(nlohmann::ordered_json::parse(text, nullptr, false)) {
    good_ = json_.is_object();
  }
  bool good() const { return good_; }

  template <class T>
  void operator()(const char* name, T& value) {
    if (!good_) return;
    const auto at = json_.find(name);
    if (at == json_.end()) return;
    if constexpr (std::is_same_v<T, std::string>) {
      if ((good_ = at->is_string())) value = at->template get<std::string>();
    } else if constexpr (std::is_floating_point_v<T>) {
      if ((good_ = at->is_number())) value = at->template get<T>();
    } else {
      static_assert(std::is_integral_v<T> && std::is_signed_v<T>);
      good_ = at->is_number_integer() && fits<T>(*at);
      if (good_) value = at->template get<T>();
    }
  }

 private:
  template <class T>
  static bool fits(const nlohmann::ordered_json& number) {
    if (number.is_number_unsigned())
      return number.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    const auto found = number.get<std::int64_t>();
    return found >= std::numeric_limits<T>::min() && found <= std::numeric_limits<T>::max();
  }

  nlohmann::ordered_json json_;
  bool good_ = false;
};

}  // namespace plaq::jobs
