import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { notFound, Problem } from "@kit/problem";
import { type Caller, type RefreshCallers, toScope } from "../../foundation/caller/caller.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { Answer } from "./answer.ts";
import type { ChatRequest } from "./chat.schema.ts";
import type { AnswerEvent, ChatEvent, Citation } from "./chat-event.ts";
import type { Exchange, Message } from "./conversation.ts";
import { type ConversationsStore, createConversationsWriter } from "./conversations.store.ts";
import type { MemoryConversations } from "./memory-conversations.store.ts";

export interface ChatServiceDeps {
  answer: Answer;
  /** The name of the language model; null if the operator configured none. */
  model: string | null;
  runtime: Pick<RuntimeService, "truth">;
  changes: Pick<ChangesService, "runAs">;
  stored: ConversationsStore;
  memory: MemoryConversations;
  refreshCallers: RefreshCallers;
  clock: Pick<Clock, "now" | "monotonicMs" | "deadline" | "sleep">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "error">;
}
export type ChatService = ReturnType<typeof createChatService>;

/** The text and citations of the answer so far. */
interface AnswerText {
  text: string;
  citations: Citation[];
  tool_calls: number;
}

/** A message that will be answered. */
export interface AcceptedMessage {
  caller: Caller;
  message: string;
  asked_at: Date;
  conversation_id: string;
  history: readonly Message[];
}

const ANSWER_MS = 60_000;
const ACCESS_POLL_MS = 1000;
const RETENTION_MS = 90 * 24 * 3_600_000;
const SWEEP_BATCH_SIZE = 500;
const SWEEPER: Caller = { kind: "user", username: "system", role: "agent" };

export function createChatService(deps: ChatServiceDeps) {
  const { answer, model, runtime, changes, stored, memory, refreshCallers, clock, ids, log } = deps;
  const stopping = new AbortController();
  // A conversation and an account belong to their user, not to a site.
  const outside = AsyncLocalStorage.snapshot();

  /** Reports whether conversations are stored. In dummy mode and without a database they stay in memory. */
  async function isStored(): Promise<boolean> {
    const truth = await runtime.truth();
    return truth.is_database_available && truth.is_internal_workflows_allowed;
  }

  async function readHistory(caller: Caller, id: string): Promise<Message[]> {
    const store = (await isStored()) ? stored : memory;
    const messages = await outside(() => store.find(caller.username, id, toScope(caller)));
    if (!messages) throw notFound("conversation", id);
    return messages;
  }

  async function keep({ caller, conversation_id }: AcceptedMessage, exchange: Exchange): Promise<void> {
    const { username } = caller;
    const scope = toScope(caller);
    if (!(await isStored())) return memory.add(username, conversation_id, exchange, scope);
    await outside(() =>
      changes.runAs(caller, "internal", (tx) =>
        createConversationsWriter(tx).add(username, conversation_id, exchange, scope),
      ),
    );
  }

  /** Checks the caller during the answer and ends it when the caller loses access or sites. */
  async function watchAccess(caller: Caller, over: AbortSignal, ending: AbortController): Promise<void> {
    for (;;) {
      await clock.sleep(ACCESS_POLL_MS, over);
      const current = await outside(() => refreshCallers([caller]));
      if (!current.has(caller)) ending.abort(new Problem("forbidden", "your access has changed; ask again"));
    }
  }

  function explain(error: unknown, deadline: AbortSignal): string {
    if (deadline.aborted) return `the answer took longer than ${ANSWER_MS / 1000} seconds`;
    if (error instanceof Problem && error.kind !== "failed") return error.message;
    log.error({ err: error }, "chat answer failed");
    return "internal error";
  }

  return {
    /** Throws for a message that cannot be answered, before the stream starts. */
    async accept(caller: Caller, { message, conversation_id }: ChatRequest): Promise<AcceptedMessage> {
      requireStorable({ message });
      if (stopping.signal.aborted) throw stopping.signal.reason;
      const asked = { caller, message, asked_at: clock.now() };
      if (conversation_id === undefined) return { ...asked, conversation_id: ids.next(), history: [] };
      const id = conversation_id.toLowerCase();
      return { ...asked, conversation_id: id, history: await readHistory(caller, id) };
    },

    /**
     * Yields the answer and how it ended. A message whose answer fails is not stored. `gone` aborts when the client
     * disconnects.
     */
    async *reply(accepted: AcceptedMessage, gone: AbortSignal): AsyncGenerator<ChatEvent, void> {
      const { caller, message, asked_at, conversation_id, history } = accepted;
      const start = clock.monotonicMs();
      const deadline = clock.deadline(ANSWER_MS);
      const ending = new AbortController();
      const signal = AbortSignal.any([gone, deadline, stopping.signal, ending.signal]);
      const said: AnswerText = { text: "", citations: [], tool_calls: 0 };
      const answered = new AbortController();
      const over = AbortSignal.any([signal, answered.signal]);
      // End the answer if the caller cannot be checked.
      watchAccess(caller, over, ending).catch((error: unknown) => ending.abort(error));
      try {
        for await (const event of answer({ caller, message, history, signal })) {
          signal.throwIfAborted();
          collect(said, event);
          yield event;
        }
        signal.throwIfAborted();
        const question: Message = { role: "user", text: message, citations: [], created_at: asked_at };
        const { text, citations, tool_calls } = said;
        await keep(accepted, [question, { role: "assistant", text, citations, created_at: clock.now() }]);
        const usage = { tool_calls, duration_ms: Math.round(clock.monotonicMs() - start) };
        yield { event: "done", data: { conversation_id, usage, model } };
      } catch (error) {
        if (!gone.aborted) yield { event: "error", data: { detail: explain(error, deadline) } };
      } finally {
        answered.abort();
      }
    },

    /** Deletes one batch of conversations older than the retention and returns the number. */
    async sweep(): Promise<number> {
      if (!(await isStored())) return 0;
      const before = new Date(clock.now().getTime() - RETENTION_MS);
      const work = changes.runAs(SWEEPER, "internal", (tx) =>
        createConversationsWriter(tx).deleteSome(before, SWEEP_BATCH_SIZE),
      );
      return (await work).result;
    },

    /** Ends every answer in progress. */
    close(): void {
      stopping.abort(new Problem("unavailable", "the service is stopping"));
    },
  };
}

function collect(said: AnswerText, { event, data }: AnswerEvent): void {
  if (event === "token") said.text += data.text;
  else if (event === "citation") said.citations.push(data);
  else if (data.status === "running") said.tool_calls += 1;
}
