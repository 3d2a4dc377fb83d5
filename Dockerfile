# The HTTP service in an image:
#   docker build -t vectorless-mcp .
#   docker run -p 3333:3333 -e VECTORLESS_PUBLIC_URL=https://docs.example.com vectorless-mcp
FROM node:22-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc LICENSE ./
COPY packages ./packages
# esbuild brings its binary as a package: nothing needs an install script.
RUN npm ci --ignore-scripts
COPY src ./src
COPY scripts ./scripts
RUN npm run build -- --release

FROM node:22-slim
LABEL org.opencontainers.image.title="Vectorless MCP server" \
      org.opencontainers.image.description="Your documents as tools for AI agents, over HTTP" \
      org.opencontainers.image.url="https://vectorless.dev" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0" \
      io.modelcontextprotocol.server.name="dev.vectorless/mcp"
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=build /src/dist ./dist
# Where the embedded engine keeps documents when started with --local.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
ENV NODE_ENV=production \
    VECTORLESS_HTTP=true \
    VECTORLESS_HTTP_HOST=0.0.0.0 \
    VECTORLESS_HTTP_PORT=3333 \
    VECTORLESS_LOCAL_DIR=/data
EXPOSE 3333
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.VECTORLESS_HTTP_PORT}/livez`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM reaches the server itself: there is no shell and no npm in between.
ENTRYPOINT ["node", "dist/vectorless-mcp.cjs"]
