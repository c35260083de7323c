// Work in the background: what runs, what has ended, and the last that each said.
import type { AgentEvent } from '../types/event.ts';
import type { TaskEntry } from '../types/state.ts';
import { bound } from './tools.ts';

type Tasks = readonly TaskEntry[];

export function reduceTasks(tasks: Tasks, event: AgentEvent): Tasks {
  switch (event.type) {
    case 'task': {
      const { task, at } = event;
      // Ids begin anew with each process that takes up the session.
      if (task.status === 'running') return [...tasks.filter(({ id }) => id !== task.id), { ...task, startedAt: at, tail: '' }];
      return tasks.map((before) => (before.id === task.id ? { ...before, ...task, ms: at - before.startedAt } : before));
    }
    case 'task_output':
      return tasks.map((task) => (task.id === event.id ? { ...task, tail: bound(task.tail + event.text) } : task));
    case 'session_resumed':
      // The process that ran them is gone, and they with it.
      return tasks.some(isRunning) ? tasks.map((task) => (isRunning(task) ? { ...task, status: 'ended', outcome: 'ended with MewCode' } : task)) : tasks;
    default:
      return tasks;
  }
}

const isRunning = ({ status }: TaskEntry): boolean => status === 'running';
