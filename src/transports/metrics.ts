import { createServer, type Server } from 'node:http';

export interface Metrics {
  observe(call: { readonly tool: string; readonly ok: boolean; readonly milliseconds: number }): void;
  /** Prometheus text exposition format 0.0.4. No caller ever appears in it. */
  render(): string;
}

/** Read when scraped. */
export type Gauges = Readonly<Record<string, { readonly help: string; readonly value: () => number }>>;

const bucketSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Names come from the registry, so this is never reached; it keeps a mistake from filling the memory. */
const maxTools = 200;

interface Series {
  calls: number;
  errors: number;
  seconds: number;
  /** Per bucket, not cumulative. */
  readonly buckets: number[];
}

export function createMetrics(gauges: Gauges): Metrics {
  const byTool = new Map<string, Series>();

  const seriesOf = (tool: string): Series => {
    const name = byTool.has(tool) || byTool.size < maxTools ? tool : 'other';
    const series = byTool.get(name) ?? {
      calls: 0,
      errors: 0,
      seconds: 0,
      buckets: bucketSeconds.map(() => 0),
    };
    byTool.set(name, series);
    return series;
  };
  const each = (line: (tool: string, series: Series) => string | string[]) =>
    [...byTool].flatMap(([tool, series]) => line(`tool="${tool.replace(/["\\\n]/g, '_')}"`, series));

  return {
    observe({ tool, ok, milliseconds }) {
      const series = seriesOf(tool);
      const seconds = milliseconds / 1_000;
      series.calls += 1;
      if (!ok) series.errors += 1;
      series.seconds += seconds;
      const bucket = bucketSeconds.findIndex((bound) => seconds <= bound);
      const count = series.buckets[bucket];
      if (count !== undefined) series.buckets[bucket] = count + 1;
    },

    render() {
      const lines = [
        ...head('vectorless_tool_calls_total', 'counter', 'Tool calls answered.'),
        ...each((tool, { calls }) => `vectorless_tool_calls_total{${tool}} ${calls}`),
        ...head('vectorless_tool_errors_total', 'counter', 'Tool calls answered with an error.'),
        ...each((tool, { errors }) => `vectorless_tool_errors_total{${tool}} ${errors}`),
        ...head('vectorless_tool_duration_seconds', 'histogram', 'Time from call to answer.'),
        ...each(histogram),
      ];
      for (const [name, { help, value }] of Object.entries(gauges)) {
        lines.push(...head(name, 'gauge', help), `${name} ${value()}`);
      }
      return `${lines.join('\n')}\n`;
    },
  };
}

const head = (name: string, type: string, help: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

function histogram(tool: string, { calls, seconds, buckets }: Series): string[] {
  const name = 'vectorless_tool_duration_seconds';
  let below = 0;
  const lines = bucketSeconds.map((bound, index) => {
    below += buckets[index] ?? 0;
    return `${name}_bucket{${tool},le="${bound}"} ${below}`;
  });
  return [
    ...lines,
    `${name}_bucket{${tool},le="+Inf"} ${calls}`,
    `${name}_sum{${tool}} ${seconds.toFixed(3)}`,
    `${name}_count{${tool}} ${calls}`,
  ];
}

/** For a port of its own, so that it need not be reachable by callers. */
export function createMetricsServer(metrics: Metrics): Server {
  return createServer((request, response) => {
    const isMetrics = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
    response.writeHead(isMetrics ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(isMetrics ? metrics.render() : 'Metrics are at /metrics.\n');
  });
}
