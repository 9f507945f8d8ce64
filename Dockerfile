# Container image of Vitrine: a static binary without a base image, without root, for
# a read-only root file system. /data has the store and the last good file, /catalog
# a catalogue directory.
#
#   docker build -t vitrine . && docker run --rm -p 127.0.0.1:8080:8080 vitrine serve --demo
#
# scripts/image builds the second stage without Docker and without a registry.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN scripts/rootfs /rootfs

FROM scratch
COPY --from=build --chown=0:0 /rootfs/root /
COPY --from=build --chown=65532:65532 /rootfs/data /data
USER 65532:65532
WORKDIR /data
VOLUME /data
# The published ports of the container decide who can reach these.
ENV VITRINE_LISTEN=:8080 VITRINE_ADMIN_LISTEN=127.0.0.1:9090
EXPOSE 8080
# A large catalogue takes a while to compile.
HEALTHCHECK --interval=10s --timeout=5s --start-period=2m CMD ["/vitrine", "health"]
ENTRYPOINT ["/vitrine"]
CMD ["serve"]
