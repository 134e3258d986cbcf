export interface AdvertisedService {
  /** Shown to people; unique in their network. */
  name: string;
  port: number;
  hasTls: boolean;
}

/** Makes the device discoverable in the local network. One contract suite tests all implementations. */
export interface Advertiser {
  /** Without effect while the same service is advertised; otherwise it replaces the former one. */
  advertise(service: AdvertisedService): Promise<void>;
  close(): Promise<void>;
}
