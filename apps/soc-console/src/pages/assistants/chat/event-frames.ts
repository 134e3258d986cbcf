/** One event of a stream of server-sent events. */
export interface EventFrame {
  event: string;
  data: string;
}

/** Cuts a stream into its events, however the network has cut it. Comments are left out. */
export function createFrameReader() {
  let rest = "";
  return {
    /** The events that are complete with this piece of the stream. */
    push: (piece: string): EventFrame[] => {
      const parts = `${rest}${piece}`.replaceAll("\r\n", "\n").split("\n\n");
      rest = parts.pop() ?? "";
      return parts.flatMap((part) => parseFrame(part) ?? []);
    },
  };
}

function parseFrame(text: string): EventFrame | undefined {
  const lines = text.split("\n");
  const read = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ""));
  const data = read("data");
  return data.length === 0 ? undefined : { event: read("event").at(-1) ?? "message", data: data.join("\n") };
}
