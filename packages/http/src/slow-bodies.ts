import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

const unhurried = new WeakSet<Socket>();

/** Exempts this one request from the server's time-out for whole requests. The caller must enforce a time limit instead. */
export function giveTime(request: IncomingMessage): void {
  const { socket } = request;
  unhurried.add(socket);
  request.once("close", () => unhurried.delete(socket));
}

export function hasTime(socket: Socket): boolean {
  return unhurried.has(socket);
}
