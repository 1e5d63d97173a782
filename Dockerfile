# docker build -t linkbower .
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

# The C library, certificates and time zones, 15 MB: no shell, no package manager, nothing else that could need a fix.
FROM gcr.io/distroless/base-nossl-debian12
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="Linkbower" \
  org.opencontainers.image.description="A single-user, self-hosted link library" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.licenses="MIT"
COPY --from=build --chmod=0755 /linkbower /usr/local/bin/linkbower
COPY --from=build --chown=10001:10001 /owned /
USER 10001:10001
WORKDIR /data
ENV HOST=0.0.0.0 PORT=8787 DATA_DIR=/data
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["linkbower", "health"]
ENTRYPOINT ["linkbower"]
CMD ["serve"]
