import type { LogLine } from "@/api/types";

export type Log = { lines: readonly LogLine[]; over: boolean; connected: boolean };

/** A run's log as it comes. Lines are told some at a time, however fast they come. */
export class LogStream {
  private lines: LogLine[] = [];
  /** As many as the server would not send again, were the connection lost now. */
  private kept = 0;
  private lastId = "";
  private over = false;
  private frame = 0;
  private readonly source: EventSource;

  constructor(
    url: string,
    private readonly tell: (log: Log) => void,
  ) {
    this.source = new EventSource(url);
    this.source.addEventListener("line", (event) => this.line(event as MessageEvent<string>));
    this.source.addEventListener("end", () => this.end());
    this.source.addEventListener("open", () => this.soon());
    this.source.addEventListener("error", () => this.cut());
  }

  close(): void {
    this.source.close();
    cancelAnimationFrame(this.frame);
  }

  private line(event: MessageEvent<string>): void {
    this.lines.push(JSON.parse(event.data) as LogLine);
    if (event.lastEventId !== this.lastId) {
      this.lastId = event.lastEventId;
      this.kept = this.lines.length;
    }
    this.soon();
  }

  private cut(): void {
    // The browser comes again with the last id, and is sent whatever followed it once more.
    this.lines.length = this.kept;
    this.soon();
  }

  private end(): void {
    this.over = true;
    this.source.close();
    this.soon();
  }

  private soon(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const connected = this.over || this.source.readyState === EventSource.OPEN;
      this.tell({ lines: [...this.lines], over: this.over, connected });
    });
  }
}
