import { once } from "node:events";
import { createServer } from "node:net";

/** A port that no process must ever connect to. */
export interface Canary {
  port: number;
  connections(): number;
  close(): Promise<void>;
}

export async function startCanary(host: string): Promise<Canary> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the canary has no port");
  return {
    port: address.port,
    connections: () => connections,
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}
