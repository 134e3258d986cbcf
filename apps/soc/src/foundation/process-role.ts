/**
 * What a process of the platform does. `api` serves people and programs, `intake` receives logs, `worker` does the
 * background work, `relay` connects to the broker of the devices. A process has one or more roles.
 */
export const PROCESS_ROLES = ["api", "intake", "worker", "relay"] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];
