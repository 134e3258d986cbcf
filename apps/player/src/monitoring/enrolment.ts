/** What the device knows about the platform at which its owner enrolled it. Instants are epoch seconds. */
export interface Enrolment {
  /** host:port */
  address: string;
  device_id: string;
  /** The certificate of the platform's authority, PEM. It was found by the fingerprint that the owner gave. */
  authority: string;
  certificate: string;
  issued_at: number;
  not_after: number;
  /** mqtts://host:port; null when the platform has none. */
  broker: string | null;
  /** The name of the file that holds the private key. */
  key_name: string;
  attested_at: number | null;
  is_refused: boolean;
}

/** An enrolment with its private key: enough to prove who the device is. */
export interface Identity {
  enrolment: Enrolment;
  /** PEM; it stays on this device. */
  key: string;
}

export function isExpired({ not_after }: Pick<Enrolment, "not_after">, nowS: number): boolean {
  return nowS >= not_after;
}

/** A certificate is renewed after half of its life: then there is as much time again for attempts. */
export function isRenewalDue({ issued_at, not_after }: Enrolment, nowS: number): boolean {
  return nowS >= issued_at + (not_after - issued_at) / 2;
}
