import { expect, test } from "vitest";
import type { LineageNode } from "@/api/types";
import { laidOut } from "./layout";

const node = (id: string): LineageNode => ({
  id,
  kind: "dataset",
  name: id,
  registered: true,
  namespace: null,
});
const edge = (source: string, target: string) => ({ source, target, last_run: null, last_at: "2026-01-01" });

test("what a table comes from is at its left, what is made of it at its right", () => {
  const nodes = ["raw", "load", "orders", "report", "daily"].map(node);
  const edges = [
    edge("raw", "load"),
    edge("load", "orders"),
    edge("orders", "report"),
    edge("report", "daily"),
  ];
  const { boxes, lines } = laidOut({ nodes, edges }, "orders");
  expect(boxes.map((box) => box.node.id)).toEqual(["raw", "load", "orders", "report", "daily"]);
  expect(boxes.map((box) => box.x)).toEqual([...boxes.map((box) => box.x)].sort((a, b) => a - b));
  expect(lines).toHaveLength(4);
});

test("a circle ends, and a table by itself stands alone", () => {
  const circle = laidOut({ nodes: ["a", "b"].map(node), edges: [edge("a", "b"), edge("b", "a")] }, "a");
  expect(circle.boxes).toHaveLength(2);
  const alone = laidOut({ nodes: [node("a")], edges: [] }, "a");
  expect([alone.boxes.length, alone.boxes[0]?.x, alone.boxes[0]?.y]).toEqual([1, 0, 0]);
});

test("neighbours stand beside each other, so that their lines do not cross", () => {
  const nodes = ["t", "j1", "j2", "z", "a"].map(node);
  const edges = [edge("t", "j1"), edge("t", "j2"), edge("j1", "z"), edge("j2", "a")];
  const { boxes } = laidOut({ nodes, edges }, "t");
  const y = (id: string) => boxes.find((box) => box.node.id === id)?.y ?? 0;
  expect(Math.sign(y("j1") - y("j2"))).toBe(Math.sign(y("z") - y("a")));
});
