/** One server-sent event. */
export interface EventFrame {
  event: string;
  data: string;
}

/** Splits a stream of chunks into events. Comments are ignored. */
export function createFrameReader() {
  let rest = "";
  return {
    /** The events that this chunk completes. */
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
