// Runs a program to its end and gives what it said.
import { StringDecoder } from 'node:string_decoder';
import { spawnGroup, type Exit, type SpawnOptions } from './spawn.ts';

/** `output` is stdout, then stderr: each whole, no character cut, of both together some `most` bytes. Rejects when the program could not be started. */
export async function collect(argv: readonly string[], { most, ...options }: Omit<SpawnOptions, 'onOutput'> & { most: number }): Promise<{ exit: Exit; output: string }> {
  const said = { stdout: '', stderr: '' };
  const decoders = { stdout: new StringDecoder(), stderr: new StringDecoder() };
  let size = 0;
  const exit = await spawnGroup(argv, {
    ...options,
    onOutput(chunk, stream) {
      if (size < most) said[stream] += decoders[stream].write(chunk);
      size += chunk.length;
    },
  }).done;
  return { exit, output: said.stdout + said.stderr };
}
