import { effect, type ReadonlySignal } from "@preact/signals";

/** Proves to the device that this page is the owner's: the device never closes its socket to make room. */
export function presentToken<Socket extends Pick<WebSocket, "addEventListener" | "send">>(
  socket: Socket,
  token: ReadonlySignal<string | undefined>,
): Socket {
  socket.addEventListener("open", () => {
    const stop = effect(() => {
      if (token.value !== undefined) socket.send(JSON.stringify({ type: "token", token: token.value }));
    });
    socket.addEventListener("close", stop);
  });
  return socket;
}
