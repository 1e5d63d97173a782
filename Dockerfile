FROM oven/bun:1.4.5 AS build
WORKDIR /build
COPY package.json bun.lock ./
RUN bun install --frozen-lockfile
COPY . .
RUN bun web/build.ts

FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --home-dir /data linkbower \
  && install -d -o linkbower -g linkbower -m 0700 /data
COPY --from=build /build/dist/linkbower /usr/local/bin/linkbower
USER linkbower
WORKDIR /data
ENV HOST=0.0.0.0 PORT=8787 DATA_DIR=/data
VOLUME /data
EXPOSE 8787
ENTRYPOINT ["linkbower"]
