import { fromBinary } from "@bufbuild/protobuf";
import { sizeDelimitedPeek } from "@bufbuild/protobuf/wire";

import { type Match, MatchSchema, WatchMatchResponseSchema } from "../../gen/chickenfoot/v1/match_pb.js";
import { Log } from "./log.js";

/** A match in a file. */
export interface Replay {
  readonly match: Match;
  readonly log: Log;
}

/**
 * Reads a match from the text in a file: base64 of gzip of messages, each after its length. The first is the match,
 * the others are those of a watch from its beginning.
 */
export async function decode(text: string): Promise<Replay> {
  return read(await unzip(Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0))));
}

/** Reads a match from its messages. */
export function read(bytes: Uint8Array): Replay {
  const [first, ...others] = messages(bytes);
  if (!first) {
    throw new Error("there is no match in the file");
  }
  const log = new Log();
  for (const message of others) {
    log.add(fromBinary(WatchMatchResponseSchema, message));
  }
  return { match: fromBinary(MatchSchema, first), log };
}

function messages(bytes: Uint8Array): Uint8Array[] {
  const out: Uint8Array[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const next = sizeDelimitedPeek(rest);
    if (next.eof || next.offset + next.size > rest.length) {
      throw new Error("the match in the file is cut off");
    }
    const end = next.offset + next.size;
    out.push(rest.subarray(next.offset, end));
    rest = rest.subarray(end);
  }
  return out;
}

async function unzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
