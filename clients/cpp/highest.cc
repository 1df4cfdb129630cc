// A bot: `highest NAME` plays all matches in which NAME has a seat, until SIGINT or SIGTERM.
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>

#include "chickenfoot/v1/agent.grpc.pb.h"

using namespace chickenfoot::v1;
using std::chrono::milliseconds, std::chrono::steady_clock;

namespace {
constexpr milliseconds kFirstPause{250}, kLongestPause{30'000};

// What a move is worth: the pips that it lays, and one for laying a tile at all.
std::uint32_t Worth(const Move& move) {
  return move.has_play() ? 1 + move.play().tile().low() + move.play().tile().high() : 0;
}

// The answer to a decision: the first option that is worth the most.
Choice Choose(const Decision& decision) {
  const auto& options = decision.options();
  const auto best = std::max_element(options.begin(), options.end(),
                                     [](const auto& a, const auto& b) { return Worth(a) < Worth(b); });
  Choice choice;
  choice.set_match_id(decision.match_id());
  choice.set_decision(decision.number());
  choice.set_option(static_cast<std::uint32_t>(best - options.begin()));
  return choice;
}

// Tells that SIGINT or SIGTERM came, and ends the call that is under way, as it does when that is silent for too long. Make
// it before any other thread, for threads inherit that these signals are blocked, and keep it while the process lives.
class Stop {
 public:
  Stop() {
    sigset_t signals{};
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([this, signals] {
      while (!asked_) {
        const timespec look{0, 200'000'000};
        const bool asked = sigtimedwait(&signals, nullptr, &look) > 0;
        const std::lock_guard<std::mutex> lock(mutex_);
        asked_ = asked;
        if (call_ != nullptr && (asked || steady_clock::now() > dead_)) call_->TryCancel();
        changed_.notify_all();
      }
    }).detach();
  }

  bool Asked() const { return asked_; }
  // From here on `call` is under way and has so long to tell something; null if none is.
  void Guard(grpc::ClientContext* call, milliseconds silence = {}) {
    const std::lock_guard<std::mutex> lock(mutex_);
    call_ = call;
    dead_ = steady_clock::now() + silence;
    if (asked_ && call != nullptr) call->TryCancel();
  }

  // Waits so long, or until somebody asks.
  void Pause(milliseconds time) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time, [this] { return asked_.load(); });
  }
 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> asked_{false};
  grpc::ClientContext* call_ = nullptr;
  steady_clock::time_point dead_;
};

milliseconds Milliseconds(const google::protobuf::Duration& time) {
  return milliseconds(1000 * time.seconds() + time.nanos() / 1'000'000);
}

// What no repetition mends.
bool IsFinal(grpc::StatusCode code) {
  return code == grpc::UNAUTHENTICATED || code == grpc::PERMISSION_DENIED || code == grpc::INVALID_ARGUMENT ||
         code == grpc::FAILED_PRECONDITION || code == grpc::UNIMPLEMENTED;
}

// Plays an agent's matches: connects, takes seats, answers, and comes back after a lost connection.
class Runner {
 public:
  explicit Runner(std::string server) : server_(std::move(server)) {}

  // Registers an agent, and prints and returns its token: it is shown this once.
  std::string Register(const std::string& name) {
    RegisterAgentRequest request;
    RegisterAgentResponse response;
    grpc::ClientContext call;
    request.set_name(name);
    call.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    const auto status = Connect()->RegisterAgent(&call, request, &response);
    if (!status.ok()) throw std::runtime_error(status.error_message());
    std::cout << "CHICKENFOOT_TOKEN=" << response.token() << std::endl;
    return response.token();
  }

  // Plays until SIGINT or SIGTERM. Throws what waiting does not mend.
  void Run(const std::string& token) {
    while (!stop_.Asked()) {
      const auto stub = Connect();
      grpc::ClientContext call;
      call.AddMetadata("authorization", "Bearer " + token);
      stop_.Guard(&call, silence_);
      const auto stream = stub->Session(&call);
      SessionRequest open;
      open.mutable_open()->set_client("chickenfoot-cpp");
      for (const auto& match : matches_)
        if (open.open().resume_size() < 1000) open.mutable_open()->add_resume()->set_match_id(match);
      stream->Write(open);
      for (SessionResponse down; stream->Read(&down);) {
        if (SessionRequest up; Answer(down, up)) stream->Write(up);
        stop_.Guard(&call, silence_);
      }
      Retry(stream->Finish());
    }
  }
 private:
  // A connection for each attempt: an old one may be dead without either end having been told.
  std::unique_ptr<AgentService::Stub> Connect() const {
    const auto scheme = server_.find("://");
    const auto target = scheme == std::string::npos ? server_ : server_.substr(scheme + 3);
    grpc::ChannelArguments options;
    options.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    const auto credentials =
        server_.rfind("https://", 0) == 0 ? grpc::SslCredentials({}) : grpc::InsecureChannelCredentials();
    return AgentService::NewStub(grpc::CreateCustomChannel(target, credentials, options));
  }

  // What a message from the service asks for; whether it asks for an answer. Kinds that are unknown are passed over.
  bool Answer(const SessionResponse& down, SessionRequest& up) {
    if (down.has_hello()) pause_ = kFirstPause, silence_ = 3 * Milliseconds(down.hello().heartbeat_interval());
    if (down.has_game_started()) matches_.insert(down.game_started().match().id());
    if (down.has_refusal()) std::cerr << "refused: " << down.refusal().message() << '\n';
    if (down.has_game_ended()) matches_.erase(down.game_ended().match().id());
    if (down.has_goodbye()) Parted(down.goodbye());
    if (down.has_decision()) *up.mutable_choice() = Choose(down.decision());
    if (down.has_seat_offer()) {
      up.mutable_offer_reply()->set_match_id(down.seat_offer().match().id());
      up.mutable_offer_reply()->set_accept(true);
    }
    return up.what_case() != SessionRequest::WHAT_NOT_SET;
  }

  // Whoever was replaced by another session must not come back by itself, or the two replace each other for ever.
  void Parted(const Goodbye& goodbye) {
    if (!goodbye.has_retry_after()) {
      stop_.Guard(nullptr);
      throw std::runtime_error(goodbye.message());
    }
    pause_ = std::max(pause_, 2 * Milliseconds(goodbye.retry_after()));
  }

  // Waits before the next attempt: each time twice as long, shortened by chance so that not all clients come at once.
  void Retry(const grpc::Status& status) {
    stop_.Guard(nullptr);
    if (stop_.Asked()) return;
    if (IsFinal(status.error_code())) throw std::runtime_error(status.error_message());
    std::cerr << "trying again: " << status.error_message() << '\n';
    stop_.Pause(pause_ * std::uniform_int_distribution<>(50, 100)(random_) / 100);
    pause_ = std::min(2 * pause_, kLongestPause);
  }

  Stop stop_;
  std::string server_;
  std::random_device random_;
  milliseconds pause_ = kFirstPause;
  milliseconds silence_{10'000};   // Three heartbeats that are missed mean that the connection is dead.
  std::set<std::string> matches_;  // The service tells the end of these, also when it was missed.
};
}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: highest NAME\n";
    return 2;
  }
  const char* server = std::getenv("CHICKENFOOT_SERVER");
  const char* token = std::getenv("CHICKENFOOT_TOKEN");
  static Runner runner(server == nullptr ? "http://127.0.0.1:7440" : server);
  try {
    runner.Run(token == nullptr ? runner.Register(arguments[1]) : token);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
}
