interface Service {
  /** The entry files of the service's processes. */
  entries: readonly string[];
  /** Native addons, and packages that read files of their own: each lies beside the bundle as a package. */
  packages: readonly string[];
  /** Packages that a library asks for on a path that we never take. */
  neverLoaded: readonly string[];
}

/** By the name of its folder below apps/. */
export const SERVICES: Readonly<Record<"player" | "soc", Service>> = {
  player: {
    entries: ["main", "main-command"],
    packages: ["@napi-rs/canvas", "@photostructure/sqlite"],
    // dbus-next asks a display server for the address of the bus when it has none; ours is always given.
    neverLoaded: ["x11"],
  },
  soc: {
    entries: [
      ...["main", "main-worker", "main-log-engine", "main-migrate", "main-demo", "main-replay"],
      ...["main-command", "main-verify"],
    ],
    packages: ["@node-rs/argon2", "chdb", "dejavu-fonts-ttf", "pdfmake"],
    // Traces of DBOS, which are off, and a faster client of PostgreSQL. The SDK of models needs @opentelemetry/api.
    neverLoaded: [
      ...["@opentelemetry/context-async-hooks", "@opentelemetry/core", "@opentelemetry/exporter-*"],
      ...["@opentelemetry/sdk-*", "pg-native", "winston", "winston-transport"],
    ],
  },
};
