import { setPath } from "../router.js";
import { paths } from "../routes.js";

/** Where the position stands in the browser's address. */
export interface Address {
  /** What a link to an event leads to; without one, to what is newest. */
  href(seq?: number): string;
  /** Writes a position: as a new entry of the history if the reader jumped there, else in place. */
  write(seq: number | undefined, jumped: boolean): void;
}

/** The address of a match on a server. */
export function siteAddress(id: string): Address {
  return {
    href: (seq) => paths.match(id, seq),
    write: (seq, jumped) => {
      setPath(paths.match(id, seq), jumped);
    },
  };
}

/** The part after `#` of the address of a file. */
export function fileAddress(): Address {
  const href = (seq?: number): string => `#${seq === undefined ? "" : String(seq)}`;
  return {
    href,
    write: (seq, jumped) => {
      // Nothing behind the sign is the same as no sign.
      if (href(seq) === (location.hash === "" ? "#" : location.hash)) {
        return;
      }
      try {
        if (jumped) {
          history.pushState(null, "", href(seq));
        } else {
          history.replaceState(null, "", href(seq));
        }
      } catch {
        // Some browsers let no script change the address of a file, and none lets it do so too often.
      }
    },
  };
}

/** The position in the address of a file. */
export function seqOfHash(hash: string): number | undefined {
  return /^#\d{1,15}$/.test(hash) ? Number(hash.slice(1)) : undefined;
}
