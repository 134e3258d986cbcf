/** The modules of the SOC, lowest first: a file imports from its own module and from modules before it. */
const MODULES = [
  "identity",
  "alerts",
  "cases",
  "logs",
  "detection",
  "response",
  "devices",
  "integrations",
  "assistants",
  "reporting",
];
const SOC = "^apps/soc/src";
/** @param {string[]} names */
const inModules = (names) => `${SOC}/(?:${names.join("|")})/`;
/** What every module may import, and what starts the process. The demo records import the types of all modules. */
const GROUND = ["foundation", "ports"];
/** Contract schemas are data; they need no entry. */
const SCHEMAS = "\\.schema\\.ts$";

/** The names of node:net are in .oxlintrc.json: most files use only its functions that compute. */
const SOCKETS = "^(?:node:)?(?:tls|http|https|http2|dgram|dns|dns/promises|undici)$";
const OUTSIDE = [
  // The way out, our own servers, and the hardware.
  "^apps/soc/src/(?:adapters|foundation/outbound)/",
  "^apps/player/src/(?:drivers|outbound)/",
  // Loopback, the chosen platform and the listeners for syslog and lines.
  "^apps/player/src/streams/relay\\.ts$",
  "^apps/player/src/monitoring/(?:broker|platform)-client\\.ts$",
  "^apps/player/src/system/line-server\\.ts$",
  "^apps/soc/src/logs/intake/syslog/syslog\\.worker\\.ts$",
  // Commands that speak to the service that their user named.
  "^apps/soc/src/boot/commands/service-(?:client|probe)\\.ts$",
  "^apps/player/src/commands/(?:service|line)-client\\.ts$",
  "^apps/player/src/certificate/certificate-files\\.ts$",
  // Types alone.
  "^apps/soc/src/(?:assistants/tools/mcp-server|devices/certificates/client-certificate|logs/intake/formats/body)\\.ts$",
  "^packages/(?:guard|http|testing)/",
];

module.exports = {
  forbidden: [
    {
      name: "module-entry",
      comment: "A module is opened through its module.ts; contract schemas excepted.",
      severity: "error",
      from: { path: `${SOC}/([^/]+)`, pathNot: `${SOC}/demo/` },
      to: { path: inModules(MODULES), pathNot: [`${SOC}/$1/`, `${SOC}/[^/]+/module\\.ts$`, SCHEMAS] },
    },
    ...[...GROUND, ...MODULES].map((name, index, all) => ({
      name: `module-order-${name}`,
      comment: "A module imports only modules before it, and never what starts or implements it.",
      severity: "error",
      from: { path: `${SOC}/${name}/` },
      to: { path: inModules([...all.slice(Math.max(index + 1, GROUND.length)), "adapters", "boot"]) },
    })),
    {
      name: "adapter-entry",
      comment: "An adapter implements ports; it knows no module.",
      severity: "error",
      from: { path: `${SOC}/adapters/` },
      to: { path: inModules([...MODULES, "boot"]) },
    },
    {
      name: "adapter-folders",
      comment: "A folder of adapters imports other folders, never a file beside them: those put folders together.",
      severity: "error",
      from: { path: `${SOC}/adapters/[^/]+/` },
      to: { path: `${SOC}/adapters/[^/]+\\.ts$` },
    },
    {
      name: "folder-cycles",
      comment: "The folders of a module, and those of the adapters, form a tree, types included.",
      severity: "error",
      scope: "folder",
      from: { path: [inModules([...GROUND, ...MODULES, "adapters"]), "^apps/player/src/[^/]+"] },
      // Every folder emits the events that the root of the player lists with their types.
      to: { circular: true, viaOnly: { pathNot: "^apps/player/src$" } },
    },
    {
      name: "sockets",
      comment: "Every way out passes the guard, the mode and the record.",
      severity: "error",
      from: { path: "^(?:apps/(?:soc|player)/src|packages)/", pathNot: OUTSIDE },
      to: { path: SOCKETS },
    },
    {
      name: "child-processes",
      severity: "error",
      from: {
        path: "^(?:apps/(?:soc|player)/src|packages)/",
        pathNot: ["/(?:adapters|drivers)/", "^packages/(?:testing/|http/src/service-manager)"],
      },
      to: { path: "^(?:node:)?child_process$" },
    },
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(?:\\.(?:test|itest|e2e)\\.tsx?$|/dist/|/testing/|^apps/soc/src/demo/seed)" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js"], conditionNames: ["source", "import"] },
  },
};
