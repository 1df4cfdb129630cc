import { html, type TemplateResult } from "lit-html";

import { HELP } from "./keys.js";

/** The list of keys, which is shown on demand. */
export function helpDialog(): TemplateResult {
  return html`<dialog class="help" aria-labelledby="help-title">
    <h2 id="help-title">Keys</h2>
    <dl>${HELP.map(([keys, does]) => html`<dt>${keys}</dt><dd>${does}</dd>`)}</dl>
    <p class="soft">On the table: pinch or turn the wheel to zoom, drag to move, tap twice for all of it.</p>
    <button type="button" @click=${close}>Close</button>
  </dialog>`;
}

/** Shows the list of keys. */
export function openHelp(): void {
  document.querySelector<HTMLDialogElement>("dialog.help")?.showModal();
}

function close(event: Event): void {
  (event.currentTarget as Element).closest("dialog")?.close();
}
