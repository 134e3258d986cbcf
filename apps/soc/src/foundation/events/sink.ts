import type { FastifyReply } from "fastify";

/** The connection to one reader of server-sent events. */
export interface Sink {
  write(frames: string | Uint8Array): void;
  /** Bytes that the reader has not received yet. */
  pendingBytes(): number;
  /** Closes the connection after the written data was sent. */
  end(): void;
  /** Destroys the connection immediately. */
  cut(): void;
}

/** Takes the connection over from Fastify, which sends no reply of its own afterwards. */
export function openSink(reply: FastifyReply): Sink {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  // The stream ends with its connection, so chunks need no lengths and one buffer can be written to thousands of
  // readers.
  raw.removeHeader("transfer-encoding");
  // Proxies buffer a response unless this header forbids it.
  raw.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
  return {
    write(frames) {
      // A write after the client has disconnected would raise an error that no code handles.
      if (!raw.destroyed) raw.write(frames);
    },
    pendingBytes: () => raw.writableLength,
    end: () => raw.end(),
    cut: () => raw.destroy(),
  };
}
