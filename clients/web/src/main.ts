import "./styles/app.css";

import { connect } from "./api.js";
import { showFile } from "./file.js";
import { openPage } from "./open.js";
import { Router } from "./router.js";
import { show } from "./shell.js";
import { applyTheme } from "./theme.js";

applyTheme();
const replay = document.getElementById("replay");
if (replay) {
  void showFile(replay.textContent, show);
} else {
  const api = connect();
  new Router((route) => openPage(api, route), show).start();
}
