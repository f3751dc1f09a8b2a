/** Median, 95th percentile and maximum on one logarithmic scale for all hooks. */
const LEAST_MS = 0.1;

interface RangeProps {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  readonly longest: number;
}

export function TimeRange({ p50, p95, max, longest }: RangeProps) {
  const place = (ms: number): number =>
    (100 * Math.log10(Math.max(ms, LEAST_MS) / LEAST_MS)) / Math.log10(Math.max(longest, 1) / LEAST_MS);
  return (
    <svg class="range" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" x="0" y="3.5" width="100" height="1" />
      <rect class="tail" x={place(p95)} y="3" width={Math.max(0, place(max) - place(p95))} height="2" />
      <rect class="body" x={place(p50)} y="1.5" width={Math.max(1, place(p95) - place(p50))} height="5" />
    </svg>
  );
}
