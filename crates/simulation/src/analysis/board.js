"use strict";
for (const board of document.querySelectorAll("figure.board")) {
  const parts = [...board.querySelectorAll("[data-n]")];
  const turns = [...board.closest("section").querySelectorAll("tr[data-tiles]")];
  if (turns.length === 0) continue;
  const make = (name, more) => Object.assign(document.createElement(name), more);
  const slider = make("input", { type: "range", min: 0, max: turns.length - 1, value: turns.length - 1 });
  slider.setAttribute("aria-label", "Turn");
  const back = make("button", { type: "button", textContent: "\u2039" });
  const on = make("button", { type: "button", textContent: "\u203a" });
  back.setAttribute("aria-label", "Turn before");
  on.setAttribute("aria-label", "Next turn");
  const said = make("output", {});
  const show = (at) => {
    at = Math.max(0, Math.min(turns.length - 1, at));
    slider.value = at;
    const tiles = Number(turns[at].dataset.tiles);
    for (const part of parts) {
      const since = Number(part.dataset.n);
      const gone = part.dataset.e !== undefined && Number(part.dataset.e) <= tiles;
      if (since <= tiles && !gone) part.removeAttribute("display");
      else part.setAttribute("display", "none");
      if (part.classList.contains("tile")) part.classList.toggle("new", since === tiles && since > 1);
    }
    turns.forEach((turn, i) => {
      if (i === at) turn.setAttribute("aria-current", "true");
      else turn.removeAttribute("aria-current");
    });
    said.textContent = [...turns[at].cells].slice(0, 3).map((cell) => cell.textContent.trim()).join(" \u00b7 ");
  };
  slider.addEventListener("input", () => show(Number(slider.value)));
  back.addEventListener("click", () => show(Number(slider.value) - 1));
  on.addEventListener("click", () => show(Number(slider.value) + 1));
  turns.forEach((turn, i) => {
    const button = make("button", { type: "button", textContent: turn.cells[0].textContent.trim() });
    button.setAttribute("aria-label", "Show turn " + button.textContent + " on the table");
    button.addEventListener("click", () => {
      show(i);
      board.scrollIntoView({ block: "nearest" });
    });
    turn.cells[0].replaceChildren(button);
  });
  const row = make("div", { className: "turns" });
  row.append(back, slider, on, said);
  board.append(row);
  show(turns.length - 1);
}
