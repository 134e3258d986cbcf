import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it } from "vitest";
import { makeHostileRequests, sendAll } from "./hostile-requests.ts";

it("creates the same requests from the same seed, with many different ones", () => {
  const make = () => makeHostileRequests(["/api/system"], 300, 7).map(String);
  const made = make();
  expect(make()).toEqual(made);
  expect(new Set(made).size).toBeGreaterThan(280);
});

it("finds the planted crash of a server that trusts its callers", async () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      try {
        JSON.parse(Buffer.concat(chunks).toString());
        response.writeHead(200).end();
      } catch {
        response.writeHead(500).end();
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const { statuses } = await sendAll(port, makeHostileRequests(["/"], 200, 1));
  server.close();
  expect(statuses.get(500)).toBeGreaterThan(0);
  expect(statuses.get(200)).toBeGreaterThan(0);
});
