{{/* Short enough for what is put behind it: a Job's name is a label, of at most 63 characters. */}}
{{- define "hms.name" -}}
{{- contains .Chart.Name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) | trunc 36 | trimSuffix "-" }}
{{- end }}

{{/* Labels that never change in the life of a workload. Takes {root, component}. */}}
{{- define "hms.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "hms.labels" -}}
{{ include "hms.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: hms
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "hms.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* What the restricted level of Pod Security asks of a pod, and of a container. */}}
{{- define "hms.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "hms.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{/* Pods of one workload on different nodes and zones, where there are several. Takes {root, component}. */}}
{{- define "hms.spread" -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  # Each version separately: otherwise old pods affect the placement of the new ones.
  matchLabelKeys: [pod-template-hash]
  labelSelector:
    matchLabels:
      {{- include "hms.selector" $ | nindent 6 }}
{{- end }}
{{- end }}

{{/* Which nodes pods may be on, and how their images are had. Takes {root, values}. */}}
{{- define "hms.nodes" -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The same for the pods of a workload, and that they are apart. Takes {root, component, values}. */}}
{{- define "hms.placement" -}}
{{- include "hms.nodes" . | trim }}
topologySpreadConstraints:
  {{- include "hms.spread" . | nindent 2 }}
{{- end }}

{{/* A value of a secret as a variable. Takes {name, secret, key}. */}}
{{- define "hms.secretEnv" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: {name: {{ .secret | quote }}, key: {{ .key | quote }}}
{{- end }}

{{/* The mail server, for each process that sends mails or sets up Keycloak to send them. */}}
{{- define "hms.smtpEnv" -}}
{{- with .Values.smtp -}}
- {name: SMTP_HOST, value: {{ .host | quote }}}
- {name: SMTP_PORT, value: {{ .port | quote }}}
- {name: SMTP_TLS, value: {{ .tls }}}
- {name: SMTP_FROM, value: {{ .from | quote }}}
{{- if .secret.name }}
{{ include "hms.secretEnv" (dict "name" "SMTP_USER" "secret" .secret.name "key" .secret.userKey) }}
{{ include "hms.secretEnv" (dict "name" "SMTP_PASSWORD" "secret" .secret.name "key" .secret.passwordKey) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Authorities of one's own that the processes believe, as items of env, volumeMounts and volumes; empty where there are none. */}}
{{- define "hms.caEnv" -}}
{{- with .Values.caBundle }}{{ if .configMap }}- {name: NODE_EXTRA_CA_CERTS, value: {{ printf "/etc/hms/ca/%s" .key | quote }}}{{ end }}{{ end }}
{{- end }}
{{- define "hms.caMount" -}}
{{- if .Values.caBundle.configMap }}- {name: ca, mountPath: /etc/hms/ca, readOnly: true}{{ end }}
{{- end }}
{{- define "hms.caVolume" -}}
{{- with .Values.caBundle }}{{ if .configMap }}- name: ca
  configMap: {name: {{ .configMap | quote }}, items: [{key: {{ .key | quote }}, path: {{ .key | quote }}}]}{{ end }}{{ end }}
{{- end }}

{{/* Startup, liveness and readiness. Takes {port, live, ready, liveSeconds: how long the answer may take}. */}}
{{- define "hms.probes" -}}
# A slow start is not a failure: two minutes, checked every second.
startupProbe:
  httpGet: {path: {{ .live }}, port: {{ .port }}}
  periodSeconds: 1
  failureThreshold: 120
# The process answers. Engines are not checked here, because a restart would not fix them.
livenessProbe:
  httpGet: {path: {{ .live }}, port: {{ .port }}}
  periodSeconds: 10
  timeoutSeconds: {{ .liveSeconds | default 5 }}
  failureThreshold: 3
# It can do its work.
readinessProbe:
  httpGet: {path: {{ .ready }}, port: {{ .port }}}
  periodSeconds: 5
  timeoutSeconds: 4
  failureThreshold: 2
{{- end }}

{{/* One pod at a time. Takes {root, component}. */}}
{{- define "hms.disruption" -}}
maxUnavailable: 1
# Pods that are unready because an engine is unavailable must not block a drain.
unhealthyPodEvictionPolicy: AlwaysAllow
selector:
  matchLabels:
    {{- include "hms.selector" . | nindent 4 }}
{{- end }}

{{/* How long a job tries. */}}
{{- define "hms.jobLimits" -}}
# Time for an unavailable database to recover, but less than the five minutes that Helm waits for a hook, so that a job
# that Helm has abandoned does not run in parallel with the next one.
activeDeadlineSeconds: 270
backoffLimit: 6
{{- end }}

{{/* A pod that ends is still sent requests until every node knows: it goes on serving for so long. */}}
{{- define "hms.preStop" -}}
lifecycle:
  preStop:
    sleep: {seconds: 5}
{{- end }}

{{- define "hms.moduleTargets" -}}
{{- $targets := list }}
{{- range $module := keys .Values.modules | sortAlpha }}
{{- $targets = append $targets (printf "%s=%s-%s.%s.svc:80" $module (include "hms.name" $) $module $.Release.Namespace) }}
{{- end }}
{{- join ";" $targets }}
{{- end }}
{{- define "hms.portalOrigin" -}}{{ .Values.platform.portalOrigin | default .Values.platform.baseUrl }}{{- end }}
{{- define "hms.consoleOrigin" -}}
{{ .Values.platform.consoleOrigin | default (printf "%s://console.%s%s" (urlParse .Values.platform.baseUrl).scheme .Values.platform.domain (regexFind ":[0-9]+$" .Values.platform.baseUrl)) }}
{{- end }}

{{/* How Kong and its migrations reach their database. */}}
{{- define "hms.kong.env" -}}
{{- $kong := .Values.gateway.kong }}
- {name: KONG_DATABASE, value: postgres}
- {name: KONG_PG_HOST, value: {{ $kong.database.host | quote }}}
- {name: KONG_PG_PORT, value: {{ $kong.database.port | quote }}}
- {name: KONG_PG_DATABASE, value: {{ $kong.database.name | quote }}}
- {name: KONG_PG_SSL, value: {{ $kong.database.tls | ternary "on" "off" | quote }}}
{{- if $kong.database.tls }}
{{- with .Values.caBundle }}{{ if .configMap }}
- {name: KONG_PG_SSL_VERIFY, value: 'on'}
- {name: KONG_LUA_SSL_TRUSTED_CERTIFICATE, value: {{ printf "system,/etc/hms/ca/%s" .key | quote }}}
{{- end }}{{ end }}
{{- end }}
{{- with $kong.database.secret }}
{{- include "hms.secretEnv" (dict "name" "KONG_PG_USER" "secret" .name "key" .userKey) | nindent 0 }}
{{- include "hms.secretEnv" (dict "name" "KONG_PG_PASSWORD" "secret" .name "key" .passwordKey) | nindent 0 }}
{{- end }}
- {name: KONG_PREFIX, value: /kong_prefix}
- {name: KONG_ANONYMOUS_REPORTS, value: 'off'}
{{- end }}

{{/* Goes before Kong where its database must speak TLS: Kong has no such setting, and goes on in plain text without it. */}}
{{- define "hms.kong.databaseTls" -}}
{{- if .Values.gateway.kong.database.tls }}
initContainers:
  - name: database-tls
    image: {{ include "hms.image" . }}
    imagePullPolicy: {{ .Values.image.pullPolicy }}
    args:
      - database-tls
      {{- if .Values.caBundle.configMap }}
      - --verify
      {{- end }}
      - {{ .Values.gateway.kong.database.host | quote }}
      - {{ .Values.gateway.kong.database.port | quote }}
    {{- with include "hms.caEnv" . }}
    env:
      {{- . | nindent 6 }}
    {{- end }}
    resources:
      {{- toYaml .Values.jobs.resources | nindent 6 }}
    securityContext:
      {{- include "hms.containerSecurity" . | nindent 6 }}
    {{- with include "hms.caMount" . }}
    volumeMounts:
      {{- . | nindent 6 }}
    {{- end }}
{{- end }}
{{- end }}

{{/* The authorities that Kong checks its database by, as items of volumeMounts and volumes; empty where it checks none. */}}
{{- define "hms.kong.caMount" -}}
{{- if .Values.gateway.kong.database.tls }}{{ include "hms.caMount" . }}{{ end }}
{{- end }}
{{- define "hms.kong.caVolume" -}}
{{- if .Values.gateway.kong.database.tls }}{{ include "hms.caVolume" . }}{{ end }}
{{- end }}

{{/* What is due for Kong's tables before its new nodes start, by the answer of `kong migrations list`. */}}
{{- define "hms.kong.migrationsUp" -}}
set -e
kong migrations bootstrap
code=0
state="$(kong migrations list 2>&1)" || code=$?
echo "$state"
# 5: there are new ones. 4: an earlier upgrade was never finished, which Kong requires before new ones. If there
# are none, the job after the new nodes finishes it.
case "$code $state" in
  '4 '*'New migrations available'*) kong migrations finish && kong migrations up ;;
  '5 '*) kong migrations up ;;
  '0 '* | '4 '*) ;;
  *) exit "$code" ;;
esac
{{- end }}

{{/* The address on which processes listen, as it stands before a port. */}}
{{- define "hms.listenHost" -}}
{{- if contains ":" .Values.listenAddress }}[{{ .Values.listenAddress }}]{{ else }}{{ .Values.listenAddress }}{{ end }}
{{- end }}

{{/* One listener of Kong, which would take only IPv6 on `::` otherwise. */}}
{{- define "hms.kongListen" -}}
{{- $root := index . 0 -}}
{{ include "hms.listenHost" $root }}:{{ index . 1 }}{{ if contains ":" $root.Values.listenAddress }} ipv6only=off{{ end }}
{{- end }}
