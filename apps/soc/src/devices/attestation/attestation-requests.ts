/** A request as it goes to a device, on `devices/<device_id>/attestation/request`. */
export interface SentRequest {
  request_id: string;
  device_id: string;
  /** In hex. */
  nonce: string;
  /** The PCRs of the SHA-256 bank that a quote must be about. */
  pcrs: readonly number[];
  deadline: Date;
}

/** What became of an answer: judged now, or known already (`repeated`), or to no request of this device (`unknown`). */
export type AnswerOutcome = "judged" | "repeated" | "unknown";

/** What a relay to the devices needs. The rows of the requests are the truth: a relay that dies loses nothing. */
export interface AttestationRequests {
  /** Takes up to `limit` requests that are to be sent now. Each goes to one relay; without a receipt it comes again, and 20 s after one. */
  claim(limit: number): Promise<SentRequest[]>;
  /** The device has stored the request. Returns false for a request that is not open. */
  confirm(device_id: string, request_id: string): Promise<boolean>;
  /** Judges an answer, once. The device id is that of the topic, which the broker lets only this device write. */
  answer(device_id: string, payload: unknown): Promise<AnswerOutcome>;
}
