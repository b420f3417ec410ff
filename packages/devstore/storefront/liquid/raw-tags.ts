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

/** Returns a tag whose content is not Liquid and is passed unparsed to `use`. */
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

const ignore: Use = () => undefined;

export const rawTags = {
  // Only the theme editor reads schemas.
  schema: rawTag("schema", ignore),
  doc: rawTag("doc", ignore),
  stylesheet: rawTag("stylesheet", (raw, state) => void state.styles.add(raw)),
  javascript: rawTag("javascript", (raw, state) => void state.scripts.add(raw)),
};
