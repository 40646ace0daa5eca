// Every call of MPI in which a rank may wait for others is made inside of wait_mpi, where a watchdog sees it,
// and no room but comms calls MPI. Runs in the root of the source and reads it.

#include <cctype>

#include "tests/support/test.hpp"

namespace plaq {
namespace {

namespace fs = std::filesystem;

// Calls that return at once, whatever other ranks do. A name that is not here may wait.
const std::set<std::string> local = {"MPI_Abort",       "MPI_Cancel",          "MPI_Comm_f2c",
                                     "MPI_Comm_rank",   "MPI_Comm_size",       "MPI_Error_string",
                                     "MPI_Finalized",   "MPI_Initialized",     "MPI_Iallgather",
                                     "MPI_Ibarrier",    "MPI_Iprobe",          "MPI_Irecv",
                                     "MPI_Isend",       "MPI_Issend",          "MPI_Recv_init",
                                     "MPI_Send_init",   "MPI_Request_free",    "MPI_Start",
                                     "MPI_Test",        "MPI_Testany",         "MPI_Type_free",
                                     "MPI_Type_commit", "MPI_Type_contiguous", "MPI_Get_library_version"};
// Where some are asked again and again: such a loop is a wait, and says so itself.
const std::set<std::string> asks = {"MPI_Iprobe",    "MPI_Test",         "MPI_Testany",
                                    "start_barrier", "start_all_gather", "start_receive"};

struct Exception {
  const char *file, *call;
};
constexpr Exception exceptions[] = {
    {"comms/communicator/mpi_check.hpp", "MPI_Comm_free"},      // free_comm, with a Waiting of its own
    {"comms/communicator/mpi_session.cpp", "MPI_Init_thread"},  // before there are ranks: the launcher's
    {"comms/communicator/communicator.cpp", "MPI_Test"},        // who has a Request says that it waits
    {"comms/communicator/communicator.hpp", "start_barrier"},   // declares them
    {"comms/communicator/communicator.hpp", "start_all_gather"},
    {"comms/communicator/communicator.hpp", "start_receive"},
    {"comms/communicator/communicator.cpp", "MPI_Iprobe"},  // progress() is called within waits
    {"comms/communicator/communicator.cpp", "start_barrier"},
    {"jobs/common/failure.cpp", "start_all_gather"},  // a loop of some seconds, then all ends
};

bool is_exception(const std::string& file, const std::string& call) {
  for (const Exception& one : exceptions)
    if (file == one.file && call == one.call) return true;
  return false;
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// With blanks for comments and for what is quoted.
std::string code_of(const std::string& text) {
  std::string code = text;
  enum class In { code, line, block, quotes } in = In::code;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view two = std::string_view(text).substr(i, 2);
    if (in == In::code && (two == "//" || two == "/*")) in = two == "//" ? In::line : In::block;
    if (in == In::line && text[i] == '\n') in = In::code;
    if (in == In::code && text[i] == '"' && (i == 0 || text[i - 1] != '\'')) {
      in = In::quotes;
      continue;
    }
    if (in == In::code) continue;
    if (text[i] != '\n') code[i] = ' ';
    if (in == In::block && i > 0 && std::string_view(text).substr(i - 1, 2) == "*/") in = In::code;
    if (in == In::quotes && text[i] == '\\')
      code[++i] = ' ';
    else if (in == In::quotes && text[i] == '"')
      in = In::code;
  }
  return code;
}

// The calls of MPI in a source that may wait and are not inside of wait_mpi( ), each as "line: name".
std::vector<std::string> unguarded(const std::string& file, const std::string& text) {
  const std::string code = code_of(text);
  const bool says_that_it_waits =
      code.find("Waiting") != std::string::npos || code.find("await_number") != std::string::npos;
  std::vector<std::string> found, callees;  // callees: the names before all parentheses that are open
  std::string name;
  int line = 1;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '\n') ++line;
    if (is_letter(c)) {
      if (i == 0 || !is_letter(code[i - 1])) name.clear();
      name += c;
      continue;
    }
    if (c == ')' && !callees.empty()) callees.pop_back();
    if (c == '(') {
      const bool guarded = std::find(callees.begin(), callees.end(), "wait_mpi") != callees.end();
      const bool good = guarded || is_exception(file, name) ||
                        (asks.contains(name) ? says_that_it_waits : local.contains(name));
      if ((name.starts_with("MPI_") || asks.contains(name)) && !good)
        found.push_back(std::to_string(line) + ": " + name);
      callees.push_back(name);
    }
    if (!std::isspace(static_cast<unsigned char>(c))) name.clear();
  }
  return found;
}

TEST(GuardedCalls, AreToldFromOthers) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(unguarded("a.cpp", "wait_mpi(\"MPI_Bcast\", [&] { return MPI_Bcast(&x, 1, f(2), 0, c); });"),
            Lines{});
  EXPECT_EQ(unguarded("a.cpp", "// MPI_Bcast(\n/* MPI_Send( */ \"MPI_Recv(\\\"\" MPI_Comm_rank(c, &r);"),
            Lines{});
  EXPECT_EQ(unguarded("a.cpp", "wait_mpi(f(x));\ncheck_mpi(MPI_Comm_split (a, b), \"MPI_Comm_split\");"),
            Lines{"2: MPI_Comm_split"});
  EXPECT_EQ(unguarded("a.cpp", "while (!done) MPI_Test(&r, &done, s);"), Lines{"1: MPI_Test"});
  EXPECT_EQ(unguarded("a.cpp", "const Waiting wait(w); while (!done) MPI_Test(&r, &done, s);"), Lines{});
  EXPECT_EQ(unguarded("comms/communicator/mpi_session.cpp", "MPI_Init_thread(a); MPI_Finalize();"),
            Lines{"1: MPI_Finalize"});
  EXPECT_EQ(unguarded("a.cpp", "auto all = comm.start_barrier(); while (!all.done()) {}"),
            Lines{"1: start_barrier"});
}

// True if a source calls MPI, names what is MPI's, or includes its header.
bool knows_mpi(const std::string& text) {
  const std::string code = code_of(text);
  for (std::size_t at = code.find("MPI_"); at != std::string::npos; at = code.find("MPI_", at + 1))
    if (at == 0 || !is_letter(code[at - 1])) return true;
  for (const char* header : {"<mpi.h>", "<mpi-ext.h>", "\"mpi.h\"", "\"comms/communicator/mpi_check.hpp\""})
    if (text.find(std::string("#include ") + header) != std::string::npos) return true;
  return false;
}

TEST(MpiCalls, AreToldFromOthers) {
  EXPECT_TRUE(knows_mpi("int rank(MPI_Comm comm);"));
  EXPECT_TRUE(knows_mpi("#include <mpi.h>\n"));
  EXPECT_TRUE(knows_mpi("#include \"comms/communicator/mpi_check.hpp\"\n"));
  EXPECT_FALSE(knows_mpi("// with MPI_Allreduce\nint with = OMPI_COMM_WORLD_RANK; f(\"MPI_Test\");"));
}

TEST(GuardedCalls, AreAllThereAre) {
  int sources = 0, with_mpi = 0;
  std::vector<std::string> rooms;  // all that are built but the tests
  for (const auto& entry : fs::directory_iterator("."))
    if (fs::exists(entry.path() / "CMakeLists.txt") && entry.path().filename() != "tests")
      rooms.push_back(entry.path().filename().string());
  EXPECT_GE(rooms.size(), 8u);
  for (const std::string& room : rooms)
    for (const auto& entry : fs::recursive_directory_iterator(room)) {
      const std::string file = entry.path().string(), ending = entry.path().extension().string();
      if (ending != ".cpp" && ending != ".hpp" && ending != ".cu") continue;
      ++sources;
      std::ifstream stream(file);
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      with_mpi += text.find("wait_mpi(") != std::string::npos ? 1 : 0;
      for (const std::string& call : unguarded(file, text)) ADD_FAILURE() << file << ":" << call;
      EXPECT_TRUE(room == "comms" || !knows_mpi(text)) << file << " calls MPI: comms/communicator does";
    }
  EXPECT_GT(sources, 400);
  EXPECT_GE(with_mpi, 4);
}

}  // namespace
}  // namespace plaq
