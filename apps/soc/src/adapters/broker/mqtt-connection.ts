import { type ConnectionOptions, connect } from "node:tls";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import mqttPacket, { type IPublishPacket, type Packet } from "mqtt-packet";
import type { BrokerConnection, BrokerMessage } from "../../ports/broker.ts";

export interface MqttOptions {
  tls: ConnectionOptions;
  /** How long the broker keeps the session after the connection ends. */
  sessionSeconds: number;
  /**
   * The first packet id. Use a random start for persistent sessions; otherwise the broker may mistake a new message for
   * an old one.
   */
  firstId?: number;
  keepAliveSeconds: number;
  /** How many messages may be unacknowledged, in each direction. */
  window: number;
  /** The message is acknowledged when it resolves. Runs concurrently; a rejection ends the connection. */
  onMessage: (message: BrokerMessage) => Promise<void>;
  clock: Pick<Clock, "sleep">;
}

export interface MqttConnection extends BrokerConnection {
  subscribe(filters: readonly string[], qos: 1 | 2): Promise<void>;
}

/** The part of the broker's responses that is used. */
interface Reply {
  codes: readonly number[];
  /** How many unacknowledged messages the broker allows. */
  receiveMaximum: number | undefined;
}

interface PendingReply {
  resolve: (reply: Reply) => void;
  reject: (reason: Problem) => void;
}

const VERSION = { protocolVersion: 5 } as const;
const MAX_PACKET_BYTES = 131_072;
const MAX_ID = 65_535;
const FIRST_REFUSAL = 0x80;
/** Mosquitto 2.0 sends up to twice as many messages as the client allows while the client also sends. */
const PATIENCE = 4;
/** The broker uses the name in the certificate instead. */
const CLIENT_ID = "by-certificate";

/**
 * One MQTT 5 connection over TLS. mqtt.js handles one incoming message at a time and ignores the broker's limit of
 * unacknowledged messages. This client acknowledges each message when its work is done, in any order. It keeps no
 * state: the caller must resend what was not acknowledged when the connection ends.
 */
export async function openMqtt(options: MqttOptions, signal: AbortSignal): Promise<MqttConnection> {
  const { tls, sessionSeconds, firstId = 0, keepAliveSeconds, window, onMessage, clock } = options;
  const ended = new AbortController();
  const waiting = new Map<string, PendingReply>();
  const queue: (() => void)[] = [];
  const socket = connect(tls);
  let room = window;
  let unacknowledged = 0;
  let lastId = firstId;
  let isSilent = false;

  const toProblem = (cause?: unknown) => new Problem("unavailable", "broker: the connection has ended", { cause });

  function end(cause?: unknown): void {
    if (ended.signal.aborted) return;
    ended.abort(cause);
    // Data that was sent before a close is still delivered; after a failure nothing is.
    if (cause === undefined) socket.destroySoon();
    else socket.destroy();
    for (const { reject } of waiting.values()) reject(toProblem(cause));
    waiting.clear();
    for (const wake of queue.splice(0)) wake();
  }

  function send(packet: Packet): void {
    if (!ended.signal.aborted) socket.write(mqttPacket.generate(packet, VERSION));
  }

  function nextReply(cmd: Packet["cmd"], messageId = 0): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (ended.signal.aborted) reject(toProblem(ended.signal.reason));
      else waiting.set(`${cmd} ${messageId}`, { resolve, reject });
    });
  }

  function takeId(): number {
    do lastId = (lastId % MAX_ID) + 1;
    while (waiting.has(`pubrec ${lastId}`) || waiting.has(`pubcomp ${lastId}`));
    return lastId;
  }

  function receive({ topic, payload, qos, messageId }: IPublishPacket): void {
    unacknowledged += 1;
    if (unacknowledged >= PATIENCE * window) socket.pause();
    onMessage({ topic, payload: Buffer.from(payload), qos }).then(() => {
      unacknowledged -= 1;
      if (unacknowledged < PATIENCE * window) socket.resume();
      if (qos !== 0) send({ cmd: qos === 1 ? "puback" : "pubrec", messageId: messageId ?? 0 });
    }, end);
  }

  function handle(packet: Packet): void {
    isSilent = false;
    const { cmd, messageId = 0 } = packet;
    if (cmd === "publish") receive(packet);
    else if (cmd === "pubrel") send({ cmd: "pubcomp", messageId });
    else if (cmd === "disconnect") end(packet);
    const key = `${cmd} ${messageId}`;
    waiting.get(key)?.resolve(toReply(packet));
    waiting.delete(key);
  }

  /** Resolves when fewer messages are unacknowledged than the broker allows. */
  async function takeRoom(): Promise<void> {
    while (room === 0 && !ended.signal.aborted) await new Promise<void>((resolve) => queue.push(resolve));
    room -= 1;
  }

  async function keepAlive(): Promise<void> {
    for (;;) {
      await clock.sleep((keepAliveSeconds * 1000) / 2, ended.signal);
      if (isSilent) end(new Problem("unavailable", "broker: no response to keep-alive"));
      isSilent = true;
      send({ cmd: "pingreq" });
    }
  }

  async function greet(): Promise<void> {
    const answered = nextReply("connack");
    socket.once("secureConnect", () =>
      send({
        ...{ cmd: "connect", protocolId: "MQTT", protocolVersion: 5, clientId: CLIENT_ID },
        ...{ clean: sessionSeconds === 0, keepalive: keepAliveSeconds },
        properties: {
          ...{ sessionExpiryInterval: sessionSeconds, receiveMaximum: window, maximumPacketSize: MAX_PACKET_BYTES },
        },
      }),
    );
    const { receiveMaximum = window } = requireAccepted(await answered, "the connection");
    room = Math.min(window, receiveMaximum);
  }

  const reader = mqttPacket.parser(VERSION).on("packet", handle).on("error", end);
  const abort = () => end(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  socket.setNoDelay(true);
  socket.on("data", (chunk: Buffer) => reader.parse(chunk));
  socket.on("error", end);
  socket.on("close", () => end());
  try {
    await greet();
  } catch (error) {
    end(error);
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
  keepAlive().catch(() => undefined);

  return {
    ended: ended.signal,

    async subscribe(filters, qos) {
      const messageId = takeId();
      const subscriptions = filters.map((topic) => ({ topic, qos, nl: false, rap: false, rh: 0 }));
      const answered = nextReply("suback", messageId);
      send({ cmd: "subscribe", messageId, subscriptions });
      requireAccepted(await answered, "a subscription");
    },

    async publish(topic, payload, lifetimeSeconds) {
      await takeRoom();
      const messageId = takeId();
      try {
        const received = nextReply("pubrec", messageId);
        const properties = { messageExpiryInterval: lifetimeSeconds };
        send({ cmd: "publish", topic, payload, qos: 2, dup: false, retain: false, messageId, properties });
        requireAccepted(await received, "a message");
        const completed = nextReply("pubcomp", messageId);
        send({ cmd: "pubrel", messageId });
        await completed;
      } finally {
        room += 1;
        queue.shift()?.();
      }
    },

    close() {
      send({ cmd: "disconnect", reasonCode: 0 });
      end();
    },
  };
}

function toReply(packet: Packet): Reply {
  const code = "reasonCode" in packet ? (packet.reasonCode ?? 0) : 0;
  return {
    codes: packet.cmd === "suback" ? packet.granted.map(Number) : [code],
    receiveMaximum: packet.cmd === "connack" ? packet.properties?.receiveMaximum : undefined,
  };
}

function requireAccepted(reply: Reply, what: string): Reply {
  const refusal = reply.codes.find((code) => code >= FIRST_REFUSAL);
  if (refusal !== undefined) throw new Problem("unavailable", `broker: refused ${what} with code ${refusal}`);
  return reply;
}
