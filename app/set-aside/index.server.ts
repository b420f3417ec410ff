export { ofOne, readSetAside, setAside, type SetAsideCounts } from "./set-aside.server.ts";
