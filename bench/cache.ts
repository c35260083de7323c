// What the services' prompt caches make of 100 rounds, and how long the loop takes from an answer to its next request. Run: npx node bench/cache.ts
import { APIS } from '../tests/helpers/sse-app.ts';
import { hundredRounds, playCache } from '../tests/helpers/sse-cache.ts';

const quantile = (values: readonly number[], q: number) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? NaN;

for (const api of APIS) {
  const { requests } = await hundredRounds(api);
  const { prompt, read, best } = playCache(api.api, requests.map(({ body }) => body));
  const gaps = requests.flatMap(({ answeredAt }, index) => {
    const next = requests[index + 1];
    return next && answeredAt !== undefined ? [next.at - answeredAt] : [];
  });
  console.log(`${api.api.padEnd(10)} ${requests.length} requests, ${Math.round(prompt / 1000)}K tokens sent: ${(100 * read / prompt).toFixed(1)} % read from cache, ${(100 * read / best).toFixed(1)} % of what appending can give`);
  console.log(`${''.padEnd(10)} from the end of an answer to the next request, calls included: ${quantile(gaps, 0.5).toFixed(1)} ms median, ${quantile(gaps, 0.9).toFixed(1)} ms at 90 %`);
}
process.exit();
