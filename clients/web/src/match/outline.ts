import { html, type TemplateResult } from "lit-html";

/** The table as lines of text, fetched when somebody unfolds it. */
export class Outline {
  private isOpen = false;
  private shown: string | undefined;
  private text = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `load` gets the text for a key, which names a position. */
  constructor(
    private readonly load: (seq: number) => Promise<string>,
    private readonly changed: () => void,
  ) {}

  /** Shows the text of a position; `last` is the last event of the match so far. */
  render(seq: number): TemplateResult {
    const toggle = (event: Event): void => {
      this.isOpen = (event.currentTarget as HTMLDetailsElement).open;
      this.want(seq);
    };
    if (this.isOpen) {
      this.want(seq);
    }
    return html`<details class="outline" @toggle=${toggle}>
      <summary>The table as text</summary>
      <pre tabindex="0" role="region" aria-label="The table as text">${this.text}</pre>
    </details>`;
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Gets the text once the position has held for a moment. */
  private want(seq: number): void {
    const key = String(seq);
    if (!this.isOpen || seq === 0 || key === this.shown) {
      return;
    }
    this.shown = key;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      void this.fetch(seq, key);
    }, 150);
  }

  private async fetch(seq: number, key: string): Promise<void> {
    let text: string;
    try {
      text = await this.load(seq);
    } catch {
      text = "The text could not be loaded.";
    }
    if (this.shown === key) {
      this.text = text;
      this.changed();
    }
  }
}

/** Gets the text from the server. */
export async function fetchOutline(path: string): Promise<string> {
  const answer = await fetch(path);
  if (!answer.ok) {
    throw new Error(`the server answered ${String(answer.status)}`);
  }
  return answer.text();
}
