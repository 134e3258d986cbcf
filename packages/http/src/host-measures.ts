import { X509Certificate } from "node:crypto";
import type { StatsFs } from "node:fs";
import { statfs } from "node:fs/promises";
import type { Measure } from "./metrics.ts";
import type { Tls } from "./server.ts";

export interface HostMeasuresDeps {
  /** The folders that the product writes to, by the name of their storage. */
  folders: Readonly<Record<string, string>>;
  /** The certificates in use, by the name of their server; undefined: it serves without TLS. */
  certificates: () => Readonly<Record<string, Pick<Tls, "cert"> | undefined>>;
}

/** Resources that run out over time: disk space and certificates. */
export function listHostMeasures({ folders, certificates }: HostMeasuresDeps): Measure[] {
  return [
    {
      name: "storage_free_bytes",
      help: "Bytes that the product may still write to this storage; a missing one has no value.",
      kind: "gauge",
      label: "storage",
      read: () => readEach(folders, ({ bavail, bsize }) => bavail * bsize),
    },
    {
      name: "storage_size_bytes",
      help: "Size of this storage; a missing one has no value.",
      kind: "gauge",
      label: "storage",
      read: () => readEach(folders, ({ blocks, bsize }) => blocks * bsize),
    },
    {
      name: "certificate_expiry_timestamp_seconds",
      help: "When the certificate in use ends, in seconds since 1970; no value without TLS.",
      kind: "gauge",
      label: "server",
      read: () => Object.fromEntries(Object.entries(certificates()).flatMap(([name, tls]) => toEnd(name, tls))),
    },
  ];
}

async function readEach(folders: HostMeasuresDeps["folders"], toBytes: (disk: StatsFs) => number) {
  const read = Object.entries(folders).map(async ([name, folder]): Promise<[string, number][]> => {
    const disk = await statfs(folder).catch(() => undefined);
    return disk ? [[name, toBytes(disk)]] : [];
  });
  return Object.fromEntries((await Promise.all(read)).flat());
}

function toEnd(name: string, tls: Pick<Tls, "cert"> | undefined): [string, number][] {
  return tls ? [[name, Date.parse(new X509Certificate(tls.cert).validTo) / 1000]] : [];
}
