/**
 * Versions of the engines, and where each project publishes them.
 * A download is verified with the checksum file that the same project publishes.
 */
import type { Archive } from './download.ts';

export const PINS = {
  keycloak: '26.7.3',
  kubernetes: '1.34.4',
  /** Newest archive of kube-apiserver and etcd of this Kubernetes minor version. */
  envtest: '1.34.1',
  etcd: '3.6.8',
  /** Only the tests of FHIR need it. */
  fhirValidator: '8.8.1',
  /** Only the chart's tests need it. */
  helm: '3.22.0',
  /** Only the tests of the alerts need its promtool. */
  prometheus: '3.7.3',
  /** Only the tests of the API need it. */
  schemathesis: '4.32.5',
  /** Only the tests of documents need it. */
  verapdf: '1.30.2',
  versitygw: '1.8.0',
} as const;

export function keycloakArchive(): Archive {
  const url = `https://github.com/keycloak/keycloak/releases/download/${PINS.keycloak}/keycloak-${PINS.keycloak}.zip`;
  return { url, checksums: `${url}.sha1`, algorithm: 'sha1' };
}

/** Coordinates for `mvn dependency:get`, and the path of the file in Maven's repository. */
export const KEYCLOAK_MAVEN = {
  artifact: `org.keycloak:keycloak-quarkus-dist:${PINS.keycloak}:zip`,
  file: `org/keycloak/keycloak-quarkus-dist/${PINS.keycloak}/keycloak-quarkus-dist-${PINS.keycloak}.zip`,
} as const;

export const VERAPDF_JARS = ['org.verapdf:validation-model'];
export const FHIR_VALIDATOR_JARS = [
  'ca.uhn.hapi.fhir:hapi-fhir-validation',
  'ca.uhn.hapi.fhir:hapi-fhir-validation-resources-r4',
  'ca.uhn.hapi.fhir:hapi-fhir-structures-r4',
  'ca.uhn.hapi.fhir:hapi-fhir-caching-caffeine',
];

/** A project for `mvn dependency:copy-dependencies` that depends on these artifacts (`group:artifact`). */
export function pomOf(artifacts: readonly string[], version: string): string {
  const dependencies = artifacts.map((name) => {
    const [group, artifact] = name.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>hms</groupId>
  <artifactId>libraries</artifactId>
  <version>1</version>
  <dependencies>${dependencies.join('')}</dependencies>
</project>
`;
}

/** @returns undefined if the project publishes nothing for this machine. */
export function envtestArchive(machine: Machine): Archive | undefined {
  const arch = { x64: 'amd64', arm64: 'arm64', ppc64: 'ppc64le', s390x: 's390x' }[machine.arch];
  const os = { linux: 'linux', darwin: 'darwin' }[machine.platform];
  if (!arch || !os) return undefined;
  const name = `envtest-v${PINS.envtest}`;
  const url = `https://github.com/kubernetes-sigs/controller-tools/releases/download/${name}/${name}-${os}-${arch}.tar.gz`;
  return { url, checksums: `${url}.sha512`, algorithm: 'sha512' };
}

/** @returns undefined if the project publishes nothing for this machine. */
export function versitygwArchive(machine: Machine): Archive | undefined {
  const arch = { x64: 'x86_64', arm64: 'arm64' }[machine.arch];
  const os = { linux: 'Linux', darwin: 'Darwin' }[machine.platform];
  if (!arch || !os) return undefined;
  const folder = `https://github.com/versity/versitygw/releases/download/v${PINS.versitygw}`;
  return {
    url: `${folder}/versitygw_v${PINS.versitygw}_${os}_${arch}.tar.gz`,
    checksums: `${folder}/checksums.txt`,
    algorithm: 'sha256',
  };
}

export const VERSITYGW_MODULE = `github.com/versity/versitygw/cmd/versitygw@v${PINS.versitygw}`;

/** @returns undefined if the project publishes nothing for this machine. */
export function helmArchive(machine: Machine): Archive | undefined {
  const arch = { x64: 'amd64', arm64: 'arm64', ppc64: 'ppc64le', s390x: 's390x', riscv64: 'riscv64' }[machine.arch];
  const os = { linux: 'linux', darwin: 'darwin' }[machine.platform];
  if (!arch || !os) return undefined;
  const url = `https://get.helm.sh/helm-v${PINS.helm}-${os}-${arch}.tar.gz`;
  return { url, checksums: `${url}.sha256sum`, algorithm: 'sha256' };
}

export const HELM_MODULE = `helm.sh/helm/v3/cmd/helm@v${PINS.helm}`;

/** @returns undefined if the project publishes nothing for this machine. */
export function prometheusArchive(machine: Machine): Archive | undefined {
  const arch = { x64: 'amd64', arm64: 'arm64', ppc64: 'ppc64le', s390x: 's390x', riscv64: 'riscv64' }[machine.arch];
  const os = { linux: 'linux', darwin: 'darwin' }[machine.platform];
  if (!arch || !os) return undefined;
  const folder = `https://github.com/prometheus/prometheus/releases/download/v${PINS.prometheus}`;
  return {
    url: `${folder}/prometheus-${PINS.prometheus}.${os}-${arch}.tar.gz`,
    checksums: `${folder}/sha256sums.txt`,
    algorithm: 'sha256',
  };
}

/** In Node's terms: `process.platform` and `process.arch`. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
}
