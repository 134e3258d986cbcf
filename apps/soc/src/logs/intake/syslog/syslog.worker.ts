import { createSocket, type Socket as DatagramSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Clock } from "@kit/clock";
import { replaceCertificate } from "@kit/http/server";
import type { Log } from "@kit/log";
import { invalidField } from "@kit/problem";
import { createTlsRenewal, type TlsFiles } from "../../../foundation/tls-files.ts";
import type { DropsService } from "../drops.service.ts";
import { createDatagrams, type DatagramLimits } from "./datagrams.ts";
import type { SyslogDelivery } from "./syslog-delivery.ts";
import { createFrames, type Frame } from "./syslog-frames.ts";

export interface SyslogWorkerDeps {
  delivery: SyslogDelivery;
  drops: Pick<DropsService, "count">;
  host: string;
  /** If omitted, this server is not started. With 0 the operating system chooses the port. */
  tcpPort?: number | undefined;
  tlsPort?: number | undefined;
  udpPort?: number | undefined;
  tls?: TlsFiles<SyslogTls> | undefined;
  limits?: Partial<SyslogLimits>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "info" | "warn">;
}

export interface SyslogPorts {
  tcpPort?: number;
  tlsPort?: number;
  udpPort?: number;
}

export interface SyslogTls {
  cert: string | Buffer;
  key: string | Buffer;
  /** If set, senders must present a certificate of this authority. */
  ca?: string | Buffer | undefined;
}

export interface SyslogLimits extends DatagramLimits {
  connections: number;
  lineBytes: number;
  idleMs: number;
  /** How many unstored bytes a connection may have read. */
  unstoredBytes: number;
}

const LIMITS: SyslogLimits = {
  connections: 1000,
  lineBytes: 64 * 1024,
  idleMs: 10 * 60_000,
  unstoredBytes: 4 * 1024 * 1024,
  datagrams: 100_000,
  datagramBytes: 64 * 1024 * 1024,
};
const AEAD_ONLY = { minVersion: "TLSv1.2", ciphers: "ECDHE+AESGCM:ECDHE+CHACHA20", handshakeTimeout: 5000 } as const;
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

/** Listens for syslog over TCP, TLS (RFC 5425) and UDP (RFC 5426). */
export function createSyslogWorker(deps: SyslogWorkerDeps) {
  const { delivery, drops, host, tcpPort, tlsPort, udpPort, tls, clock, log } = deps;
  const limits = { ...LIMITS, ...deps.limits };
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const serving = new Set<Promise<void>>();
  const datagrams = createDatagrams({ delivery, drops, limits, clock });
  let datagramSocket: DatagramSocket | undefined;
  let renewal: ReturnType<typeof createTlsRenewal> | undefined;

  /** Backpressure: reads ahead while earlier messages are being stored, up to a limit; then the sender must wait. */
  async function serve(socket: Socket, kind: string): Promise<void> {
    const sender = `syslog/${kind}:${socket.remoteAddress ?? "unknown"}`;
    const frames = createFrames(limits.lineBytes);
    const storing = new Set<Promise<boolean>>();
    let unstored = 0;
    let isLost = false;
    const store = (ready: readonly Frame[]): void => {
      if (ready.length === 0) return;
      const bytes = ready.reduce((sum, { text }) => sum + text.length, 0);
      unstored += bytes;
      const delivered = delivery.deliver(ready, sender).then((isStored) => {
        unstored -= bytes;
        isLost ||= !isStored;
        storing.delete(delivered);
        return isStored;
      });
      storing.add(delivered);
    };
    try {
      const arriving: AsyncIterable<Buffer> = socket;
      for await (const chunk of arriving) {
        store(frames.push(chunk));
        while (unstored > limits.unstoredBytes && storing.size > 0) await Promise.race(storing);
        // The sender sees the connection close, keeps its messages and retries later.
        if (isLost) break;
      }
    } catch (error) {
      log.info({ sender, why: error instanceof Error ? error.message : String(error) }, "syslog connection failed");
    }
    store(frames.end());
    await Promise.all(storing);
    socket.destroy();
  }

  function onConnection(kind: string) {
    return (socket: Socket): void => {
      socket.on("error", () => undefined);
      if (sockets.size >= limits.connections) {
        log.warn({ connections: limits.connections }, "syslog connection refused");
        socket.destroy();
        return;
      }
      sockets.add(socket);
      socket.setTimeout(limits.idleMs, () => socket.destroy(new Error("idle for too long")));
      const served = serve(socket, kind).finally(() => {
        sockets.delete(socket);
        serving.delete(served);
      });
      serving.add(served);
    };
  }

  function onDatagram(bytes: Buffer, address: string): void {
    const isCut = bytes.length > limits.lineBytes;
    const text = bytes
      .subarray(0, limits.lineBytes)
      .toString("utf8")
      .replace(/[\r\n\0]+$/, "");
    if (text !== "") datagrams.push(text, isCut, address);
  }

  async function listen(server: Server, port: number): Promise<number> {
    servers.push(server);
    server.maxConnections = limits.connections;
    server.listen(port, host);
    await once(server, "listening");
    const address = server.address();
    return typeof address === "object" && address ? address.port : port;
  }

  function tlsServer(): Server {
    if (!tls) throw invalidField("SOC_SYSLOG_TLS_PORT", "needs SOC_SYSLOG_TLS_CERT and SOC_SYSLOG_TLS_KEY");
    const isAsking = tls.current().ca !== undefined;
    const asking = { requestCert: isAsking, rejectUnauthorized: isAsking };
    const server = createTlsServer({ ...AEAD_ONLY, ...tls.current(), ...asking }, onConnection("tls"));
    server.on("tlsClientError", (error) => log.info({ why: error.message }, "syslog handshake failed"));
    renewal = createTlsRenewal(tls, (renewed) => replaceCertificate(server, renewed), { clock, log });
    renewal.start();
    return server;
  }

  async function listenForDatagrams(port: number): Promise<number> {
    const socket = createSocket({ type: host.includes(":") ? "udp6" : "udp4" });
    datagramSocket = socket;
    socket.on("message", (bytes, { address }) => onDatagram(bytes, address));
    socket.bind(port, host);
    await once(socket, "listening");
    socket.on("error", (error) => log.warn({ err: error }, "syslog datagram socket failed"));
    // The operating system may allow less.
    socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES);
    return socket.address().port;
  }

  return {
    /** Returns the bound ports. */
    async start(): Promise<SyslogPorts> {
      const ports: SyslogPorts = {};
      if (tcpPort !== undefined) ports.tcpPort = await listen(createServer(onConnection("tcp")), tcpPort);
      if (tlsPort !== undefined) ports.tlsPort = await listen(tlsServer(), tlsPort);
      if (udpPort !== undefined) ports.udpPort = await listenForDatagrams(udpPort);
      if (Object.keys(ports).length > 0) log.info(ports, "syslog listening");
      return ports;
    },

    /** Call it before the intake is closed, so that received messages are still stored. */
    async close(): Promise<void> {
      for (const server of servers) server.close();
      datagramSocket?.close();
      datagramSocket = undefined;
      await renewal?.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all([...serving, datagrams.close()]);
    },
  };
}
