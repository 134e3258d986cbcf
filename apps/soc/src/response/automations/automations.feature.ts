import type { AlertsService } from "../../alerts/module.ts";
import type { ActionRegistry } from "../../foundation/actions/action-registry.ts";
import type { Base, Registrations } from "../../foundation/base.ts";
import { PERMISSIONS } from "../../foundation/caller/permissions.schema.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Consumption, EventStream } from "../../foundation/events/event-stream.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { PlaybooksService } from "../playbooks/playbooks.service.ts";
import { type AutomationFiringsDeps, createAutomationFirings } from "./automation-firings.ts";
import { automationPreviewsRoutes } from "./automation-previews.routes.ts";
import { createAutomationPreviewsService } from "./automation-previews.service.ts";
import { automationsRoutes } from "./automations.routes.ts";
import { createAutomationsService } from "./automations.service.ts";
import {
  createAutomationsStore,
  createAutomationsWriter,
  createShowcaseAutomationsStore,
} from "./automations.store.ts";
import { consumeAlerts, createParkedEventsRetry } from "./automations.worker.ts";
import { parkedEventsRoutes } from "./parked-events.routes.ts";
import type { ParkedEventBody } from "./parked-events.schema.ts";
import { createParkedEventsService } from "./parked-events.service.ts";
import { createParkedEventsStore, NEWEST_PARKED_FIRST } from "./parked-events.store.ts";
import { soarRulesRoutes } from "./soar-rules.routes.ts";
import { createSoarRulesService, type SoarRulesServiceDeps } from "./soar-rules.service.ts";

export interface AutomationsNeeds {
  playbooks: PlaybooksService;
  actions: ActionRegistry;
  executions: AutomationFiringsDeps["executions"];
  alerts: AlertsService;
  auditLog: AutomationFiringsDeps["auditLog"];
  outbox: EventStream;
  /** The rules of `GET /soar/rules` in dummy mode. */
  soarRules: SoarRulesServiceDeps["rules"];
}

export function createAutomations(base: Base, needs: AutomationsNeeds) {
  const { db, runtime, changes, audit, clock, ids, log } = base;
  const { playbooks, actions, executions, alerts, auditLog, outbox, soarRules } = needs;
  const automations = createAutomationsService({
    runtime,
    stores: base.sources(createAutomationsStore, (showcase) => createShowcaseAutomationsStore(showcase.automations)),
    playbooks,
    audit,
    clock,
    ids,
  });
  const previews = createAutomationPreviewsService({ alerts, playbooks, actions, clock });
  const firings = createAutomationFirings({ db, alerts, auditLog, executions, audit, clock, log });
  const parked = createParkedEventsService({
    db,
    runtime,
    stores: base.sources(createParkedEventsStore, () => ({
      list: async (query) => pageInMemory<ParkedEventBody>([], NEWEST_PARKED_FIRST, query),
    })),
    audit,
    clock,
    ids,
    log,
  });
  return {
    services: { automations },
    registrations: {
      routes: [
        soarRulesRoutes(createSoarRulesService({ runtime, rules: soarRules })),
        automationsRoutes(automations, changes),
        automationPreviewsRoutes(previews),
        parkedEventsRoutes(parked, changes),
      ],
      async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
        const writer = createAutomationsWriter(tx);
        for (const { fired_24h: _, ...automation } of showcase.automations) {
          const author = { authors: [automation.created_by], may_execute: true, permissions: [...PERMISSIONS] };
          // The showcase contains no firings, so the automation has never fired on this platform.
          await writer.insert({ ...automation, ...author, last_fired_at: null });
        }
      },
      readers: { automation: ["soar:read"] as const },
      sweeps: [{ name: "automation firings", run: () => firings.sweep() }],
      createWork: () => {
        let consumption: Consumption | undefined;
        return {
          background: () => [
            {
              start() {
                consumption ??= consumeAlerts({ outbox, firings, parked });
              },
              close: async () => consumption?.close(),
            },
            createParkedEventsRetry({ firings, parked, runtime, clock, log }),
          ],
        };
      },
    } satisfies Registrations,
  };
}
