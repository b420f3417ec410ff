import {
  Hash,
  Tag,
  Tokenizer,
  Value,
  type Context,
  type Emitter,
  type Liquid,
  type TagToken,
  type Template,
  type TopLevelToken,
} from "liquidjs";
import { escapeHtml } from "../../foundation/html.ts";
import { paginated } from "./pagination.ts";
import { stateOf } from "./page-state.ts";

type Parser = Liquid["parser"];

/** Parses the content of a tag up to its end tag. */
function parseContent(tag: TagToken, remaining: TopLevelToken[], parser: Parser): Template[] {
  const templates: Template[] = [];
  for (let next = remaining.shift(); ; next = remaining.shift()) {
    if (next === undefined) throw new Error(`{% ${tag.name} %} has no {% end${tag.name} %}`);
    if ("name" in next && next.name === `end${tag.name}`) return templates;
    templates.push(parser.parseToken(next, remaining));
  }
}

/** `{% layout none %}` and `{% layout 'name' %}`; liquidjs's own tag wraps blocks instead. */
class LayoutTag extends Tag {
  private readonly wanted: string;
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    this.wanted = token.args.trim().replaceAll(/^['"]|['"]$/g, "");
  }
  override render(context: Context): void {
    stateOf(context).layout = this.wanted;
  }
}

class StyleTag extends Tag {
  private readonly templates: Template[];
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    this.templates = parseContent(token, remaining, parser);
  }
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    emitter.write("<style data-shopify>");
    yield this.liquid.renderer.renderTemplates(this.templates, context, emitter);
    emitter.write("</style>");
  }
}

/** `{% section 'header' %}`: renders a file of `sections/` with its own `section` object. */
class SectionTag extends Tag {
  private readonly file: string;
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    this.file = token.args.trim().replaceAll(/^['"]|['"]$/g, "");
  }
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const templates = (yield this.liquid._parseFile(`sections/${this.file}`)) as Template[];
    const own = context.spawn({ section: { id: this.file, settings: {}, blocks: [] } });
    emitter.write(`<div id="shopify-section-${this.file}" class="shopify-section">`);
    yield this.liquid.renderer.renderTemplates(templates, own, emitter);
    emitter.write("</div>");
  }
}

const FORMS: Readonly<Record<string, { action: string; class: string }>> = {
  product: { action: "/cart/add", class: "shopify-product-form" },
  cart: { action: "/cart", class: "shopify-cart-form" },
  customer_login: { action: "/account/login", class: "" },
};

/** `{% form 'product', product, class: 'x' %}` */
class FormTag extends Tag {
  private readonly kind: string;
  private readonly hash: Hash;
  private readonly templates: Template[];
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    this.kind = /^\s*['"](\w+)['"]/.exec(token.args)?.[1] ?? "";
    if (!(this.kind in FORMS)) throw new Error(`{% form '${this.kind}' %} is not supported`);
    this.hash = new Hash(token.args.replace(/^\s*['"]\w+['"]\s*(?:,\s*[\w.]+\s*(?=,|$))?/, ""));
    this.templates = parseContent(token, remaining, parser);
  }
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const given = (yield this.hash.render(context)) as Readonly<Record<string, unknown>>;
    const form = FORMS[this.kind];
    const root = context.getSync(["routes", "root_path"]);
    const { class: className = "", ...rest } = given;
    const attributes = {
      method: "post",
      action: `${typeof root === "string" ? root : ""}${form?.action ?? ""}`,
      "accept-charset": "UTF-8",
      class: [form?.class, className].filter(Boolean).join(" "),
      ...rest,
    };
    const written = Object.entries(attributes).map(([name, value]) => `${name}="${escapeHtml(value)}"`);
    emitter.write(`<form ${written.join(" ")}><input type="hidden" name="form_type" value="${this.kind}">`);
    yield this.liquid.renderer.renderTemplates(this.templates, context, emitter);
    emitter.write("</form>");
  }
}

/** `{% paginate collection.products by 12 %}` */
class PaginateTag extends Tag {
  private readonly path: string[];
  private readonly size: Value;
  private readonly templates: Template[];
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    const [path = "", size = ""] = token.args.trim().split(/\s+by\s+/);
    this.path = path.split(".");
    this.size = new Value(new Tokenizer(size).readFilteredValue(), liquid);
    this.templates = parseContent(token, remaining, parser);
  }
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const all: unknown = yield context._get(this.path);
    const size: unknown = yield this.size.value(context, true);
    const page = Number(context.getSync(["current_page"]) ?? 1);
    const pathname = String(context.getSync(["request", "path"]));
    const { items, paginate } = paginated(Array.isArray(all) ? all : [], page, Number(size), pathname);
    const [owner = "", name] = this.path;
    const before: unknown = context.getSync([owner]);
    const shown = name === undefined ? items : { ...(typeof before === "object" ? before : {}), [name]: items };
    context.push({ [owner]: shown, paginate });
    yield this.liquid.renderer.renderTemplates(this.templates, context, emitter);
    context.pop();
  }
}

export const blockTags = {
  layout: LayoutTag,
  style: StyleTag,
  section: SectionTag,
  form: FormTag,
  paginate: PaginateTag,
};
