import { Problem } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import type { Action, RunContext } from "../../foundation/actions/action.ts";

/** The part of the registry that playbooks use. */
export interface RevocableDevices {
  /** By id, or by the name of a device that is not revoked. */
  getNamed(device_id: string): Promise<{ id: string; name: string }>;
  /** Revokes the certificate of the device with this id or name. Idempotent: a device is revoked once. */
  revokeNamed(device_id: string, reason: string, context: RunContext): Promise<{ status: string }>;
}

const Params = Type.Object(
  {
    device_id: Type.String({ minLength: 1, maxLength: 200, description: "its id, or its name" }),
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
    async describe(params) {
      const { device_id } = Value.Parse(Params, params);
      const device = await devices.getNamed(device_id).catch(ignoreUnknown);
      const summary = device
        ? `Revokes the certificate of device ${device.name} (${device.id}) and ends its sessions`
        : `Revokes the certificate of device ${device_id}, which fails: the platform has no such device`;
      return { summary, sends: [] };
    },
    async run(params, context) {
      const { device_id, reason = `playbook ${context.playbook_id}` } = Value.Parse(Params, params);
      return { device_id, ...(await devices.revokeNamed(device_id, reason, context)) };
    },
  };
}

/** A playbook does more than this step: for a device that is not enrolled, people see in the approval that it will fail. */
function ignoreUnknown(error: unknown): undefined {
  if (!(error instanceof Problem && error.kind === "not_found")) throw error;
}
