{{- define "soc.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The labels by which a role is found: (dict "root" $ "role" "api") */}}
{{- define "soc.selector" -}}
app.kubernetes.io/name: manara-soc
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "soc.labels" -}}
{{ include "soc.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "soc.name" -}}
{{ .root.Release.Name }}-{{ .role }}
{{- end }}

{{- define "soc.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
# The files of a Secret belong to root; this group may read them.
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "soc.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/*
The pod of a role: (dict "root" $ "role" "api" "settings" .Values.api "ports" (list …) "data" "claim" | "empty").
*/}}
{{- define "soc.pod" -}}
metadata:
  labels:
    {{- include "soc.labels" . | nindent 4 }}
  annotations:
    # Other variables need other pods.
    checksum/variables: {{ include (print .root.Template.BasePath "/configmap.yaml") .root | sha256sum | trunc 32 }}
spec:
  automountServiceAccountToken: false
  # The process ends in 10 s; before that it still answers while it leaves its Service.
  terminationGracePeriodSeconds: 30
  {{- with .root.Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  securityContext:
    {{- include "soc.podSecurity" . | nindent 4 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "soc.selector" . | nindent 10 }}
  containers:
    - name: {{ .role }}
      image: {{ include "soc.image" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [start, --role, {{ .role }}]
      securityContext:
        {{- include "soc.containerSecurity" . | nindent 8 }}
      envFrom:
        - configMapRef: { name: {{ .root.Release.Name }}-variables }
        - secretRef: { name: {{ .root.Values.secrets.variables }} }
      {{- with .variables }}
      env:
        {{- range $name, $value := . }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
      {{- end }}
      ports:
        {{- range $name, $port := .ports }}
        - name: {{ $name }}
          containerPort: {{ $port }}
        {{- end }}
      startupProbe:
        httpGet: { path: /health, port: 8080 }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /health, port: 8080 }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      readinessProbe:
        httpGet: { path: /ready, port: 8080 }
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      lifecycle:
        preStop:
          # There is no shell and no sleep in the image.
          exec: { command: [/usr/lib/manara-soc/bin/node, -e, "setTimeout(() => {}, 5000)"] }
      resources:
        {{- toYaml .settings.resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /var/lib/manara-soc }
        - { name: tmp, mountPath: /tmp }
        - { name: keys, mountPath: /run/secrets/manara, readOnly: true }
        {{- if eq .role "relay" }}
        - { name: broker, mountPath: /var/lib/manara-broker }
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    - name: keys
      secret: { secretName: {{ .root.Values.secrets.keys }}, defaultMode: 0440, optional: false }
    {{- if eq .data "empty" }}
    - name: data
      emptyDir: {}
    {{- end }}
    {{- if eq .role "relay" }}
    - name: broker
      persistentVolumeClaim: { claimName: {{ .root.Values.devices.brokerClaim }} }
    {{- end }}
{{- end }}

{{/* A role whose processes keep a folder and a name: they are witnesses of the ledger. */}}
{{- define "soc.stateful" -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ include "soc.name" . }}
  labels:
    {{- include "soc.labels" . | nindent 4 }}
spec:
  replicas: {{ .settings.replicas }}
  serviceName: {{ include "soc.name" . }}
  podManagementPolicy: Parallel
  updateStrategy: { type: RollingUpdate }
  selector:
    matchLabels:
      {{- include "soc.selector" . | nindent 6 }}
  template:
    {{- include "soc.pod" (merge (dict "data" "claim") .) | nindent 4 }}
  volumeClaimTemplates:
    - apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        {{- with .settings.storage.class }}
        storageClassName: {{ . }}
        {{- end }}
        resources:
          requests: { storage: {{ .settings.storage.size }} }
{{- end }}

{{/* A role whose processes keep nothing. */}}
{{- define "soc.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "soc.name" . }}
  labels:
    {{- include "soc.labels" . | nindent 4 }}
spec:
  replicas: {{ .settings.replicas }}
  strategy:
    {{- toYaml .strategy | nindent 4 }}
  selector:
    matchLabels:
      {{- include "soc.selector" . | nindent 6 }}
  template:
    {{- include "soc.pod" (merge (dict "data" "empty") .) | nindent 4 }}
{{- end }}

{{/* (dict … "ports" (dict "http" 8080)) */}}
{{- define "soc.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "soc.name" . }}
  labels:
    {{- include "soc.labels" . | nindent 4 }}
spec:
  {{- if .headless }}
  clusterIP: None
  {{- end }}
  selector:
    {{- include "soc.selector" . | nindent 4 }}
  ports:
    {{- range $name, $port := .ports }}
    - { name: {{ $name }}, port: {{ $port }}, targetPort: {{ $port }} }
    {{- end }}
{{- end }}

{{- define "soc.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "soc.name" . }}
  labels:
    {{- include "soc.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "soc.selector" . | nindent 6 }}
{{- end }}

{{- define "soc.policy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "soc.name" . }}
  labels:
    {{- include "soc.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "soc.selector" . | nindent 6 }}
  policyTypes: [Ingress]
  ingress:
    - ports:
        {{- range $name, $port := .ports }}
        - { protocol: TCP, port: {{ $port }} }
        {{- end }}
{{- end }}

{{/* All objects of a role besides the one that makes its pods. */}}
{{- define "soc.around" -}}
{{ include "soc.service" . }}
---
{{ include "soc.budget" . }}
{{- if .root.Values.networkPolicy }}
---
{{ include "soc.policy" . }}
{{- end }}
{{- end }}
