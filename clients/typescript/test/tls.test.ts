import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";

import { agentSeat, Client, ConnectionError, houseSeat, type ConnectOptions } from "chickenfoot";

import { over, playing, Service, store } from "./service.js";

test("over TLS a bot plays where its service is trusted, and nowhere else", async (context) => {
  const folder = dirname(await store(context));
  const [ca, caKey, cert, key] = ["ca.pem", "ca.key", "cert.pem", "cert.key"].map((file) => `${folder}/${file}`);
  assert(ca && caKey && cert && key);
  const make = (...options: string[]) => {
    const fresh = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
    execFileSync("openssl", [...fresh, ...options], { stdio: "ignore" });
  };
  make("-subj", "/CN=authority", "-keyout", caKey, "-out", ca);
  const leaf = ["-addext", "basicConstraints=critical,CA:FALSE", "-addext", "subjectAltName=DNS:chickenfoot.test"];
  make("-subj", "/CN=chickenfoot.test", ...leaf, "-CA", ca, "-CAkey", caKey, "-keyout", key, "-out", cert);
  const service = await Service.start(context, "--tls-cert", cert, "--tls-key", key, "--tls-client-ca", ca);
  const server = service.address.replace("http:", "https:");
  const pem = { ca: readFileSync(ca, "utf8"), cert: readFileSync(cert), key: readFileSync(key) };
  const known = { ...pem, serverName: "chickenfoot.test" };

  const reach = (options: ConnectOptions) => {
    const client = new Client(options);
    context.after(() => { client.close(); });
    return client;
  };
  const token = await reach({ server, tls: known }).agents.register("ann");
  const bot = playing(context, { server, token, tls: known, games: 1 });
  const ann = reach({ server, token, tls: known });
  const { id } = await ann.matches.create({ seats: [agentSeat("ann"), houseSeat("random")], rules: { rounds: 1 } });
  await over(ann, id);
  assert.equal((await bot.ended).refused, 0);

  // Not trusted; trusted but of another name; no certificate shown; not even TLS.
  const strangers: ConnectOptions[] = [
    { server },
    { server, tls: pem },
    { server, tls: { ca: known.ca, serverName: known.serverName } },
    { server: service.address },
  ];
  for (const options of strangers) await assert.rejects(reach(options).agents.get("ann"), ConnectionError);
});
