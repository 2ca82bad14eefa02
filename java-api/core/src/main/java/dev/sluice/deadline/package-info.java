/** Timeouts, deadlines, and a heap of deadlines. Not exported to programs. */
package dev.sluice.deadline;
