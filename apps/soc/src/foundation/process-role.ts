/**
 * What a process of the platform does. `api` answers people and programs, `intake` receives logs, `worker` does the
 * background work, `relay` speaks with the broker of the devices. A process has one role, or several of them.
 */
export const PROCESS_ROLES = ["api", "intake", "worker", "relay"] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];
