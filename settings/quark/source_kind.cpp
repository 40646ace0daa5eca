#include "settings/quark/source_kind.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "quarks/source/quark_derivative.hpp"
#include "settings/lattice/lattice_tables.hpp"
#include "settings/quark/source_position_keys.hpp"

namespace plaq::settings {

// Each in its file.
const SourceKinds& point_source_kinds();
const SourceKinds& wall_source_kinds();
const SourceKinds& noise_source_kinds();
const SourceKinds& weighted_source_kinds();

const SourceKinds& made_source_kinds() {
  static const SourceKinds all = joined<const SourceKind*>(
      {point_source_kinds(), wall_source_kinds(), noise_source_kinds(), weighted_source_kinds()});
  return all;
}

namespace {

void check_fault(Problems& problems, const SourceKeys& source, const LatticeKeys& lattice,
                 const Settings& settings) {
  if (!lattice.extents) return;
  if (const auto fault = source.type->source(settings, source.sites.first, 0, {})->fault(*lattice.extents))
    problems.add({"source", fault->parameter}, fault->what);
  if (const auto fault = source.sites.fault(*lattice.extents))
    problems.add({"source", fault->parameter}, fault->what);
}

void check_derivative_word(Problems& problems, const SourceKeys& source) {
  if (source.derivative.empty()) return;
  const std::string wrong = derivative_fault(source.derivative);
  if (!wrong.empty()) problems.add("source.derivative", wrong);
}

}  // namespace

int SourceKind::count(const Settings& settings) const { return settings.get<SourceKeys>().sites.number(); }

SourcePtr first_source(const Settings& settings) {
  const auto keys = settings.get<SourceKeys>();
  return keys.type->source(settings, keys.sites.first, 0, {});
}

Table source_table(const SourceKinds& kinds) {
  Names<const SourceKind*> names;
  std::vector<std::string> meanings;
  std::vector<Key> own;
  for (const SourceKind* kind : kinds) {
    names.add(kind->name(), kind);
    meanings.push_back(fmt::format("{}: {}", kind->name(), kind->meaning()));
    own = joined<Key>({own, kind->keys()});
  }
  return {
      "source",
      "The sources. Each source has twelve right-hand sides, column 3 * spin + color. Staggered quarks "
      "have three.",
      joined<Key>({{choice(&SourceKeys::type, "type",
                           fmt::format("Kind of source. {}.", fmt::join(meanings, "; ")), names)},
                   position_keys(),
                   own,
                   {field(&SourceKeys::derivative, "derivative",
                          "Covariant derivatives of the source, 1 to 3 letters of x, y and z: \"xy\" is D_x "
                          "D_y b with D_i b(x) = (1/2) [U_i(x) b(x+i) - U_i(x-i)^dagger b(x-i)], links of "
                          "[link_smearing], after [quark_smearing].")
                        .such_as("\"x\"")
                        .without("none")}})};
}

std::vector<Rule> source_rules(const SourceKinds& kinds) {
  std::vector<Rule> rules = {
      {{"source.type", "source.position", "source.grid", "lattice.extents"},
       "Position, grid, size and momentum of the sources must fit the lattice.",
       check_fault},
      position_rule(),
      {{"source.derivative"}, "A derivative has 1 to 3 letters of x, y, z.", check_derivative_word}};
  for (const SourceKind* kind : kinds) rules = joined<Rule>({rules, kind->rules()});
  return rules;
}

void check_own_key(Problems& problems, const Settings& settings,
                   std::initializer_list<std::string_view> owners, const std::string& key, bool given,
                   const std::string& example) {
  const std::string type = settings.get<SourceKeys>().type->name();
  const bool own = std::find(owners.begin(), owners.end(), type) != owners.end();
  if (given && !own)
    problems.add({"source", key}, fmt::format("does not belong to type = \"{}\"; leave the key out", type));
  if (!given && own && !example.empty())
    problems.missing({"source", key},
                     fmt::format("type = \"{}\" needs it; for example {} = {}", type, key, example));
}

namespace {

class PointSourceKind final : public SourceKind {
 public:
  std::string name() const override { return "point"; }
  std::string meaning() const override { return "1 at position"; }
  SourcePtr source(const Settings&, const Extents& position, int, const FieldNumbers&) const override {
    return point_source(position);
  }
};

}  // namespace

const SourceKinds& point_source_kinds() {
  static const PointSourceKind point;
  static const SourceKinds all = {&point};
  return all;
}

}  // namespace plaq::settings
