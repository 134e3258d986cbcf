// Runs as a process of its own, on Node 24, which reads TypeScript: in a process of Vitest the packages of the client would be resolved
// to sources that Node does not load.
import { argv, stdout } from "node:process";

/** The part of the client 1.x that the test uses. */
interface OldClient {
  connect(transport: object): Promise<void>;
  ping(): Promise<object>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<object>;
  getServerVersion(): object | undefined;
  close(): Promise<void>;
}

interface OldTransport {
  send(message: { method?: string; params?: object }, options?: object): Promise<void>;
  protocolVersion: string | undefined;
}

const [, , sdk = "", url = "", authorization = "", ...revisions] = argv;
const { Client } = await import(`${sdk}/dist/esm/client/index.js`);
const { StreamableHTTPClientTransport } = await import(`${sdk}/dist/esm/client/streamableHttp.js`);

async function connect(revision: string, headers: Record<string, string>) {
  const client: OldClient = new Client({ name: "test", version: "1" });
  const transport: OldTransport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const send = transport.send.bind(transport);
  // By default it offers the newest revision that it supports.
  transport.send = ({ params, ...message }, options) => {
    const isFirst = message.method === "initialize";
    return send({ ...message, params: { ...params, ...(isFirst && { protocolVersion: revision }) } }, options);
  };
  await client.connect(transport);
  return { client, negotiated: transport.protocolVersion };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => "succeeded",
    (error: unknown) => String(error),
  );

async function visit(revision: string) {
  const { client, negotiated } = await connect(revision, { authorization });
  const call = (name: string, given: object) => client.callTool({ name, arguments: given });
  const report = {
    negotiated,
    server: client.getServerVersion(),
    ping: await client.ping(),
    tools: (await client.listTools()).tools.length,
    found: await call("lookup_ioc", { value: "192.0.2.77" }),
    missing: await call("get_alert", { alert_id: "nope" }),
    invalid: await call("get_alert", {}),
    blocked: await call("create_case", { title: "in dummy mode" }),
    unknown: await failureOf(call("get_weather", {})),
    unauthenticated: await failureOf(connect(revision, {})),
  };
  await client.close();
  return report;
}

const reports = [];
for (const revision of revisions) reports.push(await visit(revision));
stdout.write(JSON.stringify(reports));
