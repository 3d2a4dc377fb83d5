// What the product is measured against over stdio.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createBareServer } from './bare-server.mjs';

serveStdio(createBareServer);
