/** The colours that the reader wants. */
export type Theme = "system" | "light" | "dark";

const KEY = "chickenfoot.theme";
const ORDER: readonly Theme[] = ["system", "light", "dark"];

/** The reader's choice, as it was remembered. */
export function theme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return ORDER.find((one) => one === stored) ?? "system";
  } catch {
    // Storage may be switched off: then the choice holds as long as the page.
    return ORDER.find((one) => one === document.documentElement.dataset["theme"]) ?? "system";
  }
}

/** Takes a choice, and remembers it. */
export function setTheme(choice: Theme): void {
  show(choice);
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // As above.
  }
}

/** The choice after this one, for a button that goes round. */
export function nextTheme(choice: Theme): Theme {
  return ORDER[(ORDER.indexOf(choice) + 1) % ORDER.length] ?? "system";
}

/** Shows the remembered choice; once, at the start. */
export function applyTheme(): void {
  show(theme());
}

function show(choice: Theme): void {
  if (choice === "system") {
    delete document.documentElement.dataset["theme"];
  } else {
    document.documentElement.dataset["theme"] = choice;
  }
}
