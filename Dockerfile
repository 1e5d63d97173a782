# docker build -t linkbower . && docker run -d --name linkbower -p 127.0.0.1:8787:8787 -v linkbower:/data linkbower
# For both kinds of machine: docker buildx build --platform linux/amd64,linux/arm64 -t linkbower .

# Bun compiles for the other kind by itself, so that nothing is emulated.
FROM --platform=$BUILDPLATFORM oven/bun:1.4.5 AS build
ARG TARGETARCH
WORKDIR /build
COPY package.json bun.lock ./
RUN bun install --frozen-lockfile
COPY . .
RUN target="linux-$(echo "$TARGETARCH" | sed s/amd64/x64/)" \
  && bun web/build.ts "$target" \
  && mv "dist/linkbower-$target" /linkbower \
  && install -d -m 0700 /owned/data

# Debian 13's C library, certificates and time zones, 15 MB: no shell, no package manager, nothing else that could need a
# fix. The provenance of a released image names the digest.
FROM gcr.io/distroless/base-nossl-debian13
ARG VERSION=0.1.0
ARG REVISION=""
ARG SOURCE=""
LABEL org.opencontainers.image.title="Linkbower" \
  org.opencontainers.image.description="A single-user, self-hosted link library" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.source="$SOURCE" \
  org.opencontainers.image.base.name="gcr.io/distroless/base-nossl-debian13" \
  org.opencontainers.image.licenses="MIT"
COPY --from=build --chmod=0755 /linkbower /usr/local/bin/linkbower
COPY --from=build --chown=10001:10001 /owned /
USER 10001:10001
WORKDIR /data
# The set-up page writes the settings beside the library.
ENV HOST=0.0.0.0 PORT=8787 DATA_DIR=/data ENV_FILE=/data/.env
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["linkbower", "health"]
ENTRYPOINT ["linkbower"]
CMD ["serve"]
