/**
 * The papers' Asynchronous Operation Processor where the system has none: operations on sockets are attempted when a
 * synchronous demultiplexer finds their handle ready, those on files are executed by threads.
 *
 * <p>{@link dev.sluice.mechanism.emulated.Emulation} has them wait, go on and end, and the subclasses of
 * {@link dev.sluice.mechanism.emulated.Execution}, one for each kind of operation, know how they are executed. Two
 * demultiplexers, which go by the name of what they wait with, say who waits. What sends is attempted at once, because
 * there mostly is room; what receives waits for readiness first, because there mostly is nothing yet.
 * <ul>
 * <li>{@link dev.sluice.mechanism.emulated.EmulatedDemultiplexer} has one loop thread and a level-triggered set. A
 *     handle stays registered for a direction until an event comes that no operation waits for: so a connection that is
 *     read from again and again costs no change of the handle set.
 * <li>{@link dev.sluice.mechanism.emulated.ConcurrentEmulatedDemultiplexer} has any number of waiting threads and
 *     a one-shot set, which tells one of them of a ready handle. That thread comes inside, goes on with the handle's
 *     operations, and has the set report the handle again if some of them still wait: a system call for each readiness.
 * </ul>
 *
 * <p>A file is always ready and still waits for the disk, so {@link dev.sluice.mechanism.operation.FilePool} has a
 * few threads for that. A call that one of them is inside cannot be interrupted: the close of the demultiplexer waits
 * for it, however long an {@code open} of a FIFO or a dead network file system takes.
 */
package dev.sluice.mechanism.emulated;
