//! What a collector of traces gets to see.

// A test ends at what it did not expect; that its helpers do is not seen by the linter.
#![allow(clippy::unwrap_used)]

mod common;

use chickenfoot_bot::{Runner, strategy_bots};
use chickenfoot_protocol::v1::{self, seat_spec::Who};
use chickenfoot_server::{Limits, Server, Traces, TracesTo};
use common::{Service, within};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Code, Request, Response, Status};

/// Keeps what it is sent.
struct Collector(mpsc::UnboundedSender<ExportTraceServiceRequest>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.0.send(request.into_inner()).map_err(|_| Status::unavailable("the test is over"))?;
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

/// A collector on a free port, and what it gets.
async fn collector() -> (TracesTo, mpsc::UnboundedReceiver<ExportTraceServiceRequest>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let (got, gets) = mpsc::unbounded_channel();
    let server = tonic::transport::Server::builder().add_service(TraceServiceServer::new(Collector(got)));
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    (TracesTo { endpoint, per_thousand: 1000 }, gets)
}

fn number(span: &Span, key: &str) -> Option<i64> {
    let attribute = span.attributes.iter().find(|attribute| attribute.key == key)?;
    match attribute.value.as_ref()?.value.as_ref()? {
        Value::IntValue(number) => Some(*number),
        _ => None,
    }
}

#[tokio::test]
async fn calls_and_commits_arrive_at_the_collector_and_no_secret_does() {
    let (to, mut gets) = collector().await;
    let server = Server::in_memory(Limits::default()).with_traces(Traces::to(&to).unwrap());
    let service = Service::run(server).await;
    let alice = service.agent("alice").await;
    let seat = |who| v1::SeatSpec { who: Some(who) };
    let seats = vec![seat(Who::Agent("alice".to_owned())), seat(Who::House("greedy".to_owned()))];
    let rules = v1::Rules { rounds: Some(1), ..v1::Rules::default() };
    let config = v1::MatchConfig { seats, rules: Some(rules), ..v1::MatchConfig::default() };
    let id = within(alice.client.create_match(config)).await.unwrap().id;
    let runner = Runner::new(&service.address, &alice.token).games(1);
    within(runner.run(strategy_bots("lowest", 1).unwrap(), std::future::pending())).await.unwrap();
    let seed = within(alice.client.get_match(&id)).await.unwrap().seed;
    let refused = within(service.anyone().get_match("no match")).await;
    assert!(refused.is_err());
    // What was not sent by then is sent at the end.
    service.stop().await;

    let mut requests = Vec::new();
    while let Ok(request) = gets.try_recv() {
        requests.push(request);
    }
    let resources = requests.iter().flat_map(|request| &request.resource_spans);
    let scopes = resources.flat_map(|resource| &resource.scope_spans);
    let spans: Vec<&Span> = scopes.flat_map(|scope| &scope.spans).collect();
    let code = |name: &str| {
        let span = spans.iter().find(|span| span.name == name);
        span.and_then(|span| number(span, "rpc.grpc.status_code"))
    };
    assert_eq!(code("AgentService/RegisterAgent"), Some(Code::Ok as i64));
    assert_eq!(code("MatchService/CreateMatch"), Some(Code::Ok as i64));
    let codes = spans.iter().filter(|span| span.name == "MatchService/GetMatch");
    let codes: Vec<_> = codes.filter_map(|span| number(span, "rpc.grpc.status_code")).collect();
    assert!(codes.contains(&0) && codes.iter().any(|code| *code != 0), "{codes:?}");
    let appends: Vec<_> = spans.iter().filter(|span| span.name == "append").collect();
    assert!(!appends.is_empty());
    for append in appends {
        assert!(number(append, "chickenfoot.entries") > Some(0));
        assert_eq!(number(append, "chickenfoot.entries"), number(append, "chickenfoot.entries_stored"));
        assert!(append.end_time_unix_nano >= append.start_time_unix_nano);
    }

    let all = format!("{requests:?}");
    let hex: String = seed.iter().map(|byte| format!("{byte:02x}")).collect();
    for secret in [&alice.token, &hex, &format!("{seed:?}"), "alice"] {
        assert!(!all.contains(secret), "{secret} is in a span");
    }
    // Whatever else is there: nothing but these, with numbers and the names of methods.
    let known = [
        "rpc.system",
        "rpc.method",
        "rpc.grpc.status_code",
        "chickenfoot.entries",
        "chickenfoot.entries_stored",
    ];
    for attribute in spans.iter().flat_map(|span| &span.attributes) {
        assert!(known.contains(&attribute.key.as_str()), "{attribute:?}");
    }
}

/// Nobody listens there any more.
#[tokio::test]
async fn a_collector_that_is_away_harms_no_call() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let traces = Traces::to(&TracesTo { endpoint, per_thousand: 1000 }).unwrap();
    let service = Service::run(Server::in_memory(Limits::default()).with_traces(traces)).await;
    service.agent("alice").await;
    service.stop().await;
}
