/** How to recognise events of a source other than Windows. Any one of the criteria is enough. */
export interface OtherSource {
  product?: string;
  category?: string;
  service?: string;
  /** The log's source, event.dataset or event.module is one of these names. */
  names?: readonly string[];
  /** The log's source or host.os names this system. */
  system?: string;
  /** The event has all of these attributes. */
  with?: readonly string[];
  /** Alternatively, events of this channel (Sysmon for Linux, RPC Firewall) with these codes. */
  channel?: string;
  codes?: readonly number[];
}

const LINUX_SYSMON = "Linux-Sysmon/Operational";

const LINUX: readonly OtherSource[] = [
  { product: "linux", system: "linux", names: ["syslog"], with: ["log.syslog"] },
  { product: "linux", category: "process_creation", system: "linux", channel: LINUX_SYSMON, codes: [1] },
  { product: "linux", category: "network_connection", system: "linux", channel: LINUX_SYSMON, codes: [3] },
  { product: "linux", category: "file_event", system: "linux", channel: LINUX_SYSMON, codes: [11] },
  { product: "linux", service: "auditd", names: ["auditd", "auditd.log", "audit", "audispd"], with: ["auditd"] },
  { product: "linux", service: "auth", names: ["auth", "authpriv", "system.auth", "secure", "pkexec"] },
  { product: "linux", service: "clamav", names: ["clamav", "clamd", "freshclam"] },
  { product: "linux", service: "cron", names: ["cron", "crond", "crontab"] },
  { product: "linux", service: "guacamole", names: ["guacamole", "guacd"] },
  { product: "linux", service: "sshd", names: ["sshd", "ssh", "openssh"] },
  { product: "linux", service: "sudo", names: ["sudo"] },
  { product: "linux", service: "syslog", names: ["syslog", "system.syslog"], with: ["log.syslog"] },
  { product: "linux", service: "vsftpd", names: ["vsftpd"] },
];

const MACOS: readonly OtherSource[] = [
  { product: "macos", category: "process_creation", system: "macos" },
  { product: "macos", category: "file_event", system: "macos" },
];

const CLOUD: readonly OtherSource[] = [
  {
    product: "aws",
    service: "cloudtrail",
    names: ["aws.cloudtrail", "cloudtrail"],
    with: ["eventSource", "awsRegion"],
  },
  { product: "azure", service: "activitylogs", names: ["azure.activitylogs", "activitylogs"] },
  { product: "azure", service: "auditlogs", names: ["azure.auditlogs", "auditlogs"] },
  { product: "azure", service: "pim", names: ["azure.pim", "pim", "azure.identity_protection"] },
  {
    product: "azure",
    service: "riskdetection",
    names: ["azure.riskdetection", "riskdetection"],
    with: ["riskEventType"],
  },
  { product: "azure", service: "signinlogs", names: ["azure.signinlogs", "signinlogs"] },
  { product: "gcp", service: "gcp.audit", names: ["gcp.audit"], with: ["protoPayload"] },
  { product: "gcp", service: "google_workspace.admin", names: ["google_workspace.admin"] },
  { product: "gcp", service: "google_workspace.login", names: ["google_workspace.login"] },
  { product: "m365", service: "audit", names: ["o365.audit", "m365.audit", "m365"], with: ["Workload", "Operation"] },
  { product: "m365", service: "exchange", names: ["o365.audit", "m365.exchange"], with: ["Workload", "Operation"] },
  { product: "m365", service: "threat_detection", names: ["o365.audit", "m365.threat_detection"] },
  { product: "m365", service: "threat_management", names: ["o365.audit", "m365.threat_management"] },
  { product: "okta", service: "okta", names: ["okta", "okta.system"], with: ["eventType", "actor"] },
  { product: "onelogin", service: "onelogin.events", names: ["onelogin", "onelogin.events"] },
];

const APPLICATIONS: readonly OtherSource[] = [
  { product: "bitbucket", service: "audit", names: ["bitbucket", "bitbucket.audit"], with: ["auditType"] },
  { product: "django", category: "application", names: ["django"] },
  { product: "github", service: "audit", names: ["github", "github.audit"] },
  { product: "jvm", category: "application", names: ["jvm", "java"] },
  { product: "kubernetes", service: "audit", names: ["kubernetes.audit", "kubernetes"], with: ["objectRef", "verb"] },
  {
    ...{ product: "kubernetes", category: "application", service: "audit" },
    ...{ names: ["kubernetes.audit", "kubernetes"], with: ["objectRef", "verb"] },
  },
  { product: "nodejs", category: "application", names: ["nodejs"] },
  { product: "opencanary", category: "application", names: ["opencanary"], with: ["logtype", "node_id"] },
  { product: "python", category: "application", names: ["python"] },
  { product: "rpc_firewall", category: "application", names: ["rpc_firewall", "rpcfw"], channel: "RPCFW" },
  { product: "ruby_on_rails", category: "application", names: ["ruby_on_rails", "rails"] },
  { product: "spring", category: "application", names: ["spring"] },
  { product: "sql", category: "application", names: ["sql"] },
  { product: "velocity", category: "application", names: ["velocity"] },
  { category: "antivirus", names: ["antivirus"] },
  { category: "database", names: ["database", "mysql", "postgresql", "mssql", "oracle"] },
];

const NETWORK: readonly OtherSource[] = [
  { category: "dns", names: ["dns", "named", "unbound", "dnsmasq", "zeek.dns"], with: ["dns.question"] },
  { category: "firewall", names: ["firewall"] },
  { category: "proxy", names: ["proxy", "squid"], with: ["c-uri"] },
  {
    category: "webserver",
    names: ["webserver", "apache", "apache.access", "nginx", "nginx.access", "iis", "iis.access", "httpd"],
    with: ["cs-method", "cs-uri-stem"],
  },
  { service: "apache", names: ["apache", "apache.access", "apache.error", "httpd", "apache2"] },
  { service: "nginx", names: ["nginx", "nginx.access", "nginx.error"] },
  { product: "cisco", service: "aaa", names: ["cisco", "cisco.ios", "cisco.aaa"] },
  { product: "cisco", service: "bgp", names: ["cisco", "cisco.ios", "cisco.bgp"] },
  { product: "cisco", service: "duo", names: ["cisco_duo", "cisco_duo.admin", "cisco_duo.auth", "duo"] },
  { product: "cisco", service: "ldp", names: ["cisco", "cisco.ios", "cisco.ldp"] },
  { product: "cisco", service: "syslog", names: ["cisco", "cisco.ios", "cisco.asa", "cisco.ftd"] },
  { product: "fortigate", service: "event", names: ["fortigate", "fortinet", "fortinet_fortigate.log"] },
  { product: "fortios", service: "sslvpnd", names: ["fortios", "fortigate", "fortinet", "sslvpnd"] },
  { product: "huawei", service: "bgp", names: ["huawei"] },
  { product: "juniper", service: "bgp", names: ["juniper", "juniper.junos"] },
  ...["appliance", "file_event"].map((category) => {
    return {
      product: "paloalto",
      category,
      service: "globalprotect",
      names: ["paloalto", "globalprotect", "panw.panos"],
    };
  }),
  ...["dce_rpc", "dns", "http", "kerberos", "rdp", "smb_files", "x509"].map((service) => {
    return { product: "zeek", service, names: [`zeek.${service}`, service] };
  }),
];

/** Sigma's log sources except Windows. A row applies to exactly its product, category and service. */
export const OTHER_SOURCES: readonly OtherSource[] = [...LINUX, ...MACOS, ...CLOUD, ...APPLICATIONS, ...NETWORK];
