"""From a gRPC status to an error of this package."""

from __future__ import annotations

from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from . import v1
from ._wire import seconds
from .errors import ConnectionLost, DeadlineExceeded, Error, FieldViolation, refusal

_DETAILS = "grpc-status-details-bin"


def error_of(failed: Any) -> Error:
    """The error that a failed call means. One without a reason did not come from the service but from what lies between."""
    code: grpc.StatusCode = failed.code()
    text: str = failed.details() or ""
    for key, value in failed.trailing_metadata() or ():
        if key == _DETAILS and isinstance(value, bytes):
            found = _from_details(code.value[0], text, value)
            if found is not None:
                return found
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return DeadlineExceeded("the service did not answer in time")
    return ConnectionLost(f"no connection to the service: {code.name}: {text}")


def _from_details(code: int, text: str, details: bytes) -> Error | None:
    try:
        status = status_pb2.Status.FromString(details)
    except DecodeError:
        return None
    info, fields, retry_after = None, [], None
    for detail in status.details:
        if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            info = error_details_pb2.ErrorInfo.FromString(detail.value)
        elif detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            bad = error_details_pb2.BadRequest.FromString(detail.value)
            fields += [FieldViolation(each.field, each.description) for each in bad.field_violations]
        elif detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            retry_after = seconds(error_details_pb2.RetryInfo.FromString(detail.value).retry_delay)
    if info is None:
        return None
    if info.reason == "DEADLINE_PASSED":
        return DeadlineExceeded(text)
    return refusal(text, code=code, reason=info.reason, metadata=info.metadata, fields=fields, retry_after=retry_after)


def error_of_refusal(wire: v1.Refusal) -> Error:
    """The error that a refused message of a session means."""
    retry_after = seconds(wire.retry_after) if wire.HasField("retry_after") else None
    return refusal(wire.message, code=wire.code, reason=wire.reason, metadata=wire.metadata, retry_after=retry_after)


def serialised(message: Any) -> bytes:
    """A message as bytes."""
    return message.SerializeToString()  # type: ignore[no-any-return]
