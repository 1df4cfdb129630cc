import type { Page } from "./page.js";
import { parse, type Route } from "./routes.js";

/** Shows the page that the address names, and follows links within this site without loading anew. */
export class Router {
  private page: Page | undefined;
  /** The path that it was opened with. */
  private path = "";

  /** `open` makes the page for an address; `show` is called when there is another page, or something new in it. */
  constructor(
    private readonly open: (route: Route | undefined) => Page,
    private readonly show: (page: Page, isNew: boolean) => void,
  ) {}

  /** Shows the present address, and listens from now on. */
  start(): void {
    window.addEventListener("popstate", () => {
      // To a place in the page that is shown the browser goes by itself.
      if (location.pathname !== this.path || this.page?.moveTo) {
        this.goTo(location.pathname);
      }
    });
    document.addEventListener("click", (event) => {
      const link = linkWithin(event);
      if (link) {
        event.preventDefault();
        this.navigate(link.pathname, link.hash);
      }
    });
    this.goTo(location.pathname);
  }

  /** Goes to a path of this site, and to a place in its page, as a click on a link does. */
  navigate(path: string, hash = ""): void {
    if (path !== location.pathname) {
      history.pushState(null, "", path + kept() + hash);
    }
    this.goTo(path);
  }

  private goTo(path: string): void {
    const route = parse(path);
    if (route && this.page?.moveTo?.(route)) {
      return;
    }
    this.page?.stop();
    const page = this.open(route);
    this.page = page;
    this.path = path;
    let isNew = true;
    const show = (): void => {
      if (this.page === page) {
        this.show(page, isNew);
        isNew = false;
      }
    };
    page.start(show);
    show();
  }
}

/** Writes where a page stands into the address: in place while it moves by itself, as a new entry if one jumped. */
export function setPath(path: string, jumped: boolean): void {
  if (path === location.pathname) {
    return;
  }
  const address = path + kept();
  try {
    if (jumped) {
      history.pushState(null, "", address);
    } else {
      history.replaceState(null, "", address);
    }
  } catch {
    // Browsers refuse too many changes within a short time. The next one will get through.
  }
}

/** Whether only the page itself is wanted, without the header: it stands in a frame of another page. */
export function isEmbedded(): boolean {
  return new URLSearchParams(location.search).get("embed") === "1";
}

/** The part of the query that stays on the way from page to page. */
function kept(): string {
  return isEmbedded() ? "?embed=1" : "";
}

/** The link that was clicked, if this site has a page there and nothing but a plain click was meant. */
function linkWithin(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || !isPlain(event) || !(event.target instanceof Element)) {
    return undefined;
  }
  const link = event.target.closest("a");
  return link && staysHere(link) ? link : undefined;
}

function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** Whether a link leads to a page of this site, in this window, and not to a place in the page that is shown. */
function staysHere(link: HTMLAnchorElement): boolean {
  const isPlace = link.hash !== "" && link.pathname === location.pathname;
  return link.target === "" && link.origin === location.origin && !isPlace && parse(link.pathname) !== undefined;
}
