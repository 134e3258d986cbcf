import { Problem } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import type { Action, RunContext } from "../../foundation/actions/action.ts";

/** The part of the device registry that playbooks use. */
export interface Devices {
  /** Revokes the certificate of a device. Idempotent: the same key returns the first result. */
  revoke(device_id: string, reason: string, context: RunContext): Promise<{ status: string }>;
}

const Params = Type.Object(
  {
    device_id: Type.String({ minLength: 1, maxLength: 200 }),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  },
  { additionalProperties: false },
);

/** Without a registry the step fails, so that a certificate never looks revoked when it is not. */
export function createDeviceAction(devices?: Devices): Action {
  return {
    name: "cps.revoke",
    isCritical: true,
    mayHaveHappened: true,
    kind: "outside",
    params: Params,
    async describe(params) {
      const { device_id } = Value.Parse(Params, params);
      const note = devices ? "" : ", which fails: no device registry is configured";
      return { summary: `Revokes the certificate of device ${device_id}${note}`, sends: [] };
    },
    async run(params, context) {
      const { device_id, reason = `playbook ${context.playbook_id}` } = Value.Parse(Params, params);
      if (!devices) throw new Problem("conflict", "no device registry is configured");
      return { device_id, ...(await devices.revoke(device_id, reason, context)) };
    },
  };
}
