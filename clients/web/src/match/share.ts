import { html, nothing, type TemplateResult } from "lit-html";

/** Gives the reader the address of a move to pass on. */
export class Share {
  private said = "";
  /** The address to copy by hand, where no script may write to the clipboard. */
  private address = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly changed: () => void) {}

  /** Shares an address: with what the device has for it, else by the clipboard, else to be copied by hand. */
  async share(title: string, path: string): Promise<void> {
    const url = new URL(path, location.href).href;
    if (isTouch() && "share" in navigator) {
      try {
        await navigator.share({ title, url });
        return;
      } catch (fault) {
        if (fault instanceof DOMException && fault.name === "AbortError") {
          return;
        }
      }
    }
    try {
      await navigator.clipboard.writeText(url);
      this.say("The address is copied");
    } catch {
      // Without TLS there is no clipboard.
      this.address = url;
      this.changed();
      // Once it is rendered, with the next picture of the screen.
      requestAnimationFrame(() => {
        requestAnimationFrame(focusAddress);
      });
    }
  }

  /** What became of it, beside the button. */
  render(): TemplateResult {
    const select = (event: Event): void => {
      (event.currentTarget as HTMLInputElement).select();
    };
    const close = (): void => {
      this.address = "";
      this.changed();
    };
    return html`<span class="said" role="status">${this.said}</span>
    ${
      this.address === ""
        ? nothing
        : html`<label class="address">Address of this move
            <input type="text" readonly .value=${this.address} @focus=${select} />
          </label><button type="button" @click=${close}>Close</button>`
    }`;
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private say(text: string): void {
    this.said = text;
    this.changed();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.said = "";
      this.changed();
    }, 3_000);
  }
}

/** Selects the address, as the focus does. */
function focusAddress(): void {
  document.querySelector<HTMLInputElement>(".address input")?.focus();
}

/** On a phone the device's own way to share is the better one; on a desktop it is a window too many. */
function isTouch(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}
