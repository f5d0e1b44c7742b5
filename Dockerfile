# One image for the operator, the modules, the embedded gateway and hmsctl: the first argument chooses.
#   docker build -t hms .
#   docker run hms help
# Only the package manifests, so that a change of the code doesn't reinstall the packages.
FROM node:24-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages packages
COPY operator operator
COPY services services
COPY local local
COPY cli cli
COPY web web
RUN find . -type f ! -name package.json ! -name package-lock.json -delete && find . -type d -empty -delete

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY --from=manifests /app ./
# Without the optional packages, which are the engines of the one-machine platform, except for the compiler of documents.
# Types, source maps and pictures, and weights of fonts that no document uses, are never read at run time.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --cache /tmp/npm \
 && mv node_modules/@myriaddreamin /tmp/typst \
 && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund --cache /tmp/npm \
 && rm -rf /tmp/npm node_modules/@myriaddreamin \
 && mv /tmp/typst node_modules/@myriaddreamin \
 && find node_modules/@expo-google-fonts -mindepth 2 -maxdepth 2 -type d ! -name 400Regular ! -name 700Bold -exec rm -r {} + \
 && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -path '*/@expo-google-fonts/*.png' \) -delete

# The pages are built from all packages, and need none of them afterwards.
FROM node:24-bookworm-slim AS pages
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --ignore-scripts --no-audit --no-fund --cache /tmp/npm && rm -rf /tmp/npm
COPY packages packages
COPY web web
COPY tsconfig.json ./
RUN node web/tools/build.ts --out /pages

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
COPY web/package.json web/package.json
COPY web/server web/server
COPY web/kit/ui/colors.ts web/kit/ui/colors.ts
COPY --from=pages /pages web/pages
# The user `node` of the base image, by number, so that Kubernetes can see that it is not root.
USER 1000:1000
ENTRYPOINT ["/app/bin/hms"]
CMD ["help"]
