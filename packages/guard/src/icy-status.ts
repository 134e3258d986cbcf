import type { Socket } from "node:net";

const ICY = Buffer.from("ICY ");
const HTTP = Buffer.from("HTTP/1.0 ");

/**
 * A SHOUTcast 1 server starts its answer with "ICY 200 OK" and otherwise speaks HTTP. Node's parser refuses that
 * word, so it gets to read an HTTP version in its place. Nothing else is touched, and nothing after the first bytes.
 */
export function readIcyAsHttp(socket: Socket): void {
  const push = socket.push.bind(socket);
  let start: Buffer = Buffer.alloc(0);
  socket.push = (chunk: Buffer | null) => {
    start = Buffer.concat([start, chunk ?? Buffer.alloc(0)]);
    const isUndecided = start.length < ICY.length && ICY.subarray(0, start.length).equals(start);
    if (chunk !== null && isUndecided) return true;
    socket.push = push;
    const isIcy = start.subarray(0, ICY.length).equals(ICY);
    const isRoomLeft = push(isIcy ? Buffer.concat([HTTP, start.subarray(ICY.length)]) : start);
    return chunk === null ? push(null) : isRoomLeft;
  };
}
