import { useCallback, useEffect, useState } from "react";
import { after, now } from "../../../../app/browser/clock.ts";
import { useApp } from "../../../../app/context/app-context.ts";
import { type Log, tailAddress } from "../search-client.ts";
import { addDropped, addLogs, NEW_TAIL, pauseTail, resumeTail, stopTail, type Tail } from "./tail.ts";

export interface TailReading {
  tail: Tail;
  isConnected: boolean;
  /** Time of the last reconnect: earlier logs may be missing. */
  resumedAt: Date | undefined;
  /** The service refused the stream, or the session cannot open one. */
  isRefused: boolean;
  pause: () => void;
  resume: () => void;
  stop: () => void;
  start: () => void;
}

/** Rows of this period appear together: 200 logs per second must not cause 200 renders. */
const GATHER_MS = 250;

interface DropNotice {
  count: number;
  is_estimate: boolean;
}

/** Follows the new logs of a query while the page is shown. */
export function useTail(query: string, isWanted: boolean): TailReading {
  const { session } = useApp();
  const [tail, setTail] = useState<Tail>(NEW_TAIL);
  const [turn, setTurn] = useState(0);
  const [connection, setConnection] = useState<{ isOpen: boolean; resumedAt: Date | undefined }>({
    isOpen: false,
    resumedAt: undefined,
  });
  // The browser cannot send a token with an EventSource: only a cookie session can open a stream.
  const hasCookie = session.readToken() === undefined;
  const [isRefused, setIsRefused] = useState(false);
  const isStopped = tail.phase === "stopped";

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` starts it again.
  useEffect(() => {
    if (!isWanted || !hasCookie || isStopped) return;
    setIsRefused(false);
    setTail(NEW_TAIL);
    return followTail(tailAddress(query), {
      onOpen: (isFirst) => setConnection({ isOpen: true, resumedAt: isFirst ? undefined : now() }),
      onLogs: (logs) => setTail((before) => addLogs(before, logs)),
      onDropped: ({ count, is_estimate }) => setTail((before) => addDropped(before, count, is_estimate)),
      onFailure: (isOver) => {
        setConnection((before) => ({ ...before, isOpen: false }));
        if (!isOver) return;
        setIsRefused(true);
        setTail(stopTail);
      },
    });
  }, [query, isWanted, hasCookie, isStopped, turn]);

  const start = useCallback(() => {
    setTail(NEW_TAIL);
    setTurn((before) => before + 1);
  }, []);
  return {
    tail: hasCookie ? tail : { ...tail, phase: "stopped" },
    isConnected: connection.isOpen,
    resumedAt: connection.resumedAt,
    isRefused: isRefused || !hasCookie,
    pause: useCallback(() => setTail(pauseTail), []),
    resume: useCallback(() => setTail(resumeTail), []),
    stop: useCallback(() => setTail(stopTail), []),
    start,
  };
}

interface TailListener {
  onOpen: (isFirst: boolean) => void;
  onLogs: (logs: readonly Log[]) => void;
  onDropped: (dropped: DropNotice) => void;
  /** `isOver`: the browser will not reconnect. */
  onFailure: (isOver: boolean) => void;
}

function followTail(address: string, listener: TailListener): () => void {
  const source = new EventSource(address);
  let gathered: Log[] = [];
  let cancelSending: (() => void) | undefined;
  let isFirst = true;
  const flush = () => {
    cancelSending = undefined;
    listener.onLogs(gathered);
    gathered = [];
  };
  source.addEventListener("open", () => {
    listener.onOpen(isFirst);
    isFirst = false;
  });
  source.addEventListener("log", ({ data }) => {
    const log: unknown = JSON.parse(String(data));
    if (!isLog(log)) return;
    gathered.push(log);
    cancelSending ??= after(GATHER_MS, flush);
  });
  source.addEventListener("dropped", ({ data }) => {
    const dropped: unknown = JSON.parse(String(data));
    if (isDropped(dropped)) listener.onDropped(dropped);
  });
  source.addEventListener("error", () => listener.onFailure(source.readyState === EventSource.CLOSED));
  return () => {
    cancelSending?.();
    source.close();
  };
}

function isLog(value: unknown): value is Log {
  return typeof value === "object" && value !== null && "id" in value && "timestamp" in value;
}

function isDropped(value: unknown): value is DropNotice {
  return typeof value === "object" && value !== null && "count" in value && "is_estimate" in value;
}
