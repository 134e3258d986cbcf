import { isRecord } from "../../response/module.ts";

/** Detects in the raw chunks of a reply what the SDK drops: refusal texts and duplicate call ids. */
export function createWireWatch() {
  const placesById = new Map<string, Set<unknown>>();
  let refusal = "";

  function seeId(id: unknown, place: unknown): void {
    if (typeof id !== "string" || id === "") return;
    placesById.set(id, (placesById.get(id) ?? new Set()).add(place));
  }

  /** Chat completions: `choices[0].delta` with `refusal` and `tool_calls: [{index, id}]`. */
  function seeDelta(delta: Record<string, unknown>): void {
    if (typeof delta.refusal === "string") refusal += delta.refusal;
    for (const call of toList(delta.tool_calls)) if (isRecord(call)) seeId(call.id, call.index);
  }

  return {
    see(chunk: unknown): void {
      if (!isRecord(chunk)) return;
      const [choice] = toList(chunk.choices);
      if (isRecord(choice) && isRecord(choice.delta)) seeDelta(choice.delta);
      // Messages: `{type: "content_block_start", index, content_block: {id}}`.
      if (isRecord(chunk.content_block)) seeId(chunk.content_block.id, chunk.index);
    },
    refusal: () => refusal,
    hasDuplicateId: () => [...placesById.values()].some((places) => places.size > 1),
  };
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
