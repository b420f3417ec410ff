/** Comparison of two JSON Schemas: what a client that was written for the first one can't send, or does not expect, with the second one. */

export type Schema = Readonly<Record<string, unknown>>;

/** Which way the data goes: a client sends it, or receives it. */
export type Direction = "sent" | "received";

/** Reports a break: the part of the document, and what happened to it. */
export type Report = (part: string, problem: string) => void;

/** Keywords that describe and do not restrict. */
const ANNOTATIONS = new Set(["$schema", "title", "description", "examples", "example", "deprecated", "$comment"]);

/** Keywords with a rule below. A changed keyword that is in neither list is a break, because the rules would not see what it does. */
const COMPARED = new Set([
  ...["$ref", "type", "enum", "const", "default", "properties", "required", "additionalProperties", "items"],
  ...["allOf", "anyOf", "oneOf", "propertyNames"],
]);

const LOWER_BOUNDS = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const UPPER_BOUNDS = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
/** Restrictions of which the check can't tell whether a change makes them wider or narrower. */
const RESTRICTIONS = ["pattern", "format", "multipleOf", "uniqueItems"];
const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function schemaOf(value: unknown): Schema {
  return isSchema(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the elements of `some` that `all` lacks, compared as JSON. */
function missingFrom(all: readonly unknown[], some: readonly unknown[]): unknown[] {
  const known = new Set(all.map((value) => JSON.stringify(value)));
  return some.filter((value) => !known.has(JSON.stringify(value)));
}

function quoted(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(", ");
}

/** Returns the value of a keyword for a message. */
function shown(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function valuesOf({ const: constant, enum: values }: Schema): readonly unknown[] | undefined {
  if (constant !== undefined) return [constant];
  return values === undefined ? undefined : listOf(values);
}

function typesOf({ type }: Schema): unknown[] {
  if (type === undefined) return TYPES;
  const types = Array.isArray(type) ? type : [type];
  return types.includes("number") ? [...types, "integer"] : types;
}

/** Returns the alternatives of a schema, which is its only alternative when it has no others. */
function alternativesOf(schema: Schema): Schema[] {
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  return alternatives === undefined ? [schema] : listOf(alternatives).map(schemaOf);
}

/** Compares the schemas of two documents. */
export class SchemaComparison {
  readonly #components: { before: Readonly<Record<string, Schema>>; after: Readonly<Record<string, Schema>> };
  readonly #report: Report;
  /** components that are being compared, because one can contain itself */
  readonly #open = new Set<string>();

  constructor(
    components: { before: Readonly<Record<string, Schema>>; after: Readonly<Record<string, Schema>> },
    report: Report,
  ) {
    this.#components = components;
    this.#report = report;
  }

  /**
   * Reports what makes `after` a break for clients of `before`.
   * @param part names the place in the document; inside a component, the component's name takes its place
   */
  compare(part: string, before: Schema, after: Schema, direction: Direction): void {
    const component = this.#nameOf(before);
    if (component === undefined || component !== this.#nameOf(after)) {
      this.#compareResolved(part, this.#resolve(before, "before"), this.#resolve(after, "after"), direction);
      return;
    }
    const visit = `${component} ${direction}`;
    if (this.#open.has(visit)) return;
    this.#open.add(visit);
    this.#compareResolved(component, this.#resolve(before, "before"), this.#resolve(after, "after"), direction);
    this.#open.delete(visit);
  }

  #nameOf({ $ref }: Schema): string | undefined {
    return typeof $ref === "string" ? $ref.split("/").at(-1) : undefined;
  }

  #resolve(schema: Schema, side: "before" | "after"): Schema {
    const name = this.#nameOf(schema);
    if (name === undefined) return schema;
    const found = this.#components[side][name];
    if (!found) throw new Error(`the component ${name} does not exist`);
    return this.#resolve({ ...found, ...schema, $ref: found["$ref"] }, side);
  }

  /** Tells whether the change from `before` to `after` breaks nothing. */
  #fits(before: Schema, after: Schema, direction: Direction): boolean {
    let fits = true;
    new SchemaComparison(this.#components, () => (fits = false)).compare("", before, after, direction);
    return fits;
  }

  #compareResolved(part: string, before: Schema, after: Schema, direction: Direction): void {
    const [alternatives, afterwards] = [alternativesOf(before), alternativesOf(after)];
    if (alternatives.length > 1 || afterwards.length > 1)
      this.#compareAlternatives(part, alternatives, afterwards, direction);
    else {
      this.#compareTypes(part, before, after, direction);
      this.#compareRestrictions(part, before, after, direction);
      this.#compareContents(part, before, after, direction);
    }
    this.#compareValues(part, before, after, direction);
    this.#compareAllOf(part, before, after, direction);
    if (direction === "sent" && before["default"] !== undefined)
      if (missingFrom([after["default"]], [before["default"]]).length > 0)
        this.#report(part, `has another default than ${quoted([before["default"]])}`);
    this.#compareUnknown(part, before, after);
  }

  /** Each alternative that a client may send is accepted; each that it may receive is one that it knows. */
  #compareAlternatives(part: string, before: Schema[], after: Schema[], direction: Direction): void {
    const [needed, available] = direction === "sent" ? [before, after] : [after, before];
    needed.forEach((one, index) => {
      const pairs = available.map((other) => (direction === "sent" ? { one, other } : { one: other, other: one }));
      if (pairs.some((pair) => this.#fits(pair.one, pair.other, direction))) return;
      // An alternative that changed in place is described by its change.
      const [counterpart, changed] = [before[index], after[index]];
      if (before.length === after.length && counterpart && changed)
        this.compare(`${part} (alternative ${index + 1})`, counterpart, changed, direction);
      else
        this.#report(
          part,
          direction === "sent" ? `no longer accepts alternative ${index + 1}` : `has a new alternative`,
        );
    });
  }

  #compareTypes(part: string, before: Schema, after: Schema, direction: Direction): void {
    const [old, now] = [typesOf(before), typesOf(after)];
    const wrong = direction === "sent" ? missingFrom(now, old) : missingFrom(old, now);
    if (wrong.length === 0) return;
    const name = ({ type }: Schema): string => (type === undefined ? "any" : listOf([type]).flat().join(" or "));
    this.#report(part, `changed its type from ${name(before)} to ${name(after)}`);
  }

  #compareValues(part: string, before: Schema, after: Schema, direction: Direction): void {
    const [old, now] = [valuesOf(before), valuesOf(after)];
    // Received values may become more: the guide says that clients ignore those that they do not know.
    if (old && now) {
      const gone = missingFrom(now, old);
      if (gone.length > 0) this.#report(part, `lost the value ${quoted(gone)}`);
    } else if (now && direction === "sent") this.#report(part, `accepts only ${quoted(now)} now`);
    else if (old && direction === "received") this.#report(part, "has no list of values any more");
  }

  #compareRestrictions(part: string, before: Schema, after: Schema, direction: Direction): void {
    const stricter = (bound: string, from: unknown, to: unknown): boolean => {
      if (typeof to !== "number") return false;
      if (typeof from !== "number") return true;
      return LOWER_BOUNDS.includes(bound) ? to > from : to < from;
    };
    for (const bound of [...LOWER_BOUNDS, ...UPPER_BOUNDS]) {
      const [old, now] = [before[bound], after[bound]];
      if (direction === "sent" ? stricter(bound, old, now) : stricter(bound, now, old))
        this.#report(part, `changed ${bound} from ${shown(old)} to ${shown(now)}`);
    }
    for (const restriction of RESTRICTIONS) {
      const [old, now] = [before[restriction], after[restriction]];
      if (old !== now && (direction === "sent" ? now : old) !== undefined)
        this.#report(part, `changed ${restriction} from ${shown(old)} to ${shown(now)}`);
    }
  }

  #compareContents(part: string, before: Schema, after: Schema, direction: Direction): void {
    this.#compareFields(part, before, after, direction);
    this.#compareOtherFields(part, before, after, direction);
    if (before["items"] !== undefined || after["items"] !== undefined)
      this.compare(`${part}[]`, schemaOf(before["items"]), schemaOf(after["items"]), direction);
    if (before["propertyNames"] !== undefined || after["propertyNames"] !== undefined)
      this.compare(`${part} names`, schemaOf(before["propertyNames"]), schemaOf(after["propertyNames"]), direction);
  }

  #compareFields(part: string, before: Schema, after: Schema, direction: Direction): void {
    const [old, now] = [schemaOf(before["properties"]), schemaOf(after["properties"])];
    for (const [name, schema] of Object.entries(old)) {
      const field = part === "" ? name : `${part}.${name}`;
      if (now[name] === undefined) this.#report(field, "is gone");
      else this.compare(field, schemaOf(schema), schemaOf(now[name]), direction);
    }
    const [required, requiredNow] = [listOf(before["required"]), listOf(after["required"])];
    const [changed, problem] =
      direction === "sent"
        ? [missingFrom(required, requiredNow), "is required now"]
        : [missingFrom(requiredNow, required).filter((name) => now[String(name)] !== undefined), "can be absent now"];
    for (const name of changed) this.#report(`${part}.${String(name)}`, problem);
  }

  #compareOtherFields(part: string, before: Schema, after: Schema, direction: Direction): void {
    const [old, now] = [before["additionalProperties"], after["additionalProperties"]];
    if (isSchema(old) && isSchema(now)) this.compare(`${part}.*`, old, now, direction);
    else if (direction === "sent" && old !== false && (now === false || isSchema(now)))
      this.#report(part, "accepts fewer other fields");
    else if (direction === "received" && isSchema(old)) this.#report(part, "has other fields of any type now");
  }

  #compareAllOf(part: string, before: Schema, after: Schema, direction: Direction): void {
    const [old, now] = [listOf(before["allOf"]), listOf(after["allOf"])];
    if (old.length === now.length)
      old.forEach((schema, index) => this.compare(part, schemaOf(schema), schemaOf(now[index]), direction));
    else this.#report(part, "is composed of other schemas");
  }

  #compareUnknown(part: string, before: Schema, after: Schema): void {
    const known = new Set([...ANNOTATIONS, ...COMPARED, ...LOWER_BOUNDS, ...UPPER_BOUNDS, ...RESTRICTIONS]);
    for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (known.has(keyword) || keyword.startsWith("x-")) continue;
      if (missingFrom([after[keyword]], [before[keyword]]).length > 0)
        this.#report(part, `changed ${keyword}, which the check can't judge`);
    }
  }
}
