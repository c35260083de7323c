// What we have asked of a server and is not answered yet: how long that may take, and while what the server may ask of us.

export type Work = {
  /** Aborts when nothing of ours is under way any more, and has where nothing is: then the server has no reason to ask anything. */
  signal(): AbortSignal;
  /** Time does not count until the returned function is called: the user is thinking. */
  hold(): () => void;
};

/** A request of ours. `again`: the server has given a sign of life; `end`: it is over. */
export type Pending = { again(): void; end(): void };

/** `begin` calls `expire` when there was no sign of life for so long. */
export type WorkKeeper = Work & { begin(limitMs: number, expire: () => void): Pending };

export function keepWork(): WorkKeeper {
  const timers = new Set<() => void>();
  let held = 0;
  let busy = new AbortController();
  busy.abort();
  const hold = (by: number) => {
    held += by;
    for (const arm of timers) arm();
  };
  return {
    signal: () => busy.signal,
    hold() {
      hold(1);
      let released = false;
      return () => {
        if (!released) hold(-1);
        released = true;
      };
    },
    begin(limitMs, expire) {
      let timer: NodeJS.Timeout | undefined;
      const arm = () => {
        clearTimeout(timer);
        if (held === 0) timer = setTimeout(expire, limitMs);
      };
      if (timers.size === 0) busy = new AbortController();
      timers.add(arm);
      arm();
      return {
        again: () => { if (timers.has(arm)) arm(); },
        end() {
          clearTimeout(timer);
          timers.delete(arm);
          if (timers.size === 0) busy.abort();
        },
      };
    },
  };
}
