import "./styles/app.css";

import { connect } from "./api.js";
import { openPage } from "./open.js";
import { Router } from "./router.js";
import { show } from "./shell.js";
import { applyTheme } from "./theme.js";

applyTheme();
const api = connect();
new Router((route) => openPage(api, route), show).start();
