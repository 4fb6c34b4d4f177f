type Props = { className?: string; state?: string; from: number; to: number };

/** A part of a line, from and to in percent. However short, it is seen. */
export function Stretch({ className, state, from, to }: Props) {
  return (
    <span
      className={className}
      data-state={state}
      style={{ left: `${from}%`, width: `max(2px, ${to - from}%)` }}
    />
  );
}
