import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import type { DeliveryBody, DeliveryStatus } from "./deliveries.schema.ts";
import type { Message } from "./message.ts";

/** One message to one channel, until it is delivered or abandoned. */
export interface Delivery {
  id: string;
  channel_id: string;
  event_id: string | null;
  type: string;
  message: Message;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date;
  last_error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

export const NEWEST_FIRST: Order<Delivery> = newestFirst("created_at");

export const MAX_ATTEMPTS = 8;
const FIRST_WAIT_SECONDS = 10;
const LONGEST_WAIT_SECONDS = 3600;

/** Exponential backoff: 10 s after the first attempt, about ten minutes after the seventh. */
export function waitSecondsAfter(attempts: number): number {
  return Math.min(FIRST_WAIT_SECONDS * 2 ** (attempts - 1), LONGEST_WAIT_SECONDS);
}

export function toDeliveryBody({ event_id: _, message, ...delivery }: Delivery): DeliveryBody {
  return { ...delivery, text: message.text };
}
