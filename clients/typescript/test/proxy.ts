import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** A line to a service that a test can cut, or make swallow everything, and behind which the service may change. */
export class Proxy {
  readonly #pairs = new Set<[Socket, Socket]>();
  readonly #server: Server;
  /** How many connections were made. */
  connections = 0;
  #waiting: (() => void)[] = [];

  private constructor(private target: number) {
    this.#server = createServer((near) => { this.#join(near); });
  }

  /** Listens on a port that the system gives; closed when the test is over. */
  static async start(test: TestContext, target: number): Promise<Proxy> {
    const proxy = new Proxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    test.after(() => {
      proxy.cut();
      proxy.#server.close();
    });
    return proxy;
  }

  get address(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** Later connections go to another port. */
  aim(target: number): void {
    this.target = target;
  }

  /** Breaks all connections, as a network does that lost its state: with a reset. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  /** From now on all connections that there are swallow everything, and neither end is told. */
  freeze(): void {
    for (const [near, far] of this.#pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }

  /** Ready with the next connection. */
  connected(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #join(near: Socket): void {
    const far = connect(this.target, "127.0.0.1");
    const pair: [Socket, Socket] = [near.setNoDelay(), far.setNoDelay()];
    this.#pairs.add(pair);
    this.connections += 1;
    for (const [socket, other] of [[near, far], [far, near]] as const) {
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.#pairs.delete(pair);
        other.destroy();
      });
      socket.pipe(other);
    }
    for (const tell of this.#waiting.splice(0)) tell();
  }
}
