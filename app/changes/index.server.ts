export { changesQuery, changesSchema, readChanges, streamQuery, toFilter } from "./feed.server.ts";
export { openStream, startChangeStreams } from "./streams.server.ts";
