import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

// Below this an answer fits into one packet anyway.
const SMALLEST = 1024;
const TEXT = /\.(js|css|html|svg|json|txt)$/;

/** Writes each text file once more as .br and .gz, so that the server never compresses anything. */
export function compressed(): Plugin {
  let directory = "";
  return {
    name: "compressed",
    apply: "build",
    configResolved(config) {
      directory = config.build.outDir;
    },
    closeBundle() {
      for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
        if (TEXT.test(name)) compress(join(directory, name));
      }
    },
  };
}

function compress(path: string): void {
  const content = readFileSync(path);
  if (content.length < SMALLEST) return;
  const size = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params: size }));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
