#include "comms/communicator/joined_texts.hpp"

#include <cstdint>
#include <span>

namespace plaq {
namespace {

constexpr int text_tag = 128;  // above those of faces, sites and tickets

}  // namespace

std::string joined_texts(const Communicator& comm, std::string text, const JoinTexts& join) {
  const int rank = comm.rank();
  for (int step = 1; step < comm.size(); step *= 2) {
    const int other = rank ^ step;
    const auto awaited = [other] { return "words of rank " + std::to_string(other); };
    std::uint64_t size = text.size();
    if (other < rank) {
      comm.send(std::span(&size, 1), other, text_tag, awaited);
      comm.send(std::span(text), other, text_tag, awaited);
      return {};
    }
    if (other >= comm.size()) continue;
    comm.receive(std::span(&size, 1), other, text_tag, awaited);
    std::string higher(static_cast<std::size_t>(size), '\0');
    comm.receive(std::span(higher), other, text_tag, awaited);
    text = join(text, higher);
  }
  return text;
}

}  // namespace plaq
