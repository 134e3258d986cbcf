/** A queue for one kind of work, which never blocks another kind. */
export interface Lane {
  name: string;
  /** How many jobs run concurrently in one process. */
  concurrency: number;
  /** Runs the job with this id. It runs again if the process ends before the job is done. */
  run: (id: string) => Promise<void>;
}

/** The state of an enqueued job. */
export type WorkflowState = "waiting" | "done" | "failed";

export interface WorkflowEngine {
  start(): Promise<void>;
  /** Idempotent: enqueues an id once, however often it is called. */
  enqueue(lane: string, id: string): Promise<void>;
  /** Reads all states in one query. An id that is missing in the result was never enqueued. */
  readStates(lane: string, ids: readonly string[]): Promise<ReadonlyMap<string, WorkflowState>>;
  /** Deletes jobs that ended longer ago than this. Returns their number. */
  forget(olderThanMs: number): Promise<number>;
  close(): Promise<void>;
}
