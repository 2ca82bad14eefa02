/**
 * Makes dispatch visible: which hook was called when, for which handle, by which thread, and how long it took. Control
 * that flows from a loop into hooks and back is hard to follow in a debugger (the papers' liability "complexity of
 * debugging and testing"); a record of it can be read afterwards.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>Off unless asked for, and then free.</b> A loop without a trace has a null field. The hooks of event handlers
 *     are not even asked about it: with a trace, a decorator is registered in place of the handler.
 * <li><b>Allocates nothing while it records.</b> The record is a ring that is there from the beginning, so that a trace
 *     may stay on in production and does not change what is observed.
 * <li><b>Another thread watches for stalls</b>, since the stalled thread cannot report itself. There is such a thread
 *     only as long as there is a trace with a limit, whose loop has been entered and is not closed.
 * <li><b>A hook that runs the loop is not stalled</b> while the loop waits or calls other hooks; those are watched.
 * </ul>
 */
@NullMarked
package dev.sluice.trace;

import org.jspecify.annotations.NullMarked;
