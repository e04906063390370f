# motion-studio in a container. Build and run: docs/operation/container.md; compose.yaml runs it with a read-only root.
#
# An image of Debian 13: on Node 24 the uws transport needs its glibc. In other images the node transport serves.
ARG NODE_IMAGE=node:24-trixie-slim

FROM ${NODE_IMAGE} AS build
# Install scripts of packages run here: not as root.
USER node
RUN mkdir /home/node/build /home/node/workspace
WORKDIR /home/node/build
COPY --chown=node:node package.json package-lock.json .npmrc ./
RUN npm ci
COPY --chown=node:node . .
RUN npm run build
# What the service needs and nothing else: of the transport's binaries the one that this Node loads.
RUN npm prune --omit=dev && \
    find node_modules/uWebSockets.js -name 'uws_*.node' \
      ! -name "uws_linux_$(node -p process.arch)_$(node -p process.versions.modules).node" -delete

FROM ${NODE_IMAGE}
WORKDIR /opt/motion-studio
COPY --from=build /home/node/build/package.json /home/node/build/LICENSE /home/node/build/NOTICE \
     /home/node/build/README.md /home/node/build/CHANGELOG.md ./
COPY --from=build /home/node/build/node_modules ./node_modules
COPY --from=build /home/node/build/dist ./dist
COPY --from=build /home/node/build/bin ./bin
# A new volume takes over the owner of the folder that it hides.
COPY --from=build --chown=node:node /home/node/workspace /workspace

ENV NODE_ENV=production \
    MOTION_STUDIO_HOST=0.0.0.0 \
    MOTION_STUDIO_PORT=8765 \
    MOTION_STUDIO_WORKSPACE=/workspace
USER node
VOLUME /workspace
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "/opt/motion-studio/dist/cli/health.js"]
ENTRYPOINT ["node", "/opt/motion-studio/bin/motion-studio.cjs"]
