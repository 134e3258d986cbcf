import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Reading } from "./exchange.ts";
import type { Ioc } from "./ioc.ts";
import type { ExportIocsQuery, ImportIocsQuery } from "./iocs.schema.ts";
import type { GivenIoc, ImportedIocs, IocsService, Refusal } from "./iocs.service.ts";
import { buildMispEvent, readMisp, toMispAttribute } from "./misp.ts";
import { readStix, stixMarkings, toStixIndicator } from "./stix.ts";

export interface IocsExchangeDeps {
  iocs: Pick<IocsService, "addImported" | "export">;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type IocsExchange = ReturnType<typeof createIocsExchange>;

/** Imports and exports indicators in foreign formats. */
export function createIocsExchange({ iocs, clock, ids }: IocsExchangeDeps) {
  return {
    /** Imports every object that can be parsed, and reports the reason for each refused one. */
    async import(
      tx: Tx,
      caller: Caller,
      { format, force = false }: ImportIocsQuery,
      body: string,
    ): Promise<ImportedIocs> {
      const readings = format === "stix" ? readStix(parse(body)) : readMisp(parse(body));
      const { given, refused } = sorted(readings, force);
      const imported = await iocs.addImported(tx, caller, given);
      return { ...imported, refused: [...refused, ...imported.refused].toSorted((a, b) => a.object - b.object) };
    },

    /** Streams one document. */
    async export({ format = "stix", ...filter }: ExportIocsQuery): Promise<AsyncIterable<string>> {
      const pages = await iocs.export(filter);
      if (format === "stix") {
        const head = `{"type":"bundle","id":"bundle--${ids.next()}","objects":[`;
        return streamDocument({ head, first: stixMarkings(), pages, toObject: toStixIndicator, tail: "]}\n" });
      }
      const event = JSON.stringify(buildMispEvent(ids.next(), clock.now()));
      const head = `{"Event":${event.slice(0, -1)},"Attribute":[`;
      return streamDocument({ head, first: [], pages, toObject: toMispAttribute, tail: "]}}\n" });
    },
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw invalidField("body", "must be JSON", { cause });
  }
}

function sorted(readings: readonly Reading[], force: boolean): { given: GivenIoc[]; refused: Refusal[] } {
  const given: GivenIoc[] = [];
  const refused: Refusal[] = [];
  for (const reading of readings) {
    const { object, id } = reading;
    if ("reason" in reading) refused.push({ object, id, reason: reading.reason });
    else given.push({ object, id, request: { ...reading.request, force } });
  }
  return { given, refused };
}

interface Document {
  head: string;
  first: readonly object[];
  pages: AsyncIterable<readonly Ioc[]>;
  toObject: (ioc: Ioc) => object;
  tail: string;
}

async function* streamDocument({ head, first, pages, toObject, tail }: Document): AsyncIterable<string> {
  yield `${head}${first.map((each) => JSON.stringify(each)).join(",\n")}`;
  let comma = first.length > 0 ? ",\n" : "";
  for await (const page of pages) {
    yield `${comma}${page.map((ioc) => JSON.stringify(toObject(ioc))).join(",\n")}`;
    comma = ",\n";
  }
  yield tail;
}
