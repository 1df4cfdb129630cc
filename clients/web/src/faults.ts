import { Code, ConnectError } from "@connectrpc/connect";

/** Whether it is no use to ask again: the server answered, and will not answer otherwise. */
export function isFinal(fault: unknown): boolean {
  const code = ConnectError.from(fault).code;
  return code === Code.NotFound || code === Code.InvalidArgument;
}

/** What the server says, for people. */
export function messageOf(fault: unknown): string {
  return ConnectError.from(fault).rawMessage;
}
