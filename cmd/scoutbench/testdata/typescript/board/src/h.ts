export type Child = string | number | VNode | null | Child[];

export interface VNode {
  tag: string;
  props: Record<string, unknown>;
  children: Child[];
}

export type Component<P> = (props: P & { children?: Child }) => VNode;

export function h<P>(tag: string | Component<P>, props: P | null, ...children: Child[]): VNode {
  if (typeof tag === "function") {
    return tag({ ...(props as P), children });
  }
  return { tag, props: { ...props }, children };
}

declare global {
  namespace JSX {
    type Element = VNode;
    interface ElementChildrenAttribute {
      children: unknown;
    }
    interface IntrinsicElements {
      [tag: string]: Record<string, unknown>;
    }
  }
}
