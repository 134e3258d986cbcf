import type { FixedWindows } from "@kit/http/limits";
import type { DevicesNeeds } from "../devices/module.ts";
import type { Base } from "../foundation/base.ts";
import type { Streams } from "../foundation/events/streams.feature.ts";
import type { Start } from "../foundation/outbound/dispatch.ts";
import type { PrivateTargets } from "../foundation/outbound/private-targets.ts";
import type { Machine, UsersNeeds } from "../identity/module.ts";
import type { IntakeNeeds } from "../logs/module.ts";
import type { LogStore } from "../ports/log-store.ts";
import type { OperatorFiles } from "./files/operator-files.ts";

/** The dependencies of the platform's features. */
export interface PlatformNeeds {
  base: Base;
  files: Omit<OperatorFiles, "openAuthority" | "authorityFile"> & Pick<DevicesNeeds, "authority">;
  /** This start of the process, for the mode proof. */
  start: Start;
  hasDatabase: boolean;
  fourEyes: boolean;
  /** Whether agents open cases. */
  agentCases: boolean;
  /** The private hosts and networks that notifications may reach. */
  notifyPrivate: PrivateTargets | undefined;
  dataFolder: string;
  playbooksFolder: string;
  machine: Machine;
  publicUrl?: string | undefined;
  logStore: LogStore;
  streams: Streams | undefined;
  syslog: IntakeNeeds["syslog"];
  windows: FixedWindows;
  firstAdmin: UsersNeeds["firstAdmin"];
  devices: DevicesNeeds["devices"];
  broker: DevicesNeeds["broker"];
}
