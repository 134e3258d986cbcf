// Runs the log engine of the product as a network log store. The product starts its engine only on a local socket; this
// program forwards a port to that socket. node log-store.mjs <entry of the engine> <folder> <address> <port>
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [entry, folder, address, port] = process.argv.slice(2);
const MEMORY_BYTES = 2 * 1024 ** 3;
const READERS = { people: 3, previews: 2, rules: 2, stream: 2 };
const sockets = mkdtempSync(join(tmpdir(), "soc-store-"));
const socketPath = join(sockets, "engine");
const configurationPath = join(sockets, "engine.xml");
writeFileSync(configurationPath, "<clickhouse/>");
const engine = spawn(process.execPath, [entry], {
  env: { UV_THREADPOOL_SIZE: "16", TZ: "UTC" },
  stdio: ["pipe", "inherit", "inherit"],
});
const settings = {
  folder,
  socketPath,
  statementsPath: join(sockets, "statements"),
  configurationPath,
  readers: READERS,
  writers: 2,
  memoryBytes: MEMORY_BYTES,
  selectBytes: Math.floor(MEMORY_BYTES / 11),
};
engine.stdin.write(`${JSON.stringify(settings)}\n`);
engine.once("exit", (code) => {
  rmSync(sockets, { recursive: true, force: true });
  process.exit(code ?? 1);
});
process.once("SIGTERM", () => engine.stdin.end());

createServer({ allowHalfOpen: true }, (client) => {
  const inner = connect({ path: socketPath, allowHalfOpen: true });
  const end = () => {
    client.destroy();
    inner.destroy();
  };
  for (const side of [client, inner]) side.on("error", end);
  client.on("close", end);
  client.pipe(inner);
  inner.pipe(client);
}).listen(Number(port), address);
console.log(`engine ${engine.pid}`);
