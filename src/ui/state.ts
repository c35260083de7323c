// ScreenState: what the screen adds to the session. Draft, scroll, what is open and where the focus is; never logged.
import type { Command } from '../types/command.ts';
import type { ModeInfo } from '../types/permission.ts';
import type { Answer } from '../types/question.ts';
import type { SessionState } from '../types/state.ts';
import { createEditor, type Editor } from './editor/editor.ts';
import type { Press } from './keys.ts';
import type { Anchor, Jump, Unfolded } from './transcript.ts';

/** A dialog's own state; the question itself stands first in the session's `questions`. */
export type DialogState = {
  /** Of the question. */
  id: string;
  shownAt: number;
  /** Has taken a key: what follows is meant for it as well. */
  armed: boolean;
  /** One key answers one question: set until the next question comes. */
  answered: boolean;
  /** Which option is highlighted. */
  selected: number;
  /** Options marked, where several can be chosen. */
  marked: readonly number[];
  /** What is being typed: a note to the model, the rule to keep, a free answer, a filter, a form's line, or the text of the call. */
  field: { for: 'note' | 'rule' | 'free' | 'filter' | 'form' | 'edit'; editor: Editor; /** Why it could not be taken over. */ problem?: string } | null;
  note: string;
  /** The arguments as the user has changed them, and the text that was edited. */
  edited: { text: string; input: unknown } | null;
  form: FormState | null;
  /** First row of what is asked about. */
  top: number;
  trace: boolean;
};

/** `inputs` are texts or places among a field's choices, one a field; `at` is the line with the focus. What is being typed is the dialog's field. */
export type FormState = { inputs: readonly (string | readonly number[])[]; at: number; /** Sending was tried: what is wrong is told. */ tried: boolean };

export type Overlay = { kind: 'palette'; filter: Editor; selected: number } | { kind: 'keys'; top: number };

export type ScreenState = {
  size: { columns: number; rows: number };
  editor: Editor;
  completion: { selected: number; closed: boolean };
  overlay: Overlay | null;
  dialog: DialogState | null;
  anchor: Anchor;
  unfolded: Unfolded;
  /** Counts up when rows look different although nothing has changed. */
  revision: number;
  log: { place: 'side' | 'bottom' | 'hidden'; focused: boolean; selected: string | null };
  /** When Ctrl-C was pressed on an empty prompt; a second one soon after quits. */
  quitArmed: number | null;
  lastKeyAt: number;
};

/** Everything folded. */
export const NONE: ReadonlySet<string> = new Set();

export function initialScreen(size: ScreenState['size'], { history = [], log = 'side' }: { history?: readonly string[]; log?: ScreenState['log']['place'] } = {}): ScreenState {
  return {
    size, editor: createEditor('', history), completion: { selected: 0, closed: false }, overlay: null, dialog: null,
    anchor: 'end', unfolded: NONE, revision: 0, log: { place: log, focused: false, selected: null }, quitArmed: null, lastKeyAt: Number.NEGATIVE_INFINITY,
  };
}

/** What is asked of the world. Executed in one place, after the state has changed. */
export type Effect =
  | { do: 'submit'; text: string }
  | { do: 'cancel' | 'sendQueue' | 'repaint' | 'suspend' }
  | { do: 'setQueue'; prompts: readonly string[] }
  | { do: 'setMode'; mode: string }
  | { do: 'answer'; id: string; answer: Answer }
  /** In the editor of the user's choice; comes back as `edited`. `dialog` is whose text it is, `null` the prompt's. */
  | { do: 'edit'; text: string; dialog: string | null }
  | { do: 'later'; ms: number; action: ScreenAction }
  | { do: 'quit'; code: number };

export type Step = { screen: ScreenState; effects: readonly Effect[] };

/** All that changes the screen state. `at` is milliseconds of any clock that only goes forward. */
export type ScreenAction =
  | { type: 'press'; press: Press; at: number }
  | { type: 'paste'; text: string; at: number }
  | { type: 'wheel'; x: number; y: number; rows: number }
  | { type: 'click'; x: number; y: number; at: number }
  | { type: 'edited'; dialog: string | null; text: string; at: number }
  | { type: 'resized'; columns: number; rows: number }
  /** The chat's window found another place for its anchor. */
  | { type: 'anchored'; anchor: Anchor }
  /** Colours have arrived. */
  | { type: 'recoloured' }
  /** Which question stands first now. */
  | { type: 'asked'; id: string | null; at: number }
  /** The program stood still until `at`: keys that come now were pressed earlier. */
  | { type: 'stalled'; at: number }
  /** Nobody pressed Ctrl-C again after the one at `at`. */
  | { type: 'disarm_quit'; at: number };

/** What the reducer may look at. The functions are pure; what they compute is too dear for every key. */
export type Context = {
  session: SessionState;
  commands: readonly Command[];
  modes: readonly ModeInfo[];
  /** Columns in which the prompt's text wraps. */
  promptWidth: number;
  chat: { height: number; scroll(anchor: Anchor, rows: number): Anchor; jump(anchor: Anchor, to: Jump): Anchor };
  /** The call `step` places from the selected one in the log. */
  logStep(selected: string | null, step: number): string | null;
  /** What a place on the screen belongs to; `owner` is the entry or call that its row shows, `item` the answer or line of the dialog. */
  hit(x: number, y: number): { pane: 'chat' | 'log' | 'dialog' | 'other'; owner: string | null; item?: number };
  /** Rows of what the dialog asks about, how many of them are in sight, and the columns in which its text is edited. */
  dialogBody(): { rows: number; height: number; width: number };
};

export type Handler = (screen: ScreenState, context: Context, press: Press, at: number) => Step;

/** A change of the screen, with what it asks of the world. */
export const step = (screen: ScreenState, ...effects: Effect[]): Step => ({ screen, effects });

/** The lines that can be typed into. */
export type Focus = 'prompt' | 'palette' | 'field';

/** Which line the letters go to. */
export function focusOf(screen: ScreenState): Focus {
  if (screen.dialog?.field && screen.dialog.armed) return 'field';
  return screen.overlay?.kind === 'palette' ? 'palette' : 'prompt';
}

/** Changes the line with the focus. */
export function editFocused(screen: ScreenState, edit: (editor: Editor) => Editor): ScreenState {
  const { dialog, overlay } = screen;
  const focus = focusOf(screen);
  if (focus === 'field' && dialog?.field) {
    const { field } = dialog;
    const editor = edit(field.editor);
    // Another filter, another list.
    const selected = field.for === 'filter' && editor.text !== field.editor.text ? 0 : dialog.selected;
    return { ...screen, dialog: { ...dialog, selected, field: { ...field, editor } } };
  }
  if (focus === 'palette' && overlay?.kind === 'palette') {
    const filter = edit(overlay.filter);
    return { ...screen, overlay: { ...overlay, filter, selected: filter.text === overlay.filter.text ? overlay.selected : 0 } };
  }
  const editor = edit(screen.editor);
  if (editor.text === screen.editor.text) return { ...screen, editor };
  // A list that was closed stays closed until the word is gone.
  return { ...screen, editor, completion: { selected: 0, closed: screen.completion.closed && editor.text.startsWith('/') } };
}

/** Whether there is something that Esc or Ctrl-C would stop. */
export function isBusy(session: Pick<SessionState, 'turn' | 'doing'>): boolean {
  return session.turn.running || session.doing.what !== 'idle';
}
