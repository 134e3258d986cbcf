import type { Background, Base, Registrations } from "../../foundation/base.ts";
import { createModel, type ModelDeps } from "./create-model.ts";
import type { ModelSettings } from "./model-settings.ts";

export interface ModelsNeeds {
  outbound: ModelDeps["outbound"];
  /** Undefined if the operator configured no model. */
  settings: ModelSettings | undefined;
}

/** Creates the configured language model, if any. */
export function createModels({ clock, log }: Base, { outbound, settings }: ModelsNeeds) {
  if (!settings) return { services: { model: undefined }, registrations: { serving: [] } satisfies Registrations };
  const model = createModel({ settings, outbound, clock, log });
  const announcement: Background = {
    start: () => log.info({ model: model.name, host: new URL(settings.url).host }, "language model configured"),
    close: () => undefined,
  };
  return { services: { model }, registrations: { serving: [announcement] } satisfies Registrations };
}
