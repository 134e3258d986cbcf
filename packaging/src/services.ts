interface Service {
  /** The entry files of the service's processes. */
  entries: readonly string[];
  /** Further names of `main`, with the arguments that each adds before its own. */
  names: Readonly<Record<string, readonly string[]>>;
  /** Native addons, and packages that read their own files: they are installed next to the bundle instead of in it. */
  packages: readonly string[];
  /** Packages that a library asks for on a path that we never take. */
  neverLoaded: readonly string[];
}

/** By the name of its folder below apps/. */
export const SERVICES: Readonly<Record<"player" | "soc", Service>> = {
  player: {
    entries: ["main", "main-command"],
    names: {},
    packages: ["@napi-rs/canvas", "@photostructure/sqlite"],
    // dbus-next asks a display server for the address of the bus when it has none; ours is always given.
    neverLoaded: ["x11"],
  },
  soc: {
    entries: ["main", "main-log-engine", "main-yaml"],
    names: {
      "main-command": ["command"],
      "main-demo": ["demo"],
      "main-migrate": ["command", "migrate"],
      "main-replay": ["replay"],
      "main-verify": ["command"],
    },
    packages: ["@node-rs/argon2", "chdb", "dejavu-fonts-ttf", "pdfmake"],
    // Traces of DBOS, which are off, and a faster client of PostgreSQL. The SDK of models needs @opentelemetry/api.
    neverLoaded: [
      ...["@opentelemetry/context-async-hooks", "@opentelemetry/core", "@opentelemetry/exporter-*"],
      ...["@opentelemetry/sdk-*", "pg-native", "winston", "winston-transport"],
    ],
  },
};
