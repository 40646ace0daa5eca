// Gaussians and boxes: weights on a part of a time slice, which are not gauge-covariant.
#include "settings/quark/source_kind.hpp"

namespace plaq::settings {
namespace {

struct StrideKeys {
  int stride = 1;
};
struct GaussianSourceKeys {
  std::optional<double> width;
};
struct BoxSourceKeys {
  std::optional<std::array<int, 3>> size;
};

class GaussianSourceKind final : public SourceKind {
 public:
  std::string name() const override { return "gaussian"; }
  std::string meaning() const override {
    return "exp(-r^2/width^2) on a time slice, where r is the shortest distance from position around the "
           "lattice, for fixed gauges because it is not gauge-covariant";
  }
  std::vector<Key> keys() const override {
    return {field(&GaussianSourceKeys::width, "width",
                  "Gaussian: width in lattice units, in exp(-r^2/width^2), as r0 of MILC. For the form "
                  "exp(-r^2/(2 w^2)), width = sqrt(2) w.")
                .between(0, 1000)
                .such_as("2.0")
                .without("needed for gaussian")};
  }
  std::vector<Rule> rules() const override {
    return {
        {{"source.type", "source.width"}, "A Gaussian needs width. No other source has this key.", check}};
  }
  SourcePtr source(const Settings& settings, const Extents& position, int,
                   const FieldNumbers&) const override {
    return gaussian_source(position, settings.get<GaussianSourceKeys>().width.value_or(1),
                           settings.get<StrideKeys>().stride);
  }
  Attributes attributes(const Settings& settings) const override {
    return {
        {"width", settings.get<GaussianSourceKeys>().width.value()},
        {"weight", std::string("exp(-r^2/width^2), r the shortest way from position around the lattice, 1 "
                               "at position: not normalised")},
        {"stride", std::int64_t{settings.get<StrideKeys>().stride}}};
  }

 private:
  static void check(Problems& problems, const GaussianSourceKeys& keys, const Settings& settings) {
    check_own_key(problems, settings, {"gaussian"}, "width", keys.width.has_value(), "2.0");
  }
};

class BoxSourceKind final : public SourceKind {
 public:
  std::string name() const override { return "box"; }
  std::string meaning() const override {
    return "1 on a part of a time slice, for fixed gauges because it is not gauge-covariant";
  }
  std::vector<Key> keys() const override {
    return {field(&BoxSourceKeys::size, "size",
                  "Box: number of sites in x, y, z from position on, around the lattice.")
                .within(1, 4096)
                .such_as("[4, 4, 4]")
                .without("needed for box"),
            field(&StrideKeys::stride, "stride",
                  "Gaussian and box: 2 leaves out sites at odd distances in x, y or z from position. "
                  "Staggered quarks need 2; otherwise their tastes mix.")
                .within(1, 2)};
  }
  std::vector<Rule> rules() const override {
    return {{{"source.type", "source.size", "source.stride"},
             "A box needs size. No other source has this key. Only Gaussians and boxes have stride.",
             check}};
  }
  SourcePtr source(const Settings& settings, const Extents& position, int,
                   const FieldNumbers&) const override {
    return box_source(position, settings.get<BoxSourceKeys>().size.value_or(std::array{1, 1, 1}),
                      settings.get<StrideKeys>().stride);
  }
  Attributes attributes(const Settings& settings) const override {
    const std::array<int, 3> size = settings.get<BoxSourceKeys>().size.value();
    return {{"size", std::vector<std::int64_t>(size.begin(), size.end())},
            {"stride", std::int64_t{settings.get<StrideKeys>().stride}}};
  }

 private:
  static void check(Problems& problems, const BoxSourceKeys& keys, const StrideKeys& both,
                    const Settings& settings) {
    check_own_key(problems, settings, {"box"}, "size", keys.size.has_value(), "[4, 4, 4]");
    check_own_key(problems, settings, {"gaussian", "box"}, "stride", both.stride != 1);
  }
};

}  // namespace

const SourceKinds& weighted_source_kinds() {
  static const GaussianSourceKind gaussian;
  static const BoxSourceKind box;
  static const SourceKinds all = {&gaussian, &box};
  return all;
}

}  // namespace plaq::settings
