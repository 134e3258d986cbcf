export interface AdvertisedService {
  /** Shown to people; unique in their network. */
  name: string;
  port: number;
  hasTls: boolean;
}

/** What makes the device found by its name in the local network. One contract suite holds for all implementations. */
export interface Advertiser {
  /** Without effect while this very service is advertised; otherwise it replaces the former one. */
  advertise(service: AdvertisedService): Promise<void>;
  close(): Promise<void>;
}
