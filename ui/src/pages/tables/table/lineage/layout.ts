import type { LineageGraph, LineageNode } from "@/api/types";

export const BOX = { width: 206, height: 40, across: 54, down: 16 };

export type Placed = { node: LineageNode; x: number; y: number };
export type Layout = {
  width: number;
  height: number;
  boxes: Placed[];
  lines: { id: string; path: string }[];
};

/** Along the data from left to right: what a table comes from, itself, and what is made of it. */
export function laidOut({ nodes, edges }: Pick<LineageGraph, "nodes" | "edges">, focus: string): Layout {
  const layers = inLayers(nodes, edges, focus);
  const ordered = untangled(layers, edges);
  const tallest = Math.max(...ordered.map((layer) => layer.length), 1);
  const height = tallest * (BOX.height + BOX.down) - BOX.down;
  const boxes = ordered.flatMap((layer, column) => {
    const own = layer.length * (BOX.height + BOX.down) - BOX.down;
    return layer.map((node, row) => ({
      node,
      x: column * (BOX.width + BOX.across),
      y: (height - own) / 2 + row * (BOX.height + BOX.down),
    }));
  });
  return {
    width: ordered.length * (BOX.width + BOX.across) - BOX.across,
    height,
    boxes,
    lines: lines(boxes, edges),
  };
}

type Edges = LineageGraph["edges"];

function inLayers(nodes: readonly LineageNode[], edges: Edges, focus: string): LineageNode[][] {
  const layer = new Map([[focus, 0]]);
  walk(edges, focus, layer, -1);
  walk(edges, focus, layer, 1);
  const first = Math.min(...layer.values());
  const found: LineageNode[][] = [];
  for (const node of nodes) {
    const place = (layer.get(node.id) ?? 0) - first;
    found[place] ??= [];
    found[place].push(node);
  }
  return found.map((one) => one ?? []);
}

/** How far away each is, up (-1) or down (1): by the shortest way, so that a circle ends. */
function walk(edges: Edges, focus: string, layer: Map<string, number>, way: 1 | -1): void {
  let here = [focus];
  while (here.length > 0) {
    const next: string[] = [];
    for (const { source, target } of edges) {
      const [from, to] = way === 1 ? [source, target] : [target, source];
      if (!here.includes(from) || layer.has(to)) continue;
      layer.set(to, (layer.get(from) ?? 0) + way);
      next.push(to);
    }
    here = next;
  }
}

/** Each where its neighbours are, so that few lines cross. Two sweeps are enough for what people look at. */
function untangled(layers: LineageNode[][], edges: Edges): LineageNode[][] {
  const place = new Map<string, number>();
  const note = (layer: LineageNode[]) => {
    for (const [row, node] of layer.entries()) place.set(node.id, row / Math.max(layer.length - 1, 1));
  };
  const sorted = layers.map((layer) => [...layer].sort((one, other) => one.name.localeCompare(other.name)));
  for (const layer of sorted) note(layer);
  for (const order of [sorted, [...sorted].reverse()]) {
    for (const layer of order) {
      const middle = new Map(layer.map((node) => [node.id, average(node.id, edges, place)]));
      layer.sort((one, other) => (middle.get(one.id) ?? 0) - (middle.get(other.id) ?? 0));
      note(layer);
    }
  }
  return sorted;
}

function average(id: string, edges: Edges, place: ReadonlyMap<string, number>): number {
  const near = edges.flatMap(({ source, target }) =>
    source === id ? [target] : target === id ? [source] : [],
  );
  const sum = near.reduce((total, one) => total + (place.get(one) ?? 0), 0);
  return near.length > 0 ? sum / near.length : 0.5;
}

function lines(boxes: readonly Placed[], edges: Edges) {
  const known = new Map(boxes.map((box) => [box.node.id, box]));
  return edges.flatMap(({ source, target }) => {
    const [from, to] = [known.get(source), known.get(target)];
    if (!from || !to) return [];
    const [x1, y1] = [from.x + BOX.width, from.y + BOX.height / 2];
    const [x2, y2] = [to.x, to.y + BOX.height / 2];
    const bend = Math.max(Math.abs(x2 - x1) / 2, BOX.across / 2);
    return [
      {
        id: `${source} ${target}`,
        path: `M ${x1} ${y1} C ${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
      },
    ];
  });
}
