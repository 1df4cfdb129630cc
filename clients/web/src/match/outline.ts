import { html, type TemplateResult } from "lit-html";

/** Least time between two fetches, in milliseconds: a match that is followed may have many moves in a second. */
const EVERY = 400;

/** The table as lines of text, fetched when somebody unfolds it. */
export class Outline {
  private isOpen = false;
  /** The event whose text is shown or on its way, and the one that is wanted. */
  private asked = 0;
  private wanted = 0;
  private text = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `load` gets the text for the state after an event. */
  constructor(
    private readonly load: (seq: number) => Promise<string>,
    private readonly changed: () => void,
  ) {}

  /** Shows the text for an event. */
  render(seq: number): TemplateResult {
    this.wanted = seq;
    const toggle = (event: Event): void => {
      this.isOpen = (event.currentTarget as HTMLDetailsElement).open;
      this.plan();
    };
    this.plan();
    return html`<details class="outline" @toggle=${toggle}>
      <summary>The table as text</summary>
      <pre tabindex="0" role="region" aria-label="The table as text">${this.text}</pre>
    </details>`;
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Gets the text that is wanted by then, a moment later. */
  private plan(): void {
    if (this.isOpen && this.wanted > 0 && this.wanted !== this.asked) {
      this.timer ??= setTimeout(() => {
        void this.fetch(this.wanted);
      }, EVERY);
    }
  }

  private async fetch(seq: number): Promise<void> {
    this.asked = seq;
    try {
      this.text = await this.load(seq);
    } catch {
      this.text = "The text could not be loaded.";
    }
    this.timer = undefined;
    this.changed();
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
