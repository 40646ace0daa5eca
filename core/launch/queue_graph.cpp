#include "core/launch/queue_graph.hpp"

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#if defined(PLAQ_WITH_CUDA)
#include <cuda_runtime_api.h>

#include "core/launch/cuda_check.hpp"
#endif

namespace plaq {

#if defined(PLAQ_WITH_CUDA)

QueueGraph::QueueGraph(const Queue& queue, const std::function<void()>& work) {
  require(queue.location() == Location::device, "work of a host is not captured");
  if (runs_dry()) {
    work();
    return;
  }
  const auto stream = static_cast<cudaStream_t>(queue.stream());
  check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  cudaGraph_t captured = nullptr;
  try {
    work();
  } catch (...) {
    (void)cudaStreamEndCapture(stream, &captured);
    if (captured != nullptr) (void)cudaGraphDestroy(captured);
    (void)cudaGetLastError();
    throw;
  }
  check_cuda(cudaStreamEndCapture(stream, &captured), "cudaStreamEndCapture");
  const std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, cudaError_t (*)(cudaGraph_t)> graph(
      captured, &cudaGraphDestroy);
  cudaGraphExec_t executable = nullptr;
  check_cuda(cudaGraphInstantiate(&executable, graph.get(), 0), "cudaGraphInstantiate");
  graph_ = std::shared_ptr<void>(executable,
                                 [](void* e) { cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(e)); });
}

void QueueGraph::launch(const Queue& queue) const {
  if (runs_dry()) return;
  check_cuda(
      cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph_.get()), static_cast<cudaStream_t>(queue.stream())),
      "cudaGraphLaunch");
}

#else

QueueGraph::QueueGraph(const Queue&, const std::function<void()>& work) {
  if (runs_dry()) {
    work();
    return;
  }
  throw Error(ErrorKind::device, "this plaq was built without CUDA");
}
void QueueGraph::launch(const Queue&) const {}

#endif

}  // namespace plaq
