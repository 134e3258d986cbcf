import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createResolver } from "@kit/guard/resolver";
import { silentLog } from "@kit/log/silent";
import { createModel } from "../../src/assistants/models/create-model.ts";
import type { ModelSettings } from "../../src/assistants/models/model-settings.ts";
import type { OutboundEntry } from "../../src/foundation/outbound/dispatch.ts";
import { createMemoryOutboundStore } from "../../src/foundation/outbound/memory-outbound.store.ts";
import { createOutboundService } from "../../src/foundation/outbound/outbound.service.ts";
import { createOutsideGuard } from "../../src/foundation/outbound/outside-guard.ts";
import type { Mode } from "../../src/foundation/runtime/runtime.schema.ts";
import { createRuntimeService } from "../../src/foundation/runtime/runtime.service.ts";

/** The SDK is loaded on the first run. In tests Vite transforms it, which may take longer than a run. */
export const loadSdk = () => import("../../src/assistants/models/model-sdk.ts");
export const LOAD_MS = 180_000;

/** A model behind the product's own outbound service, with the recorded entries. */
export function createModelWorld(settings: Pick<ModelSettings, "url"> & Partial<ModelSettings>, mode: Mode = "real") {
  const clock = createClock();
  const entries: OutboundEntry[] = [];
  const memory = createMemoryOutboundStore({ start: { id: "1", at: clock.now(), mode }, isAlone: true });
  const store = {
    ...memory,
    append: async (entry: OutboundEntry) => {
      entries.push(entry);
    },
  };
  const outbound = createOutboundService({
    runtime: createRuntimeService({ mode, database: { isAvailable: async () => true } }),
    stores: { database: store, showcase: store },
    guard: createOutsideGuard(createResolver()),
    privateDestinations: new Set(["model"]),
    clock,
    ids: createIds(clock),
    log: silentLog,
  });
  const complete: ModelSettings = { provider: "openai-compatible", model: "test-model", key: "k-1234", ...settings };
  return { model: createModel({ settings: complete, outbound, clock, log: silentLog }), entries };
}
