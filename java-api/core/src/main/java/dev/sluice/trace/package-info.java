/**
 * Traces of dispatch: the time of each call of a hook, its handle, its thread, and its duration. The flow of control
 * from a loop into hooks and back is difficult to follow in a debugger (the papers' liability "complexity of debugging
 * and testing"); a trace can be read afterwards.
 *
 * <p>Design decisions:
 * <ul>
 * <li><b>Off by default, without overhead.</b> A loop without a trace has a null field. Dispatch of hooks contains no
 * check: with a trace, a decorator is registered in place of the handler.
 * <li><b>Recording does not allocate.</b> The trace is a ring that is allocated at its creation, so a trace may stay on
 * in production and does not change the observed behavior.
 * <li><b>Another thread watches for stalls</b>, because a stalled thread cannot report itself. That thread exists only
 * while there is a trace with a limit whose loop has been entered and is not closed.
 * <li><b>A hook that runs the loop is not stalled</b> while the loop waits or calls other hooks, which are watched
 * themselves.
 * </ul>
 */
@NullMarked
package dev.sluice.trace;

import org.jspecify.annotations.NullMarked;
