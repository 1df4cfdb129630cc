/** An address of this site. */
export type Route =
  | { readonly page: "home" }
  | { readonly page: "tournament"; readonly id: string }
  | { readonly page: "agents" }
  | { readonly page: "agent"; readonly name: string }
  | { readonly page: "match"; readonly id: string; readonly seq: number | undefined };

/** What a path names; nothing if it is none of this site's pages. */
export function parse(path: string): Route | undefined {
  const [first, second, third, ...more] = segments(path);
  if (more.length > 0 || first === undefined) {
    return undefined;
  }
  switch (first) {
    case "":
      return second === undefined ? { page: "home" } : undefined;
    case "t":
      return isId(second) && third === undefined ? { page: "tournament", id: second } : undefined;
    case "agents":
      return agents(second, third);
    case "m":
      return match(second, third);
    default:
      return undefined;
  }
}

/** The addresses of the pages. */
export const paths = {
  home: () => "/",
  tournament: (id: string) => `/t/${encodeURIComponent(id)}`,
  agents: () => "/agents",
  agent: (name: string) => `/agents/${encodeURIComponent(name)}`,
  match: (id: string, seq?: number) => `/m/${encodeURIComponent(id)}${seq === undefined ? "" : `/${String(seq)}`}`,
  record: (id: string) => `/m/${encodeURIComponent(id)}/record.json`,
  outline: (id: string, seq: number) => `/m/${encodeURIComponent(id)}/${String(seq)}.txt`,
  picture: (id: string, seq: number) => `/m/${encodeURIComponent(id)}/${String(seq)}.svg`,
} as const;

/** The parts between the slashes, decoded; the empty path is one empty part. */
function segments(path: string): string[] {
  try {
    return path.replace(/^\//, "").replace(/(.)\/$/, "$1").split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}

function agents(name: string | undefined, more: string | undefined): Route | undefined {
  if (name === undefined) {
    return { page: "agents" };
  }
  return name !== "" && more === undefined ? { page: "agent", name } : undefined;
}

function match(id: string | undefined, seq: string | undefined): Route | undefined {
  if (!isId(id) || (seq !== undefined && !/^\d{1,15}$/.test(seq))) {
    return undefined;
  }
  return { page: "match", id, seq: seq === undefined ? undefined : Number(seq) };
}

function isId(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{32}$/.test(text);
}
