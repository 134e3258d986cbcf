/** Tells the service manager how this service is. One contract suite holds for all implementations. */
export interface ServiceNotifier {
  ready(): Promise<void>;
  /** To be called more often than the watchdog asks for. */
  alive(): Promise<void>;
  stopping(): Promise<void>;
}
