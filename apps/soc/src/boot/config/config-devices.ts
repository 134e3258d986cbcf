import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { invalidField } from "@kit/problem";
import Type, { type Static } from "typebox";
import type { MosquittoSettings } from "../../adapters/broker/mosquitto.ts";
import type { DeviceSettings } from "../../devices/module.ts";

/** The variables of the devices, their server and their broker. */
export const DEVICE_VARIABLES = {
  SOC_DEVICES_HOST: Type.String({ default: "127.0.0.1" }),
  SOC_DEVICES_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  SOC_DEVICES_NAMES: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9.:-]+(,[A-Za-z0-9.:-]+)*$", maxLength: 2000 })),
  SOC_MQTT_URL: Type.Optional(Type.String({ pattern: "^mqtts://[^/?#@\\s]+/?$" })),
  SOC_BROKER_DIR: Type.Optional(Type.String({ minLength: 1 })),
  SOC_BROKER_PID_FILE: Type.Optional(Type.String({ minLength: 1 })),
  SOC_BROKER_RELOAD: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  SOC_TPM_ROOTS_FILE: Type.Optional(Type.String({ minLength: 1 })),
  SOC_TPM_KEYS_FILE: Type.Optional(Type.String({ minLength: 1 })),
};
const Variables = Type.Object(DEVICE_VARIABLES);
type DeviceVariables = Static<typeof Variables> & { SOC_DATA_DIR: string };

export function readDevices(read: DeviceVariables): DeviceSettings {
  const { SOC_DEVICES_HOST: host, SOC_DEVICES_PORT: port, SOC_DEVICES_NAMES: names } = read;
  return {
    server: port === undefined ? undefined : { host, port },
    names: names?.split(",") ?? [...new Set([hostname(), "localhost", "127.0.0.1"])],
    brokerFolder: resolve(read.SOC_BROKER_DIR ?? join(read.SOC_DATA_DIR, "broker")),
  };
}

/** The broker that the platform administers; undefined if none is configured. */
export function readBroker(read: DeviceVariables): MosquittoSettings | undefined {
  const { SOC_MQTT_URL: url, SOC_BROKER_PID_FILE: pidFile, SOC_BROKER_RELOAD: command } = read;
  if (url === undefined) {
    if (pidFile !== undefined) throw invalidField("SOC_MQTT_URL", "required when SOC_BROKER_PID_FILE is set");
    if (command !== undefined) throw invalidField("SOC_MQTT_URL", "required when SOC_BROKER_RELOAD is set");
    return undefined;
  }
  if (pidFile !== undefined && command !== undefined) {
    throw invalidField("SOC_BROKER_RELOAD", "must be omitted if SOC_BROKER_PID_FILE is set");
  }
  if (command !== undefined) return { url, reload: { command: command.trim().split(/\s+/) } };
  if (pidFile !== undefined) return { url, reload: { pidFile: resolve(pidFile) } };
  throw invalidField("SOC_BROKER_RELOAD", "required when SOC_MQTT_URL is set, or SOC_BROKER_PID_FILE instead");
}
