import type { Api } from "../api.js";
import { paths } from "../routes.js";
import { fileAddress, seqOfHash, siteAddress } from "./address.js";
import { Log } from "./log.js";
import { fetchOutline } from "./outline.js";
import { MatchPage } from "./page.js";
import type { Replay } from "./replay.js";
import { FileSource, ServerSource } from "./source.js";

/** The page of a match on the server. */
export function openMatch(api: Api, id: string, seq: number | undefined): MatchPage {
  const log = new Log();
  return new MatchPage({
    log,
    source: new ServerSource(api.matches, id, log),
    address: siteAddress(id),
    id,
    seq,
    outline: (at) => fetchOutline(paths.outline(id, at)),
  });
}

/** The page of a match in a file. */
export function openReplay({ match, log }: Replay): MatchPage {
  const page = new MatchPage({
    log,
    source: new FileSource(match, log),
    address: fileAddress(),
    id: undefined,
    seq: seqOfHash(location.hash),
    outline: (at) => Promise.resolve(log.at(at)?.scene.outline ?? ""),
  });
  window.addEventListener("hashchange", () => {
    page.show(seqOfHash(location.hash));
  });
  return page;
}
