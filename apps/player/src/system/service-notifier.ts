/** Reports the state of this service to the service manager. One contract suite tests all implementations. */
export interface ServiceNotifier {
  ready(): Promise<void>;
  /** Call more often than the watchdog timeout. */
  alive(): Promise<void>;
  stopping(): Promise<void>;
}
