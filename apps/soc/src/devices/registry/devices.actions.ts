import { Problem } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import type { Action, RunContext } from "../../foundation/actions/action.ts";
import { ALL_SITES, type Scope } from "../../foundation/caller/caller.ts";
import type { DeviceBody } from "./devices.schema.ts";

/** The part of the registry that playbooks use. */
export interface RevocableDevices {
  /** Returns a device by id, or by the name of an unrevoked device. */
  getNamed(scope: Scope, device_id: string): Promise<Pick<DeviceBody, "id" | "name" | "site">>;
  /** Revokes the certificate of the device with this id or name. Idempotent: a device is revoked once. */
  revokeNamed(device_id: string, reason: string, context: RunContext): Promise<{ status: string }>;
}

const Params = Type.Object(
  {
    device_id: Type.String({ minLength: 1, maxLength: 200, description: "its id or name" }),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  },
  { additionalProperties: false },
);

/** `cps.revoke`, for playbooks. */
export function createDeviceAction(devices: RevocableDevices): Action {
  return {
    name: "cps.revoke",
    isCritical: true,
    mayHaveHappened: true,
    kind: "outside",
    params: Params,
    async describe(params, { scope }) {
      const { device_id } = Value.Parse(Params, params);
      const device = await devices.getNamed(scope, device_id).catch(ignoreUnknown);
      if (!device) {
        const reason = scope === ALL_SITES ? "the platform has no such device" : "its sites have no such device";
        return {
          summary: `Revokes the certificate of device ${device_id}, which will fail because ${reason}`,
          sends: [],
        };
      }
      const { id, name, site } = device;
      const summary = `Revokes the certificate of device ${name} (${id}) and ends its sessions`;
      return { summary, sends: [], target: { kind: "device", id, name, site, address: null } };
    },
    async run(params, context) {
      const { device_id, reason = `playbook ${context.playbook_id}` } = Value.Parse(Params, params);
      return { device_id, ...(await devices.revokeNamed(device_id, reason, context)) };
    },
  };
}

/** A playbook has other steps, too: for a missing device, the approval shows that this step will fail. */
function ignoreUnknown(error: unknown): undefined {
  if (!(error instanceof Problem && error.kind === "not_found")) throw error;
}
