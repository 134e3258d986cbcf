import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { OutboundGuard } from "@kit/guard/fetch";
import type { OutboundPolicy } from "@kit/guard/target";
import { Problem } from "@kit/problem";
import { createIcyReader, type Part, parseInterval } from "./icy.ts";
import { mayBeAudio, parseMediaType } from "./media-type.ts";
import { findEntries, isText } from "./playlist.ts";

export interface Outbound {
  guard: Pick<OutboundGuard, "open">;
  policy: OutboundPolicy;
  /** Closes the connection, also after it was opened. */
  signal: AbortSignal;
  clock: Pick<Clock, "sleep">;
}

/** A live source whose first audio has arrived. */
export interface AudioSource {
  contentType: string;
  hasTitles: boolean;
  parts: AsyncIterable<Part>;
}

interface Answer {
  contentType: string;
  hasTitles: boolean;
  /** The final URL, after all redirects. */
  url: URL;
  head: Part;
  rest: AsyncGenerator<Part>;
}

const CONNECT_TIMEOUT_MS = 5000;
const IDLE_TIMEOUT_MS = 8000;
// From the first request to the first audio, through a playlist if there is one: a server that trickles is given up.
const HEAD_TIMEOUT_MS = 20_000;
const MAX_ENTRIES = 5;
const HEADERS = { "icy-metadata": "1", "user-agent": "ManaraPlayer", accept: "*/*" };
// More than the longest frame of MPEG audio (1,441 bytes), so that even silence is distinguishable from text.
const HEAD_BYTES = 2048;
const PLAYLIST_BYTES = 64 * 1024;

/**
 * Connects, through a playlist if necessary. Three kinds of Problem: "invalid" is an address that the guard refuses,
 * "failed" is an answer that is not audio, "unavailable" is a server that does not work at the moment.
 */
export async function openAudio(url: string, outbound: Outbound): Promise<AudioSource> {
  const tooSlow = new AbortController();
  const patience = createTimer(outbound.clock);
  patience.set(HEAD_TIMEOUT_MS, () => {
    tooSlow.abort(new Problem("unavailable", "url: the server sends too slowly"));
  });
  const signal = AbortSignal.any([outbound.signal, tooSlow.signal]);
  try {
    return await openNow(url, { ...outbound, signal });
  } finally {
    patience.cancel();
  }
}

async function openNow(url: string, outbound: Outbound): Promise<AudioSource> {
  const answer = await ask("url", url, outbound);
  if (!isText(answer.head.audio)) return buildSource(answer);
  return openFirst(await readPlaylist(answer), outbound);
}

/** The entries are tried in their order; the reason of the last one is reported. */
async function openFirst([entry, ...others]: readonly URL[], outbound: Outbound): Promise<AudioSource> {
  if (!entry) throw new Problem("failed", "url: leads to a text, not to audio");
  try {
    const entered = await ask("url: playlist", entry.href, outbound);
    if (!isText(entered.head.audio)) return buildSource(entered);
    await entered.rest.return(undefined);
    throw new Problem("failed", "url: playlist: leads to another playlist or a text, not to audio");
  } catch (error) {
    if (!(error instanceof Problem) || others.length === 0 || outbound.signal.aborted) throw error;
    return openFirst(others, outbound);
  }
}

async function ask(field: string, url: string, { guard, policy, signal }: Outbound): Promise<Answer> {
  const answer = await guard.open(url, {
    field,
    policy,
    signal,
    headers: HEADERS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
  });
  const { status, headers, body } = answer;
  if (status < 200 || status > 299) throw new Problem("unavailable", `${field}: the server answered ${status}`);
  const contentType = parseMediaType(headers["content-type"]);
  if (!mayBeAudio(contentType)) throw new Problem("failed", `${field}: leads to ${contentType}, not to audio`);
  const interval = parseInterval(headers["icy-metaint"]);
  const rest = readParts(body, interval);
  const head = await gather({ audio: Buffer.alloc(0), titles: [] }, rest, HEAD_BYTES);
  if (head.audio.length === 0) throw new Problem("unavailable", `${field}: the server sent nothing`);
  return { contentType, hasTitles: interval !== undefined, url: answer.url, head, rest };
}

async function* readParts(chunks: AsyncIterable<Buffer>, interval: number | undefined): AsyncGenerator<Part> {
  const read = createIcyReader(interval);
  for await (const chunk of chunks) yield read(chunk);
}

/** Collects parts until there are enough bytes, or the source ends. */
async function gather(first: Part, rest: AsyncGenerator<Part>, sizeBytes: number): Promise<Part> {
  let gathered = first;
  while (gathered.audio.length < sizeBytes) {
    const next = await rest.next();
    if (next.done) break;
    const { audio, titles } = next.value;
    gathered = { audio: Buffer.concat([gathered.audio, audio]), titles: [...gathered.titles, ...titles] };
  }
  return gathered;
}

async function readPlaylist({ url, head, rest }: Answer): Promise<URL[]> {
  const { audio } = await gather(head, rest, PLAYLIST_BYTES);
  await rest.return(undefined);
  return findEntries("url", audio.subarray(0, PLAYLIST_BYTES).toString("utf8"), url).slice(0, MAX_ENTRIES);
}

function buildSource({ contentType, hasTitles, head, rest }: Answer): AudioSource {
  return { contentType, hasTitles, parts: startingWith(head, rest) };
}

async function* startingWith(head: Part, rest: AsyncGenerator<Part>): AsyncGenerator<Part> {
  yield head;
  yield* rest;
}
