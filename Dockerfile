# One image for the operator, the modules, the embedded gateway and hmsctl: the first argument chooses.
#   docker build -t hms .
#   docker run hms help
FROM node:24-bookworm-slim AS packages
WORKDIR /app
# Only the package manifests, so that a change of the code doesn't reinstall the packages.
COPY package.json package-lock.json ./
COPY cli/package.json cli/
COPY local/package.json local/
COPY operator/package.json operator/
COPY packages/database/package.json packages/database/
COPY packages/domain/package.json packages/domain/
COPY packages/kubernetes/package.json packages/kubernetes/
COPY packages/mail/package.json packages/mail/
COPY packages/service/package.json packages/service/
COPY packages/tenancy/package.json packages/tenancy/
COPY services/auth/package.json services/auth/
COPY services/crm/package.json services/crm/
COPY services/gateway/package.json services/gateway/
COPY services/hms/package.json services/hms/
# Without the engines of the one-machine platform, which are optional or for development. Types and source maps are
# never read at run time.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund --cache /tmp/npm \
 && rm -r /tmp/npm \
 && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
# All of it: a workspace may have packages of its own in services/auth/node_modules.
COPY --from=packages /app ./
COPY LICENSE ./
COPY bin bin
COPY crds crds
COPY packages packages
COPY operator operator
COPY services services
COPY local local
COPY cli cli
# The user `node` of the base image, by number, so that Kubernetes can see that it is not root.
USER 1000:1000
ENTRYPOINT ["/app/bin/hms"]
CMD ["help"]
