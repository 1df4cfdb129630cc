use std::time::{Duration, SystemTime};

use opentelemetry::KeyValue;
use opentelemetry::trace::{Span, SpanBuilder, SpanKind, Status, Tracer, TracerProvider};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{Sampler, SdkTracer, SdkTracerProvider};
use tonic::Code;
use tracing::warn;

use super::{TracesError, TracesTo};

/// How long the last spans may take to be sent.
const FINISH: Duration = Duration::from_secs(3);

/// Sends spans over OTLP, in batches from a thread of its own. What does not fit its queue is dropped.
pub(super) struct Exporter {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Exporter {
    pub(super) fn new(collector: &TracesTo) -> Result<Exporter, TracesError> {
        let exporter = SpanExporter::builder().with_tonic().with_endpoint(&collector.endpoint).build();
        let exporter = exporter.map_err(|why| TracesError(format!("{}: {why}", collector.endpoint)))?;
        let resource = Resource::builder()
            .with_service_name("chickenfoot-server")
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_sampler(Sampler::TraceIdRatioBased(f64::from(collector.per_thousand) / 1000.0))
            .with_resource(resource)
            .build();
        let tracer = provider.tracer("chickenfoot-server");
        Ok(Exporter { provider, tracer })
    }

    /// A span with the attributes that OpenTelemetry names for calls of gRPC.
    pub(super) fn call(&self, method: &'static str, code: Code, took: Duration) {
        let attributes = vec![
            KeyValue::new("rpc.system", "grpc"),
            KeyValue::new("rpc.method", method),
            KeyValue::new("rpc.grpc.status_code", i64::from(code as i32)),
        ];
        let status = if is_servers_fault(code) { Status::error("") } else { Status::Unset };
        self.span(self.tracer.span_builder(method).with_kind(SpanKind::Server), attributes, status, took);
    }

    pub(super) fn append(&self, entries: usize, stored: usize, took: Duration) {
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let attributes = vec![
            KeyValue::new("chickenfoot.entries", number(entries)),
            KeyValue::new("chickenfoot.entries_stored", number(stored)),
        ];
        let status = if stored < entries { Status::error("") } else { Status::Unset };
        self.span(self.tracer.span_builder("append").with_kind(SpanKind::Internal), attributes, status, took);
    }

    /// A span that ends now. It stands alone: a choice is written by another task than the one that was called.
    fn span(&self, builder: SpanBuilder, attributes: Vec<KeyValue>, status: Status, took: Duration) {
        let end = SystemTime::now();
        let start = end.checked_sub(took).unwrap_or(end);
        let mut span = self.tracer.build(builder.with_start_time(start).with_attributes(attributes));
        span.set_status(status);
        span.end_with_timestamp(end);
    }

    pub(super) fn finish(&self) {
        if let Err(why) = self.provider.shutdown_with_timeout(FINISH) {
            warn!(%why, "the last spans were not sent");
        }
    }
}

/// Whether a code says that the service failed, rather than that it refused.
fn is_servers_fault(code: Code) -> bool {
    match code {
        Code::Unknown
        | Code::DeadlineExceeded
        | Code::Unimplemented
        | Code::Internal
        | Code::Unavailable
        | Code::DataLoss => true,
        Code::Ok
        | Code::Cancelled
        | Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::ResourceExhausted
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::OutOfRange
        | Code::Unauthenticated => false,
    }
}
