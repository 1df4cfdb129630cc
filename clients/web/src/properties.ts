import { noChange } from "lit-html";
import { Directive, directive, type ElementPart, type PartInfo, PartType } from "lit-html/directive.js";

/**
 * Sets custom properties of an element: `<i ${properties({ "--share": "40%" })}></i>`. The page's policy blocks style
 * attributes in markup; what a script sets on an element it lets pass.
 */
class Properties extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) {
      throw new Error("properties() stands in an element's tag");
    }
  }

  render(values: Readonly<Record<string, string>>): unknown {
    return values;
  }

  override update(part: ElementPart, [values]: [Readonly<Record<string, string>>]): unknown {
    const { style } = part.element as HTMLElement | SVGElement;
    for (const [name, value] of Object.entries(values)) {
      style.setProperty(name, value);
    }
    return noChange;
  }
}

/** See {@link Properties}. */
export const properties = directive(Properties);
