import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compressed } from "./compress.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
// `npm run dev` shows changes at once; what it needs of a control plane it asks this one.
const control = process.env.BOATHOUSE_CONTROL_URL ?? "http://127.0.0.1:8090";

export default defineConfig({
  plugins: [react(), compressed()],
  resolve: { alias: { "@": here("./src") } },
  css: { preprocessorOptions: {}, modules: { localsConvention: "camelCaseOnly" } },
  build: {
    outDir: here("../src/boathouse/control/ui/dist"),
    emptyOutDir: true,
    target: "es2024",
    chunkSizeWarningLimit: 700,
    // Inlined files would be data: addresses, which the content security policy refuses for scripts and styles.
    assetsInlineLimit: 0,
  },
  server: { proxy: { "/api": control, "/readyz": control, "/healthz": control } },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    setupFiles: ["./src/setup.test-environment.ts"],
    pool: "threads",
    // One world for all files: each of its own would take most of the time.
    isolate: false,
    reporters: ["dot"],
  },
});
