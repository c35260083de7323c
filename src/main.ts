#!/usr/bin/env node
// The way in: refuses an old Node in one sentence, answers --version, and loads everything else only then.
// Only what an old Node can parse may stand here, so that the sentence is reached.

declare const MEWCODE_VERSION: string | undefined;

// A reader that went away (`| head`) is no failure.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];

if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write('mewcode: this is Node ' + process.versions.node + ', and MewCode needs 22.12 or newer. Get it from https://nodejs.org.\n');
  process.exitCode = 2;
} else {
  process.getBuiltinModule('node:module').enableCompileCache();
  const argv = process.argv.slice(2);
  const version = readVersion();
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) process.stdout.write(version + '\n');
  else import('./main/doors.ts').then(({ enter }) => enter(argv, version));
}

/** What the build put in, or from source what package.json says. */
function readVersion(): string {
  if (typeof MEWCODE_VERSION === 'string') return MEWCODE_VERSION;
  const fs = process.getBuiltinModule('node:fs');
  return JSON.parse(fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
