import { Tag, TokenKind, type Context, type Emitter, type Liquid, type TagToken, type TopLevelToken } from "liquidjs";
import { stateOf, type PageState } from "./page-state.ts";

type Use = (raw: string, state: PageState, emitter: Emitter) => void;

function isEnd(token: TopLevelToken, name: string): boolean {
  return (
    token.kind === TokenKind.Tag &&
    token
      .getText()
      .replaceAll(/[{%\-\s]/g, "")
      .startsWith(`end${name}`)
  );
}

/** A tag whose content is no Liquid: kept as it stands up to its end, and put where it belongs. */
function rawTag(name: string, use: Use) {
  return class extends Tag {
    readonly raw: string;

    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
      super(token, remaining, liquid);
      let raw = "";
      for (let next = remaining.shift(); ; next = remaining.shift()) {
        if (next === undefined) throw new Error(`{% ${name} %} has no {% end${name} %}`);
        if (isEnd(next, name)) break;
        raw += next.getText();
      }
      this.raw = raw;
    }

    override render(context: Context, emitter: Emitter): void {
      use(this.raw, stateOf(context), emitter);
    }
  };
}

const nothing: Use = () => undefined;

export const rawTags = {
  // Read by the theme editor, not by the page.
  schema: rawTag("schema", nothing),
  doc: rawTag("doc", nothing),
  stylesheet: rawTag("stylesheet", (raw, state) => void state.styles.add(raw)),
  javascript: rawTag("javascript", (raw, state) => void state.scripts.add(raw)),
};
