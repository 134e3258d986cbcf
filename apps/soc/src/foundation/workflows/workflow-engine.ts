/** Work of one kind, which never holds up work of another kind. */
export interface Lane {
  name: string;
  /** How many of it run in one process at the same time. */
  concurrency: number;
  /** How soon it begins; each look is a transaction, also when there is nothing to do. */
  pollMs: number;
  /** Does what the id stands for. It is repeated when the process ends in the middle of it. */
  run: (id: string) => Promise<void>;
}

/** What became of something that was enqueued. */
export type WorkflowState = "waiting" | "done" | "failed";

export interface WorkflowEngine {
  start(): Promise<void>;
  /** Once for an id, however often it is said. */
  enqueue(lane: string, id: string): Promise<void>;
  /** In one question, however many there are. One that is not in the answer was never enqueued. */
  readStates(lane: string, ids: readonly string[]): Promise<ReadonlyMap<string, WorkflowState>>;
  /** Forgets what ended longer ago than this; answers how many. */
  forget(olderThanMs: number): Promise<number>;
  close(): Promise<void>;
}
