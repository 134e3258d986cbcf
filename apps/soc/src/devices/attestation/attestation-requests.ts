/** A request as sent to a device on `devices/<device_id>/attestation/request`. */
export interface SentRequest {
  request_id: string;
  device_id: string;
  /** Hexadecimal. */
  nonce: string;
  /** The PCRs of the SHA-256 bank that a quote must cover. */
  pcrs: readonly number[];
  deadline: Date;
}

/** The outcome of an answer: judged now, already judged (`repeated`), or for no request of this device (`unknown`). */
export type AnswerOutcome = "judged" | "repeated" | "unknown";

/** The interface of attestation for a relay. The database rows are authoritative: a relay that dies loses nothing. */
export interface AttestationRequests {
  /**
   * Claims up to `limit` due requests. Each goes to one relay and is due again without a receipt, or 20 s after one.
   */
  claim(limit: number): Promise<SentRequest[]>;
  /** Records that the device has stored the request. Returns false if the request is not open. */
  confirm(device_id: string, request_id: string): Promise<boolean>;
  /** Judges an answer once. The device id comes from the topic, to which the broker lets only this device write. */
  answer(device_id: string, payload: unknown): Promise<AnswerOutcome>;
}
