use std::pin::Pin;

use chickenfoot_protocol::v1::agent_service_server::SERVICE_NAME as AGENTS;
use chickenfoot_protocol::v1::match_service_server::SERVICE_NAME as MATCHES;
use chickenfoot_protocol::v1::tournament_service_server::SERVICE_NAME as TOURNAMENTS;
use futures_util::stream::{self, Stream, StreamExt};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_server::Health;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use crate::reason::Reason;
use crate::refusal::Refusal;

/// The standard health service: `SERVING`, and `NOT_SERVING` from the moment on in which the service begins to stop.
///
/// It takes the place of that of `tonic-health`, whose streams never end and so would keep the service from stopping.
pub(crate) struct HealthApi {
    pub(crate) stopping: CancellationToken,
}

impl HealthApi {
    fn status(&self) -> ServingStatus {
        if self.stopping.is_cancelled() { ServingStatus::NotServing } else { ServingStatus::Serving }
    }
}

/// The whole service, or one of its parts; they serve or stop together.
fn is_known(service: &str) -> bool {
    ["", AGENTS, MATCHES, TOURNAMENTS].contains(&service)
}

fn answer(status: ServingStatus) -> HealthCheckResponse {
    HealthCheckResponse { status: status.into() }
}

#[tonic::async_trait]
impl Health for HealthApi {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        if !is_known(&request.get_ref().service) {
            return Err(Refusal::new(Reason::ServiceUnknown, "the service has no part of that name").into());
        }
        Ok(Response::new(answer(self.status())))
    }

    type WatchStream = Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send>>;

    /// A part that does not exist may come to exist, says the protocol, so its stream is told so and goes on.
    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let known = is_known(&request.get_ref().service);
        let first = if known { self.status() } else { ServingStatus::ServiceUnknown };
        let last = if known { ServingStatus::NotServing } else { ServingStatus::ServiceUnknown };
        let stopped = self.stopping.clone().cancelled_owned();
        let now = stream::once(std::future::ready(first));
        let then = stream::once(async move {
            stopped.await;
            last
        });
        // Nothing is said twice.
        let then = then.filter(move |status| std::future::ready(*status != first));
        Ok(Response::new(now.chain(then).map(|status| Ok(answer(status))).boxed()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn watched(health: &HealthApi, service: &str) -> impl Stream<Item = i32> + Unpin {
        let request = Request::new(HealthCheckRequest { service: service.to_owned() });
        let stream = health.watch(request).await.unwrap().into_inner();
        stream.map(|answer| answer.unwrap().status)
    }

    #[tokio::test]
    async fn it_serves_until_the_service_stops_and_then_streams_end() {
        let health = HealthApi { stopping: CancellationToken::new() };
        let check = || health.check(Request::new(HealthCheckRequest { service: MATCHES.to_owned() }));
        assert_eq!(check().await.unwrap().get_ref().status, ServingStatus::Serving as i32);
        let mut stream = watched(&health, "").await;
        assert_eq!(stream.next().await, Some(ServingStatus::Serving as i32));
        health.stopping.cancel();
        assert_eq!(stream.next().await, Some(ServingStatus::NotServing as i32));
        assert_eq!(stream.next().await, None);
        assert_eq!(check().await.unwrap().get_ref().status, ServingStatus::NotServing as i32);
        let late: Vec<i32> = watched(&health, "").await.collect().await;
        assert_eq!(late, [ServingStatus::NotServing as i32]);
    }

    #[tokio::test]
    async fn a_part_that_does_not_exist_is_unknown() {
        let health = HealthApi { stopping: CancellationToken::new() };
        let request = Request::new(HealthCheckRequest { service: "chess".to_owned() });
        let status = health.check(request).await.unwrap_err();
        assert_eq!(status.code(), tonic::Code::NotFound);
        let first = watched(&health, "chess").await.next().await;
        assert_eq!(first, Some(ServingStatus::ServiceUnknown as i32));
    }
}
