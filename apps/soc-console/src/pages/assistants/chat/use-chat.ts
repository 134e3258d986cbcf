import { useCallback, useEffect, useRef, useState } from "react";
import { now } from "../../../app/browser/clock.ts";
import { useApp } from "../../../app/context/app-context.ts";
import { ApiError, errorWords } from "../../../app/server/api-error.ts";
import type { Server } from "../../../app/server/server.ts";
import { type ChatRequest, streamAnswer } from "./chat-client.ts";
import { addEvent, type ChatMessage, endAnswer } from "./chat-message.ts";
import { type KeptConversation, keepConversation } from "./saved-conversations.ts";

export interface Chat {
  messages: readonly ChatMessage[];
  conversationId: string | undefined;
  isWriting: boolean;
  /** False if the message was refused because the session ended: keep it in the field. */
  send: (message: string) => Promise<boolean>;
  stop: () => void;
  begin: () => void;
  kept: readonly KeptConversation[];
  open: (id: string) => void;
  forget: (id: string) => void;
}

const UNAUTHENTICATED = 401;
const NOT_FOUND = 404;
const NOTHING: readonly ChatMessage[] = [];

/** The current conversation and the earlier ones of this visit. */
export function useChat(): Chat {
  const { server } = useApp();
  const [messages, setMessages] = useState<readonly ChatMessage[]>(NOTHING);
  const [conversationId, setConversationId] = useState<string>();
  const [kept, setKept] = useState<readonly KeptConversation[]>([]);
  const [isWriting, setIsWriting] = useState(false);
  const answering = useRef<AbortController>(undefined);
  const lastKey = useRef(0);
  useEffect(() => () => answering.current?.abort(), []);

  const nextKey = () => {
    lastKey.current += 1;
    return lastKey.current;
  };
  const stop = useCallback(() => answering.current?.abort(), []);
  const leave = () => {
    stop();
    answering.current = undefined;
    setIsWriting(false);
  };
  const show = (id: string | undefined, shown: readonly ChatMessage[]) => {
    leave();
    setConversationId(id);
    setMessages(shown);
  };

  const send = async (message: string): Promise<boolean> => {
    if (answering.current) return false;
    const stopping = new AbortController();
    answering.current = stopping;
    setIsWriting(true);
    const question: ChatMessage = { key: nextKey(), role: "user", text: message, citations: [], state: "done" };
    const empty: ChatMessage = { key: nextKey(), role: "assistant", text: "", citations: [], state: "writing" };
    const asked = [...messages, question];
    setMessages([...asked, empty]);
    // The user may have switched to another conversation: then drop this answer.
    const isShown = () => answering.current === stopping;
    const grow = (next: ChatMessage) => isShown() && setMessages([...asked, next]);
    const request = { message, ...(conversationId !== undefined && { conversation_id: conversationId }) };
    const { answer, status } = await readAnswer(server, request, empty, stopping.signal, grow);
    if (!isShown()) return true;
    answering.current = undefined;
    setIsWriting(false);
    if (status === UNAUTHENTICATED) {
      setMessages(messages);
      return false;
    }
    setMessages([...asked, answer]);
    // The conversation expired or belongs to another user: start a new one.
    const before = status === NOT_FOUND ? undefined : conversationId;
    setConversationId(answer.conversationId ?? before);
    setKept((all) => keepConversation(all, answer.conversationId, [...asked, answer], now()));
    return true;
  };
  return {
    ...{ messages, conversationId, isWriting, send, stop, kept },
    begin: () => show(undefined, NOTHING),
    open: (id) => show(id, kept.find((each) => each.id === id)?.messages ?? NOTHING),
    forget: (id) => {
      setKept((before) => before.filter((each) => each.id !== id));
      if (id === conversationId) show(undefined, NOTHING);
    },
  };
}

/** Reads an answer to its end. `status` is set for a refusal. */
async function readAnswer(
  server: Server,
  request: ChatRequest,
  empty: ChatMessage,
  signal: AbortSignal,
  onGrown: (answer: ChatMessage) => void,
): Promise<{ answer: ChatMessage; status?: number }> {
  let answer = empty;
  try {
    for await (const frames of streamAnswer(server, request, signal)) {
      answer = frames.reduce(addEvent, answer);
      onGrown(answer);
    }
    return { answer: endAnswer(answer, signal.aborted ? "stopped" : "cut") };
  } catch (error) {
    if (signal.aborted) return { answer: endAnswer(answer, "stopped") };
    if (!(error instanceof ApiError)) return { answer: endAnswer(answer, "cut") };
    return { answer: { ...answer, state: "failed", tool: undefined, detail: errorWords(error) }, status: error.status };
  }
}
